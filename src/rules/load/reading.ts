import type { z } from 'zod'
import type { ParsedJson } from '../../files/parse-json.ts'
import type { RuleMode } from '../../model/effect.ts'
import { type JsonPath, type Place, type Problem, type Refusal, refused } from '../../model/errors.ts'
import { isJsonObject } from '../../model/json.ts'
import type { IsTrusted } from '../../model/policy-loading.ts'
import type { Source } from '../../model/rule.ts'
import { type SchemaHints, schemaProblems } from '../../words/schema-problems.ts'
import { nearestTo } from '../../words/suggest.ts'
import { quoted } from '../../model/text.ts'
import type { Format } from '../places.ts'
import { ForeignType, levelKeys, ownKeys, rulesFileEvents, wireParts } from './wire.ts'
import { agentNames, eventSpellings } from '../../agents/registry.ts'

/** The state of reading a rules file: what has been understood so far, and everything that is wrong with it. */
export interface RulesFileState {
  readonly source: Source
  readonly format: Format
  readonly home: string
  readonly budget: RulesBudget
  readonly parsed: ParsedJson
  readonly problems: Problem[]
  readonly places: Map<string, Place>
  /** The mode of rules that set none. */
  readonly mode: RuleMode
  /** Whether the hooks of an event run one after the other. */
  readonly sequential: boolean
}

/** Parses a part of the file by its schema; returns `undefined`, and reports the problems, if it is invalid. */
export function read<T>(
  reading: RulesFileState,
  schema: z.ZodType<T>,
  value: unknown,
  path: JsonPath,
  keys?: ReadonlyMap<string, string>,
): T | undefined {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  for (const one of schemaProblems(result.error.issues, reading.parsed, path, rulesFileHints(keys)))
    reading.problems.push(one)
  return undefined
}

/** The valid members of a part; `isWhole` if none had to be left out. */
interface ValidPart<T> {
  readonly rest: T | undefined
  readonly isWhole: boolean
}

/**
 * Parses a part of the file without its invalid keys, which are reported, so that they hide no problems elsewhere in
 * it.
 */
export function readRest<T>(
  reading: RulesFileState,
  schema: z.ZodType<T>,
  value: unknown,
  path: JsonPath,
  keys?: ReadonlyMap<string, string>,
): ValidPart<T> {
  const result = schema.safeParse(value)
  if (result.success) return { rest: result.data, isWhole: true }
  for (const one of schemaProblems(result.error.issues, reading.parsed, path, rulesFileHints(keys)))
    reading.problems.push(one)
  if (!isJsonObject(value)) return { rest: undefined, isWhole: false }
  const wrong = new Set(result.error.issues.flatMap(keysOf))
  const left = Object.fromEntries(Object.entries(value).filter(([key]) => !wrong.has(key)))
  return { rest: schema.safeParse(left).data, isWhole: false }
}

function keysOf(issue: z.core.$ZodIssue): readonly PropertyKey[] {
  return issue.path.length === 0 && issue.code === 'unrecognized_keys' ? issue.keys : issue.path.slice(0, 1)
}

export function refuse(reading: RulesFileState, { message, remedy }: Refusal, path: JsonPath): undefined {
  problem(reading, 'error', path, 'value', message, remedy)
}

export function problem(
  { parsed, problems }: RulesFileState,
  severity: Problem['severity'],
  path: JsonPath,
  part: 'key' | 'value',
  message: string,
  remedy: string | undefined,
): void {
  problems.push({ severity, place: parsed.place(path, part), message, remedy })
}

type Level = keyof typeof levelKeys

/**
 * Reports odd keys of an object that may have unknown keys: those that are misspelt or misplaced known keys.
 *
 * INVARIANT: if the key meant is one that only hookgate has, the file does not load, since its author relies on it.
 */
export function reportUnknownKeys(reading: RulesFileState, level: Level, value: unknown, path: JsonPath): void {
  if (!isJsonObject(value)) return
  const known: readonly string[] = levelKeys[level]
  const odd = Object.keys(value).flatMap((key) => {
    if (known.includes(key)) return []
    const meant = nearestTo(key, known)
    const misplaced = meant === undefined && isElsewhere(level, key) ? key : undefined
    const name = meant ?? misplaced
    if (name === undefined) return []
    const remedy = misplaced === undefined ? `did you mean \`${name}\`?` : knownKeys.get(misplaced)
    return [{ key, severity: ownKeys.has(name) ? 'error' : 'warning', remedy } as const]
  })
  for (const { key, severity, remedy } of odd) {
    problem(reading, severity, [...path, key], 'key', `unknown key ${quoted(key)}`, remedy)
  }
}

/** Returns whether a key is known at another level. Beside `hooks`, an agent has settings of many names. */
function isElsewhere(level: Level, key: string): boolean {
  if (level === 'file') return ownKeys.has(key) || rulesFileEvents.includes(key)
  return knownKeys.has(key) && !notes.has(key)
}

/** Keys with text for people, which may appear anywhere. */
const notes: ReadonlySet<string> = new Set(['description', '$schema', 'statusMessage'])

/** Counts the bytes of a rules file, or of a file read like one; refuses once there are too many. */
export type RulesBudget = (file: string, bytes: number) => Refusal | undefined

/** Opens one budget shared by all untrusted rules files, since a repository may have rules in each of its folders. */
export function openRulesBudgets(isTrusted: IsTrusted): (source: Source) => RulesBudget {
  const bytesMax = untrustedRulesBytesMax
  let total = 0
  return (source) => (file, bytes) => {
    if (source.workspaceRoot === undefined || isTrusted(source, file)) return undefined
    total += bytes
    if (total <= bytesMax) return undefined
    const remedy = 'remove some, or review them and run `hookgate trust`'
    return refused(`the rules that are not trusted are larger than ${bytesMax} bytes in total`, remedy)
  }
}
/** All untrusted rules files and `pack.json` together, in bytes: at worst, a megabyte takes 3.7 s. */
const untrustedRulesBytesMax = 256 * 1024

/** Never refuses: for files that a person explicitly asked to see. */
export const noBudget: RulesBudget = () => undefined

const { command, policy, authzen, pack, group } = wireParts

/** The events of every agent, as they spell them. */
const knownEvents: readonly string[] = agentNames.flatMap(eventSpellings)

/** The known keys of a policy hook, each with a remedy for one in the wrong place. */
const knownPolicyKeys: ReadonlyMap<string, string> = new Map([
  ...Object.keys(command).map((key) => [key, 'it is for `command` hooks: remove it'] as const),
  ...Object.keys(policy).map((key) => [key, 'put it into the hook'] as const),
])

/** The known keys of an AuthZEN hook, each with a remedy for one in the wrong place. */
const knownAuthzenKeys: ReadonlyMap<string, string> = new Map([
  ...Object.keys(command).map((key) => [key, 'it is for `command` hooks: remove it'] as const),
  ...Object.keys(authzen).map((key) => [key, 'put it into the hook'] as const),
])

/** The known keys of an entry in `packs`, each with a remedy for one in the wrong place. */
export const knownPackKeys: ReadonlyMap<string, string> = new Map([
  ...['type', 'policy', 'if', 'timeout', 'matcher', 'hooks'].map(
    (key) => [key, 'the rules of a pack define their own events: remove it'] as const,
  ),
  ...Object.keys(pack).map((key) => [key, ''] as const),
])

/** The keys that a misspelt one may have been meant to be, each with where it belongs. */
export const knownKeys: ReadonlyMap<string, string> = new Map([
  ...knownEvents.map((event) => [event, 'put it under `hooks`'] as const),
  ...['pack', 'disable'].map((key) => [key, 'packs belong in the `packs` list at the top level of the file'] as const),
  ...['policy', 'params'].map((key) => [key, 'it is for hooks of `"type": "policy"`'] as const),
  ...Object.keys(command).map((key) => [key, "put the hook into a group's `hooks` list"] as const),
  ...[...levelKeys.file, 'mode'].map((key) => [key, 'put it at the top level of the file'] as const),
  ...Object.keys(group).map((key) => [key, 'put it into a group, in the list of an event'] as const),
])

const missing: ReadonlyMap<string, string> = new Map([
  ['type', 'add `"type": "command"`'],
  ['hooks', 'a group looks like `{"matcher": "Bash", "hooks": [{"type": "command", "command": "…"}]}`'],
])

const shapes: ReadonlyMap<string, string> = new Map([
  ['hooks', 'write `{"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "…"}]}]}}`'],
  ['matcher', 'write the tool names as one string: `"Edit|Write"`'],
  ['timeout', 'give a number of seconds'],
])

/**
 * Returns the remedies and hints for messages about a rules file.
 *
 * @param keys of the part that is read
 */
const rulesFileHints = (keys: ReadonlyMap<string, string> = knownKeys): SchemaHints => ({
  keys,
  refusedWords: new Set(ForeignType.options),
  missing,
  shapes,
  units: new Map([['timeout', 'give a number of seconds']]),
})

/** Returns the known keys of a hook of that type. */
export function hookKeysOf(type: unknown): ReadonlyMap<string, string> {
  if (type === 'policy') return knownPolicyKeys
  return type === 'authzen' ? knownAuthzenKeys : knownKeys
}
