/** Text between quotes: what stands there, and code that is put in its place. */
export type Part = string | { readonly code: string }

/** What the quotes mean: a text, a command for a shell, a pattern, a list of words. */
export type Quoted = 'text' | 'command' | 'pattern' | 'words'

export type Token = (
  | { readonly kind: 'name' | 'number' | 'mark'; readonly text: string }
  | { readonly kind: 'string'; readonly text: string; readonly parts: readonly Part[]; readonly quoted: Quoted }
) & {
  /** Whether a line ends in front of it, and whether it stands apart from the token in front. */
  readonly newLine: boolean
  readonly apart: boolean
}

export interface StringRead {
  readonly parts: readonly Part[]
  readonly quoted: Quoted
  readonly end: number
}

/** How a language's text falls into tokens. Expressions are sticky. */
export interface Lexis {
  readonly blank: RegExp
  readonly name: RegExp
  /** Reads a string that begins here; `previous` tells whether a slash divides. */
  readonly string: (source: string, at: number, previous: Token | undefined) => StringRead | undefined
}

const number = /0[xX][\da-fA-F_]+n?|0[oObB][0-7_]+|\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?[nLu]?/y
const mark =
  /===|!==|\*\*=|\.\.\.|<=>|\|\|=|&&=|\?\?=|=>|->|::|\?\.|\?\?|==|!=|<=|>=|&&|\|\||\+=|-=|\*=|\/=|\.=|\.\.|<<|>>|:=|<-|=~|!~|\*\*|[^\s\w]/y

export function tokensOf(source: string, lexis: Lexis): readonly Token[] {
  const tokens: Token[] = []
  let at = 0
  const read = (expression: RegExp): string | undefined => {
    expression.lastIndex = at
    const found = expression.exec(source)?.[0]
    if (found === undefined || found === '') return undefined
    at += found.length
    return found
  }
  while (at < source.length) {
    const from = at
    let blank = ''
    for (let more = read(lexis.blank); more !== undefined; more = read(lexis.blank)) blank += more
    if (at >= source.length) break
    const place = { newLine: blank.includes('\n') || from === 0, apart: at > from }
    const string = lexis.string(source, at, tokens.at(-1))
    if (string !== undefined) {
      tokens.push({
        kind: 'string',
        text: source.slice(at, at + 1),
        parts: string.parts,
        quoted: string.quoted,
        ...place,
      })
      at = Math.max(string.end, at + 1)
      continue
    }
    const name = read(lexis.name)
    if (name !== undefined) {
      tokens.push({ kind: 'name', text: name, ...place })
      continue
    }
    const digits = read(number)
    if (digits !== undefined) {
      tokens.push({ kind: 'number', text: digits, ...place })
      continue
    }
    const text = read(mark) ?? source.charAt(at++)
    tokens.push({ kind: 'mark', text, ...place })
  }
  return tokens
}
