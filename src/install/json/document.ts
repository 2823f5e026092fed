import { type Node, type ParseError, parseTree, printParseErrorCode, stripComments } from 'jsonc-parser'
import { HookgateError, type Place } from '../../model/errors.ts'
import { limits } from '../../model/limits.ts'
import { printable, quoted } from '../../model/text.ts'

/** Somebody's JSON file, whose text is to stay as it is but for what is ours. */
export interface JsonDocument {
  readonly file: string
  /** Without the byte order mark. */
  readonly text: string
  readonly byteOrderMark: string
  readonly comments: Comments
  /** An object: what settings are. */
  readonly root: Node
}

/** `none`: the agent ignores a file that has comments. */
export type Comments = 'allowed' | 'none'

/**
 * Reads a settings file as its agent does, and more strictly where a change could lose something.
 *
 * @throws HookgateError `settingsMalformed`
 */
export function parseDocument(bytes: Uint8Array, file: string, comments: Comments = 'none'): JsonDocument {
  const whole = decoded(bytes, file)
  const byteOrderMark = whole.startsWith('\ufeff') ? '\ufeff' : ''
  const text = whole.slice(byteOrderMark.length)
  if (text.trim() === '')
    throw malformed({ file, line: 1, column: 1 }, 'it is empty', 'write `{}` into it, or remove it')
  // Blanks in place of comments: every place stays what it is.
  const bare = comments === 'allowed' ? stripComments(text, ' ') : text
  checkDepth(bare, file)
  const root = treeOf(text, bare, file, comments)
  if (root.type !== 'object') throw malformed(placeAt(text, root.offset, file), 'it is JSON, but not an object')
  checkKeys(root, text, file)
  return { file, text, byteOrderMark, comments, root }
}

/** Parses another text as the content of the same file. */
export function documentOf({ file, byteOrderMark, comments }: JsonDocument, text: string): JsonDocument {
  return { ...parseDocument(Buffer.from(text), file, comments), byteOrderMark }
}

export function documentBytes({ byteOrderMark }: JsonDocument, text: string): Buffer {
  return Buffer.from(`${byteOrderMark}${text}`)
}

/** The value of an object's key. */
export function valueAt(object: Node, key: string): Node | undefined {
  return object.children?.find((property) => keyOf(property) === key)?.children?.[1]
}

/** The key of a property. */
export function keyOf(property: Node): string {
  const key: unknown = property.children?.[0]?.value
  return typeof key === 'string' ? key : ''
}

export function placeAt(text: string, offset: number, file: string): Place {
  const before = text.slice(0, offset).split('\n')
  return { file, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
}

export function malformed(place: Place, message: string, remedy?: string): HookgateError {
  return new HookgateError('settingsMalformed', message, { place, ...(remedy !== undefined && { remedy }) })
}

function decoded(bytes: Uint8Array, file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw malformed({ file }, 'it is not UTF-8', 'save it as UTF-8')
  }
}

/** Refuses deep nesting: the parsers below recurse, and a stack overflow could not be told from other failures. */
function checkDepth(text: string, file: string): void {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '"') at = stringEnd(text, at)
    else if (character === '{' || character === '[') depth++
    else if (character === '}' || character === ']') depth--
    if (depth > limits.jsonDepthMax) {
      throw malformed(placeAt(text, at, file), `brackets are nested more than ${limits.jsonDepthMax} levels deep`)
    }
  }
}

function stringEnd(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at
}

function treeOf(text: string, bare: string, file: string, comments: Comments): Node {
  const errors: ParseError[] = []
  const options = { allowTrailingComma: false, allowEmptyContent: false, disallowComments: comments === 'none' }
  const root = parseTree(text, errors, options)
  const [first] = errors
  if (first !== undefined) {
    throw malformed(placeAt(text, first.offset, file), `it is not JSON: ${wordsOf(first)}`, remedyFor(text, first))
  }
  // Agents parse with `JSON.parse`, so it decides.
  try {
    JSON.parse(bare)
  } catch (error) {
    throw malformed({ file }, `it is not JSON: ${error instanceof Error ? printable(error.message) : ''}`, fixIt)
  }
  if (root === undefined) throw malformed({ file }, 'it is not JSON', fixIt)
  return root
}

/** `CommaExpected`, in words. */
const wordsOf = ({ error }: ParseError) =>
  printParseErrorCode(error)
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()

const fixIt = 'fix it: its agent ignores the whole file'

/** Recognises the mistakes that people make in JSON. */
function remedyFor(text: string, { offset }: ParseError): string {
  if (text[offset] === '/') return 'JSON has no comments: remove it, because its agent ignores the whole file'
  if (text[offset] === "'") return 'JSON strings need double quotes: its agent ignores the whole file'
  if (text.slice(0, offset).trimEnd().endsWith(','))
    return `remove the comma before it: its agent ignores the whole file`
  return fixIt
}

/** Refuses a key that stands twice: the second counts in JSON, but a person may have meant the first. */
function checkKeys(node: Node, text: string, file: string): void {
  const seen = new Set<string>()
  for (const child of node.children ?? []) {
    if (node.type === 'object') {
      const key = keyOf(child)
      if (seen.has(key)) {
        throw malformed(
          placeAt(text, child.offset, file),
          `the key ${quoted(key)} appears twice in one object`,
          'remove one of them',
        )
      }
      seen.add(key)
    }
    checkKeys(child, text, file)
  }
}
