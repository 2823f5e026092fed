import type { ShellWord } from './shell.ts'

/** How a program reads its command line. Options without their dashes: `f` is short, `force` is long. */
export interface OptionRules {
  /** Options that take a value: `-o FILE`, `-oFILE`, `--output FILE`, `--output=FILE`. */
  readonly valued?: readonly string[]
  /** Long options without a value, or with one only behind `=`. Only needed where they may be abbreviated. */
  readonly flags?: readonly string[]
  /** Whether long options may be cut short as long as they are unambiguous, as GNU's and git's may. */
  readonly abbreviations?: boolean
  /** Whether the first operand ends the options, as with programs that start another. */
  readonly operandsLast?: boolean
  /** Whether long options have one dash: `find -name`, `terraform -auto-approve`. There are then no joined short ones. */
  readonly oneDash?: boolean
}

/** A command line, read. */
export interface OptionsRead {
  /** Every option that is given, by its whole name, with its values in order; `''` for one without. */
  readonly given: ReadonlyMap<string, readonly ShellWord[]>
  /** Whether one of them is given. */
  readonly has: (...names: readonly string[]) => boolean
  /** The last value of the first of them that has one. */
  readonly value: (...names: readonly string[]) => ShellWord | undefined
  readonly operands: readonly ShellWord[]
  /** Whether a word is not known that may be an option, or several. */
  readonly uncertain: boolean
}

const none: ShellWord = { value: '' }

/** What of a word stands behind its first characters, as a word of its own. */
const behind = (word: ShellWord, at: number): ShellWord => ({ ...word, value: word.value.slice(at) })

/** Reads a program's arguments as getopt would, with the options that are known to take a value. */
export function readOptions(args: readonly ShellWord[], rules: OptionRules = {}): OptionsRead {
  const valued = new Set(rules.valued)
  const long = [...(rules.valued ?? []), ...(rules.flags ?? [])].filter((name) => name.length > 1)
  const given = new Map<string, ShellWord[]>()
  const operands: ShellWord[] = []
  let uncertain = false

  const give = (name: string, value: ShellWord) => {
    const values = given.get(name)
    if (values === undefined) given.set(name, [value])
    else values.push(value)
  }
  const whole = (name: string): string => {
    if (!rules.abbreviations || long.includes(name)) return name
    const meant = long.filter((one) => one.startsWith(name))
    return meant.length === 1 ? (meant[0] ?? name) : name
  }

  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? none
    const text = word.value
    if (word.several === true || (word.unresolved === true && !/^[\w./~]/.test(text))) uncertain = true
    if (text === '--') {
      operands.push(...args.slice(at + 1))
      break
    }
    if (text.length < 2 || !text.startsWith('-')) {
      operands.push(word)
      if (rules.operandsLast !== true) continue
      operands.push(...args.slice(at + 1))
      break
    }
    if (text.startsWith('--') || rules.oneDash === true) {
      const dashes = text.startsWith('--') ? 2 : 1
      const equals = text.indexOf('=')
      const name = whole(text.slice(dashes, equals === -1 ? undefined : equals))
      if (equals !== -1) give(name, behind(word, equals + 1))
      else give(name, valued.has(name) ? (args[++at] ?? none) : none)
      continue
    }
    for (let letter = 1; letter < text.length; letter++) {
      const name = text.charAt(letter)
      if (!valued.has(name)) {
        give(name, none)
        continue
      }
      give(name, letter + 1 < text.length ? behind(word, letter + 1) : (args[++at] ?? none))
      break
    }
  }
  return {
    given,
    has: (...names) => names.some((name) => given.has(name)),
    value: (...names) => names.flatMap((name) => given.get(name)?.at(-1) ?? [])[0],
    operands,
    uncertain,
  }
}
