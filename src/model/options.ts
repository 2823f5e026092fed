import type { ShellWord } from './shell.ts'

/** How a program reads its command line. Options without their dashes: `f` is short, `force` is long. */
export interface OptionRules {
  /** Options that take a value: `-o FILE`, `-oFILE`, `--output FILE`, `--output=FILE`. */
  readonly valued?: readonly string[]
  /** Long options without a value, or with one only behind `=`. Only needed where they may be abbreviated. */
  readonly flags?: readonly string[]
  /** Options whose value is only there if it is joined: `-i.bak`, `--color=always`. */
  readonly joined?: readonly string[]
  /** Short options with a number that may be joined, letters after it being options again: `-0777ne`. */
  readonly numbered?: readonly string[]
  /** Long options that take two values, of which the second counts: `jq --slurpfile NAME FILE`. */
  readonly paired?: readonly string[]
  /** Options that end the options, all that follows their value being operands: `python -c CODE`. */
  readonly final?: readonly string[]
  /** Whether long options may be cut short as long as they are unambiguous, as GNU's and git's may. */
  readonly abbreviations?: boolean
  /** Whether the first operand ends the options, as with programs that start another. */
  readonly operandsLast?: boolean
  /** Whether long options have one dash: `find -name`, `terraform -auto-approve`. There are then no joined short ones. */
  readonly oneDash?: boolean
}

/** A command line, read. */
export interface OptionsRead {
  /** Every option that is given, in order, by its whole name; its value is empty where it has none. */
  readonly given: readonly { readonly name: string; readonly value: ShellWord }[]
  /** Whether one of them is given. */
  readonly has: (...names: readonly string[]) => boolean
  /** The value of the last one given of them. */
  readonly value: (...names: readonly string[]) => ShellWord | undefined
  /** The values of all of them, in order. */
  readonly values: (...names: readonly string[]) => readonly ShellWord[]
  readonly operands: readonly ShellWord[]
  /** Whether a word is not known that may be an option, or several. */
  readonly uncertain: boolean
}

/** Rules whose names have been made ready to be looked up. */
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

/** Reads a program's arguments as getopt would, with the options that are known to take a value. */
export const readOptions = (args: readonly ShellWord[], rules: OptionRules = {}): OptionsRead =>
  readPrepared(args, prepareOptions(rules))

const none: ShellWord = { value: '' }
const dash = 45

/** What of a word stands behind its first characters: a word of its own, whose pattern is not known. */
function behind(word: ShellWord, at: number): ShellWord {
  const { pattern: _, ...rest } = word
  return { ...rest, value: word.value.slice(at) }
}

/** Whether a word that is not known may turn out to be an option, or several. */
const mayBeOption = (word: ShellWord): boolean =>
  word.several === true || (word.unresolved === true && !/^[\w./~]/.test(word.value))

/** As `readOptions`, for rules that are used often. */
export function readPrepared(args: readonly ShellWord[], options: PreparedOptions): OptionsRead {
  const given: { name: string; value: ShellWord }[] = []
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
  return {
    given,
    has: (...names) => given.some(({ name }) => names.includes(name)),
    value: (...names) => given.findLast(({ name }) => names.includes(name))?.value,
    values: (...names) => given.flatMap(({ name, value }) => (names.includes(name) ? [value] : [])),
    operands,
    uncertain,
  }
}

type Given = { name: string; value: ShellWord }[]

/** Reads a long option. Returns where the next word stands. */
function readLong(
  word: ShellWord,
  args: readonly ShellWord[],
  next: number,
  options: PreparedOptions,
  given: Given,
): number {
  const text = word.value
  const equals = text.indexOf('=')
  const start = text.charCodeAt(1) === dash ? 2 : 1
  const written = text.slice(start, equals === -1 ? undefined : equals)
  // With one dash, a single letter is an option of its own.
  const name = start + written.length < 3 ? written : wholeName(written, options)
  if (equals !== -1) {
    given.push({ name, value: behind(word, equals + 1) })
    return next
  }
  if (options.paired.has(name)) {
    given.push({ name, value: args[next + 1] ?? none })
    return next + 2
  }
  const isValued = options.valued.has(name) || options.final.has(name)
  given.push({ name, value: isValued ? (args[next] ?? none) : none })
  return isValued ? next + 1 : next
}

/** Reads short options that are joined in one word. Returns where the next word stands. */
function readShort(
  word: ShellWord,
  args: readonly ShellWord[],
  next: number,
  options: PreparedOptions,
  given: Given,
): number {
  const text = word.value
  for (let letter = 1; letter < text.length; letter++) {
    const name = text.charAt(letter)
    const isJoined = options.joined.has(name)
    if (isJoined || options.valued.has(name) || options.final.has(name)) {
      if (letter + 1 < text.length) given.push({ name, value: behind(word, letter + 1) })
      else given.push({ name, value: isJoined ? none : (args[next++] ?? none) })
      return next
    }
    given.push({ name, value: none })
    if (options.numbered.has(name)) letter += /^(?:0x[\da-f]+|\d+)/i.exec(text.slice(letter + 1))?.[0].length ?? 0
  }
  return next
}

/** Long options may be cut short as long as they are unambiguous. */
function wholeName(name: string, { valued, long }: PreparedOptions): string {
  if (long.length === 0 || valued.has(name)) return name
  let whole: string | undefined
  for (const one of long) {
    if (!one.startsWith(name)) continue
    if (one === name) return name
    if (whole !== undefined) return name
    whole = one
  }
  return whole ?? name
}
