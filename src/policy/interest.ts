import { namesIn, type PolicyInterest } from '../model/policy-interest.ts'
import type { ShellCommand, ShellWord } from '../model/shell.ts'
import type { ToolFacts } from '../model/tool-facts.ts'

/** A list of interests, arranged so that one look at a call finds who is interested. */
export interface InterestIndex {
  readonly count: number
  /** Those that declare no interest: they are interested in every call. */
  readonly always: readonly number[]
  /** By the keys of names, see `keysOf`. */
  readonly byName: ReadonlyMap<string, readonly number[]>
  /** By everything else that an interest can name. */
  readonly byTrait: ReadonlyMap<Trait, readonly number[]>
}

type Trait = NonNullable<PolicyInterest['access']>[number] | 'code' | 'network' | 'assignments'
const flags = ['code', 'network', 'assignments'] as const

export function indexInterests(interests: readonly (PolicyInterest | undefined)[]): InterestIndex {
  const always: number[] = []
  const byName = new Map<string, number[]>()
  const byTrait = new Map<Trait, number[]>()
  for (const [at, interest] of interests.entries()) {
    if (interest === undefined) {
      always.push(at)
      continue
    }
    const names = (interest.words ?? []).flatMap(namesIn)
    for (const name of new Set(names.map((one) => keysOf(one)[0] ?? ''))) addTo(byName, name, at)
    for (const access of interest.access ?? []) addTo(byTrait, access, at)
    for (const flag of flags) if (interest[flag] === true) addTo(byTrait, flag, at)
  }
  return { count: interests.length, always, byName, byTrait }
}

function addTo<Key>(map: Map<Key, number[]>, key: Key, at: number): void {
  const known = map.get(key)
  if (known === undefined) map.set(key, [at])
  else known.push(at)
}

/**
 * Returns the positions of the interests that a call meets, in order; `undefined`: all of them.
 *
 * INVARIANT: what is unknown is of interest to all. So an interest never hides a command from a policy that the policy
 * would find by looking at names, accesses or traits itself.
 */
export function interestedIn({ shell, paths }: ToolFacts, index: InterestIndex): readonly number[] | undefined {
  if (shell.commands.length === 0 || shell.uncertain.length > 0 || shell.forkBomb === true) return undefined
  if (!shell.commands.every(isKnown)) return undefined
  const found = new Set(index.always)
  const add = (some: readonly number[] | undefined) => {
    for (const at of some ?? []) found.add(at)
  }
  for (const command of shell.commands) {
    for (const text of wordsOf(command)) for (const key of keysOf(text)) add(index.byName.get(key))
    if (command.code !== undefined) add(index.byTrait.get('code'))
    if (command.network !== undefined) add(index.byTrait.get('network'))
    if (command.assignments.length > 0) add(index.byTrait.get('assignments'))
    for (const { access } of command.paths) add(index.byTrait.get(access))
  }
  for (const { access } of paths) add(index.byTrait.get(access))
  return found.size === index.count ? undefined : [...found].toSorted((a, b) => a - b)
}

/** True if it is known which program a command starts, with which words, and the code that it runs. */
function isKnown({ program, written, uncertain, args, redirections, code }: ShellCommand): boolean {
  if (uncertain.length > 0 || (code !== undefined && code.text === undefined)) return false
  if (args.some(isLong) || redirections.some(({ target }) => target !== undefined && isLong(target))) return false
  if (written === undefined) return true
  return program !== '' && written.unresolved !== true && written.several !== true && written.pattern === undefined
}

const isLong = ({ value }: ShellWord) => value.length > wordCharactersMax

/** The longest argument that is looked through for names, in UTF-16 units. A longer one may hold any of them. */
const wordCharactersMax = 4096

function wordsOf({ program, written, args, redirections }: ShellCommand): readonly string[] {
  const words = [written, ...args, ...redirections.map(({ target }) => target)]
  return [program, ...words.map((word) => word?.value ?? '')]
}

/**
 * Returns the runs of letters and digits in a text, in lower case and without a number at the end. A name is found by
 * its first run, however it is written: `/usr/bin/python3.11`, `python`, `-m python_x`.
 */
function keysOf(text: string): readonly string[] {
  return (text.toLowerCase().match(/[a-z0-9]+/g) ?? []).map((run) => run.replace(/(?<=[a-z])\d+$/, ''))
}
