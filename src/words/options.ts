import type { PlacedOption, ShellCommand, ShellWord } from '../model/shell.ts'

/** Declares how a program reads its command line. Options are named without dashes: `f` is short, `force` is long. */
export interface OptionRules {
  /** Options that take a value: `-o FILE`, `-oFILE`, `--output FILE`, `--output=FILE`. */
  readonly valued?: readonly string[]
  /** Long options without a value, or with one only after `=`. Needed only if options may be abbreviated. */
  readonly flags?: readonly string[]
  /** Options with a value only if it is joined: `-i.bak`, `--color=always`. */
  readonly joined?: readonly string[]
  /** Short options with a number that may be joined. Letters after it are options again: `-0777ne`. */
  readonly numbered?: readonly string[]
  /** Long options that take two values, of which the second counts: `jq --slurpfile NAME FILE`. */
  readonly paired?: readonly string[]
  /** Options that end option parsing: everything after their value is an operand, as in `python -c CODE`. */
  readonly final?: readonly string[]
  /** Set if long options may be abbreviated while unambiguous, as those of GNU programs and git. */
  readonly abbreviations?: boolean
  /** Set if the first operand ends option parsing, as for programs that start another. */
  readonly operandsLast?: boolean
  /** Set if long options have one dash: `find -name`, `terraform -auto-approve`. Short ones can then not be joined. */
  readonly oneDash?: boolean
}

/** An option on the command line, by its full name. The value is empty if it has none. */
export interface GivenOption {
  readonly name: string
  readonly value: ShellWord
  /** Set if a value turns the option off (`--dry-run=false`), or may do so (`--dry-run=$MODE`, `--dry-run false`). */
  readonly state?: 'off' | 'unsure'
  /** Set for the value of a request's option: what is sent along, or what is for logging in. */
  readonly use?: 'data' | 'login'
}

/** The laws by which all programs' options are read: the last one counts, and `--no-x` or `--x=false` takes back `--x`. */
export interface OptionLookUps {
  /** Every option on the command line, in order. */
  readonly given: readonly GivenOption[]
  /**
   * Returns true if any of the options is on, or may be on. Of an option whose names are known to be its names, one is
   * enough. Names that are not of the same option are fine; a letter that is not known is short for the long name among
   * them that begins with it, or for the only long one.
   */
  readonly has: (...names: readonly string[]) => boolean
  /** Returns true if the options, which are names of one thing such as a dry run, are on for certain. */
  readonly surely: (...names: readonly string[]) => boolean
  /** Returns the value of the last occurrence of any of the options. */
  readonly value: (...names: readonly string[]) => ShellWord | undefined
  /** Returns the values of all occurrences of the options, in order. */
  readonly values: (...names: readonly string[]) => readonly ShellWord[]
}

/** A parsed command line. */
export interface OptionsRead extends OptionLookUps {
  readonly operands: readonly ShellWord[]
  /** True if an unresolved word may be an option, or several. */
  readonly uncertain: boolean
}

/** `OptionRules` with their names in sets, for fast lookups. */
export interface PreparedOptions {
  readonly valued: ReadonlySet<string>
  readonly joined: ReadonlySet<string>
  readonly numbered: ReadonlySet<string>
  readonly paired: ReadonlySet<string>
  readonly final: ReadonlySet<string>
  /** Long names that may be abbreviated. */
  readonly long: readonly string[]
  readonly operandsLast: boolean
  readonly oneDash: boolean
}

export function prepareOptions(rules: OptionRules): PreparedOptions {
  const named = [rules.valued, rules.joined, rules.paired, rules.final, rules.flags]
  return {
    valued: new Set(rules.valued),
    joined: new Set(rules.joined),
    numbered: new Set(rules.numbered),
    paired: new Set(rules.paired),
    final: new Set(rules.final),
    long: rules.abbreviations === true ? named.flatMap((names) => names ?? []).filter((name) => name.length > 1) : [],
    operandsLast: rules.operandsLast === true,
    oneDash: rules.oneDash === true,
  }
}

/** Parses a program's arguments as getopt would, given the options that take a value. */
export const readOptions = (args: readonly ShellWord[], rules: OptionRules = {}): OptionsRead =>
  readPrepared(args, prepareOptions(rules))

const none: ShellWord = { value: '' }
const dash = 45
const equalsSign = 61

/** Returns the rest of a word from an offset, such as behind `if=`, as a word without a pattern, which is not known for it. */
export function behind(word: ShellWord, at: number): ShellWord {
  const { pattern: _, ...rest } = word
  return { ...rest, value: word.value.slice(at) }
}

/** Checks whether an unresolved word may expand to an option, or to several words. */
const mayBeOption = (word: ShellWord): boolean =>
  word.several === true || (word.unresolved === true && !/^[\w./~]/.test(word.value))

/** A parsed command line, with the index of the word of each option. */
export interface PlacedRead extends OptionsRead {
  readonly given: readonly (GivenOption & { readonly at: number })[]
}

/** Parses arguments like `readOptions`, with prepared rules for frequent use. */
export function readPrepared(args: readonly ShellWord[], options: PreparedOptions): PlacedRead {
  const given: NamedValues = []
  const operands: ShellWord[] = []
  let uncertain = false
  let at = 0
  while (at < args.length) {
    const word = args[at++] ?? none
    const text = word.value
    if (!uncertain && mayBeOption(word)) uncertain = true
    if (text.length < 2 || text.charCodeAt(0) !== dash) {
      operands.push(word)
      if (options.operandsLast) break
      continue
    }
    if (text === '--') break
    const isLong = options.oneDash || text.charCodeAt(1) === dash
    at = isLong ? readLong(word, args, at, options, given) : readShort(word, args, at, options, given)
    if (options.final.size > 0 && options.final.has(given.at(-1)?.name ?? '')) break
  }
  while (at < args.length) operands.push(args[at++] ?? none)
  return { ...lookUpsOf(given), given, operands, uncertain }
}

/**
 * Makes the look-ups of options that were read in another way than by `readOptions`.
 *
 * @param same the names of options that have several: `m message`
 */
export function lookUpsOf(given: readonly GivenOption[], same: readonly string[] = []): OptionLookUps {
  const groups = same.map((group) => group.split(' '))
  const groupOf = (name: string) => groups.find((group) => group.includes(name))
  const allOf = (names: readonly string[]) =>
    groups.length === 0 ? names : names.flatMap((name) => groupOf(name) ?? [name])
  return {
    given,
    has(...names) {
      const all = allOf(names)
      return (
        given.some(({ name }) => all.includes(name)) &&
        names.some((name) => stateOf(given, groupOf(name) ?? [name, ...longOf(name, names)]) !== 'off')
      )
    },
    surely: (...names) => stateOf(given, allOf(names)) === 'on',
    value(...names) {
      const all = allOf(names)
      return given.findLast(({ name }) => all.includes(name))?.value
    },
    values(...names) {
      const all = allOf(names)
      return given.flatMap(({ name, value }) => (all.includes(name) ? [value] : []))
    },
  }
}

/**
 * Returns true if the arguments of a program whose options are not known have one of its options for certain that ask for
 * a trial. The words behind `--` count as well: `npm run deploy -- --dry-run`.
 */
export const onlyTries = (args: readonly ShellWord[], ...names: readonly string[]): boolean =>
  readOptions(
    args.filter(({ value }) => value !== '--'),
    { oneDash: true },
  ).surely(...names)

/** Returns the words that are no options, of a program of which nothing says which options take a value. */
export const wordsBeside = (args: readonly ShellWord[]): readonly string[] =>
  args.flatMap(({ value }) => (value.startsWith('-') ? [] : [value]))

/** Returns true if a word asks for help, of a program whose options are not known. */
export const asksForHelp = (args: readonly ShellWord[]): boolean =>
  args.some(({ value }) => value === '--help' || value === '-h')

/** The same for certain: behind `--`, or behind an option, the word may be only a text. */
export function surelyAsksForHelp(args: readonly ShellWord[]): boolean {
  const end = args.findIndex(({ value }) => value === '--')
  return args
    .slice(0, end === -1 ? undefined : end)
    .some((word, at) => asksForHelp([word]) && args[at - 1]?.value.startsWith('-') !== true)
}

/** Returns what the last one of an option's names leaves it at. */
function stateOf(given: readonly GivenOption[], names: readonly string[]): 'on' | 'off' | 'unsure' {
  for (let at = given.length - 1; at >= 0; at--) {
    const { name = '', state = 'on' } = given[at] ?? {}
    if (names.includes(name)) return state
    if (names.includes(oppositeOf(name))) return state === 'on' ? 'off' : 'unsure'
  }
  return 'off'
}

const oppositeOf = (name: string): string => (name.startsWith('no-') ? name.slice(3) : `no-${name}`)

/** Returns the long name that a letter is short for. */
function longOf(letter: string, names: readonly string[]): readonly string[] {
  if (letter.length !== 1) return []
  const long = names.filter((name) => name.length > 1)
  const own = long.length === 1 ? long[0] : long.find((name) => name.startsWith(letter.toLowerCase()))
  return own === undefined ? [] : [own]
}

const switchedOff = /^(?:false|f|none|no|off|0|null)$/i

/** Returns whether a value that is joined to an option turns that off. */
export function stateBy({ value, unresolved, several }: ShellWord): GivenOption['state'] {
  if (unresolved === true || several === true) return 'unsure'
  return switchedOff.test(value) ? 'off' : undefined
}

/** A command's arguments, read with what is known of its program's options. */
export interface LineRead extends OptionsRead {
  /** The words of the subcommand, if the options of that are known: `push`, `container exec`. */
  readonly subcommand: string | undefined
  /** Options before the subcommand: `-C` of `git -C there push`. */
  readonly globals: OptionLookUps
  /** Everything behind the subcommand. */
  readonly rest: readonly ShellWord[]
}

/** Reads a command's options and operands; `undefined` if the options of its program are not known. */
export function lineOf({ args, line }: ShellCommand): LineRead | undefined {
  if (line === undefined) return undefined
  const { words = args, globals = [], options, operands, subcommand, start, data, login, same, globalsSame } = line
  const given = ([name, at, offset = 0, state]: PlacedOption): GivenOption => {
    const word = at === undefined ? none : (words[at] ?? none)
    const value = offset === 0 ? word : behind(word, offset)
    return state === undefined ? { name, value } : { name, value, state }
  }
  const used = (option: PlacedOption, at: number): GivenOption => {
    const use = data?.includes(at) === true ? 'data' : login?.includes(at) === true ? 'login' : undefined
    return use === undefined ? given(option) : { ...given(option), use }
  }
  return {
    ...lookUpsOf(options.map(used), same),
    operands: operands.map((at) => words[at] ?? none),
    uncertain: line.uncertain === true,
    subcommand,
    globals: lookUpsOf(globals.map(given), globalsSame),
    rest: words.slice(start),
  }
}

type NamedValues = PlacedRead['given'][number][]

/** Parses a long option. Returns the index of the next word. */
function readLong(
  word: ShellWord,
  args: readonly ShellWord[],
  next: number,
  options: PreparedOptions,
  given: NamedValues,
): number {
  const text = word.value
  const equals = text.indexOf('=')
  const start = text.charCodeAt(1) === dash ? 2 : 1
  const written = text.slice(start, equals === -1 ? undefined : equals)
  // With one dash, a single letter is an option of its own.
  const name = start + written.length < 3 ? written : wholeName(written, options)
  const isValued = options.valued.has(name) || options.final.has(name)
  if (equals !== -1) {
    given.push(joinedValue(next - 1, name, behind(word, equals + 1), isValued || options.paired.has(name)))
    return next
  }
  if (options.paired.has(name)) {
    given.push({ at: next - 1, name, value: args[next + 1] ?? none })
    return next + 2
  }
  const value = isValued ? (args[next] ?? none) : none
  // Some programs (npm, all that use yargs) take this word for the option's value.
  const isUnsure = !isValued && args[next]?.value === 'false'
  given.push(isUnsure ? { at: next - 1, name, value, state: 'unsure' } : { at: next - 1, name, value })
  return isValued ? next + 1 : next
}

function joinedValue(at: number, name: string, value: ShellWord, isValued: boolean): NamedValues[number] {
  const state = isValued ? undefined : stateBy(value)
  return state === undefined ? { at, name, value } : { at, name, value, state }
}

/** Parses the short options joined in one word. Returns the index of the next word. */
function readShort(
  word: ShellWord,
  args: readonly ShellWord[],
  next: number,
  options: PreparedOptions,
  given: NamedValues,
): number {
  const text = word.value
  const at = next - 1
  for (let letter = 1; letter < text.length; letter++) {
    const name = text.charAt(letter)
    const isJoined = options.joined.has(name)
    if (isJoined || options.valued.has(name) || options.final.has(name)) {
      if (letter + 1 < text.length) given.push({ at, name, value: behind(word, letter + 1) })
      else given.push({ at, name, value: isJoined ? none : (args[next++] ?? none) })
      return next
    }
    // `-n=false` is written for programs in Go; no letter is a `=`.
    if (text.charCodeAt(letter + 1) === equalsSign) {
      given.push(joinedValue(at, name, behind(word, letter + 2), false))
      return next
    }
    given.push({ at, name, value: none })
    if (options.numbered.has(name)) letter += /^(?:0x[\da-f]+|\d+)/i.exec(text.slice(letter + 1))?.[0].length ?? 0
  }
  return next
}

/** Expands an abbreviated long option. Returns the name unchanged if it is ambiguous or unknown. */
function wholeName(name: string, { valued, long }: PreparedOptions): string {
  if (long.length === 0 || valued.has(name)) return name
  if (!name.startsWith('no-')) return wholeAmong(name, long) ?? name
  const positive = name.slice('no-'.length)
  if (positive === '' || long.includes(positive)) return name
  const whole = wholeAmong(name, long)
  if (whole !== undefined) return whole
  const taken = wholeAmong(positive, long)
  return taken === undefined ? name : `no-${taken}`
}

/** Returns the only name that begins with a text, or the text itself if it is a name or begins several. */
export function wholeAmong(text: string, names: readonly string[]): string | undefined {
  let whole: string | undefined
  for (const one of names) {
    if (!one.startsWith(text)) continue
    if (one === text || whole !== undefined) return text
    whole = one
  }
  return whole
}
