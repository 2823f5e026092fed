/** Where the characters of a secret are in a text. */
export interface SecretSpan {
  readonly start: number
  readonly end: number
}

/** What is shorter is no secret. As the mask is shorter too, masking never makes a text longer. */
const secretCharactersMin = 4
/** A value that has nothing secret but its length and its mixture of characters is at least this long. */
const randomCharactersMin = 16

/** Returns the value that begins at an index: a word, or what is in quotes. Names of other values are none. */
export function valueAt(text: string, index: number): SecretSpan | undefined {
  const quote = matchAt(openingQuote, text, index)
  const inside = index + quote.length
  const start = inside + matchAt(authenticationScheme, text, inside).length
  if (isAt(reference, text, start)) return undefined
  if (quote === '') return isAt(code, text, start) ? undefined : spanOf(start, wordEnd(text, start))
  const close = closingQuote(text, start, quote)
  const after = close + quote.length
  // In a shell, a word goes on behind its quotes.
  const isClosed = close < text.length && text[close] !== '\n'
  // A quote that ends a text, as in `read -p "Password: " name`.
  if (!isClosed && isAt(space, text, start)) return undefined
  return !isClosed || isEndOfWord(text, after) ? spanOf(start, close) : spanOf(index, wordEnd(text, after))
}

/** Returns the value at an index if it looks random, as keys do and words, paths and ids do not. */
export function randomValueAt(text: string, index: number): SecretSpan | undefined {
  const start = index + matchAt(openingQuote, text, index).length
  const value = matchAt(keyCharacters, text, start)
  return looksRandom(value) ? spanOf(start, start + value.length) : undefined
}

/** Returns what follows of a value that ends only at its line, its quotes or its element. */
export function restAt(text: string, index: number, characters: RegExp): SecretSpan | undefined {
  if (isAt(reference, text, index) || isAt(code, text, index)) return undefined
  return spanOf(index, index + matchAt(characters, text, index).trimEnd().length)
}

/** Returns the rest of a word whose opening quote, if any, stands further ahead. */
export function restOfWordAt(text: string, index: number, quote: string): SecretSpan | undefined {
  if (isAt(reference, text, index)) return undefined
  return spanOf(index, quote === '' ? wordEnd(text, index) : closingQuote(text, index, quote))
}

export function looksRandom(value: string): boolean {
  if (value.length < randomCharactersMin || uuid.test(value)) return false
  return (value.match(changeOfKind)?.length ?? 0) >= changesMin && /\d/.test(value)
}
/** Returns whether a run of characters changes its kind as often as base64 does, and names and paths do not. */
export const isDense = (value: string) =>
  /[+=]/.test(value) || (value.match(changeOfKind)?.length ?? 0) >= value.length / charactersAChange
const charactersAChange = 8
/** A random value of 16 characters has twice as many; words with a number have one or two. */
const changesMin = 4
const changeOfKind = /[a-z](?=[A-Z\d])|[A-Z](?=\d)|\d(?=[A-Za-z])/g
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

const spanOf = (start: number, end: number): SecretSpan | undefined =>
  end - start < secretCharactersMin ? undefined : { start, end }

function matchAt(sticky: RegExp, text: string, index: number): string {
  sticky.lastIndex = index
  return sticky.exec(text)?.[0] ?? ''
}

export function isAt(sticky: RegExp, text: string, index: number): boolean {
  sticky.lastIndex = index
  return sticky.test(text)
}

const space = /\s/y
/** Matches a quote, which is escaped if the text is part of another. */
const openingQuote = /\\{0,3}["'`]/y
const authenticationScheme =
  /(?:bearer|basic|token|digest|negotiate|apikey|bot|ssws|splunk|geniekey|aws4-hmac-sha256)[ \t]+/iy
const keyCharacters = /[\w+/.~%-]{0,10000}={0,2}/y

/** Matches what says where the secret is, or what shape it has, and is not itself one. */
const reference = new RegExp(
  [
    String.raw`\$\(|\{\{|op:\/\/|arn:aws|\*{3}@|\[hidden by hookgate: `,
    String.raw`(?:${[
      String.raw`\$\{[^}\n]{0,200}\}{1,2}|\$(?:env:)?[A-Za-z_]\w{0,80}|\$[\d@*]|%[A-Za-z_]\w{0,80}%|%[dsv]`,
      String.raw`\{[\w.]{0,60}\}|<[A-Za-z][\w .:/-]{0,60}>|\[[A-Za-z][\w -]{0,40}\]|x{3,20}|\.{3,20}|…`,
      String.raw`your[-_ ][\w -]{1,60}|(?:env|file|fd):[\w./~-]{1,200}|(?:id|type|src)=[\w./~-]{1,200}`,
    ].join('|')})(?=$|[\s"'\x60;&|,)}\]<>@:\\])`,
    String.raw`(?:${[
      'strings?|&?str|bytes?|number|int|integer|boolean|bool|true|false|null|nil|none|undefined|unknown|any|void|object',
      'required|optional|text|varchar|char|yes|no|on|off|stdin|redacted|hidden|masked|include|inherit|same-origin',
      'password|passwd|secret|token|secretstr|write|read|auto|prompt',
    ].join('|')})(?![\w@#$%^*!+/=~.:-])`,
  ].join('|'),
  'iy',
)

/** Matches an expression of a program, which has the secret's place only: `getToken()`, `process.env.TOKEN`. */
const code = new RegExp(
  [
    String.raw`[A-Za-z_$][A-Za-z_$.]{1,60}(?:\(|\[["'])|[A-Z][A-Za-z]{1,30}[<[]|(?:await|new|async|function|lambda|typeof)\s`,
    String.raw`(?:process|os|import|self|this|req|request|res|response|config|options|opts|args|argv|props|params|env|environ|settings|secrets|vars?|local|data|module|ctx|context|state|user|session|input|event|github|inputs)\??\.[A-Za-z_$]`,
    String.raw`[a-z]{1,30}(?:Password|Secret|Token|Key)(?=$|[\s,;)}])|!(?:secret|Ref|Sub|GetAtt)\s`,
  ].join('|'),
  'y',
)

/** Returns the index of the quote that closes another, or of the end of the line. */
function closingQuote(text: string, from: number, quote: string): number {
  const character = quote.at(-1)
  let backslashes = 0
  let index = from
  for (; index < text.length && text[index] !== '\n'; index += 1) {
    if (text[index] === character && backslashes < quote.length) return index - Math.min(backslashes, quote.length - 1)
    backslashes = text[index] === '\\' ? backslashes + 1 : 0
  }
  return index
}

/** Returns the index at which a word ends that is not in quotes: part of a command, of a URL or of a file. */
function wordEnd(text: string, from: number): number {
  let index = from + matchAt(plainCharacters, text, from).length
  while (index < text.length && !isAt(endOfWord, text, index)) {
    const character = text[index] ?? ''
    if (character === '\\') index += 2
    else if (/["'`]/.test(character)) index = closingQuote(text, index + 1, character) + 1
    else index += 1
    index += matchAt(plainCharacters, text, index).length
  }
  return Math.min(index, text.length)
}

/** Matches what comes behind a quoted word. A quote may begin another part of the same word: `'a'"b"`, `'a'\\''b'`. */
const delimiter = /[\s,;:)}\]>&|<]|\\(?!')|["'`](?=[\s,;:)}\]>&|<\\]|$)/y
const plainCharacters = /[^\s"'`\\;&,)}\]>|<]*/y

const isEndOfWord = (text: string, index: number) => index >= text.length || isAt(delimiter, text, index)

/** Matches what ends a word if it is followed by what begins another, and is else a part of it. */
const endOfWord =
  /[\s;]|&(?=[&\s]|$|amp;|[\w.%[\]-]{1,64}=)|,(?=[\s"'`]|$|[\w.-]{1,40}[=:])|[)}\]>|](?=[\s"'`,;:.)}\]>&|<\\]|$)|<(?=[/!])|(?:\\{1,3}"|["'`])(?=[\s,;:)}\]>&|<"'`\\]|$)/y

/** A place in a text where a value is secret, whatever it looks like. */
export interface SecretPlace {
  /** Matches up to the value. INVARIANT: takes time in proportion to the text, as the forms do. */
  readonly before: RegExp
  /** Returns the value, or `undefined` if what is there is not secret. */
  readonly valueAt: (text: string, index: number, match: RegExpExecArray) => SecretSpan | undefined
}

/** What a secret is replaced by. */
export const mask = '***'

/** Gets each secret that is masked, as it stands in the text; what was masked before is in it as its mask. */
export type SecretSeen = (value: string) => void

/**
 * How far a mask may reach.
 *
 * `value`: to the end of the value, as its quotes, its line or its element say. `part`: no further than to the first
 * character that may end a command of a shell or begin another, whatever quotes say: they may be part of a text that is
 * quoted itself. `word`: nor further than to a blank. `token`: only what is a secret by its own form, wherever it stands.
 */
export type MaskReach = 'value' | 'part' | 'word' | 'token'

/** Masks the values at all places of one kind. */
export function maskAt(
  text: string,
  { before, valueAt: valueOf }: SecretPlace,
  reach: MaskReach,
  seen?: SecretSeen,
): string {
  let masked = ''
  let from = 0
  let readAgain = 0
  before.lastIndex = 0
  for (let match = before.exec(text); match !== null; match = before.exec(text)) {
    const found = valueOf(text, before.lastIndex, match)
    if (found === undefined) continue
    const span = reach === 'value' ? found : spanWithin(text, found, reach)
    const end = span?.end ?? before.lastIndex
    if (span !== undefined) {
      masked += `${text.slice(from, span.start)}${mask}`
      seen?.(text.slice(span.start, span.end))
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
