import { z } from 'zod'
import { agentNames, eventSpellings } from '../../agents/registry.ts'
import { BundleEntry } from '../../model/bundle-settings.ts'
import { OnFailure, RuleMode, type Scope } from '../../model/effect.ts'
import { ExportEntry } from '../../model/export-settings.ts'
import { isJsonObject, JsonObject, objectsIn } from '../../model/json.ts'
import { limits } from '../../model/limits.ts'
import { PolicyId } from '../../model/policy.ts'
import { RecordEntry } from '../../model/record-settings.ts'
import { SessionLimits } from '../../model/session-limits.ts'
import { checkServer, PdpSubject, RemoteEntry, serverKeys } from '../../model/remote.ts'
import { ApprovalsEntry, loosenableKeys } from '../machine-settings.ts'
import type { Format } from '../places.ts'
import type { Rule } from '../../model/rule.ts'

/** Keys of a rule that say which of its answers a person may approve. */
const approving = {
  approvable: z
    .boolean()
    .optional()
    .describe('true: where approvals are on, a person may let through what this refuses, call by call.'),
  terminalOnly: z.boolean().optional().describe('true: only a person at this machine may approve what this is about.'),
}

/** These keys as they are written: a `false` counts where another place says true. */
export type ApprovingKeys = Readonly<Partial<Record<keyof typeof approving, boolean | undefined>>>

/** Returns how a person may answer for a rule: as its entry in a rules file says, else as the policy itself says. */
export const approvingOf = (
  entry: ApprovingKeys,
  policy: ApprovingKeys = {},
): Pick<Rule, 'approvable' | 'terminalOnly'> => ({
  ...((entry.approvable ?? policy.approvable) === true && { approvable: true }),
  ...((entry.terminalOnly ?? policy.terminalOnly) === true && { terminalOnly: true }),
})

/** A decision point of the company, which is asked about calls. */
const authzen = {
  type: z.literal('authzen').describe('A decision point that speaks AuthZEN: `false` refuses, `true` is no opinion.'),
  ...serverKeys,
  subject: PdpSubject.optional().describe('Whom it is asked about. Default: `user`, and the name of the account.'),
  timeout: z.number().positive().max(60).optional().describe('Seconds until it counts as failed. Default: 2.'),
  onFailure: OnFailure.optional().describe('What a failure counts as. Default: `block`.'),
  if: z.string().optional().describe('One permission rule, such as `Bash(git push *)`, that a call must also meet.'),
  mode: RuleMode.optional().describe(
    '`observe`: the answer is reported and does not count. Default: the mode of the file.',
  ),
  id: PolicyId.optional().describe('The name of the rule, unique in this file: it becomes `…hooks.json/ID`.'),
  ...approving,
}
const Authzen = z.strictObject(authzen).superRefine(checkServer)

/** Characters of `contact`: it is added to every refusal, which a model reads. */
const contactCharactersMax = 300

/** Whom to ask for an exception: one line for people and models, shown as it is. */
const Contact = z
  .string()
  .max(contactCharactersMax)
  .regex(/^(?=.*\S)[^\p{Cc}\p{Cf}]+$/u, { error: 'must be one line of text' })

/** A hook file in Claude Code's format. */
const file = {
  $schema: z.string().optional().describe('The JSON Schema of this file, for editors.'),
  description: z.string().optional().describe('What these rules are for.'),
  disableAllHooks: z
    .boolean()
    .optional()
    .describe('Switches off every rule in this file, and in every source with no more authority.'),
  hooks: z.record(z.string(), z.unknown()).optional().describe('For each event, groups of hooks.'),
}

/** Keys of hookgate's own files; in a file that belongs to another agent they are refused. */
const own = {
  preset: z.string().optional().describe('A named choice of packs: `recommended`, `strict` or `observe`.'),
  packs: z.array(z.unknown()).optional().describe('Packs of policies that are turned on.'),
  mode: RuleMode.optional().describe('The mode of every rule of this file that sets none. Default: `enforce`.'),
  sequential: z.boolean().optional().describe('Run all hooks of an event in order, one after the other.'),
  limits: z.unknown().optional().describe('How often something may happen: loops, and numbers of calls.'),
  exceptions: z.array(z.unknown()).optional().describe('What single rules have no opinion on.'),
  selfProtection: z
    .boolean()
    .optional()
    .describe('false: calls of an agent may change hookgate itself. Only in the user’s or the managed file.'),
  record: RecordEntry.optional().describe(
    'Which decisions are recorded: `all`, `decisions` (others are only counted) or `off`, and for how long. Only in the user’s or the managed file.',
  ),
  export: ExportEntry.optional().describe(
    'Where the record is sent. Nothing leaves the machine without it. Only in the user’s or the managed file.',
  ),
  approvals: ApprovalsEntry.optional().describe(
    'Whether hookgate asks a person by itself where an agent cannot, and how. Only in the user’s or the managed file.',
  ),
  remote: RemoteEntry.optional().describe('A gate elsewhere that decides too. Only in the user’s or the managed file.'),
  bundle: BundleEntry.optional().describe('The signed rules that this machine follows. Only in the managed file.'),
  userMaySet: z
    .array(z.enum(loosenableKeys))
    .optional()
    .describe('Keys with which a user’s file may loosen what holds where there is a managed file. Only in that file.'),
  contact: Contact.optional().describe(
    'Whom to ask for an exception: shown with each refusal and question. Only in the managed file.',
  ),
}

/** An argument without NUL, which the operating system could not pass to a program. */
const text = z.string().regex(/^[^\0]*$/, { error: 'cannot contain a NUL character' })
export const someText = text.regex(/\S/, { error: 'is empty' })

const onFailure = OnFailure.optional()
const mode = RuleMode.optional()
const condition = z
  .string()
  .optional()
  .describe('One permission rule, such as `Bash(git push *)`, that a call must also meet.')

/** Claude Code's hooks reference names these keys; `dialect` is hookgate's own, as is the value `ask`. */
const command = {
  type: z.literal('command').describe('A program that gets the event as JSON on stdin.'),
  command: someText.describe('The shell command or, with `args`, the program.'),
  args: z.array(text).optional().describe('Arguments of the program, which is then started without a shell.'),
  shell: z.enum(['bash', 'powershell']).optional().describe('The shell that runs `command`.'),
  timeout: z
    .number()
    .positive()
    .max(limits.hookTimeoutMsMax / 1000)
    .optional()
    .describe('Seconds until the hook is killed and counts as failed.'),
  async: z.boolean().optional().describe('Do not wait for the hook: its decision does not count.'),
  asyncRewake: z.boolean().optional().describe('For Claude Code only. hookgate waits for the hook.'),
  onFailure: onFailure.describe('What a failure counts as. Default: `continue`.'),
  if: condition,
  statusMessage: z.string().optional().describe('For Claude Code only: shown while the hook runs.'),
  once: z.boolean().optional().describe('For Claude Code only.'),
  mode: mode.describe('`observe`: the answer is reported and does not count. Default: the mode of the file.'),
  dialect: z.enum(agentNames).optional().describe('The agent the hook was written for. Default: `claude-code`.'),
}

/** The name of a hook in hookgate's own files. In another agent's file it has no effect, and is refused. */
const named = {
  id: PolicyId.optional().describe('The name of the rule, unique in this file: it becomes `…hooks.json/ID`.'),
}
const ownCommand = { ...command, ...named, ...approving }

/** A hook that only hookgate has. */
const policy = {
  type: z.literal('policy').describe('A policy: JavaScript or TypeScript that is evaluated in the sandbox.'),
  policy: someText.describe('A path relative to this file, or `hookgate/<name>` for a built-in policy.'),
  params: JsonObject.optional().describe('Policy settings that differ from the defaults.'),
  onFailure: onFailure.describe('What a failure counts as. Default: what the policy says, else `block`.'),
  mode: mode.describe('`observe`: the answer is reported and does not count. Default: the mode of the file.'),
  if: condition,
  ...named,
  ...approving,
}

const pack = {
  pack: someText.describe('The name of a built-in pack, or the path of a folder, relative to this file.'),
  params: JsonObject.optional().describe('Settings for every rule in the pack that has them.'),
  disable: z.array(z.string()).optional().describe('Ids of rules to leave out; `*`: all of them.'),
  onFailure: onFailure.describe('What a failure of a rule counts as. Default: what the rule says, else `block`.'),
  mode: mode.describe('`observe`: answers are reported and do not count. Default: the mode of the file.'),
  ...approving,
}
export const PackHook = z.strictObject(pack)
export type PackHook = z.infer<typeof PackHook>

/** A file of `policies/presets`: packs that are turned on together. */
export const Preset = z.strictObject({
  description: someText,
  mode,
  /** Some commands that its rules refuse: tests decide them. */
  refuses: z.array(someText),
  packs: z.array(PackHook),
  limits: SessionLimits.optional(),
})
export type Preset = z.infer<typeof Preset>

/** Hook types of Claude Code that hookgate does not run. */
export const ForeignType = z.enum(['http', 'mcp_tool', 'prompt', 'agent'])

/** Such a hook in a file that an agent reads too. */
const ForeignHook = z.looseObject({ type: ForeignType, onFailure })
export type ForeignHook = z.infer<typeof ForeignHook>

/** Refuses such a hook in hookgate's own file, by name: a silently skipped guard is worse than a file that does not load. */
const Elsewhere = z.looseObject({ type: ForeignType }).transform(({ type }, context) => {
  const remedy = "leave it in the agent's settings: the agent runs it itself"
  const message = `hookgate runs \`command\` and \`policy\` hooks, not \`${type}\` hooks`
  context.addIssue({ code: 'custom', path: ['type'], message, params: { remedy } })
  return z.NEVER
})

const group = {
  matcher: z
    .string()
    .optional()
    .describe('Names of tools, `Edit|Write`, or a regular expression. If left out, or `*`: all.'),
  sequential: z.boolean().optional().describe('Run these hooks in order, one after the other.'),
  hooks: z.array(z.unknown()).describe('Hooks that run side by side, unless they are `sequential`.'),
}

/** Refuses policies and decision points in another agent's file, which that agent reads too and would fail on. */
const Misplaced = z.looseObject({ type: z.enum(['policy', 'authzen']) }).transform(({ type }, context) => {
  const message = `an agent reads this file too, and does not support \`${type}\` hooks`
  const remedy = 'put it into a hooks.json of hookgate, such as .hookgate/hooks.json'
  context.addIssue({ code: 'custom', path: ['type'], message, params: { remedy } })
  return z.NEVER
})

/** The lists of `permissions`, the strongest first. */
export const permissionEffects = ['deny', 'ask', 'allow'] as const
const permissionList = z.array(someText).optional()
export const Permissions = z.strictObject({
  deny: permissionList.describe('Calls that are refused.'),
  ask: permissionList.describe('Calls that need approval.'),
  allow: permissionList.describe('Calls that need no approval: only if every part of a call is certain to match.'),
})
const permissions = Permissions.optional().describe('Permission rules, such as `Bash(git push *)`, for all agents.')

const strict = {
  File: z.strictObject({ ...file, ...own, permissions: z.unknown().optional() }),
  Groups: z.array(z.unknown()),
  Group: z.strictObject(group),
  Handler: z.discriminatedUnion('type', [z.strictObject(ownCommand), z.strictObject(policy), Authzen, Elsewhere]),
}
/** Refuses packs in another agent's file: silently skipped ones would guard nothing. */
const NoPacks = z.unknown().transform((value, context) => {
  if (value === undefined) return undefined
  const message = 'an agent reads this file too, and does not support packs'
  const remedy = 'put them into a hooks.json of hookgate, such as .hookgate/hooks.json'
  context.addIssue({ code: 'custom', message, params: { remedy } })
  return z.NEVER
})

/** A key that is hookgate's only in its own files: in another agent's it may be a setting of the agent. */
const theirs = z
  .unknown()
  .transform(() => undefined)
  .optional()

const loose = {
  File: z.object({
    ...file,
    packs: NoPacks.optional(),
    preset: theirs,
    mode: theirs,
    sequential: theirs,
    limits: theirs,
    exceptions: theirs,
    selfProtection: theirs,
    record: theirs,
    export: theirs,
    remote: theirs,
    approvals: theirs,
    userMaySet: theirs,
    bundle: theirs,
    contact: theirs,
  }),
  Groups: strict.Groups,
  Group: z.object(group),
  Handler: z.discriminatedUnion('type', [z.object(command), Misplaced, ForeignHook]),
}
/** Schemas for another agent's format in a file that was explicitly named for hookgate. */
const explicitFile = {
  ...loose,
  File: z.object({ ...file, ...own }),
  Handler: z.discriminatedUnion('type', [
    z.object({ ...command, ...approving }),
    z.strictObject(policy),
    Authzen,
    ForeignHook,
  ]),
}

/** Keys that other programs' settings may have too, or that resemble theirs: `model`, `recording`, `exports`, `contacts`. */
const commonKeys: ReadonlySet<string> = new Set([
  'mode',
  'limits',
  'record',
  'export',
  'remote',
  'approvals',
  'bundle',
  'contact',
])

/** The known keys at each level of a file. */
export const levelKeys = {
  file: [...Object.keys({ ...file, ...own }).filter((key) => !commonKeys.has(key)), 'permissions'],
  group: Object.keys(group),
  command: Object.keys(ownCommand),
} as const

/**
 * Keys that only hookgate has, apart from `onFailure`, which Claude Code has adopted.
 *
 * If one of them is misspelt or misplaced, it silently has no effect.
 */
export const ownKeys: ReadonlySet<string> = new Set([
  'packs',
  'pack',
  'policy',
  'dialect',
  'onFailure',
  'selfProtection',
])

/**
 * Selects the schemas of a file's levels.
 *
 * Each level has a schema of its own that leaves the next one open, so that an error in one hook does not hide those in
 * others. `open` has the levels at which unknown keys are accepted.
 */
export function schemasFor(format: Format, scope: Scope, value: unknown) {
  if (format === 'hookgate') return { ...strict, open: { file: false, hooks: false } }
  if (scope !== 'explicit') return { ...loose, open: { file: true, hooks: true } }
  switch (format === 'copy' || format === 'plugin' ? ownWordsIn(value) : 'none') {
    case 'throughout':
      return { ...strict, open: { file: false, hooks: false } }
    case 'inHooks':
      return { ...strict, File: explicitFile.File, open: { file: true, hooks: false } }
    case 'none':
      return { ...explicitFile, open: { file: true, hooks: true } }
  }
}
export type Schemas = ReturnType<typeof schemasFor>

export type CommandHook = Extract<z.infer<typeof strict.Handler>, { type: 'command' }>
export type PolicyHook = Extract<z.infer<typeof strict.Handler>, { type: 'policy' }>
export type AuthzenHook = z.infer<typeof Authzen>
/** A hook of any file. */
export type AnyHook = CommandHook | PolicyHook | AuthzenHook | ForeignHook

/** The parts of the file format's schema. */
export const wireParts = { file, own, permissions, command: ownCommand, policy, authzen, pack, group }

/** The events that can appear in a rules file. Other agents run their own hook files. */
export const rulesFileEvents: readonly string[] = [
  ...new Set([...eventSpellings('claude-code'), ...eventSpellings('cline')]),
]

/**
 * Returns how far a file is hookgate's own, by keys that no agent has.
 *
 * `throughout`: only hookgate reads it. `inHooks`: newer versions of Claude Code know `onFailure` too, so that only
 * hooks and groups are sure to have known keys; beside them there may be any of its settings.
 */
function ownWordsIn(value: unknown): 'throughout' | 'inHooks' | 'none' {
  if (!isJsonObject(value)) return 'none'
  const hooks = hooksIn(value)
  if (Object.keys(own).some((key) => !commonKeys.has(key) && value[key] !== undefined) || hooks.some(isOurs))
    return 'throughout'
  return hooks.some((hook) => hook['onFailure'] !== undefined) ? 'inHooks' : 'none'
}

const isOurs = (hook: JsonObject) =>
  hook['type'] === 'policy' ||
  hook['type'] === 'authzen' ||
  hook['policy'] !== undefined ||
  hook['dialect'] !== undefined ||
  hook['onFailure'] === 'ask'

function hooksIn({ hooks }: JsonObject): readonly JsonObject[] {
  const groups = isJsonObject(hooks) ? Object.values(hooks).flatMap(objectsIn) : []
  return groups.flatMap((one) => objectsIn(one['hooks']))
}

/** In `disable` of a pack: every rule, those of later versions included. Turns off a pack of the preset. */
export const everyRule = '*'
