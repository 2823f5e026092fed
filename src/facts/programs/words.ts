import { unwrapLimits } from '../../model/limits.ts'
import { type ShellWord, unknownPart } from '../../model/shell.ts'
import { escapeGlob, withoutEnd } from '../../model/text.ts'
import { isWindows } from '../paths/place.ts'

/** Makes a fully known word. */
export const known = (value: string): ShellWord => ({ value })

/** Makes a word from a value, unresolved if it has an unknown part, which comes from where those of others do. */
export const wordOf = (value: string, ...origins: readonly (ShellWord | undefined)[]): ShellWord =>
  value.includes(unknownPart) ? { value, unresolved: true, ...joinedOrigin(origins) } : { value }

function joinedOrigin(words: readonly (ShellWord | undefined)[]): Pick<ShellWord, 'from'> {
  const from = new Set(words.flatMap((word) => word?.from ?? []))
  return from.size === 0 ? {} : { from: [...from] }
}

/** Joins words to one text, as ssh, su and watch make a script of their operands. */
export function joined(words: readonly ShellWord[], between = ' '): ShellWord {
  const value = words.map((word) => word.value).join(between)
  return words.some((word) => word.unresolved === true || word.several === true)
    ? { value, unresolved: true, ...joinedOrigin(words) }
    : { value }
}

/** Replaces a word's value. It stays unresolved if it was, but loses its glob pattern. */
export function changed(word: ShellWord, value: string): ShellWord {
  return {
    value,
    ...(word.unresolved === true && { unresolved: true }),
    ...(word.several === true && { several: true }),
    ...(word.from !== undefined && { from: word.from }),
  }
}

/** Parses `NAME=value`; `undefined` if the word is no assignment. */
function assignmentOf(word: ShellWord): { readonly name: string; readonly value: ShellWord } | undefined {
  const name = /^([A-Za-z_]\w*)\+?=/.exec(word.value)
  return name?.[1] === undefined ? undefined : { name: name[1], value: changed(word, word.value.slice(name[0].length)) }
}

/** Splits operands into leading assignments and the rest. */
export function assignmentsBefore(words: readonly ShellWord[]) {
  const assignments: { readonly name: string; readonly value: ShellWord }[] = []
  for (const [at, word] of words.entries()) {
    const assignment = assignmentOf(word)
    if (assignment === undefined) return { assignments, rest: words.slice(at) }
    assignments.push(assignment)
  }
  return { assignments, rest: [] }
}

/** Returns the words after the first `--`; `undefined` if there is none. */
export function behindDashes(words: readonly ShellWord[]): readonly ShellWord[] | undefined {
  const at = words.findIndex((word) => word.value === '--')
  return at === -1 ? undefined : words.slice(at + 1)
}

/** Removes a leading `--`, which may separate operands from the command: `timeout 5 -- make`. */
export const withoutDashes = (words: readonly ShellWord[]): readonly ShellWord[] =>
  words[0]?.value === '--' ? words.slice(1) : words

/** Splits a list of names at white space. */
export const names = (list: string): readonly string[] => list.split(/\s+/).filter((name) => name !== '')

/** Replaces every placeholder in a text with an argument; an unknown text if the result exceeds the limit. */
export function filled(text: string, placeholder: string, argument: string): string {
  if (placeholder === '') return text
  const pieces = text.split(placeholder)
  const length = text.length + (pieces.length - 1) * argument.length
  return length > unwrapLimits.filledMax ? unknownPart : pieces.join(argument)
}

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

/** Names of options that ask an unknown program to log in with a file, or to hand its variables on. */
const keys =
  /^--?(?:identity(?:-file)?|[\w-]*(?:secret|token|pass(?:word|phrase)?|credentials?|key)-?file|i|key|cert|client-key|client-certificate|private-key|pem|kubeconfig|env-file|netrc-file|keystore|sslkey|tls-?key|cacert|ca-certificate|certificate|keyring)$/i

/** Returns what an unknown program, or a script, is taken to do with a file behind a word: to log in with it, or to read it. */
export const roleBehind = (word: ShellWord | undefined): 'key' | 'read' =>
  keys.test(word?.value ?? '') ? 'key' : 'read'

/** Tells by its syntax whether an argument of an unknown program is likely to be a path. */
export function looksLikePath(value: string): boolean {
  const first = value.charCodeAt(0)
  if (Number.isNaN(first) || first === dash || first > 0x7f) return false
  if (isWindows(value)) return true
  if (isUrl(value) || /[\s;|&<>(){}]/.test(value)) return first === slash && !/[\n;|&<>(){}]/.test(value)
  return first === slash || first === tilde || value.includes('/') || isDotted(value)
}
const dash = 45
const slash = 47
const tilde = 126

/** `.`, `..`, `.env`. */
const isDotted = (value: string): boolean => /^\.(?:$|\.$|[A-Za-z_])/.test(value)

export function isUrl(value: string): boolean {
  return /^[A-Za-z][\w+.-]*:\/\//.test(value)
}

/** Tells whether a host, as a person or not, is this machine. */
export const namesThisMachine = (host: ShellWord | undefined): boolean => thisMachine.test(host?.value ?? '')
const thisMachine =
  /^(?:ssh:\/\/)?(?:[^@\s]*@)?(?:localhost|\.host|127(?:\.\d{1,3}){1,3}|\[?::1\]?)(?::\d+)?[/,]?$|^[^@\s]+@$/i

/** Splits `[user@]host:path` or a URL into host and path; `undefined` for a local path. */
export function remotePlace(value: string): { readonly host: string; readonly path: string } | undefined {
  const url = /^(?:rsync|scp|sftp|ssh|ftp|ftps|sshfs):\/\/(?:[^@/]*@)?(\[[^\]]*\]|[^:/]+)(?::\d+)?(\/.*)?$/i.exec(value)
  if (url !== null) return { host: url[1] ?? '', path: url[2] ?? '' }
  const colon = value.indexOf(':')
  if (colon < 1 || isWindows(value)) return undefined
  const before = value.slice(0, colon)
  if (before.includes('/')) return undefined
  return { host: before.slice(before.lastIndexOf('@') + 1), path: value.slice(colon + 1) }
}

/** Resolves a relative word against the folder that an option changes to. */
export function inFolder(folder: ShellWord | undefined, word: ShellWord): ShellWord {
  if (folder === undefined || /^[/~]/.test(word.value)) return word
  const base = withoutEnd(folder.value, '/')
  const value = `${base}/${word.value}`
  const unresolved = folder.unresolved === true || word.unresolved === true
  const { pattern } = word
  return {
    value,
    ...(unresolved && { unresolved }),
    ...(word.from !== undefined && { from: word.from }),
    ...(pattern !== undefined && { pattern: `${escapeGlob(base)}/${pattern}` }),
  }
}
