import type { Answer, Dialect, HookEnvironment, Surroundings } from '../../model/dialect.ts'
import { isJsonObject, type JsonObject } from '../../model/json.ts'
import { isBelow } from '../../words/machine-paths.ts'
import { engineOf, support } from './schemas.ts'
import { decodeAnswer } from './decode-answer.ts'
import { decodeEvent } from './decode-event.ts'
import { encodeEvent, strings } from './encode-event.ts'
import { join } from 'node:path'
import { definedVariables, existingFolder } from '../codec/environment.ts'
import { withCall } from '../codec/rewrite.ts'
import type { CallEvent, HookEvent } from '../../model/event.ts'
import type { CommandHandler } from '../../model/rule.ts'
import type { Verdict } from '../../model/verdict.ts'
import { supportedPart } from '../codec/supported-verdict.ts'
import { cline } from './index.ts'

/**
 * The dialect of Cline.
 *
 * Hooks get events in the published protocol, that of engine A; as a caller, each of the three engines gets the answer
 * that it understands (see `engine.ts`).
 */
export const dialect: Dialect = {
  agent: 'cline',
  namesProject: true,
  events: [
    'PreToolUse',
    'PostToolUse',
    'UserPromptSubmit',
    'SessionStart',
    'SessionEnd',
    'Stop',
    'StopFailure',
    'PreCompact',
    'Notification',
  ],
  recognises,
  decodeEvent,
  support,
  encodeVerdict,
  encodeEvent,
  withInput,
  environment,
  decodeAnswer,
}

/** Recognises Cline by the names of the event and its task; Claude Code and its kin use another key for the event. */
function recognises(wire: JsonObject): boolean {
  if (Object.hasOwn(wire, 'hook_event_name')) return false
  const named = typeof (wire['hookName'] ?? wire['hook_name']) === 'string'
  return named && ['taskId', 'task_id', 'clineVersion', 'cline_version'].some((key) => Object.hasOwn(wire, key))
}

/**
 * Returns a hook's environment and working directory as Cline sets them.
 *
 * The environment is Cline's own; the working directory is the root that a workspace's hook belongs to, or the primary
 * root for a global hook (since 3.56.0).
 */
function environment(
  { workspaceRoots, session }: HookEvent,
  handler: CommandHandler,
  inherited: Surroundings['env'],
): HookEnvironment {
  const own = workspaceRoots.filter((root) => isHookOf(root, handler)).slice(0, 1)
  return {
    cwd: existingFolder([...own, ...workspaceRoots.slice(0, 1), session.cwd]),
    env: { ...definedVariables(inherited), ...handler.env },
  }
}

/** Compares whole path segments: Cline compares prefixes, so that its root `/a/app` claims the hooks of `/a/app2`. */
function isHookOf(root: string, { program }: CommandHandler): boolean {
  if (program.form !== 'script') return false
  return isBelow(program.file, join(root, '.clinerules', 'hooks'))
}

/**
 * Encodes a verdict for Cline: one JSON object on stdout, with exit code 0 even for a refusal.
 *
 * INVARIANT: never another exit code. Engines A and B discard the output of a hook that exits with any other, and the
 * tool runs (measured on CLI 2.18.0; `HookProcess.ts` rejects before stdout is read). Engine C ignores the code.
 */
function encodeVerdict(event: HookEvent, verdict: Verdict): Answer {
  const supported = supportedPart(event, verdict, support(event), cline.title)
  const { context, cut } = fitted(supported.context)
  const denied = supported.decision === 'deny'
  const answer = {
    cancel: denied,
    // Only with a cancel: without one, engine C passes it to the model as context.
    ...(denied ? { errorMessage: supported.reason } : {}),
    ...(context === '' ? {} : { contextModification: context }),
    ...(supported.replaceInput === undefined ? {} : { overrideInput: supported.replaceInput }),
  }
  const stderrTexts = [
    ...(denied ? [supported.reason] : []),
    ...[...supported.unexpressed, ...cut].map((text) => text.replace(/^/gm, 'hookgate: ')),
  ]
  return {
    stdout: `${JSON.stringify(answer)}\n`,
    stderr: stderrTexts.map((text) => `${text}\n`).join(''),
    exitCode: 0,
  }
}

/** Truncates a context visibly and between whole characters: Cline truncates at the same length without either. */
function fitted(context: string): { readonly context: string; readonly cut: readonly string[] } {
  const max = clineContextCharactersMax
  if (context.length <= max) return { context, cut: [] }
  const marker = `\n\n[… cut by hookgate: Cline takes ${max} characters]`
  const end = max - marker.length
  const splitsPair = /[\ud800-\udbff]/.test(context.charAt(end - 1))
  return {
    context: `${context.slice(0, splitsPair ? end - 1 : end)}${marker}`,
    cut: [`the context has ${context.length} characters and was cut to ${max}, the most that Cline takes`],
  }
}
/** One `contextModification`, in UTF-16 units: beyond this Cline truncates, possibly inside a character. */
export const clineContextCharactersMax = 50_000

/**
 * Puts another input into a call about to be made, in the form of the engine that sent it.
 *
 * @throws HookgateError `eventMalformed` if that engine could not read it
 */
function withInput(event: HookEvent, input: JsonObject, around: Surroundings): CallEvent {
  const { raw } = event
  const isSdk = engineOf(raw) === 'sdk'
  const put = isSdk ? input : strings(input)
  const { pre_tool_use: snake, ...others } = raw
  const wire = isSdk
    ? { ...raw, tool_call: { ...objectIn(raw['tool_call']), input } }
    : { ...others, preToolUse: { ...objectIn(raw['preToolUse'] ?? snake), parameters: put } }
  return withCall(event, decodeEvent(raw, around), decodeEvent(wire, around), put)
}

const objectIn = (value: unknown): JsonObject => (isJsonObject(value) ? value : {})
