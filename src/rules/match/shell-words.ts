import { limits } from '../../model/limits.ts'
import { anyText, type Glob } from './glob.ts'

/** One program with its arguments, as far as a shell's text says what they will be. */
export interface SimpleCommand {
  /** Quotes and backslashes taken off; `anyText` where only running it would tell. */
  readonly words: readonly Glob[]
  /** The same as it stands in the text. */
  readonly source: string
}

export interface ShellText {
  /** Every simple command, those within `$( )`, backticks and subshells too. */
  readonly commands: readonly SimpleCommand[]
  /** Every word: of commands, assignments and redirections. */
  readonly words: readonly Glob[]
  /** Whether the text was understood to its end. Nothing can be ruled out of one that was not. */
  readonly sure: boolean
}

/**
 * Splits a POSIX shell's text into simple commands. It is no parser: keywords are left in place, and what it cannot be
 * sure of (an unclosed quote, a here-document, nesting without end) is said by `sure`.
 */
export function readShell(text: string, depth = 0): ShellText {
  const reading: Reading = { text, at: 0, depth, commands: [], words: [], sure: true }
  if (depth > limits.conditionNestingMax) reading.sure = false
  else readCommands(reading, undefined)
  return reading
}

interface Reading {
  readonly text: string
  at: number
  depth: number
  readonly commands: SimpleCommand[]
  readonly words: Glob[]
  sure: boolean
}

/** Reads commands up to the closing parenthesis of a substitution, or to the end of the text. */
function readCommands(reading: Reading, closing: ')' | undefined): void {
  const { text } = reading
  let words: Glob[] = []
  let start = reading.at
  let open = 0
  const finish = () => {
    const source = text.slice(start, reading.at).trim()
    if (isCase(source)) reading.sure = false
    if (words.length > 0) reading.commands.push({ words, source })
    words = []
  }
  while (reading.at < text.length) {
    const character = text.charAt(reading.at)
    if (words.length === 0) start = reading.at
    if (' \t'.includes(character)) reading.at++
    else if (text.startsWith('\\\n', reading.at)) reading.at += 2
    else if (character === '#') skipLine(reading)
    else if (character === '<' || character === '>' || text.startsWith('&>', reading.at))
      readRedirection(reading, words)
    else if (character === ')' && open === 0 && closing !== undefined) {
      finish()
      reading.at++
      return
    } else if (text.startsWith('((', reading.at)) {
      // Arithmetic, in which `#` is no comment, or a subshell in a subshell.
      giveUp(reading)
    } else if ('\n;&|()'.includes(character)) {
      finish()
      if (character === '(') open++
      // A `)` that nothing opened is a `case` pattern, or no shell.
      else if (character === ')' && --open < 0) giveUp(reading)
      reading.at++
    } else readArgument(reading, words)
  }
  finish()
  if (closing !== undefined) reading.sure = false
}

/** The patterns of a `case` end in parentheses that nothing opened, and would close a `$( )` too early. */
function isCase(source: string): boolean {
  const at = source.search(/\bcase\b/)
  return at >= 0 && /\bin\b/.test(source.slice(at))
}

function skipLine(reading: Reading): void {
  const end = reading.text.indexOf('\n', reading.at)
  reading.at = end < 0 ? reading.text.length : end
}

/** INVARIANT: what is not understood is never ruled out. */
function giveUp(reading: Reading): void {
  reading.sure = false
  reading.at = reading.text.length
}

function readArgument(reading: Reading, words: Glob[]): void {
  const { text, at } = reading
  const word = readWord(reading)
  // `2>` is a redirection of descriptor 2, not an argument `2`.
  if (/^\d+$/.test(text.slice(at, reading.at)) && '<>'.includes(text.charAt(reading.at) || ' ')) return
  reading.words.push(word)
  words.push(word)
  // What stands in parentheses in a test is a pattern, in which `#` is no comment and `;` no end.
  if (text.slice(at, reading.at) === '[[' && text.slice(at, text.lastIndexOf(']]')).includes('(')) giveUp(reading)
}

/** Its target is a word of the text, but no argument of the command. */
function readRedirection(reading: Reading, words: Glob[]): void {
  const { text } = reading
  if (/^[<>]\(/.test(text.slice(reading.at, reading.at + 2))) {
    reading.at += 2
    nested(reading)
    words.push([anyText])
    return
  }
  const operator = /^(?:&>>?|<<<|<<-?|<>|<&|>>|>\||>&|[<>])/.exec(text.slice(reading.at, reading.at + 3))?.[0] ?? '<'
  // A here-document's text may hold anything, expansions among it.
  if (operator === '<<' || operator === '<<-') return giveUp(reading)
  reading.at += operator.length
  while (' \t'.includes(text.charAt(reading.at) || '\n')) reading.at++
  reading.words.push(readWord(reading))
}

/** `$( )`, `<( )` and `>( )`: commands of their own. */
function nested(reading: Reading): void {
  reading.depth++
  if (reading.depth > limits.conditionNestingMax) giveUp(reading)
  else readCommands(reading, ')')
  reading.depth--
}

/**
 * Names of files are put in for `*`, `?` and `[…]`, and braces make several words of one. Where a bracket or brace is
 * closed is not looked for: quoted blanks may stand in between, at any length.
 */
const expansion = /^(?:[*?]|\[[^\s;&|[]|\{(?:[^\s}]|\}[^\s;&|()<>]))/

function readWord(reading: Reading): Glob {
  const { text } = reading
  const word: number[] = []
  let guessed = false
  while (reading.at < text.length && !' \t\n;&|()<>'.includes(text.charAt(reading.at))) {
    const character = text.charAt(reading.at)
    if (character === "'") readSingleQuoted(reading, word)
    else if (character === '"') readDoubleQuoted(reading, word)
    else if (character === '\\') readEscaped(reading, word)
    else if (character === '$') readDollar(reading, word, false)
    else if (character === '`') readBackticks(reading, word)
    else {
      guessed ||= expansion.test(text.slice(reading.at, reading.at + 3))
      word.push(text.charCodeAt(reading.at++))
    }
  }
  return guessed ? [anyText] : word
}

function readSingleQuoted(reading: Reading, word: number[]): void {
  const end = reading.text.indexOf("'", reading.at + 1)
  if (end < 0) return giveUp(reading)
  for (let at = reading.at + 1; at < end; at++) word.push(reading.text.charCodeAt(at))
  reading.at = end + 1
}

function readDoubleQuoted(reading: Reading, word: number[]): void {
  const { text } = reading
  reading.at++
  while (reading.at < text.length) {
    const character = text.charAt(reading.at)
    if (character === '"') {
      reading.at++
      return
    }
    if (character === '$') readDollar(reading, word, true)
    else if (character === '`') readBackticks(reading, word)
    else if (character === '\\' && '$`"\\\n'.includes(text.charAt(reading.at + 1) || ' ')) readEscaped(reading, word)
    else word.push(text.charCodeAt(reading.at++))
  }
  reading.sure = false
}

function readEscaped(reading: Reading, word: number[]): void {
  const { text } = reading
  const next = text.charAt(reading.at + 1)
  if (next === '') return giveUp(reading)
  if (next !== '\n') word.push(text.charCodeAt(reading.at + 1))
  reading.at += 2
}

/** Everything that begins with a dollar sign: what it becomes is not known, but what it runs on the way is. */
function readDollar(reading: Reading, word: number[], quoted: boolean): void {
  const { text } = reading
  const next = text.charAt(reading.at + 1)
  if (next === '[' || text.startsWith('$((', reading.at)) return readArithmetic(reading, word)
  if (next === '(') {
    reading.at += 2
    word.push(anyText)
    return nested(reading)
  }
  if (next === '"' && !quoted) {
    reading.at++
    return
  }
  const form = quoted ? parameter : parameterOrAnsiC
  form.lastIndex = reading.at
  const whole = form.exec(text)?.[0]
  if (whole !== undefined) {
    reading.at += whole.length
    word.push(anyText)
  } else if (next === '{' || (next === "'" && !quoted)) giveUp(reading)
  else word.push(text.charCodeAt(reading.at++))
}
/** Expansions within an expansion are a language of their own, and are not read. */
const parameter = /\$(?:\{[^`$'"\\{}]*\}|\w+|[@*#?$!-])/y
const parameterOrAnsiC = /\$(?:\{[^`$'"\\{}]*\}|\w+|[@*#?$!-]|'(?:[^'\\]|\\[^])*')/y

/** `$((1 + 2))`: a number. Only the plain kind is read; `#` is no comment in it, and `$( (…) )` begins the same way. */
function readArithmetic(reading: Reading, word: number[]): void {
  arithmetic.lastIndex = reading.at
  const whole = arithmetic.exec(reading.text)?.[0]
  if (whole === undefined) return giveUp(reading)
  reading.at += whole.length
  word.push(anyText)
}
const arithmetic = /\$\(\([^#`'"\\()]*\)\)/y

function readBackticks(reading: Reading, word: number[]): void {
  const rest = reading.text.slice(reading.at + 1)
  const inner = /^(?:[^`\\]|\\[^])*/.exec(rest)?.[0] ?? ''
  if (rest[inner.length] !== '`') return giveUp(reading)
  reading.at += inner.length + 2
  word.push(anyText)
  const within = readShell(inner.replaceAll(/\\([`\\$])/g, '$1'), reading.depth + 1)
  for (const command of within.commands) reading.commands.push(command)
  for (const one of within.words) reading.words.push(one)
  if (!within.sure) reading.sure = false
}
