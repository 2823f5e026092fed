import { authenticationScheme, matchAt, type SecretSpan, spanOf } from './value.ts'

/** A place in a text where a value is secret, whatever it looks like. */
export interface SecretPlace {
  /** Matches up to the value. INVARIANT: takes time in proportion to the text, as the forms do. */
  readonly before: RegExp
  /** Returns the value, or `undefined` if what is there is not secret. */
  readonly valueAt: (text: string, index: number, match: RegExpExecArray) => SecretSpan | undefined
}

/** What a secret is replaced by. */
export const mask = '***'

/**
 * How far a mask may reach.
 *
 * `value`: to the end of the value, as its quotes, its line or its element say. `part`: no further than to the first
 * character that may end a command of a shell or begin another, whatever quotes say: they may be part of a text that is
 * quoted itself. `word`: nor further than to a blank. `token`: only what is a secret by its own form, wherever it stands.
 */
export type MaskReach = 'value' | 'part' | 'word' | 'token'

/** Masks the values at all places of one kind. */
export function maskAt(text: string, { before, valueAt }: SecretPlace, reach: MaskReach): string {
  let masked = ''
  let from = 0
  let readAgain = 0
  before.lastIndex = 0
  for (let match = before.exec(text); match !== null; match = before.exec(text)) {
    const found = valueAt(text, before.lastIndex, match)
    if (found === undefined) continue
    const span = reach === 'value' ? found : spanWithin(text, found, reach)
    const end = span?.end ?? before.lastIndex
    if (span !== undefined) {
      masked += `${text.slice(from, span.start)}${mask}`
      from = end
    }
    // What a mask leaves of a value may hold others, each of which may be as long.
    readAgain += found.end - end
    before.lastIndex = readAgain > readAgainMax ? found.end : end
  }
  return from === 0 ? text : masked + text.slice(from)
}
/** Characters of values that are read once more for others in them. */
const readAgainMax = 1024 * 1024

/** Matches what may end a command or begin another, at any level of quotes: operators, quotes, substitutions. */
const operator = /[;&|<>()`'"\n\r]|\$[\w({'"@*#?!$-]|\\[nr]/
const operatorOrBlank = new RegExp(`\\s|${operator.source}`)
const quotes = /[\\"'`]*/y
/** What stands before a command, with quotes and blanks between them. */
const beforeCommand = /(?:^|[\n\r;&|(){`]|\\[nr])[\s\\"'`]*$/
/** The beginning of a text of several lines in YAML, where a shell would have a pipe. */
const ofBlock = /: [|>][+-]?(?:\r?\n|\\{1,2}n)[ \t]+$/
/** How much is looked at before a value: more blanks than anybody writes. */
const leadCharacters = 64

/** Returns the part of a value behind which no other command can be hidden; `undefined` if it may be a command itself. */
function spanWithin(
  text: string,
  { start, end }: SecretSpan,
  reach: Exclude<MaskReach, 'value'>,
): SecretSpan | undefined {
  const lead = text.slice(Math.max(0, start - leadCharacters), start)
  if (beforeCommand.test(lead) && !(reach === 'part' && ofBlock.test(lead))) return undefined
  const quoted = start + matchAt(quotes, text, start).length
  const inside = quoted + matchAt(authenticationScheme, text, quoted).length
  const boundary = reach === 'part' ? operator : operatorOrBlank
  const length = text.slice(inside, end).search(boundary)
  return spanOf(inside, length === -1 ? end : inside + length)
}
