import { z } from 'zod'
import { AgentName } from '../../model/agents.ts'
import { OnFailure } from '../../model/effect.ts'
import { eventSpellings } from '../../model/event-names.ts'
import { limits } from '../../model/limits.ts'

/**
 * Whose file it is. `hookgate`: our own `hooks.json`, where an unknown key is a misspelt one. The others are Claude
 * Code's format in somebody else's file, where unknown keys are let pass, as Claude Code lets them pass.
 */
export type Format = 'hookgate' | 'settings' | 'cline' | 'plugin'

/** A hook file in Claude Code's format. */
const file = {
  $schema: z.string().optional(),
  description: z.string().optional(),
  disableAllHooks: z.boolean().optional(),
  hooks: z.record(z.string(), z.unknown()).optional(),
}

/** An argument that the operating system could not be given. */
const text = z.string().refine((value) => !value.includes('\0'), { error: 'cannot contain a NUL character' })

/** Claude Code's hooks reference names these keys; `dialect` is hookgate's own, as is the value `ask`. */
const command = {
  type: z.literal('command'),
  command: text.refine((value) => value.trim() !== '', { error: 'is empty' }),
  args: z.array(text).optional(),
  shell: z.enum(['bash', 'powershell']).optional(),
  timeout: z
    .number()
    .positive()
    .max(limits.hookTimeoutMsMax / 1000)
    .optional(),
  async: z.boolean().optional(),
  asyncRewake: z.boolean().optional(),
  onFailure: OnFailure.optional(),
  if: z.string().optional(),
  statusMessage: z.string().optional(),
  once: z.boolean().optional(),
  dialect: AgentName.optional(),
}

const keepInAgent = 'leave it in the settings of the agent, which runs it itself'
const elsewhere: Readonly<Record<string, string>> = {
  http: keepInAgent,
  mcp_tool: keepInAgent,
  prompt: keepInAgent,
  agent: keepInAgent,
  policy: 'this version of hookgate has no policies yet; remove it',
}

/** Refused by name: a guard that is passed over in silence is worse than a file that does not load. */
const Elsewhere = z
  .looseObject({ type: z.enum(['http', 'mcp_tool', 'prompt', 'agent', 'policy']) })
  .transform(({ type }, context) => {
    const message = `hookgate runs \`command\` hooks, not \`${type}\` hooks`
    context.addIssue({ code: 'custom', path: ['type'], message, params: { remedy: elsewhere[type] } })
    return z.NEVER
  })

const group = { matcher: z.string().optional(), hooks: z.array(z.unknown()) }

const strict = {
  File: z.strictObject(file),
  Groups: z.array(z.unknown()),
  Group: z.strictObject(group),
  Handler: z.discriminatedUnion('type', [z.strictObject(command), Elsewhere]),
}
const loose = {
  File: z.object(file),
  Groups: strict.Groups,
  Group: z.object(group),
  Handler: z.discriminatedUnion('type', [z.object(command), Elsewhere]),
}

/**
 * A file's levels, each with a schema of its own that leaves the next one open: what is wrong in one hook then hides
 * nothing that is wrong in the others.
 */
export const schemasFor = (format: Format) => (format === 'hookgate' ? strict : loose)

export type CommandHook = z.infer<typeof strict.Handler>

/** The events of every agent, as they spell them. */
export const knownEvents: readonly string[] = AgentName.options.flatMap(eventSpellings)

/** The keys that a misspelt one may have been meant to be, and where each belongs. */
export const knownKeys: ReadonlyMap<string, string> = new Map([
  ...knownEvents.map((event) => [event, 'put it under `hooks`'] as const),
  ...Object.keys(command).map((key) => [key, "put the hook into a group's `hooks` list"] as const),
  ...Object.keys(file).map((key) => [key, 'put it at the top of the file'] as const),
  ...Object.keys(group).map(
    (key) => [key, 'put it into a group, which is what stands in the list of an event'] as const,
  ),
])
