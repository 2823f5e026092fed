import { limits } from './limits.ts'
import { unknownPart } from './shell.ts'

/**
 * Characters that terminals interpret or that are invisible: control characters except tab and newline, format
 * characters (bidirectional controls, joiners, soft hyphens, tags), Unicode line and paragraph separators, Hangul
 * fillers, the blank of Braille, and variation selectors, in which bytes can be hidden.
 */
const unseen =
  // oxlint-disable-next-line no-control-regex, no-misleading-character-class -- it must match such characters
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u{34f}\u{115f}\u{1160}\u{17b4}\u{17b5}\u{180b}-\u{180f}\u{2800}\u{3164}\u{ffa0}\p{Cf}\p{Zl}\p{Zp}\u{e0100}-\u{e01ef}]|[\ufe00-\ufe0f](?<!\p{Emoji}\ufe0f)/gu

/**
 * Escapes control and invisible characters in a text from outside.
 *
 * INVARIANT: a hook's output is data. Text from outside passes through here before it is shown, so that an escape
 * sequence arrives as a readable `\x1b`, not as an instruction to a terminal. A lone surrogate, which JSON can spell
 * and parsers of other languages reject, becomes U+FFFD, and a part of a command that the facts do not know `…`.
 */
export function printable(text: string): string {
  return text.toWellFormed().replaceAll('\r\n', '\n').replaceAll(unknownPart, '…').replace(unseen, escapedCode)
}

function escapedCode(character: string): string {
  const code = character.codePointAt(0) ?? 0
  return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`
}

/** Blanks that are none of ASCII, and marks that are stacked upon a letter until they cover the lines around it. */
const unlike = /(?:(?![ ])\p{Zs})+|(?<=\p{M}{3})\p{M}+/gu
/** Empty lines, or blanks, that push what follows out of sight. */
const gap = /\n(?:[ \t]*\n){3,}|[ \t]{24,}/g

/**
 * Makes what an agent wants to do printable, so that it is seen for what it is: blanks that are not blanks for a shell are
 * escaped as well, and long gaps are counted.
 */
export const visible = (text: string): string =>
  printable(text)
    .replace(unlike, escapedRun)
    .replace(gap, (run) =>
      run.startsWith('\n') ? `\n[… ${linesIn(run)} empty lines …]\n` : ` [… ${run.length} blanks …] `,
    )

/** Escapes each character of a run. Most runs are of one character, many times. */
function escapedRun(run: string): string {
  let [escaped, last, code] = ['', '', '']
  for (const character of run) {
    if (character !== last) code = escapedCode(character)
    last = character
    escaped += code
  }
  return escaped
}

const linesIn = (run: string) => run.split('\n').length - 2

/** Makes a reason or notice printable, trims it, and cuts it to `reasonCharactersMax`. */
export function sayable(text: string): string {
  const clean = printable(text).trim()
  if (clean.length <= reasonCharactersMax) return clean
  return `${clean.slice(0, reasonCharactersMax).toWellFormed()} […]`
}
/** One reason or notice, in UTF-16 units: still readable for a person or a model. */
export const reasonCharactersMax = 25_000

/** Returns the first line of a text that is not blank. */
export function firstLine(text: string): string {
  return (
    text
      .split('\n')
      .find((line) => line.trim() !== '')
      ?.trim() ?? ''
  )
}

/** Matches the line of an error, `TypeError [ERR_…]: …`. Node, Deno, Bun and Python may print a position before it. */
const errorLine = /^\[?(?:Uncaught )?[\w$.]*(?:Error|Exception|Rejection)(?: \[\w+\])?(?::|$)/

/**
 * Returns the line of a program's stderr that says why it failed: the error at the end of a Python traceback, the error
 * below the source position of a Node crash, else the first line that is not blank.
 */
export function tellingLine(text: string): string {
  const lines = text.split('\n').map((line) => line.trimEnd())
  const traceback = lines.findLastIndex((line) => line === 'Traceback (most recent call last):')
  // Stack frames are indented. The error may span several lines; its first one names it.
  const afterFrames = lines.slice(traceback + 1).find((line) => /^\S/.test(line))
  if (traceback !== -1 && afterFrames !== undefined) return afterFrames
  return lines.find((line) => errorLine.test(line)) ?? firstLine(text)
}

/** Begins a sentence of others as the rest of one of ours. */
export const lowerFirst = (text: string): string => `${text.charAt(0).toLowerCase()}${text.slice(1)}`

/** Quotes text from outside for a message: in backticks, on one line, printable, and cut to a readable length. */
export function quoted(text: string): string {
  const clean = printable(text).replaceAll('\n', '\\n')
  const max = limits.quotedCharactersMax
  return `\`${clean.length > max ? `${clean.slice(0, max).toWellFormed()}…` : clean}\``
}

/** Lists the first of some names, each `quoted`: `` `a`, `b` and others ``. */
export function quotedSome(names: readonly string[]): string {
  const shown = names.slice(0, namesShownMax).map(quoted).join(', ')
  return names.length > namesShownMax ? `${shown} and others` : shown
}
/** Longer lists would not be read. */
const namesShownMax = 12

/** Formats a choice of words: `` `block`, `ask` or `continue` ``. */
export function choiceOf(words: readonly string[]): string {
  const options = words.map((word) => `\`${word}\``)
  return [options.slice(0, -1).join(', '), ...options.slice(-1)].filter((part) => part !== '').join(' or ')
}

/** Formats JSON that is safe to display: `JSON.stringify` escapes only the control characters of ASCII. */
export function jsonText(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, undefined, indent)
  return `${text.replace(/[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g, escaped)}\n`
}

const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/** Wraps a single value in a list and returns a list unchanged. */
export function listOf<T extends string>(one: T | readonly T[]): readonly T[] {
  return typeof one === 'string' ? [one] : one
}

/** Quotes a text as one word for a POSIX shell, only if necessary. */
export const shellWord = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : quotedWord(text))

/** Quotes a text as one word for a POSIX shell, always. */
export const quotedWord = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** Quotes a text without quotes of its own as one word for `cmd.exe`, only if necessary. */
export const windowsWord = (text: string): string => (/^[\w@+=:,./\\-]+$/.test(text) ? text : `"${text}"`)

/** Writes a text as a glob of a shell that matches nothing else. */
export const escapeGlob = (text: string): string => text.replace(/[*?[\]\\]/g, '\\$&')

/** Returns the path of a `file:` URL, and any other text as it is. */
export function fileOfUrl(text: string): string {
  const path = /^file:(?:\/\/(?:localhost)?(?=\/)|\/\/(?=[^/])|(?=\/))(.*)$/is.exec(text)?.[1]
  if (path === undefined) return text
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/**
 * Returns a text without the characters at its end that are among `ends`. A pattern for it, as `/\/+$/`, would try again
 * from each of them, and a text of a million takes minutes.
 */
export function withoutEnd(text: string, ends: string): string {
  let end = text.length
  while (end > 0 && ends.includes(text.charAt(end - 1))) end--
  return text.slice(0, end)
}

/** How an interpreter was built, behind its version: `python3.13t`, `python3-dbg`, `perl5.36-x86_64-linux-gnu`. */
const build = /(?<=\d)(?:[dmt]{1,2}|-(?:dbg|debug|intel64|\w+-linux-gnu\w*))$/

/** Returns a program's name without its version, and without how it was built: `python` for `python3.13t`. */
export const unversioned = (name: string): string => withoutEnd(name.replace(build, ''), '-.0123456789')

/** Returns true if a text has one character, and another somewhere behind it. */
export function hasPair(text: string, open: string, close: string): boolean {
  const at = text.indexOf(open)
  return at !== -1 && text.lastIndexOf(close) > at
}
