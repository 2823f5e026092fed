import { interestWords, type PolicyInterest } from '../model/policy-interest.ts'
import type { Json, JsonObject } from '../model/json.ts'
import type { ShellCommand, ShellFacts, ShellOutput, ShellWord, TouchedPath } from '../model/shell.ts'
import type { NetworkKind } from '../model/shell-network.ts'
import { assignmentsOf } from '../words/variables.ts'
import type { ToolFacts } from '../model/tool-facts.ts'

/** A list of interests, arranged so that one look at a call finds who is interested. */
export interface InterestIndex {
  readonly count: number
  /** Those that declare no interest: they are interested in every call. */
  readonly always: readonly number[]
  /** By the keys of names, see `keysOf`. */
  readonly byName: ReadonlyMap<string, readonly InterestedInName[]>
  /** Those that declare only impacts: nothing else is of interest to them, not even what is unknown. */
  readonly onlyImpacts: ReadonlySet<number>
  /** By everything else that an interest can name. */
  readonly byTrait: ReadonlyMap<Trait, readonly number[]>
}

/** Who is interested in a name. */
interface InterestedInName {
  readonly at: number
  /** Keys of the names of which the same command must have one too. */
  readonly others?: ReadonlySet<string>
}

/** An interest, and the params by which its policy is configured. */
interface BoundInterest {
  readonly interest: PolicyInterest | undefined
  readonly params: JsonObject
}

type Trait =
  | NonNullable<PolicyInterest['access']>[number]
  | NonNullable<PolicyInterest['impacts']>[number]
  | `network ${NetworkKind}`
  | `output ${ShellOutput}`
  | 'code'
  | 'network'
  | 'assignments'
  | 'message'
  | 'later'
const flags = ['code', 'network', 'assignments', 'message', 'later'] as const

export function indexInterests(bound: readonly BoundInterest[]): InterestIndex {
  const always: number[] = []
  const byName = new Map<string, InterestedInName[]>()
  const byTrait = new Map<Trait, number[]>()
  const onlyImpacts = new Set<number>()
  for (const [at, { interest, params }] of bound.entries()) {
    const configured = (interest?.params ?? []).flatMap((name) => textsOf(params[name])).map(nameKey)
    if (interest === undefined || interest.harmless === true || configured.includes(undefined)) {
      always.push(at)
      continue
    }
    const others = interest.with === undefined ? {} : { others: keysOfNames(interest.with) }
    for (const key of keysOfNames(interest.words ?? [])) addTo(byName, key, { at, ...others })
    for (const key of new Set(configured)) addTo(byName, key ?? '', { at })
    for (const access of interest.access ?? []) addTo(byTrait, access, at)
    for (const impact of interest.impacts ?? []) addTo(byTrait, impact, at)
    if (typeof interest.network === 'object') for (const kind of interest.network) addTo(byTrait, `network ${kind}`, at)
    for (const output of interest.output ?? []) addTo(byTrait, `output ${output}`, at)
    if (Object.keys(interest).every((key) => key === 'impacts')) onlyImpacts.add(at)
    for (const flag of flags) if (interest[flag] === true) addTo(byTrait, flag, at)
  }
  return { count: bound.length, always, byName, onlyImpacts, byTrait }
}

const textsOf = (param: Json | undefined): readonly string[] =>
  Array.isArray(param) ? param.filter((one) => typeof one === 'string') : []

const keysOfNames = (some: readonly string[]): ReadonlySet<string> =>
  new Set(some.flatMap(interestWords).map((name) => nameKey(name) ?? ''))

/** Returns the key that a name is found by; `undefined` if it has neither letters nor digits. */
const nameKey = (name: string): string | undefined => keysOf(name)[0]

function addTo<Key, One>(map: Map<Key, One[]>, key: Key, one: One): void {
  const known = map.get(key)
  if (known === undefined) map.set(key, [one])
  else known.push(one)
}

/**
 * Returns the positions of the interests that a call meets, in order; `undefined`: all of them. Of another tool than the
 * shell, only impacts are looked at: every interest but one in impacts alone is met.
 *
 * INVARIANT: what is unknown is of interest to all. So an interest never hides a command from a policy that the policy
 * would find by looking at names, accesses or traits itself.
 */
export function interestedIn(
  { shell, paths, impacts }: ToolFacts,
  index: InterestIndex,
  isShell: boolean,
): readonly number[] | undefined {
  const found = new Set(index.always)
  const add = (trait: Trait) => {
    for (const at of index.byTrait.get(trait) ?? []) found.add(at)
  }
  const addPath = ({ access, change }: TouchedPath) => {
    add(access)
    if (change !== undefined) add(change)
  }
  for (const { kind, area, through } of impacts) {
    add(kind)
    add(area)
    if (through !== undefined) add(through)
  }
  if (!isShell || shell.commands.length === 0 || !isAllKnown(shell)) {
    if (index.onlyImpacts.size === 0) return undefined
    for (let at = 0; at < index.count; at++) if (!index.onlyImpacts.has(at)) found.add(at)
    return inOrder(found, index)
  }
  for (const command of shell.commands) {
    addNamed(command, index, found)
    if (command.code !== undefined) add('code')
    if (command.network !== undefined) {
      add('network')
      add(`network ${command.network.kind}`)
    }
    if (command.output !== undefined) add(`output ${command.output}`)
    if (assignmentsOf(command).length > 0) add('assignments')
    if (command.message === true) add('message')
    if (command.later !== undefined) add('later')
    for (const path of command.paths) addPath(path)
  }
  for (const path of paths) addPath(path)
  return inOrder(found, index)
}

const inOrder = (found: ReadonlySet<number>, { count }: InterestIndex) =>
  found.size === count ? undefined : [...found].toSorted((a, b) => a - b)

const isAllKnown = ({ commands, uncertain, forkBomb }: ShellFacts) =>
  uncertain.length === 0 && forkBomb !== true && commands.every(isKnown)

/** Adds those who are interested in a name that a command has. */
function addNamed(command: ShellCommand, { byName }: InterestIndex, found: Set<number>): void {
  const keys = new Set<string>()
  // Most words are there twice: as arguments, and in the line that options are read from.
  for (const text of new Set(wordsOf(command))) for (const key of keysOf(text)) keys.add(key)
  const isWith = (others: ReadonlySet<string>) =>
    command.args.some(isUnknownWord) || [...keys].some((key) => others.has(key))
  for (const key of keys) {
    for (const { at, others } of byName.get(key) ?? []) {
      if (!found.has(at) && (others === undefined || isWith(others))) found.add(at)
    }
  }
}

/** True if it is known which program a command starts, with which words, and the code that it runs. */
function isKnown({ program, written, uncertain, args, redirections, code }: ShellCommand): boolean {
  if (uncertain.length > 0 || (code !== undefined && code.text === undefined)) return false
  if (args.some(isLong) || redirections.some(({ target }) => target !== undefined && isLong(target))) return false
  return written === undefined || (program !== '' && !isUnknownWord(written))
}

const isUnknownWord = ({ unresolved, several, pattern }: ShellWord) =>
  unresolved === true || several === true || pattern !== undefined

const isLong = ({ value }: ShellWord) => value.length > wordCharactersMax

/** The longest argument that is looked through for names, in UTF-16 units. A longer one may hold any of them. */
const wordCharactersMax = 4096

/** Returns the texts of a command that may hold names, those of the variables that its words are of among them. */
function wordsOf({ program, written, args, line, redirections }: ShellCommand): readonly string[] {
  const words = [written, ...args, ...(line?.words ?? []), ...redirections.map(({ target }) => target)]
  return [program, ...words.flatMap((word) => [word?.value ?? '', word?.variable ?? ''])]
}

/**
 * Returns the runs of letters and digits in a text, in lower case and without a number at the end, and the words of
 * which one is made (`deployProd`). A name is found by its first run, however it is written: `/usr/bin/python3.11`,
 * `python`, `-m python_x`.
 */
function keysOf(text: string): readonly string[] {
  const runs = text.match(/[a-z0-9]+/gi) ?? []
  const keys = runs.map(keyIn)
  for (const run of runs) {
    if (joined.test(run)) keys.push(...run.replace(joinedAll, '$1 $2').split(' ').map(keyIn))
  }
  return keys
}

const keyIn = (run: string): string => run.toLowerCase().replace(/(?<=[a-z])\d+$/, '')
const joined = /[a-z][A-Z]/
const joinedAll = /([a-z])([A-Z])/g
