import type { Language } from './language.ts'
import { readString } from './strings.ts'
import type { Token } from './token.ts'

const number = /0[xX][\da-fA-F_]+|0[oObB][0-7_]+|\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?[nLu]?/y
const mark =
  /===|!==|\*\*=|\.\.\.|<=>|\|\|=|&&=|\?\?=|=>|->|::|\?\.|\?\?|==|!=|<=|>=|&&|\|\||\|&|\+=|-=|\*=|\/=|\.=|\.\.|<<|>>|:=|<-|=~|!~|\*\*|&\.|[^\s\w]/y

export function tokensOf(source: string, language: Pick<Language, 'blank' | 'name' | 'strings'>): readonly Token[] {
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
    while (read(language.blank) !== undefined);
    if (at >= source.length) break
    const place = { newLine: from === 0 || source.slice(from, at).includes('\n'), apart: at > from }
    const string = readString(language.strings, source, at, tokens.at(-1))
    if (string !== undefined) {
      const { parts, quoted } = string
      tokens.push({ kind: 'string', text: source.charAt(at), parts, quoted, ...place })
      at = Math.max(string.end, at + 1)
      continue
    }
    const name = read(language.name)
    const digits = name === undefined ? read(number) : undefined
    if (name !== undefined) tokens.push({ kind: 'name', text: name, ...place })
    else if (digits !== undefined) tokens.push({ kind: 'number', text: digits, ...place })
    else tokens.push({ kind: 'mark', text: read(mark) ?? source.charAt(at++), ...place })
  }
  return tokens
}
