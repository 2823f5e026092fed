import { z } from 'zod'
import { isJsonObject, type Json, type JsonObject } from '../../model/json.ts'
import { anObject, anything } from '../codec/mismatch.ts'
import { cline } from './index.ts'
import { unread } from '../table/events.ts'
import type { ProtocolSupport } from '../../model/dialect.ts'
import type { HookEvent } from '../../model/event.ts'

/**
 * Schemas of Cline's wire format: unknown keys are accepted, known keys are type-checked.
 *
 * Sources: Cline's `hooks.proto` and `hook-factory.ts` (engines A and B), its SDK's `subprocess.ts` and recorded events
 * (engine C). Proto3 omits every field that equals its default, so every field of engines A and B has its default here.
 */
const text = z.string().default('')
const texts = z.array(z.string()).default([])
const strings = z.record(z.string(), z.string()).default({})

/** Accepts an object whose keys may also be in snake_case, as in the first published `hooks.proto`. */
function eitherSpelling<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  const schema = z.looseObject(shape)
  return z.preprocess((value) => (isJsonObject(value) ? camelCased(value, shape) : value), schema)
}

export function camelCase(key: string): string {
  return key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

function camelCased(wire: JsonObject, shape: object): JsonObject {
  const entries = Object.entries(wire).map(([key, value]): [string, Json] => {
    const camel = camelCase(key)
    return [Object.hasOwn(shape, camel) && !Object.hasOwn(wire, camel) ? camel : key, value]
  })
  return Object.fromEntries(entries)
}

const classicHookNames = [
  'PreToolUse',
  'PostToolUse',
  'UserPromptSubmit',
  'TaskStart',
  'TaskResume',
  'TaskCancel',
  'TaskComplete',
  'PreCompact',
  'Notification',
] as const

const common = { clineVersion: text, timestamp: text, taskId: text, workspaceRoots: texts, userId: text }
const task = eitherSpelling({ taskMetadata: strings }).optional()
const call = { toolName: text, parameters: strings }

/** The input that engines A and B send, and that Cline hooks get. */
export const ClassicInput = eitherSpelling({
  ...common,
  hookName: z.enum(classicHookNames),
  model: eitherSpelling({ provider: text, slug: text }).optional(),
  preToolUse: eitherSpelling(call).optional(),
  postToolUse: eitherSpelling({
    ...call,
    result: text,
    success: z.boolean().default(false),
    executionTimeMs: z.number().default(0),
  }).optional(),
  userPromptSubmit: eitherSpelling({ prompt: text }).optional(),
  taskStart: task,
  taskResume: task,
  taskCancel: task,
  taskComplete: task,
  preCompact: z.looseObject({}).optional(),
  notification: eitherSpelling({ event: text, message: text }).optional(),
})
export type ClassicInput = z.infer<typeof ClassicInput>

const sdkHookNames = [
  'tool_call',
  'tool_result',
  'agent_start',
  'agent_resume',
  'agent_abort',
  'agent_end',
  'agent_error',
  'prompt_submit',
  'session_shutdown',
  // Declared in the SDK's type, but never sent by the versions measured.
  'pre_compact',
] as const

const sdkCall = { id: z.string().optional(), name: z.string().min(1), input: anything.optional() }

/** The input that engine C sends; its legacy objects repeat it in the classic form, with less content. */
export const SdkInput = z.looseObject({
  ...common,
  hookName: z.enum(sdkHookNames),
  workspaceInfo: z.looseObject({ rootPath: text }).optional(),
  // Only a file is looked for by it: an event without it, or with something else in its place, is as good.
  sessionContext: z.looseObject({ rootSessionId: z.string() }).optional().catch(undefined),
  agent_id: text,
  parent_agent_id: z.string().nullable().default(null),
  tool_call: z.looseObject(sdkCall).optional(),
  tool_result: z
    .looseObject({
      ...sdkCall,
      output: anything.optional(),
      error: anything.optional(),
      durationMs: z.number().optional(),
    })
    .optional(),
  postToolUse: z.looseObject({ success: z.boolean().optional() }).optional(),
  userPromptSubmit: z.looseObject({ prompt: text }).optional(),
  turn: z.looseObject({ outputText: text }).optional(),
  error: z.looseObject({ message: text }).optional(),
})
export type SdkInput = z.infer<typeof SdkInput>

/** A hook's answer: the published three fields, the SDK's three, and the old opposite of `cancel`. */
export const HookOutput = eitherSpelling({
  cancel: z.boolean().optional(),
  contextModification: z.string().optional(),
  errorMessage: z.string().optional(),
  context: z.string().optional(),
  overrideInput: anObject.optional(),
  review: z.boolean().optional(),
  shouldContinue: z.boolean().optional(),
})
export type HookOutput = z.infer<typeof HookOutput>

export const answerFields: ReadonlySet<string> = new Set([
  'cancel',
  'contextModification',
  'errorMessage',
  'context',
  'overrideInput',
  'review',
  'shouldContinue',
])

/** Fields of an answer that only the SDK knows. */
export const sdkFields = ['context', 'overrideInput', 'review'] as const

/** Returns whether an object has a field of an answer, in either spelling. */
export function isAnswer(object: JsonObject): boolean {
  return Object.keys(object).some((key) => answerFields.has(camelCase(key)))
}

/**
 * The three programs called Cline, which differ in what they send and honour.
 *
 * `classic` is the VS Code extension up to 3.89 and CLI 2; `extension` the extension from 4.0; `sdk` the file hooks of
 * CLI 3 and `@cline/core`.
 */
type Engine = 'classic' | 'extension' | 'sdk'

/** Determines the engine that sent a wire object. It is pure, so that an answer can be encoded from the event alone. */
export function engineOf(wire: JsonObject): Engine {
  const name = wire['hookName'] ?? wire['hook_name']
  if (sdkHookNames.some((known) => known === name)) return 'sdk'
  if (Object.hasOwn(wire, 'agent_id') && !classicHookNames.some((known) => known === name)) return 'sdk'
  const version = wire['clineVersion'] ?? wire['cline_version']
  return typeof version === 'string' && Number.parseInt(version, 10) >= 4 ? 'extension' : 'classic'
}

/** Returns the engine that waits for the answer to an event; for other agents, the one whose protocol was published. */
export function askingEngine(event: HookEvent): Engine {
  return event.agent === 'cline' ? engineOf(event.raw) : 'classic'
}

/** The events at which each engine waits for an answer, by their common names. */
const awaited: Readonly<Record<Engine, readonly string[]>> = {
  classic: ['PreToolUse', 'PostToolUse', 'UserPromptSubmit', 'SessionStart', 'PreCompact'],
  extension: ['PreToolUse', 'PostToolUse', 'UserPromptSubmit', 'SessionStart'],
  sdk: ['PreToolUse', 'PostToolUse'],
}

/** Looks up what the protocol of the calling engine can express at an event. */
export function support(event: HookEvent): ProtocolSupport {
  const engine = askingEngine(event)
  if (!awaited[engine].includes(event.name)) return unread
  const refused = Object.values(cline.events).find(({ events }) => events.includes(event.name))?.support ?? unread
  return engine === 'sdk' && event.name === 'PreToolUse' ? { ...refused, replaceInput: 'native' } : refused
}
