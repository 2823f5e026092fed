import { agentNames, subscribedEvents } from '../../agents/registry.ts'
import { isError, type JsonPath, type Place, placeText, type Refusal } from '../../model/errors.ts'
import { isJsonObject } from '../../model/json.ts'
import { limits } from '../../model/limits.ts'
import type { Matcher, Rule, Source } from '../../model/rule.ts'
import { quoted } from '../../model/text.ts'
import { type Disk, isUnreadable } from '../../model/disk.ts'
import { type RuleSource, workspaceDisk } from '../find/search.ts'
import {
  hookKeysOf,
  knownKeys,
  noBudget,
  problem,
  read,
  readRest,
  refuse,
  reportUnknownKeys,
  type RulesBudget,
  type RulesFileState,
} from './reading.ts'
import { authzenRule, commandRule, isOwnLauncher, loadScript } from './hook-rules.ts'
import { bindingOf, type HookPosition, hookRuleId, isBinding, type RulesDraft } from './draft.ts'
import { managedRulesFile, parseJson, rulesFile } from '../../files/parse-json.ts'
import { exceptionsIn } from './exceptions.ts'
import { readPreset } from './pack.ts'
import { permissionRules } from './permissions.ts'
import { limitRules } from './session-limits.ts'
import { bindFolder, turnedOn } from './turned-on.ts'
import type { Format } from '../places.ts'
import { didYouMean } from '../../words/suggest.ts'
import { type AnyHook, type ForeignHook, rulesFileEvents, type Schemas, schemasFor } from './wire.ts'
import type { AgentName, EventName } from '../../model/event.ts'
import { compileMatcher, matcherWarnings, matchesNothing } from '../match/matcher.ts'
import { builtinRule } from '../self-protection.ts'
import { loosenableKeys, type MachineKeys } from '../machine-settings.ts'

/** Reads the rules of one found source. Its policies are bound by name, but not yet loaded. */
export function load(found: RuleSource, whole: Disk, home: string, budget: RulesBudget = noBudget): RulesDraft {
  const disk = workspaceDisk(found.source.workspaceRoot, home, whole)
  switch (found.kind) {
    case 'script':
      return loadScript(found, disk)
    case 'policies':
      return loadFolder(found, disk, budget)
    case 'file':
      return loadFile(found.source, found.format, whole, home, budget)
  }
}

function loadFolder(found: Extract<RuleSource, { kind: 'policies' }>, disk: Disk, budget: RulesBudget): RulesDraft {
  const { source } = found
  const { entries, problems } = bindFolder(source, found, disk, budget)
  return { ...emptyDraft(source), entries, problems }
}

/** @param whole also tells which commands call hookgate, whose scripts may be anywhere */
function loadFile(source: Source, format: Format, whole: Disk, home: string, budget: RulesBudget): RulesDraft {
  const disk = workspaceDisk(source.workspaceRoot, home, whole)
  const bytes = disk.read(source.file, limits.rulesFileBytesMax)
  if (isUnreadable(bytes)) {
    return unread(source, `the rules file cannot be read: ${bytes.why}`, 'fix or remove it')
  }
  const over = budget(source.file, bytes.length)
  if (over !== undefined) return unread(source, over.message, over.remedy)
  // An administrator's file says why; no command of hookgate changes it.
  const hasComments = source.scope === 'managed' && format === 'hookgate'
  const parsed = parseJson(bytes, source.file, hasComments ? managedRulesFile : rulesFile)
  const places = new Map<string, Place>()
  const problems = [...parsed.problems]
  if (parsed.value === undefined) return { ...emptyDraft(source), problems }
  const start: RulesFileState = {
    source,
    format,
    home,
    budget,
    parsed,
    problems,
    places,
    mode: 'enforce',
    sequential: false,
  }
  const schemas = schemasFor(format, source.scope, parsed.value)
  const file = read(start, schemas.File, parsed.value, [])
  const reading: RulesFileState = { ...start, mode: file?.mode ?? 'enforce', sequential: file?.sequential ?? false }
  if (schemas.open.file) reportUnknownKeys(reading, 'file', parsed.value, [])
  if (file?.disableAllHooks === true) warnOfSwitch(reading)
  const machineKeys = machineKeysOf(reading, file)
  const hooks = isJsonObject(parsed.value) && isJsonObject(parsed.value['hooks']) ? parsed.value['hooks'] : {}
  const packs = turnedOn(reading, file?.preset, file?.packs ?? packsIn(parsed.value, reading), disk)
  const listed = file !== undefined && 'permissions' in file ? file.permissions : undefined
  if (schemas.open.file) warnOfUnread(reading)
  const permissions = listed === undefined ? [] : permissionRules(reading, listed)
  const preset = file?.preset === undefined ? undefined : readPreset(file.preset)
  const limited = limitRules(reading, file?.limits, preset !== undefined && 'packs' in preset ? preset : {})
  const listedExceptions = file?.exceptions
  const exceptions = listedExceptions === undefined ? [] : exceptionsIn(reading, listedExceptions)
  const { hooks: byEvent, disableAllHooks, packs: written, preset: named, limits: ownLimits } = file ?? {}
  const { selfProtection, record, export: exported, remote, approvals, userMaySet, bundle, contact } = machineKeys
  const switches = selfProtection ?? record ?? exported ?? remote ?? approvals ?? userMaySet ?? bundle ?? contact
  const content = byEvent ?? disableAllHooks ?? written ?? named ?? ownLimits ?? listed ?? listedExceptions ?? switches
  const isEmpty = file !== undefined && content === undefined
  if (isEmpty) missingHooks(reading)
  const all = Object.entries(hooks).flatMap(([spelled, groups]) => entriesOf(reading, schemas, spelled, groups, disk))
  const own = new Set(all.filter((entry): entry is Rule => !isBinding(entry) && callsHookgate(entry, whole)))
  const hooked = all.filter((entry) => isBinding(entry) || !own.has(entry))
  return {
    source,
    entries: [...permissions, ...limited, ...hooked, ...packs.entries],
    claimed: packs.claimed,
    disabled: packs.disabled,
    exceptions,
    notes: [],
    asking: [...own].map(({ id }) => id),
    problems: reading.problems,
    disableAllHooks: file?.disableAllHooks ?? false,
    ...machineKeys,
    preset: file?.preset,
    places,
  }
}

const emptyDraft = (source: Source): RulesDraft => ({
  source,
  entries: [],
  claimed: [],
  disabled: [],
  exceptions: [],
  problems: [],
  notes: [],
  asking: [],
  disableAllHooks: false,
  preset: undefined,
  places: new Map(),
})

const unread = (source: Source, message: string, remedy: string | undefined): RulesDraft => ({
  ...emptyDraft(source),
  problems: [{ severity: 'error', place: { file: source.file }, message, remedy }],
})

/** Reads the `packs` of a malformed file too, so that errors elsewhere in it do not hide those of its packs. */
function packsIn(value: unknown, { format, source }: RulesFileState): readonly unknown[] {
  if (format !== 'hookgate' && source.scope !== 'explicit') return []
  const packs = isJsonObject(value) ? value['packs'] : undefined
  return Array.isArray(packs) ? packs : []
}

const callsHookgate = ({ handler }: Rule, disk: Disk) =>
  handler.kind === 'command' && isOwnLauncher(handler.program, disk)

/** Reports a file without `hooks`, unless it is another program's file that hookgate found by itself. */
function missingHooks(reading: RulesFileState): void {
  if (reading.format !== 'hookgate' && reading.source.scope !== 'explicit') return
  // An agent's settings may well have no hooks.
  if (reading.format === 'settings') return
  // A misspelt `packs` was already reported.
  if (reading.problems.some(isError)) return
  const own = 'write `{"preset": "recommended"}` for a start (`hookgate packs` lists the presets)'
  const remedy = reading.format === 'hookgate' ? own : 'write `{"hooks": {}}`'
  problem(reading, 'error', [], 'value', 'there are no rules: `hooks` is missing', remedy)
}

/** Warns of `permissions` in a named file that may be an agent's settings, where the agent judges them itself. */
function warnOfUnread(reading: RulesFileState): void {
  const { format, parsed } = reading
  if (format !== 'copy' || !isJsonObject(parsed.value) || !('permissions' in parsed.value)) return
  const message = '`permissions` are not judged here: this may be the settings file of an agent, which judges them'
  const remedy = 'put them into a file of the name `hooks.json`, which is always read as one of hookgate'
  problem(reading, 'warning', ['permissions'], 'key', message, remedy)
}

function warnOfSwitch(reading: RulesFileState): void {
  const message = '`disableAllHooks` switches off every rule in this file, and in every source with no more authority'
  problem(reading, 'warning', ['disableAllHooks'], 'key', message, 'remove it to switch them on again')
}

function entriesOf(
  reading: RulesFileState,
  schemas: Schemas,
  spelled: string,
  value: unknown,
  disk: Disk,
): RulesDraft['entries'] {
  const subscribed = subscribedEvents('claude-code', spelled) ?? subscribedEvents('cline', spelled)
  if (subscribed === undefined) {
    // Claude Code skips an event it does not know. So does hookgate in an agent's file, with a warning: the event may be
    // newer than this table. In hookgate's own file it is an error, and in a file that is named with `--rules` if it
    // looks misspelt or is another agent's, since that would be a guard that never runs. docs/rules.md says the same.
    const remedy = isForeignEvent(spelled) ? foreignFile : didYouMean(spelled, rulesFileEvents)
    const isMistake = reading.format === 'hookgate' || (reading.source.scope === 'explicit' && remedy !== undefined)
    const severity = isMistake ? 'error' : 'warning'
    problem(reading, severity, ['hooks', spelled], 'key', `there is no event ${quoted(spelled)}`, remedy)
    return []
  }
  const at: JsonPath = ['hooks', spelled]
  return (read(reading, schemas.Groups, value, at) ?? []).flatMap((groupValue, g) => {
    const { rest: group, isWhole } = readRest(reading, schemas.Group, groupValue, [...at, g])
    if (schemas.open.hooks) reportUnknownKeys(reading, 'group', groupValue, [...at, g])
    const id = `${reading.source.id}#${spelled}[${g}]`
    const compiled = group && groupMatcher(reading, id, group, subscribed.events, [...at, g, 'matcher'])
    const matcher = compiled?.matcher
    // A group that is refused must not hide errors in its hooks, nor a hook errors in its policy.
    const isRefused = !isWhole || matcher === undefined
    const sequence = sequenceOf(reading, group?.sequential, spelled, g)
    const hooks = (group?.hooks ?? []).flatMap((handler, h) => {
      const path = [...at, g, 'hooks', h]
      const hookId = `${id}.hooks[${h}]`
      const position = { id: hookId, isNamed: false, spelled, matcher: matcher ?? any, path, isRefused, sequence }
      return entryOf(reading, schemas, position, subscribed.events, handler, disk)
    })
    return isRefused ? hooks : hooks.concat(compiled?.told ?? [])
  })
}

/** Returns the sequence that a group's hooks belong to; `undefined` if they run side by side. */
function sequenceOf(
  { source, format, sequential }: RulesFileState,
  isSequential: boolean | undefined,
  spelled: string,
  group: number,
): string | undefined {
  // The plugin format's reference: the hooks of one event run in the order in which they are listed.
  if (format === 'plugin' || sequential) return `${source.id}#${spelled}`
  return isSequential === true ? `${source.id}#${spelled}[${group}]` : undefined
}

/** Reads one hook of a group. */
function entryOf(
  reading: RulesFileState,
  { Handler, open }: Schemas,
  unnamed: HookPosition,
  events: Rule['match']['events'],
  handler: unknown,
  disk: Disk,
): RulesDraft['entries'] {
  const { path } = unnamed
  if (isJsonObject(handler) && handler['pack'] !== undefined) {
    const message = 'a pack is not a hook: its rules define their own events'
    const remedy = 'put it into the `packs` list at the top level of the file'
    problem(reading, 'error', [...path, 'pack'], 'key', message, remedy)
    return []
  }
  const keys = hookKeysOf(isJsonObject(handler) ? handler['type'] : undefined)
  const { rest: hook, isWhole } = readRest<AnyHook>(reading, Handler, handler, path, keys)
  if (open.hooks && keys === knownKeys) reportUnknownKeys(reading, 'command', handler, path)
  if (hook === undefined) return []
  const isOurs = hook.type === 'command' || hook.type === 'policy' || hook.type === 'authzen'
  const name = isOurs && 'id' in hook && typeof hook.id === 'string' ? hook.id : undefined
  if (name === undefined && isJsonObject(handler) && handler['id'] !== undefined && isWhole) {
    const remedy = 'move the hook to a hooks.json of hookgate, or remove the `id`'
    problem(reading, 'error', [...path, 'id'], 'key', '`id` has no effect here: an agent reads this file too', remedy)
    return []
  }
  const position = name === undefined ? unnamed : namedPosition(reading, unnamed, name)
  reading.places.set(position.id, reading.parsed.place(path, 'value'))
  const isRefused = position.isRefused || !isWhole
  switch (hook.type) {
    case 'policy':
      return bindingOf(reading, { ...position, isRefused }, hook, disk)
    case 'command': {
      const rules = commandRule(reading, position, hook, open.file)
      return isRefused ? [] : rules
    }
    case 'authzen': {
      const rules = authzenRule(reading, position, hook, events)
      return isRefused ? [] : rules
    }
    case 'http':
    case 'mcp_tool':
    case 'prompt':
    case 'agent':
      return isRefused ? [] : [unsupportedRule(reading, position, hook, events)]
  }
}

/** Names the rule of a hook by the hook's own `id`, which no other hook of the file may have. */
function namedPosition(reading: RulesFileState, position: HookPosition, name: string): HookPosition {
  const id = hookRuleId(reading.source, name)
  const first = reading.places.get(id)
  if (first === undefined) return { ...position, id, isNamed: true }
  const message = `the hook ${quoted(name)} is defined twice: ${placeText(first)} has the same \`id\``
  problem(reading, 'error', [...position.path, 'id'], 'value', message, 'give one of them a different `id`')
  return { ...position, isRefused: true }
}

/** Returns whether an event exists only for agents whose hook files hookgate does not read. */
const isForeignEvent = (spelled: string) => agentNames.some((agent) => subscribedEvents(agent, spelled) !== undefined)
const foreignFile =
  'it is the event of an agent that runs its own hook file: write the hook for hookgate under `PreToolUse` and its kin, with its `dialect`'

const any: Matcher = { kind: 'any' }

/** The agent that the hooks of a file were written for, unless they name another. */
const agentOf: Readonly<Record<Format, AgentName>> = {
  hookgate: 'claude-code',
  settings: 'claude-code',
  copy: 'claude-code',
  plugin: 'claude-code',
  cline: 'cline',
}

interface GroupMatcher {
  readonly matcher: Matcher
  /** A rule that says that it matches nothing. */
  readonly told: readonly Rule[]
}

/**
 * Compiles the matcher of a group. One that no tool can match leaves the hooks of other agents as silent as they are
 * there; a policy has no other agent, and is refused.
 */
function groupMatcher(
  reading: RulesFileState,
  id: string,
  { matcher: text, hooks }: { readonly matcher?: string | undefined; readonly hooks: readonly unknown[] },
  events: Rule['match']['events'],
  path: JsonPath,
): GroupMatcher | undefined {
  const { format } = reading
  const named = hooks.flatMap((hook) => (isJsonObject(hook) ? (hook['dialect'] ?? []) : []))
  const agent = agentNames.find((name) => name === named[0]) ?? agentOf[format]
  const matcher = compileMatcher(text, events, format, agent)
  if (matcher.kind === 'refused') return refuse(reading, matcher, path)
  const warnings = matcherWarnings(text, events, format, agent)
  const isDead = matchesNothing(matcher)
  const isOwn = hooks.some((hook) => isJsonObject(hook) && (hook['type'] === 'policy' || hook['type'] === 'authzen'))
  for (const { message, remedy } of warnings)
    problem(reading, isDead && isOwn ? 'error' : 'warning', path, 'value', message, remedy)
  if (isDead && isOwn) return undefined
  reading.places.set(id, reading.parsed.place(path, 'value'))
  return { matcher, told: isDead ? [unmatchedRule(reading, id, text ?? '', warnings)] : [] }
}

/**
 * Makes a rule of a hook that hookgate does not run, in a file that its agent reads too. The other hooks of the file are
 * in force.
 *
 * If its failure is to matter, it fails where it would have run; otherwise it is mentioned once, as the session begins.
 */
function unsupportedRule(
  reading: RulesFileState,
  { id, spelled, matcher, path }: HookPosition,
  { type, onFailure = 'continue' }: ForeignHook,
  events: readonly EventName[],
): Rule {
  const guards = onFailure !== 'continue'
  const message = `this hook is not run: hookgate runs \`command\` and \`policy\` hooks, not \`${type}\` hooks`
  const remedy = guards
    ? `where it would run, it counts as failed (\`onFailure\` is \`${onFailure}\`): move it to a file that only the agent reads`
    : 'the agent runs it itself if it reads this file'
  problem(reading, 'warning', [...path, 'type'], 'value', message, remedy)
  return builtinRule({
    id,
    source: reading.source,
    builtin: {
      kind: 'unsupported',
      what: `\`${type}\` hook`,
      why: `hookgate runs \`command\` and \`policy\` hooks, not \`${type}\` hooks`,
    },
    match: guards ? { spelled, events, matcher } : { spelled: 'SessionStart', events: ['SessionStart'] },
    onFailure,
    mode: reading.mode,
  })
}

/** Makes a rule that says, as the session begins, that no call can meet the hooks of a group. They stay silent. */
function unmatchedRule(
  { source, mode }: RulesFileState,
  id: string,
  matcher: string,
  problems: readonly Omit<Refusal, 'kind'>[],
): Rule {
  const reasons = problems.map(({ message, remedy }) => (remedy === undefined ? message : `${message}; ${remedy}`))
  const why = `its matcher ${quoted(matcher)} matches no tool: ${reasons.join('; ')}`
  const match = { spelled: 'SessionStart', events: ['SessionStart'] } as const
  return builtinRule({
    id,
    source,
    builtin: { kind: 'unsupported', what: 'hook', why },
    match,
    onFailure: 'continue',
    mode,
  })
}

/** Keys about the whole machine. What an agent works on must not decide whether the agent is gated and recorded. */
const machineKeys = ['selfProtection', 'record', 'export', 'remote', 'approvals'] as const

/** Keys that only an administrator may set. */
const managedKeys = ['userMaySet', 'bundle', 'contact'] as const

/** Returns the keys about the whole machine that a file may set, and reports those that it may not. */
function machineKeysOf(reading: RulesFileState, file: MachineKeys | undefined): MachineKeys {
  const { format, source, parsed } = reading
  const isOfMachine = format === 'hookgate' && (source.scope === 'managed' || source.scope === 'user')
  if (!isOfMachine) refuseMachineKeys(reading)
  if (source.scope !== 'managed') for (const key of managedKeys) refuseManagedKey(reading, key)
  if (file === undefined || !isOfMachine) return {}
  const { selfProtection, record, export: exported, remote, approvals, userMaySet, bundle, contact } = file
  const keyPlaces = Object.fromEntries(loosenableKeys.map((key) => [key, parsed.place([key], 'key')]))
  return { selfProtection, record, export: exported, remote, approvals, userMaySet, bundle, contact, keyPlaces }
}

function refuseManagedKey(reading: RulesFileState, key: (typeof managedKeys)[number]): void {
  const { value } = reading.parsed
  if (!isJsonObject(value) || !(key in value)) return
  // In another agent's file, it is that agent's.
  if (key !== 'userMaySet' && reading.format !== 'hookgate') return
  const remedy = 'remove it here, or have an administrator put it into the managed hooks.json'
  problem(reading, 'error', [key], 'key', `only the managed hooks.json may set \`${key}\``, remedy)
}

function refuseMachineKeys(reading: RulesFileState): void {
  const { value } = reading.parsed
  // In another agent's file, `record`, `export`, `remote` and `approvals` are that agent's.
  const isOurs = reading.format === 'hookgate' || reading.source.scope === 'explicit'
  for (const key of machineKeys.filter((one) => isJsonObject(value) && one in value)) {
    if (key !== 'selfProtection' && !isOurs) continue
    const message = `only the user’s or the managed hooks.json may set \`${key}\``
    const remedy = 'remove it here, or put it into ~/.config/hookgate/hooks.json'
    problem(reading, 'error', [key], 'key', message, remedy)
  }
}
