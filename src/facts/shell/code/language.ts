import type { EffectRows } from './effects.ts'
import type { CodeToken, Lexis } from './tokens.ts'
import type { Value } from './values.ts'

/** A language's row for the scanner: its syntax, and the effects of its calls. */
export interface Language extends Lexis {
  /** Texts that stand behind the line in which they are used. */
  readonly heredocs?: Heredocs
  /** Operators that concatenate texts. */
  readonly concat: readonly string[]
  /** Operators between an object and its member. */
  readonly members: readonly string[]
  /**
   * Allows calls without brackets: with any argument, `system "x"`, or only with a text in these quotes, `require"os"`.
   */
  readonly bareCalls?: 'any' | RegExp
  /** A line end terminates an expression. */
  readonly lines?: true
  /** Braces after a name are an index: `$ENV{HOME}`. */
  readonly braceIndex?: true
  /** Adjacent texts are concatenated. */
  readonly adjacentTexts?: true
  /** Effects of calls by their full names, separated by blanks: `os.remove os.unlink`. */
  readonly calls: EffectRows
  /** Effects of method calls by the method's name, on any receiver. The receiver is the call's first argument. */
  readonly methods?: EffectRows
  /** The same for receivers that are not followed, such as sockets. */
  readonly methodsOfAny?: EffectRows
  /** The names of the maps that hold the environment variables, separated by blanks. */
  readonly environment?: string
  /** The list of command-line arguments, and the number of other items before them. */
  readonly parameters?: { readonly name: string; readonly skips: number }
  /** The variable that some calls use where they have no argument. */
  readonly topic?: { readonly name: string; readonly calls: RegExp }
  /** Writes the code's tokens as the scanner reads those of other languages. */
  readonly prepared?: (tokens: readonly CodeToken[]) => readonly CodeToken[]
  readonly constants?: Readonly<Record<string, Value>>
  /** Maps the spellings of a name to the one used in the tables: `node:fs` to `fs`. */
  readonly canonical?: (name: string) => string
}

/** Lists functions of several modules: `os.remove os.unlink`. */
export const functionsOf = (modules: string, names: string): string =>
  modules
    .split(' ')
    .flatMap((module) => names.split(' ').map((name) => `${module}.${name}`))
    .join(' ')

/** The texts behind a line of code that a mark in it stands for: `<<~CMD`, as its language writes them. */
interface Heredocs {
  /** The mark, with `quote` and `name` as groups. */
  readonly open: RegExp
  /** More may stand behind the name at the end: `CMD);`. */
  readonly goesOn?: true
}

/**
 * Writes each such text as a literal in quotes in the place of its mark, and the lines that it took as none. A mark whose
 * end does not come is an operator. Takes time linear in the length.
 */
export function withHeredocs(source: string, { open, goesOn }: Heredocs): string {
  if (!source.includes('<<')) return source
  const lines = source.split('\n')
  const ends = new Map<string, number[]>()
  for (const [at, line] of lines.entries()) {
    const [name] = (goesOn === true ? /^\s*\w+/ : /^\s*\w+\s*$/).exec(line) ?? []
    if (name === undefined) continue
    const places = ends.get(name.trim())
    if (places === undefined) ends.set(name.trim(), [at])
    else places.push(at)
  }
  for (const places of ends.values()) places.reverse()
  const written: string[] = []
  for (let at = 0; at < lines.length;) {
    const line = lines[at] ?? ''
    let [text, from, next, rest] = ['', 0, at + 1, '']
    for (const { 0: mark, index, groups: { quote = '', name = '' } = {} } of line.matchAll(open)) {
      const places = ends.get(name) ?? []
      while ((places.at(-1) ?? Number.POSITIVE_INFINITY) < next) places.pop()
      const end = places.pop()
      if (end === undefined) continue
      text += line.slice(from, index) + literalOf(lines.slice(next, end).join('\n'), quote)
      from = index + mark.length
      next = end + 1
      if (goesOn === true) rest = (lines[end] ?? '').trimStart().slice(name.length)
    }
    written.push(text + line.slice(from) + rest)
    at = next
  }
  return written.join('\n')
}

function literalOf(body: string, quote: string): string {
  switch (quote) {
    case "'":
      return `'${body.replaceAll(/[\\']/g, String.raw`\$&`)}'`
    case '`':
      return `\`${body.replaceAll('`', '')}\``
    default:
      return `"${body.replaceAll(/\\?"/g, String.raw`\"`)}"`
  }
}
