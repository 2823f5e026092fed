import { limits } from './limits.ts'

/**
 * Everything a terminal would act on instead of showing, and everything that is there without being seen: control
 * characters except tab and newline, format characters (bidirectional controls, joiners, soft hyphens, tags), separators
 * of lines that are none of ours, the fillers of Hangul and the selectors of variants, in which bytes can be hidden.
 */
const unseen =
  // oxlint-disable-next-line no-control-regex, no-misleading-character-class -- such characters are what this is for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u{34f}\u{115f}\u{1160}\u{17b4}\u{17b5}\u{180b}-\u{180f}\u{3164}\u{ffa0}\p{Cf}\p{Zl}\p{Zp}\u{e0100}-\u{e01ef}]|[\ufe00-\ufe0f](?<!\p{Emoji}\ufe0f)/gu

/**
 * INVARIANT: what a hook printed is data. Text from outside passes through here before it is said to anybody, so that
 * an escape sequence arrives as `\x1b` to be read, not as an instruction to a terminal. Half of a surrogate pair, which JSON
 * can spell and parsers of other languages refuse whole, becomes the sign for what cannot be read.
 */
export function printable(text: string): string {
  return text
    .toWellFormed()
    .replaceAll('\r\n', '\n')
    .replace(unseen, (character) => {
      const code = character.codePointAt(0) ?? 0
      return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`
    })
}

/** A reason or notice fit to be said: printable, trimmed, and no longer than `limits.reasonCharactersMax`. */
export function sayable(text: string): string {
  const clean = printable(text).trim()
  if (clean.length <= limits.reasonCharactersMax) return clean
  return `${clean.slice(0, limits.reasonCharactersMax).toWellFormed()} […]`
}

/** The first line of a text that is not blank. */
export function firstLine(text: string): string {
  return (
    text
      .split('\n')
      .find((line) => line.trim() !== '')
      ?.trim() ?? ''
  )
}

/** Node, Deno and Bun print where it happened first, then `TypeError [ERR_…]: …`; Python without a traceback does too. */
const errorLine = /^\[?(?:Uncaught )?[\w$.]*(?:Error|Exception|Rejection)(?: \[\w+\])?(?::|$)/

/**
 * The line of a program's stderr that says why it failed: of a traceback of Python's the error at its end, of a crash of
 * Node's the error below the place in the source, else the first line that is not blank.
 */
export function tellingLine(text: string): string {
  const lines = text.split('\n').map((line) => line.trimEnd())
  const traceback = lines.findLastIndex((line) => line === 'Traceback (most recent call last):')
  // Its frames are indented; the error may go on for several lines, of which the first is the one that names it.
  const afterFrames = lines.slice(traceback + 1).find((line) => /^\S/.test(line))
  if (traceback !== -1 && afterFrames !== undefined) return afterFrames
  return lines.find((line) => errorLine.test(line)) ?? firstLine(text)
}

/** Text from outside in a message: in backticks, on one line, without control characters, and not longer than a glance. */
export function quoted(text: string): string {
  const clean = printable(text).replaceAll('\n', '\\n')
  const max = limits.quotedCharactersMax
  return `\`${clean.length > max ? `${clean.slice(0, max).toWellFormed()}…` : clean}\``
}

/** The first of some names, each as `quoted`: `` `a`, `b` and others ``. */
export function quotedSome(names: readonly string[]): string {
  const shown = names.slice(0, namesShownMax).map(quoted).join(', ')
  return names.length > namesShownMax ? `${shown} and others` : shown
}
/** More than that nobody reads. */
const namesShownMax = 12

/** The words that one may choose among: `` `block`, `ask` or `continue` ``. */
export function choiceOf(words: readonly string[]): string {
  const options = words.map((word) => `\`${word}\``)
  return [options.slice(0, -1).join(', '), ...options.slice(-1)].filter((part) => part !== '').join(' or ')
}

/** JSON that is safe to look at: `JSON.stringify` escapes the control characters of ASCII, not those above it. */
export function jsonText(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, undefined, indent)
  return `${text.replace(/[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g, escaped)}\n`
}

const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
