import type { Node } from 'jsonc-parser'
import { parseJson } from '../../files/parse-json.ts'
import { HookgateError, type Place, type PlaceOf } from '../../model/errors.ts'
import { limits } from '../../model/limits.ts'

/** An agent's settings file, of which only hookgate's own entries are to change. */
export interface JsonDocument {
  readonly file: string
  /** Without the byte order mark. */
  readonly text: string
  readonly byteOrderMark: string
  readonly comments: Comments
  /** An object: settings always are. */
  readonly root: Node
  readonly placeOf: PlaceOf
}

/** `none`: the agent ignores a file that has comments. */
type Comments = 'allowed' | 'none'

/**
 * Reads a settings file as its agent does, and more strictly where a change could lose something.
 *
 * @throws HookgateError `settingsMalformed`
 */
export function parseDocument(bytes: Uint8Array, file: string, comments: Comments = 'none'): JsonDocument {
  const { root, problems, place } = parseJson(bytes, file, {
    depthMax: limits.jsonDepthMax,
    whereEmpty: 'write `{}` into it, or remove it',
    hasComments: comments === 'allowed',
    hasAnyKey: true,
  })
  const [first] = problems
  if (first !== undefined) throw malformed(first.place, first.message, first.remedy)
  if (root?.type !== 'object') throw malformed(place([], 'value'), 'it is JSON, but not an object')
  const whole = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
  const byteOrderMark = whole.startsWith('\ufeff') ? '\ufeff' : ''
  return { file, text: whole.slice(byteOrderMark.length), byteOrderMark, comments, root, placeOf: place }
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
  return object.children?.find((property) => propertyKey(property) === key)?.children?.[1]
}

/** The key of a property. */
export function propertyKey(property: Node): string {
  const key: unknown = property.children?.[0]?.value
  return typeof key === 'string' ? key : ''
}

export function malformed(place: Place, message: string, remedy = 'fix it: its agent ignores the whole file') {
  return new HookgateError('settingsMalformed', message, { place, remedy })
}
