import { titleOf } from '../../../model/agents.ts'
import { eventSpellings, hearing, spellingOf } from '../../../model/event-names.ts'
import type { HookFile } from '../../../model/hook-files.ts'
import { isJsonObject, type JsonObject } from '../../../model/json.ts'
import type { Matcher, Rule } from '../../../model/rule.ts'
import { quoted } from '../../../model/text.ts'
import type { Disk } from '../../../model/disk.ts'
import { compileNative, isOnCommand, nativeWarnings, type NativePlace } from '../../match/native.ts'
import type { Draft } from '../bind/draft.ts'
import { isOwnLauncher } from '../own-launcher.ts'
import type { Path } from '../../../model/problem.ts'
import { problem, type Reading, read, refuse } from '../reading.ts'
import { didYouMean } from '../../../model/suggest.ts'
import { warnOfOddKeys } from './odd-keys.ts'
import { Entry, File, handlerOf, programOf, runsElsewhere, timeoutOf, valueIn } from './entry.ts'

/** What a file of another agent holds, by that agent's own rules. */
export function loadAgentFile(reading: Reading, format: HookFile, value: JsonObject, disk: Disk): Partial<Draft> {
  const lists = listsOf(reading, format, value)
  if (lists === undefined) return {}
  const off = format.off?.find(([path, when]) => valueIn(value, path) === when)
  if (off !== undefined) {
    return { notes: [`${reading.source.id} is switched off by its own \`${off[0].join('.')}\``] }
  }
  const offByName = format.offByName === undefined ? [] : valueIn(value, format.offByName)
  const names = Array.isArray(offByName) ? offByName.filter((name) => typeof name === 'string') : []
  const events = Object.entries(lists.value).map(([spelled, list]) =>
    ofEvent({ reading, format, at: lists.at, off: names, disk }, spelled, list),
  )
  const { rules, notes, asking } = allOf(events)
  return { entries: rules, notes, asking }
}

interface Lists {
  readonly value: JsonObject
  readonly at: Path
}

function listsOf(reading: Reading, format: HookFile, value: JsonObject): Lists | undefined {
  if (format.events === 'top') return { value, at: [] }
  for (const key of Object.keys(value)) {
    if (format.rootKeys === undefined || format.rootKeys.includes(key)) continue
    const message = `unknown key ${quoted(key)}: ${titleOf(format.agent)} ignores the whole file because of it`
    problem(reading, 'error', [key], 'key', message, 'remove it')
  }
  const file = read(reading, File, value, [])
  if (file === undefined) return undefined
  const { hooks } = value
  if (isJsonObject(hooks)) return { value: hooks, at: ['hooks'] }
  problem(reading, 'error', [], 'value', 'there are no rules: `hooks` is missing', 'name a file that has hooks')
  return undefined
}

interface Where {
  readonly reading: Reading
  readonly format: HookFile
  readonly at: Path
  /** Names and commands of hooks that are switched off. */
  readonly off: readonly string[]
  readonly disk: Disk
}

interface OfEvent {
  readonly rules: readonly Rule[]
  readonly notes: readonly string[]
  /** Ids of hooks that are how hookgate itself is asked. */
  readonly asking: readonly string[]
}
const nothing: OfEvent = { rules: [], notes: [], asking: [] }
const noted = (note: string): OfEvent => ({ ...nothing, notes: [note] })

function allOf(found: readonly OfEvent[]): OfEvent {
  return {
    rules: found.flatMap(({ rules }) => rules),
    notes: found.flatMap(({ notes }) => notes),
    asking: found.flatMap(({ asking }) => asking),
  }
}

function ofEvent(where: Where, spelled: string, list: unknown): OfEvent {
  const { reading, format } = where
  const path: Path = [...where.at, spelled]
  if (!Array.isArray(list)) {
    // What stands beside the lists is a setting.
    const known = hearing(format.agent, spelled) !== undefined
    if (known) problem(reading, 'error', path, 'value', `${quoted(spelled)} must be a list of hooks`, undefined)
    return nothing
  }
  if (hearing(format.agent, spelled) === undefined) {
    const own = spellingOf(format.agent, hearing('claude-code', spelled)?.events[0] ?? 'PreToolUse', undefined)
    const meant = didYouMean(spelled, eventSpellings(format.agent))
    const foreign = hearing('claude-code', spelled) === undefined || own === undefined ? meant : `write \`${own}\``
    const message = `hookgate knows no event ${quoted(spelled)} of ${titleOf(format.agent)}`
    // The agent passes over it too: one that is newer than this table is no mistake.
    problem(reading, 'warning', path, 'key', message, foreign)
    return nothing
  }
  const groups = list.map((group: unknown, index) => hooksIn(where, group, [...path, index]))
  const inTurn =
    format.order === 'sequence' || (format.order === 'asked' && groups.some(({ sequential }) => sequential))
  const sequence = inTurn ? `${reading.source.id}#${spelled}` : undefined
  return allOf(groups.flatMap(({ hooks }) => hooks.map((hook) => ruleOf(where, spelled, hook, sequence))))
}

interface Hook {
  readonly entry: Entry
  readonly matcher: string | undefined
  readonly path: Path
  readonly matcherPath: Path
}

/** A group of hooks as Claude Code writes it, or one hook alone. */
function hooksIn(
  { reading, format }: Where,
  value: unknown,
  path: Path,
): { hooks: readonly Hook[]; sequential: boolean } {
  const group = read(reading, Entry, value, path)
  if (group === undefined) return { hooks: [], sequential: false }
  warnOfOddKeys(reading, format, group, path)
  const matcher = group.matcher ?? undefined
  const sequential = group.sequential === true
  const matcherPath = [...path, 'matcher']
  if (group.hooks === undefined) return { hooks: [{ entry: group, matcher, path, matcherPath }], sequential }
  const hooks = group.hooks.flatMap((inner, index): readonly Hook[] => {
    const entry = read(reading, Entry, inner, [...path, 'hooks', index])
    if (entry === undefined) return []
    warnOfOddKeys(reading, format, entry, [...path, 'hooks', index])
    return [{ entry, matcher, path: [...path, 'hooks', index], matcherPath }]
  })
  return { hooks, sequential }
}

function ruleOf(
  { reading, format, at, off, disk }: Where,
  spelled: string,
  { entry, matcher: written, path, matcherPath }: Hook,
  sequence: string | undefined,
): OfEvent {
  const { source, home } = reading
  const heard = hearing(format.agent, spelled)
  const [event] = heard?.events ?? []
  if (heard === undefined || event === undefined) return nothing
  const id = `${source.id}#${path.slice(at.length).map(stepText).join('').replace(/^\./, '')}`
  reading.places.set(id, reading.parsed.place(path, 'value'))
  const program = programOf(entry, format, process.platform)
  if (program === undefined) {
    if (runsElsewhere(entry, format)) return noted(`${id} has no command for this system`)
    const keys = format.commands.map(({ key }) => `\`${key}\``).join(', ')
    return refuseEntry(reading, path, `it has nothing to run: ${keys} is missing`)
  }
  const place: NativePlace = { format, spelled, event }
  const matcher = compileNative(written, place)
  if (matcher.kind === 'refused') {
    refuse(reading, matcher, matcherPath)
    return nothing
  }
  for (const { message, remedy } of nativeWarnings(written, matcher, place)) {
    problem(reading, 'warning', matcherPath, 'value', message, remedy)
  }
  const timeoutMs = timeoutOf(entry, format, spelled)
  warnOfTimeout(reading, format, entry, timeoutMs, path)
  const command = program.form === 'shell' ? program.command : undefined
  if (off.some((name) => name === entry.name || name === command)) return noted(`${id} is switched off in its file`)
  if (isOwnLauncher(program, disk)) return { ...nothing, asking: [id] }
  const onCommand = commandOf(matcher, place)
  const closed = format.failClosed !== undefined && entry[format.failClosed] === true
  const rule: Rule = {
    id,
    source,
    match: {
      spelled,
      events: heard.events,
      triggers: heard.triggers,
      matcher: onCommand === undefined ? matcher : { kind: 'any' },
      subject: { kind: 'any' },
      condition: undefined,
      ...(heard.tools !== undefined && { tools: heard.tools }),
      ...(onCommand !== undefined && { command: onCommand }),
    },
    handler: handlerOf(entry, format, program, { file: source.file, home }),
    onFailure: closed ? 'block' : (format.onFailure?.[spelled] ?? 'continue'),
    timeoutMs,
    sequence,
    distrust: undefined,
  }
  return { ...nothing, rules: [rule] }
}

const stepText = (step: PropertyKey) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`)

function commandOf(matcher: Matcher, { format, spelled }: NativePlace): RegExp | undefined {
  return matcher.kind === 'native' && isOnCommand(format.matcher, spelled) ? matcher.pattern : undefined
}

function refuseEntry(reading: Reading, path: Path, message: string): OfEvent {
  problem(reading, 'error', path, 'value', message, 'add the command to run')
  return nothing
}

/** A timeout copied from an agent that counts seconds ends a hook before it has begun. */
function warnOfTimeout(
  reading: Reading,
  format: HookFile,
  entry: Entry,
  timeoutMs: number | undefined,
  path: Path,
): void {
  const { oddTimeoutBelowMs: least } = format
  if (least === undefined || timeoutMs === undefined || timeoutMs >= least || entry.timeout === undefined) return
  const message = `${titleOf(format.agent)} reads the timeout as milliseconds: this hook has ${timeoutMs} ms`
  problem(
    reading,
    'warning',
    [...path, 'timeout'],
    'value',
    message,
    `write \`${timeoutMs * 1000}\` if you mean seconds`,
  )
}
