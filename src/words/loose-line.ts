import {
  type GivenOption,
  type LineRead,
  lineOf,
  lookUpsOf,
  type OptionLookUps,
  stateBy,
  wholeAmong,
} from './options.ts'
import type { ShellWord } from '../model/shell.ts'
import type { Call } from './calls.ts'

/** Options of a program, without dashes, separated by blanks. Unlike `OptionRules` the list may be incomplete. */
export interface LineRules {
  /** Options that take a value, besides those that do nearly everywhere. */
  readonly valued?: string
  /** Options that take no value here, also those that do nearly everywhere. */
  readonly flags?: string
  /** Long options have one dash (`-auto-approve`), so short ones cannot be joined. */
  readonly oneDash?: boolean
  /** Long options may be cut short, and which there are is not known. */
  readonly abbreviates?: true
  /** The program has no subcommands, so that the facts know all of its options. */
  readonly noSubcommands?: true
  /**
   * Options as programs of Windows have them, in any case. `slashes`: `/f`, `/s:VALUE` and `/f/q`, also with a dash.
   * `parameters`: PowerShell's `-Name VALUE` and `-Name:VALUE`, which may be cut short.
   */
  readonly windows?: 'slashes' | 'parameters'
  /** Words behind `--` are its own, and no command line of another program. */
  readonly ownBehindDashes?: true
}

/** A word that is no option. */
export interface LineWord {
  readonly text: string
  /** Unknown before the command runs: one word, several, or none. */
  readonly unknown: boolean
  /** The word before it is an option that may take it as its value. */
  readonly maybeValue: boolean
}

/** A command line split into words and options as far as that is possible with an incomplete list of options. */
export interface LooseLine extends OptionLookUps {
  readonly words: readonly LineWord[]
  /**
   * Values of each option: `''` if it has none, and both `''` and the next word if that may be its value. Joined short
   * options are there one by one, and as they are written.
   */
  readonly options: ReadonlyMap<string, readonly string[]>
  /** An unknown word may be an option. */
  readonly uncertain: boolean
  /** Options whose next word is `--help`, `-h` and the like, which may be their value. */
  readonly doubtful: ReadonlySet<string>
}

/** Long options that take a value in nearly every program that has them. No table says them again. */
const valuedNearlyEverywhere =
  'output format namespace profile region project project-id context config cluster name id url host port user username ' +
  'password token api-token api-key environment org organization team app service resource-group subscription zone ' +
  'location account filter query template kubeconfig server endpoint endpoint-url description reason message title ' +
  'body database vault schema label labels selector timeout address bootstrap-server repo'
/** Options that take no value in nearly every program that has them. No table says them again. */
export const flagsNearlyEverywhere =
  'yes force quiet verbose debug json help all recursive no-input non-interactive auto-approve no-wait no-color y f q v h r'

/** True if a word is in a list of names, which are separated by blanks. */
export const isOneOf = (word: string, names: string): boolean =>
  !word.includes(' ') && ` ${names} `.includes(` ${word} `)

/**
 * Reads a call: as the facts did where they know the options of its subcommand, and otherwise with the options that are
 * given here, which may be incomplete: what follows an unknown option may be its value.
 *
 * @param changed returns a word as it is judged
 */
export function lineIn(call: Call, rules: LineRules, changed?: (word: ShellWord) => ShellWord): LooseLine {
  const { args, command } = call
  const known = args === command.args && rules.windows === undefined ? lineOf(command) : undefined
  const { same = [], globalsSame = [] } = command.line ?? {}
  const line = known && knownLine(known, args, rules, changed ?? asItIs, [...same, ...globalsSame])
  if (line !== undefined) return line
  const read = readLine(changed === undefined ? args : args.map(changed), rules)
  return rules.abbreviates === true ? withAbbreviations(read, rules) : read
}

/** Lets an option that is not known count as each that begins so: it may be that. */
function withAbbreviations(line: LooseLine, rules: LineRules): LooseLine {
  const short = [...line.options.keys()].filter(
    (name) =>
      name.length > 2 && !isFlag(rules, name) && !takesValue(rules, name) && !isOneOf(name, flagsNearlyEverywhere),
  )
  if (short.length === 0) return line
  const mayBe = (wanted: string) => short.some((name) => name !== wanted && wanted.startsWith(name))
  return { ...line, has: (...names) => line.has(...names) || names.some(mayBe) }
}

const asItIs = (word: ShellWord): ShellWord => word

/** Takes over what the facts read; `undefined` where they did not get as far as the options behind the last word. */
function knownLine(
  { subcommand, globals, given, operands, rest, uncertain }: LineRead,
  args: readonly ShellWord[],
  rules: LineRules,
  changed: (word: ShellWord) => ShellWord,
  same: readonly string[],
): LooseLine | undefined {
  if (subcommand === undefined && rules.noSubcommands !== true) return undefined
  const dashes = args.findIndex(({ value }) => value === '--')
  if (dashes !== -1 && dashes < args.length - rest.length) return undefined
  const behind = new Set(dashes === -1 || rules.ownBehindDashes === true ? [] : args.slice(dashes))
  const named = (subcommand?.split(' ') ?? []).map((text): LineWord => ({ text, unknown: false, maybeValue: false }))
  const words = operands.flatMap((word): readonly LineWord[] =>
    behind.has(word) ? [] : [{ text: changed(word).value, unknown: isUnknown(word, rules), maybeValue: false }],
  )
  const options = new Map<string, string[]>()
  const all = [...globals.given, ...given]
  for (const { name, value } of all) {
    const values = options.get(name)
    if (values === undefined) options.set(name, [changed(value).value])
    else values.push(changed(value).value)
  }
  return { ...lookUpsOf(all, same), words: [...named, ...words], options, uncertain, doubtful: new Set() }
}

/** Joined letters such as `/f/q`, an option with a slash or a dash, and a parameter. A path has more slashes. */
const slashed = /^(?:\/{1,2}[a-z?])+$/i
const slashOption = /^(?:\/{1,2}|--?)([a-z?][\w-]*)(?:[:=](.*))?$/is
const parameter = /^-([a-z?]\w*)(?::(.*))?$/is

/** Writes an option of Windows as the long option that it would be elsewhere, by its whole name. */
function asLongOptions(word: ShellWord, { windows, valued = '', flags = '' }: LineRules): readonly ShellWord[] {
  const { value: text } = word
  const long = (name: string, value?: string): ShellWord => ({
    ...word,
    value: `--${name === '?' ? 'help' : name}${value === undefined ? '' : `=${value}`}`,
  })
  const isSlashed = windows === 'slashes'
  if (isSlashed && slashed.test(text))
    return text
      .replaceAll('/', '')
      .toLowerCase()
      .split('')
      .map((name) => long(name))
  const [, written, value] = (isSlashed ? slashOption : parameter).exec(text) ?? []
  if (written === undefined) return [word]
  const name = written.toLowerCase()
  if (isSlashed) return [long(name, value)]
  // `$false` is PowerShell's own, in whichever shell this stands.
  return [long(wholeAmong(name, `${valued} ${flags}`.split(' ')) ?? name, value?.replace(/^\$/, ''))]
}

/** Splits the words before a `--`. Those after it are another program's command line, or data. */
export function readLine(given: readonly ShellWord[], rules: LineRules): LooseLine {
  const args = rules.windows === undefined ? given : given.flatMap((word) => asLongOptions(word, rules))
  const reader: LineReader = { args, rules, words: [], given: [], options: new Map(), doubtful: new Set(), at: 0 }
  let uncertain = false
  for (; reader.at < args.length; reader.at++) {
    const text = args[reader.at]?.value ?? ''
    const unknown = isUnknown(args[reader.at], rules)
    uncertain ||= unknown
    if (text === '--') break
    if (unknown || !text.startsWith('-') || text === '-') {
      reader.words.push({ text, unknown, maybeValue: reader.before !== undefined })
      reader.before = undefined
    } else readOption(reader, text)
  }
  const { words, options, doubtful } = reader
  return { ...lookUpsOf(reader.given), words, options, uncertain, doubtful }
}

/** The state of reading a command line. */
interface LineReader {
  readonly args: readonly ShellWord[]
  readonly rules: LineRules
  readonly words: LineWord[]
  readonly given: GivenOption[]
  readonly options: Map<string, string[]>
  readonly doubtful: Set<string>
  at: number
  /** The option before the current word, if it may take it as its value. */
  before?: string | undefined
}

const isFlag = ({ flags = '' }: LineRules, name: string) => isOneOf(name, flags)
const isValued = ({ valued = '' }: LineRules, name: string) => isOneOf(name, valued)
const takesValue = (rules: LineRules, name: string) =>
  isValued(rules, name) || (isOneOf(name, valuedNearlyEverywhere) && !isFlag(rules, name))

/**
 * True if a word may be anything, an option for one. The unknown part of `-j$(nproc)` is a number, or empty, and one in
 * the middle of an address, `repos/a/b/pulls/$N`, is one name of it.
 */
function isUnknown(word: ShellWord | undefined, rules: LineRules): boolean {
  if (word === undefined) return false
  const isCount = word.value.startsWith('-j') && isValued(rules, 'j')
  const isNamed = /^\/?\w[\w.-]*\/./.test(word.value)
  return (word.several === true && !isCount && !isNamed) || (word.unresolved === true && !/^[\w./~@-]/.test(word.value))
}

function give(
  { given, options, doubtful, before }: LineReader,
  name: string,
  value: string,
  state?: GivenOption['state'],
): void {
  given.push(state === undefined ? { name, value: { value } } : { name, value: { value }, state })
  const values = options.get(name)
  if (values === undefined) options.set(name, [value])
  else values.push(value)
  if (before !== undefined) doubtful.add(name)
}

/** Reads the value of an option from the next word. */
const nextValue = (reader: LineReader): string => reader.args[++reader.at]?.value ?? ''

function readOption(reader: LineReader, text: string): void {
  const { args, rules, options } = reader
  const equals = text.indexOf('=')
  const whole = text.slice(text.startsWith('--') ? 2 : 1, equals === -1 ? undefined : equals)
  const isLong = text.startsWith('--') || rules.oneDash === true || whole.length === 1
  if (!isLong) {
    give(reader, whole, equals === -1 ? '' : text.slice(equals + 1))
    reader.before = undefined
    readLetters(reader, text, whole)
    return
  }
  const isValue = takesValue(rules, whole)
  const next = args[reader.at + 1]?.value
  if (equals !== -1) {
    const value = text.slice(equals + 1)
    give(reader, whole, value, isValue ? undefined : stateBy({ ...args[reader.at], value }))
  } else if (isValue) give(reader, whole, nextValue(reader))
  // Some programs take this word for the option's value.
  else give(reader, whole, '', next === 'false' ? 'unsure' : undefined)
  const isKnown = isValue || whole.startsWith('no-') || isOneOf(whole, flagsNearlyEverywhere) || isFlag(rules, whole)
  const mayTake = equals === -1 && !isKnown
  reader.before = mayTake ? whole : undefined
  if (mayTake && next !== undefined && !next.startsWith('-')) options.get(whole)?.push(next)
}

/** Reads joined short options, of which one with a value is the last. */
function readLetters(reader: LineReader, text: string, letters: string): void {
  for (let at = 0; at < letters.length; at++) {
    const name = letters.charAt(at)
    if (!isValued(reader.rules, name)) {
      give(reader, name, '')
      continue
    }
    const joined = text.slice(at + 2)
    give(reader, name, joined === '' ? nextValue(reader) : joined.replace(/^=/, ''))
    return
  }
}
