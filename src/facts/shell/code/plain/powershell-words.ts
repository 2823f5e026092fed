import { unknownPart } from '../../../../model/shell.ts'

export interface PowershellWord {
  readonly value: string
  readonly quoted: boolean
  /** Behind `&` or `.`: a text that is called. */
  readonly called: boolean
}

export interface PowershellStatement {
  readonly words: readonly PowershellWord[]
  /** Whether what stands in front is piped into it. */
  readonly piped: boolean
  /** The variable that it is assigned to. */
  readonly assigned?: string
}

/** Statements, those within brackets and blocks among them, with the variables put in. */
export function statementsOf(source: string, lookUp: (name: string) => string): Iterable<PowershellStatement> {
  return read(source, lookUp)
}

function* read(source: string, lookUp: (name: string) => string): Generator<PowershellStatement> {
  let words: PowershellWord[] = []
  let [word, quoted, piped, called]: [string | undefined, boolean, boolean, boolean] = [undefined, false, false, false]
  let assigned: string | undefined
  const endWord = () => {
    if (word !== undefined) words.push({ value: word, quoted, called })
    ;[word, quoted] = [undefined, false]
    if (words.length > 0) called = false
  }
  const taken = (): PowershellStatement => {
    const statement = { words, piped, ...(assigned !== undefined && { assigned }) }
    ;[words, assigned] = [[], undefined]
    return statement
  }
  for (let at = 0; at < source.length; at++) {
    const char = source.charAt(at)
    if (char === '<' && source.startsWith('<#', at)) {
      const close = source.indexOf('#>', at)
      at = close === -1 ? source.length : close + 1
    } else if (char === '#' && word === undefined) {
      const close = source.indexOf('\n', at)
      at = close === -1 ? source.length : close - 1
    } else if (char === "'") {
      const text = /^'((?:[^']|'')*)'?/.exec(source.slice(at))
      word = (word ?? '') + (text?.[1] ?? '').replaceAll("''", "'")
      quoted = true
      at += (text?.[0].length ?? 1) - 1
    } else if (char === '"') {
      const text = /^"((?:[^"`]|`.|"")*)"?/s.exec(source.slice(at))
      word = (word ?? '') + expanded(text?.[1] ?? '', lookUp)
      quoted = true
      at += (text?.[0].length ?? 1) - 1
    } else if (char === '`') {
      at++
      if (source.charAt(at) !== '\n') word = (word ?? '') + source.charAt(at)
    } else if (char === '$') {
      const variable = /^\$(?:\{([^}]*)\}|([\w:]+))/.exec(source.slice(at))
      const name = variable?.[1] ?? variable?.[2]
      const end = at + (variable?.[0].length ?? 1)
      const equals = /^\s*=(?!=)\s*/.exec(source.slice(end))
      if (name !== undefined && equals !== null && word === undefined && words.length === 0) {
        assigned = name
        at = end + equals[0].length - 1
      } else if (name !== undefined) {
        quoted ||= words.length === 0 && word === undefined
        word = (word ?? '') + lookUp(name)
        at = end - 1
      }
    } else if (/[;|\n{}()]/.test(char)) {
      endWord()
      const wasPiped = char === '|' && source.charAt(at + 1) !== '|'
      if (words.length > 0 || assigned !== undefined) yield taken()
      if (char !== '{' && char !== '(') piped = wasPiped
      called = false
    } else if (
      (char === '&' || char === '.') &&
      word === undefined &&
      words.length === 0 &&
      /[\s"'$(]/.test(source.charAt(at + 1))
    ) {
      called = true
    } else if (/\s/.test(char)) endWord()
    else if (char === ',') {
      endWord()
    } else if (char === '+' && word === undefined && words.at(-1)?.quoted === true) {
      const last = words.pop()
      word = last?.value
      quoted = true
      at += /^\s*/.exec(source.slice(at + 1))?.[0].length ?? 0
    } else word = (word ?? '') + char
  }
  endWord()
  if (words.length > 0 || assigned !== undefined) yield taken()
}

/** A text in double quotes. What stands in `$( )` is not known. */
function expanded(text: string, lookUp: (name: string) => string): string {
  return text.replaceAll(
    /`(.)|""|\$\([^)]*\)|\$\{([^}]*)\}|\$([\w:]+)/g,
    (found, escape: string | undefined, braced: string | undefined, name: string | undefined) => {
      if (escape !== undefined) return escape === 'n' ? '\n' : escape === 't' ? '\t' : escape
      if (found === '""') return '"'
      const variable = braced ?? name
      return variable === undefined ? unknownPart : lookUp(variable)
    },
  )
}
