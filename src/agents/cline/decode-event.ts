import { isAbsolute, join, resolve } from 'node:path'
import { existsSync, statSync } from 'node:fs'
import type { z } from 'zod'
import type { Surroundings } from '../../model/dialect.ts'
import type { HookEvent, ToolUse } from '../../model/event.ts'
import { deepFreeze, isJsonObject, type Json, type JsonObject } from '../../model/json.ts'
import { mismatch } from '../codec/mismatch.ts'
import { ClassicInput, engineOf, SdkInput } from './schemas.ts'
import { toolUseOf } from './tools.ts'
import { HookgateError } from '../../model/errors.ts'
import { entryNames } from '../../files/entries.ts'
import { dataFolders, extensionFolders, folderNamed, settingsFolder } from './folders.ts'
import type { Environment } from '../../model/node-environment.ts'

/**
 * Decodes an event of any Cline engine.
 *
 * @throws HookgateError `eventMalformed`, naming the field
 */
export function decodeEvent(wire: JsonObject, surroundings: Surroundings): HookEvent {
  return deepFreeze(engineOf(wire) === 'sdk' ? fromSdk(wire, surroundings) : fromClassic(wire, surroundings))
}

function fromClassic(wire: JsonObject, surroundings: Surroundings): HookEvent {
  const input = read(ClassicInput, wire)
  const workspaceRoots = absolute(input.workspaceRoots, surroundings)
  const model = modelOf(input.model)
  return {
    ...decodeClassic(input),
    agent: 'cline',
    session: {
      id: input.taskId,
      cwd: workspaceRoots[0] ?? surroundings.cwd,
      ...transcriptOf({ task: input.taskId, session: '' }, surroundings),
      ...(model === undefined ? {} : { model }),
    },
    workspaceRoots,
    atMs: timeOf(input.timestamp) ?? surroundings.nowMs,
    raw: wire,
  }
}

function fromSdk(wire: JsonObject, surroundings: Surroundings): HookEvent {
  const input = read(SdkInput, wire)
  const rootPath = input.workspaceInfo?.rootPath ?? ''
  const roots = input.workspaceRoots.length === 0 && rootPath !== '' ? [rootPath] : input.workspaceRoots
  const workspaceRoots = absolute(roots, surroundings)
  return {
    ...decodeSdk(input),
    agent: 'cline',
    session: {
      id: input.taskId,
      ...rootOf(input),
      cwd: rootPath === '' ? (workspaceRoots[0] ?? surroundings.cwd) : resolve(surroundings.cwd, rootPath),
      ...transcriptOf({ task: input.taskId, session: input.sessionContext?.rootSessionId ?? '' }, surroundings),
      // The top-level agent has an `agent_id` too; only a sub-agent has a parent.
      ...(input.parent_agent_id === null ? {} : { agentId: input.agent_id }),
    },
    workspaceRoots,
    atMs: timeOf(input.timestamp) ?? surroundings.nowMs,
    raw: wire,
  }
}

/** A conversation, and that of each of its sub-agents, is a task within one session. */
const rootOf = ({ sessionContext }: z.infer<typeof SdkInput>): Pick<HookEvent['session'], 'rootId'> =>
  sessionContext === undefined ? {} : { rootId: sessionContext.rootSessionId }

function transcriptOf(ids: TaskIds, { env }: Surroundings): Pick<HookEvent['session'], 'transcriptPath'> {
  const transcriptPath = conversationFile(ids, env)
  return transcriptPath === undefined ? {} : { transcriptPath }
}

function read<Schema extends z.ZodType>(schema: Schema, wire: JsonObject): z.infer<Schema> {
  const result = schema.safeParse(wire, { reportInput: true })
  if (result.success) return result.data
  throw malformed(mismatch(result.error.issues))
}

const absolute = (roots: readonly string[], { cwd }: Surroundings) =>
  roots.map((root) => (isAbsolute(root) ? root : resolve(cwd, root)))

/** Reads the model. Cline writes `unknown` if it knows none (engine B always). */
function modelOf(model: ClassicInput['model']): HookEvent['session']['model'] {
  if (model === undefined) return undefined
  const { provider, slug } = model
  return [provider, slug].every((part) => part === '' || part === 'unknown') ? undefined : { provider, slug }
}

/** Parses a timestamp: engines A and B write milliseconds in decimal, engine C an ISO date. */
function timeOf(timestamp: string): number | undefined {
  const ms = /^\d+$/.test(timestamp) ? Number(timestamp) : Date.parse(timestamp)
  return Number.isSafeInteger(ms) ? ms : undefined
}

/** Decodes the event-specific parts of an event of engines A and B. */
function decodeClassic(input: ClassicInput): ClineEventParts {
  switch (input.hookName) {
    case 'PreToolUse':
      return {
        name: 'PreToolUse',
        tool: withCommand(calledTool('preToolUse', input.preToolUse), 'preToolUse.parameters'),
      }
    case 'PostToolUse':
      return {
        name: 'PostToolUse',
        tool: calledTool('postToolUse', input.postToolUse),
        result: resultOf(input.postToolUse),
      }
    case 'UserPromptSubmit':
      return { name: 'UserPromptSubmit', prompt: input.userPromptSubmit?.prompt ?? '' }
    case 'TaskStart':
      return {
        name: 'SessionStart',
        trigger: 'startup',
        ...presentText('prompt', input.taskStart?.taskMetadata['initialTask']),
      }
    case 'TaskResume':
      return { name: 'SessionStart', trigger: 'resume' }
    case 'TaskCancel':
      return { name: 'SessionEnd', trigger: 'cancelled' }
    case 'TaskComplete':
      return { name: 'Stop', ...presentText('message', input.taskComplete?.taskMetadata['result']) }
    case 'PreCompact':
      return { name: 'PreCompact', trigger: 'auto' }
    case 'Notification':
      return {
        name: 'Notification',
        trigger: notificationTrigger(input.notification?.event ?? ''),
        ...presentText('message', input.notification?.message),
      }
  }
}

function calledTool(field: string, call: ClassicInput['preToolUse']): NonNullable<ClineEventParts['tool']> {
  // Every other field has a default; an empty call cannot be judged, and an unjudged call must not pass.
  if (call === undefined || call.toolName === '') throw malformed(`\`${field}.toolName\` is missing`)
  return toolUseOf(call.toolName, call.parameters, { stringified: true })
}

function resultOf(call: ClassicInput['postToolUse']): HookEvent['result'] {
  if (call === undefined) return undefined
  const { result, success, executionTimeMs } = call
  const error = success ? {} : { error: result }
  return { output: result, succeeded: success, durationMs: executionTimeMs, ...error }
}

function notificationTrigger(event: string): string {
  if (event === 'user_attention') return 'agent_needs_input'
  return event === 'task_complete' ? 'agent_completed' : event
}

/** Decodes the event-specific parts of an event of engine C. */
function decodeSdk(input: SdkInput): ClineEventParts {
  switch (input.hookName) {
    case 'tool_call':
      return {
        name: 'PreToolUse',
        tool: withCommand(sdkTool('tool_call', input.tool_call), 'tool_call.input'),
      }
    case 'tool_result':
      return { name: 'PostToolUse', tool: sdkTool('tool_result', input.tool_result), result: sdkResult(input) }
    case 'prompt_submit':
      return { name: 'UserPromptSubmit', prompt: input.userPromptSubmit?.prompt ?? '' }
    case 'agent_start':
      return { name: 'SessionStart', trigger: 'startup' }
    case 'agent_resume':
      return { name: 'SessionStart', trigger: 'resume' }
    case 'agent_abort':
      return { name: 'SessionEnd', trigger: 'cancelled' }
    case 'session_shutdown':
      return { name: 'SessionEnd', trigger: 'other' }
    case 'agent_end':
      return { name: 'Stop', ...presentText('message', input.turn?.outputText) }
    case 'agent_error':
      // The SDK does not classify its errors; `unknown` is the common word for that.
      return { name: 'StopFailure', trigger: 'unknown', ...presentText('message', input.error?.message) }
    case 'pre_compact':
      return { name: 'PreCompact', trigger: 'auto' }
  }
}

function sdkTool(field: string, call: SdkInput['tool_call']): NonNullable<ClineEventParts['tool']> {
  if (call === undefined) throw malformed(`\`${field}\` is missing`)
  return toolUseOf(call.name, inputOf(call.name, call.input), { stringified: false, id: call.id })
}

/**
 * The key under which a tool has the value that the SDK also accepts bare (`RunCommandsInputUnionSchema` and the like).
 */
const bareInputKeys = new Map([
  ['run_commands', 'commands'],
  ['read_files', 'files'],
  ['search_codebase', 'queries'],
])

function inputOf(toolName: string, input: Json | undefined): JsonObject {
  if (input === undefined || input === null) return {}
  if (isJsonObject(input)) return input
  return { [bareInputKeys.get(toolName) ?? 'input']: input }
}

function sdkResult(input: SdkInput): HookEvent['result'] {
  const { output, error, durationMs } = input.tool_result ?? {}
  const failed = error !== undefined && error !== null
  return {
    succeeded: input.postToolUse?.success ?? !failed,
    ...(output === undefined ? {} : { output }),
    ...(failed ? { error: errorText(error) } : {}),
    ...(durationMs === undefined ? {} : { durationMs }),
  }
}

function errorText(error: Json): string {
  if (typeof error === 'string') return error
  const message = isJsonObject(error) ? error['message'] : undefined
  return typeof message === 'string' ? message : JSON.stringify(error)
}

/** The event-specific parts of a `HookEvent`, which are decoded separately for each engine. */
interface ClineEventParts extends Pick<HookEvent, 'name' | 'trigger' | 'result' | 'prompt' | 'message'> {
  readonly tool?: ToolUse
}

function malformed(what: string): HookgateError {
  return new HookgateError('eventMalformed', `this is not a Cline event: ${what}`)
}

/** Checks a call about to be made: the command of a shell must be known, or rules on commands could not judge it. */
function withCommand(tool: ToolUse, place: string): ToolUse {
  if (tool.kind !== 'shell' || tool.command !== undefined) return tool
  throw malformed(`\`${place}\` has no command for \`${tool.name}\` that can be read`)
}

/** Returns a text under its field, or nothing: Cline does not distinguish an empty text from none. */
function presentText(
  field: 'prompt' | 'message',
  text: string | undefined,
): Pick<ClineEventParts, 'prompt' | 'message'> {
  return text === undefined || text === '' ? {} : { [field]: text }
}

/** The ids by which an event names its task, and the session that the task belongs to. */
interface TaskIds {
  readonly task: string
  /** Sent by the SDK only: a conversation, and that of each sub-agent, is a task within a session. */
  readonly session: string
}

/**
 * Finds the file in which Cline keeps the conversation of a task, for hooks whose format promises a `transcript_path`.
 *
 * No event names it. The SDK, and what is built on it (CLI 3, the extension from 4.0), write one file of messages for
 * each session; CLI 2 and the older extension one for each task, the extension in a folder of its editor's.
 *
 * @returns `undefined` if there is none, for example at the start of a task
 */
function conversationFile({ task, session }: TaskIds, env: Environment): string | undefined {
  const home = folderNamed(env, 'HOME') ?? folderNamed(env, 'USERPROFILE')
  const { data, sessions } = dataFolders(home, env)
  return (
    messagesIn(sessions, session) ??
    messagesIn(sessions, task) ??
    historyIn(data, task) ??
    knownExtensionFolders(home, env)
      .map((folder) => historyIn(folder, task))
      .find((file) => file !== undefined)
  )
}

const messagesIn = (sessions: string | undefined, id: string) => fileBelow(sessions, id, `${id}.messages.json`)
const historyIn = (folder: string | undefined, task: string) =>
  fileBelow(folder && join(folder, 'tasks'), task, 'api_conversation_history.json')

/** INVARIANT: an id is one folder's name, never a path: the sender of an event must not choose which file is named. */
function fileBelow(folder: string | undefined, id: string, name: string): string | undefined {
  if (folder === undefined || !/^[\w-]+$/.test(id)) return undefined
  const file = join(folder, id, name)
  try {
    return statSync(file, { throwIfNoEntry: false })?.isFile() === true ? file : undefined
  } catch {
    return undefined
  }
}

/** Keeps the extension's folders that were found last: there may be a hundred programs to look at, at each event. */
function knownExtensionFolders(home: string | undefined, env: Environment): readonly string[] {
  const settings = settingsFolder(home, env, process.platform)
  const key = JSON.stringify([home, settings])
  if (lastFound?.key === key) return lastFound.folders
  const folders = extensionFolders(home, settings, entryNames).filter((folder) => existsSync(folder))
  if (folders.length > 0) lastFound = { key, folders }
  return folders
}
let lastFound: { readonly key: string; readonly folders: readonly string[] } | undefined
