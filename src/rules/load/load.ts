import type { z } from 'zod'
import { AgentName } from '../../model/agents.ts'
import type { Place } from '../../model/errors.ts'
import { hearing } from '../../model/event-names.ts'
import { isJsonObject } from '../../model/json.ts'
import { limits } from '../../model/limits.ts'
import type { Matcher, Rule, Source } from '../../model/rule.ts'
import { quoted } from '../../model/text.ts'
import { parseCondition } from '../match/condition.ts'
import { type Disk, isUnreadable } from '../disk.ts'
import type { Found } from '../find/found.ts'
import { handlerOf, misplacedVariable } from './handler.ts'
import { compileMatcher, matcherWarnings } from '../match/matcher.ts'
import { isOwnLauncher } from './own-launcher.ts'
import { parseJson, type ParsedJson, type Path } from './parse.ts'
import type { Problem, Refusal } from '../problem.ts'
import { schemaProblems } from './schema-problems.ts'
import { didYouMean } from './suggest.ts'
import { type CommandHook, type Format, knownEvents, schemasFor } from './wire.ts'

/** What one file holds. Its rules count as trusted until `trust.ts` has looked at them. */
export interface Loaded {
  readonly source: Source
  readonly rules: readonly Rule[]
  readonly problems: readonly Problem[]
  readonly notes: readonly string[]
  readonly disableAllHooks: boolean
  /** Where each rule stands, by its id. */
  readonly places: ReadonlyMap<string, Place>
}

export function load(found: Found, disk: Disk, home: string): Loaded {
  return found.kind === 'script' ? loadScript(found, disk) : loadFile(found.source, found.format, disk, home)
}

function loadScript({ source, event, file, enabled }: Extract<Found, { kind: 'script' }>, disk: Disk): Loaded {
  const id = `${source.id}/${event}`
  const heard = hearing('cline', event)
  const rule: Rule | undefined = heard && {
    id,
    source,
    match: {
      spelled: event,
      events: heard.events,
      triggers: heard.triggers,
      matcher: { kind: 'any' },
      subject: { kind: 'any' },
      condition: undefined,
    },
    handler: {
      kind: 'command',
      dialect: 'cline',
      program: { form: 'script', file },
      env: {},
      plainTextEvents: [],
      async: false,
    },
    onFailure: 'continue',
    timeoutMs: undefined,
    sequence: undefined,
    distrust: undefined,
  }
  const off = whyOff(id, file, enabled, disk)
  const rules = rule === undefined || off !== undefined ? [] : [rule]
  const notes = off === undefined ? [] : [off]
  const problems = enabled ? [] : [notExecutable(file)]
  return { source, rules, problems, notes, disableAllHooks: false, places: new Map([[id, { file }]]) }
}

/** Cline's own switch, but also what a checkout or a copy forgets: nobody should believe in a guard that is off. */
function notExecutable(file: string): Problem {
  const message = 'this hook is switched off: it has no execute bit'
  return { severity: 'warning', place: { file }, message, remedy: '`chmod +x` switches it on' }
}

function whyOff(id: string, file: string, enabled: boolean, disk: Disk): string | undefined {
  if (!enabled) return `${id} is switched off: it has no execute bit (\`chmod +x\` switches it on)`
  return isOwnLauncher({ form: 'script', file }, disk) ? isAsked(id) : undefined
}

const isAsked = (id: string) => `${id} is how hookgate is asked, and no hook for it to run`

/** A file being read: what has been understood of it, and everything that is wrong with it. */
interface Reading {
  readonly source: Source
  readonly format: Format
  readonly home: string
  readonly parsed: ParsedJson
  readonly problems: Problem[]
  readonly places: Map<string, Place>
}

function loadFile(source: Source, format: Format, disk: Disk, home: string): Loaded {
  const bytes = disk.read(source.file, limits.rulesFileBytesMax)
  const empty = { source, rules: [], notes: [], disableAllHooks: false, places: new Map<string, Place>() }
  if (isUnreadable(bytes)) {
    const message = `the rules file cannot be read: ${bytes.why}`
    const remedy = 'mend it, or remove it'
    return { ...empty, problems: [{ severity: 'error', place: { file: source.file }, message, remedy }] }
  }
  const parsed = parseJson(bytes, source.file)
  const reading: Reading = { source, format, home, parsed, problems: [...parsed.problems], places: empty.places }
  if (parsed.value === undefined) return { ...empty, problems: reading.problems }

  const file = read(reading, schemasFor(format).File, parsed.value, [])
  const hooks = isJsonObject(parsed.value) && isJsonObject(parsed.value['hooks']) ? parsed.value['hooks'] : {}
  if (file !== undefined && file.hooks === undefined && file.disableAllHooks === undefined) missingHooks(reading)
  const all = Object.entries(hooks).flatMap(([spelled, groups]) => rulesOf(reading, spelled, groups))
  const own = all.filter(({ handler }) => handler.kind === 'command' && isOwnLauncher(handler.program, disk))
  const rules = all.filter((rule) => !own.includes(rule))
  const notes = own.map(({ id }) => isAsked(id))
  return { ...empty, rules, notes, problems: reading.problems, disableAllHooks: file?.disableAllHooks ?? false }
}

/** Somebody else's file may well have none, but not ours, and not one that was named. */
function missingHooks(reading: Reading): void {
  if (reading.format !== 'hookgate' && reading.source.scope !== 'given') return
  problem(reading, 'error', [], 'value', 'there are no rules: `hooks` is missing', 'write `{"hooks": {}}`')
}

function rulesOf(reading: Reading, spelled: string, value: unknown): readonly Rule[] {
  const { Groups, Group, Handler } = schemasFor(reading.format)
  const heard = hearing('claude-code', spelled) ?? hearing('cline', spelled)
  if (heard === undefined) {
    // Claude Code ignores events it does not know: in a file that is not ours, one may be newer than this table.
    const severity = reading.format === 'hookgate' ? 'error' : 'warning'
    const remedy = didYouMean(spelled, knownEvents)
    problem(reading, severity, ['hooks', spelled], 'key', `no event is called ${quoted(spelled)}`, remedy)
    return []
  }
  const at: Path = ['hooks', spelled]
  return (read(reading, Groups, value, at) ?? []).flatMap((groupValue, g) => {
    const group = read(reading, Group, groupValue, [...at, g])
    const matcher = group && matcherOf(reading, group.matcher, heard.events, [...at, g, 'matcher'])
    return (group?.hooks ?? []).flatMap((handler, h) => {
      const path: Path = [...at, g, 'hooks', h]
      const hook = read(reading, Handler, handler, path)
      if (hook === undefined) return []
      const id = `${reading.source.id}#${spelled}[${g}].hooks[${h}]`
      reading.places.set(id, reading.parsed.place(path, 'value'))
      // A matcher that is refused must not hide what else is wrong with its hooks.
      const rules = ruleOf(reading, { id, spelled, matcher: matcher ?? { kind: 'any' }, path }, hook)
      return matcher === undefined ? [] : rules
    })
  })
}

function matcherOf(
  reading: Reading,
  text: string | undefined,
  events: Rule['match']['events'],
  path: Path,
): Matcher | undefined {
  const matcher = compileMatcher(text, events, reading.format)
  if (matcher.kind === 'refused') return refuse(reading, matcher, path)
  for (const { message, remedy } of matcherWarnings(text, events, matcher)) {
    problem(reading, 'warning', path, 'value', message, remedy)
  }
  return matcher
}

interface Binding {
  readonly id: string
  readonly spelled: string
  readonly matcher: Matcher
  readonly path: Path
}

function ruleOf(reading: Reading, { id, spelled, matcher, path }: Binding, hook: CommandHook): readonly Rule[] {
  const { source, format, home } = reading
  const dialect = hook.dialect ?? 'claude-code'
  const other = AgentName.options.map((agent) => hearing(agent, spelled)).find((row) => row !== undefined)
  const heard = hearing(dialect, spelled) ?? other
  if (heard === undefined) return []
  const { events, triggers } = heard
  const condition = hook.if === undefined ? undefined : parseCondition(hook.if, events, home)
  const misplaced = misplacedVariable(hook, source.pluginRoot)
  if (misplaced !== undefined) refuse(reading, misplaced, [...path, 'command'])
  if (condition !== undefined && 'kind' in condition) refuse(reading, condition, [...path, 'if'])
  if (misplaced !== undefined || (condition !== undefined && 'kind' in condition)) return []
  warnOfHook(reading, hook, path)
  const rule: Rule = {
    id,
    source,
    match: { spelled, events, triggers, matcher, subject: { kind: 'any' }, condition },
    handler: handlerOf(hook, dialect, source.pluginRoot),
    onFailure: hook.onFailure ?? 'continue',
    timeoutMs: hook.timeout === undefined ? undefined : Math.max(1, Math.round(hook.timeout * 1000)),
    // The plugin format's reference: the hooks of one event run in the order in which they are listed.
    sequence: format === 'plugin' ? `${source.id}#${spelled}` : undefined,
    distrust: undefined,
  }
  return [rule]
}

function warnOfHook(reading: Reading, hook: CommandHook, path: Path): void {
  if (hook.asyncRewake === true) {
    const message = '`asyncRewake` cannot wake anybody here: the hook is waited for'
    problem(reading, 'warning', [...path, 'asyncRewake'], 'key', message, 'remove it')
  }
  if (hook.args !== undefined && hook.shell !== undefined) {
    problem(reading, 'warning', [...path, 'shell'], 'key', 'with `args` there is no shell', 'remove `shell` or `args`')
  }
}

function read<T>(reading: Reading, schema: z.ZodType<T>, value: unknown, path: Path): T | undefined {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  for (const one of schemaProblems(result.error.issues, reading.parsed, path)) reading.problems.push(one)
  return undefined
}

function refuse(reading: Reading, { message, remedy }: Refusal, path: Path): undefined {
  problem(reading, 'error', path, 'value', message, remedy)
}

function problem(
  { parsed, problems }: Reading,
  severity: Problem['severity'],
  path: Path,
  part: 'key' | 'value',
  message: string,
  remedy: string | undefined,
): void {
  problems.push({ severity, place: parsed.place(path, part), message, remedy })
}
