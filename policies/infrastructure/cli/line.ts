import type { ShellWord } from 'hookgate/policy'
import { isOneOf } from './names.ts'

/** How a program's command line is told into subcommands and options. Names without dashes, with spaces between. */
export interface LineRules {
  /** Options that take a value, besides those that do nearly everywhere. */
  readonly valued?: string
  /** Options of those that take none here. */
  readonly flags?: string
  /** Whether long options have one dash (`-auto-approve`): there are then no joined short ones. */
  readonly oneDash?: boolean
}

/** A word that is no option. */
export interface LineWord {
  readonly text: string
  /** It is not known before the command runs; it may be several words, or none. */
  readonly unknown: boolean
  /** It follows an option of which it is not known whether it takes a value. */
  readonly maybeValue: boolean
}

/** A command line, told into words and options as far as that can be done without knowing all of a program's options. */
export interface Line {
  readonly words: readonly LineWord[]
  /** Values of each option, `''` where it has none, and both where that is not known. Joined short ones: each, and all. */
  readonly options: ReadonlyMap<string, readonly string[]>
  /** Whether a word is not known that may be an option. */
  readonly uncertain: boolean
  /** Options whose next word is `--help`, `-h` and the like, which may be their value. */
  readonly doubtful: ReadonlySet<string>
}

/** Long options that take a value in nearly every program that has them. */
const valuedNearlyEverywhere =
  'output format namespace profile region project project-id context config cluster name id url host port user username ' +
  'password token api-token api-key environment org organization team app service resource-group subscription zone ' +
  'location account filter query template kubeconfig server endpoint endpoint-url description reason message title ' +
  'body database vault schema label labels selector timeout address bootstrap-server repo'
/** Options that take none in nearly every program that has them. */
const flagsNearlyEverywhere =
  'yes force quiet verbose debug json help all recursive no-input non-interactive auto-approve no-wait no-color y f q v h r'

/** Reads what stands before a `--`: what follows it is another program's command line, or data. */
export function readLine(args: readonly ShellWord[], rules: LineRules): Line {
  const words: LineWord[] = []
  const options = new Map<string, string[]>()
  const doubtful = new Set<string>()
  let uncertain = false
  /** The option before, where it may take the word at hand as its value. */
  let before: string | undefined

  const isFlag = (name: string) => isOneOf(name, rules.flags ?? '')
  const isValued = (name: string) => isOneOf(name, rules.valued ?? '')
  const takesValue = (name: string) => isValued(name) || (isOneOf(name, valuedNearlyEverywhere) && !isFlag(name))
  const give = (name: string, value: string) => {
    const values = options.get(name)
    if (values === undefined) options.set(name, [value])
    else values.push(value)
    if (before !== undefined) doubtful.add(name)
  }

  for (let at = 0; at < args.length; at++) {
    const text = args[at]?.value ?? ''
    // `-j$(nproc)` has a number behind it, if anything.
    const isCount = text.startsWith('-j') && isValued('j')
    const unknown =
      (args[at]?.several === true && !isCount) || (args[at]?.unresolved === true && !/^[\w./~@-]/.test(text))
    if (unknown) uncertain = true
    if (text === '--') break
    if (unknown || !text.startsWith('-') || text === '-') {
      words.push({ text, unknown, maybeValue: before !== undefined })
      before = undefined
      continue
    }
    const equals = text.indexOf('=')
    const whole = text.slice(text.startsWith('--') ? 2 : 1, equals === -1 ? undefined : equals)
    const isLong = text.startsWith('--') || rules.oneDash === true || whole.length === 1
    if (isLong) {
      if (equals !== -1) give(whole, text.slice(equals + 1))
      else if (takesValue(whole)) give(whole, args[++at]?.value ?? '')
      else give(whole, '')
      const mayTake = equals === -1 && !takesValue(whole) && !isOneOf(whole, flagsNearlyEverywhere) && !isFlag(whole)
      before = mayTake ? whole : undefined
      const next = args[at + 1]?.value
      if (mayTake && next !== undefined && !next.startsWith('-')) options.get(whole)?.push(next)
      continue
    }
    give(whole, equals === -1 ? '' : text.slice(equals + 1))
    before = undefined
    for (let letter = 0; letter < whole.length; letter++) {
      const name = whole.charAt(letter)
      if (!isValued(name)) {
        give(name, '')
        continue
      }
      const joined = text.slice(letter + 2)
      give(name, joined === '' ? (args[++at]?.value ?? '') : joined.replace(/^=/, ''))
      break
    }
  }
  return { words, options, uncertain, doubtful }
}
