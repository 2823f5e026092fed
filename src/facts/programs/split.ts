import { type ShellWord, unknownPart } from '../../model/shell.ts'

/** The dialect of word splitting. */
interface Splitting {
  /** Looks up `${NAME}`, where variables are expanded: `env -S`. */
  readonly variable?: (name: string) => ShellWord | undefined
  /** A `#` at the start of a word ends the text. */
  readonly comments?: boolean
  /** The word that the text is of, whose origin its unknown parts have. */
  readonly of?: ShellWord | undefined
}

/**
 * Splits text at blanks as `env -S`, `xargs` and `git` aliases do: both quotes and backslashes keep blanks together.
 */
export function splitWords(text: string, { variable, comments = false, of }: Splitting = {}): readonly ShellWord[] {
  const words: ShellWord[] = []
  let word: string | undefined
  const end = () => {
    if (word !== undefined) words.push(asWord(word, of))
    word = undefined
  }
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at)
    if (/\s/.test(char)) {
      end()
      continue
    }
    if (char === '#' && comments && word === undefined) break
    word ??= ''
    if (char === "'") {
      const close = text.indexOf("'", at + 1)
      word += text.slice(at + 1, close === -1 ? undefined : close)
      at = close === -1 ? text.length : close
    } else if (char === '"') {
      for (at++; at < text.length && text.charAt(at) !== '"'; at++) {
        if (text.charAt(at) === '\\') at++
        word += text.charAt(at)
      }
    } else if (char === '\\') {
      at++
      word += text.charAt(at)
    } else if (char === '$' && variable !== undefined) {
      variableAt.lastIndex = at
      const name = variableAt.exec(text)
      word += name?.[1] === undefined ? char : (variable(name[1])?.value ?? unknownPart)
      at += name === null ? 0 : name[0].length - 1
    } else word += char
  }
  end()
  return words
}

const variableAt = /\$\{(\w+)\}/y

/** Makes a word. One with an unknown part may be several words, since the unknown text may contain blanks. */
export const asWord = (value: string, of?: ShellWord): ShellWord =>
  value.includes(unknownPart)
    ? { value, unresolved: true, several: true, ...(of?.from !== undefined && { from: of.from }) }
    : { value }
