import { isDeepStrictEqual } from 'node:util'
import { applyEdits, type Edit, findNodeAtLocation, getNodeValue, type Node } from 'jsonc-parser'
import { commentEnd, parseJson } from '../../files/parse-json.ts'
import { quoted } from '../../model/text.ts'
import { HookgateError, type Place, type PlaceOf } from '../../model/errors.ts'
import { limits } from '../../model/limits.ts'

/** Keys and indexes that lead to a value. */
type ValuePath = readonly (string | number)[]

/**
 * Sets the value at a path, in the file's own layout. Objects that are missing on the way are added, and an index that a
 * list does not have appends to it.
 */
export function setValue(document: JsonDocument, path: ValuePath, value: unknown): JsonDocument {
  const layout = layoutOf(document)
  const node = findNodeAtLocation(document.root, [...path])
  if (node !== undefined) return edited(document, [replacement(layout, node, value)])
  const depth = path.findIndex((_, index) => findNodeAtLocation(document.root, path.slice(0, index + 1)) === undefined)
  const holder = findNodeAtLocation(document.root, path.slice(0, depth)) ?? document.root
  const inner = path
    .slice(depth + 1)
    .reduceRight<unknown>((below, step) => (typeof step === 'number' ? [below] : { [step]: below }), value)
  return edited(document, addition(layout, holder, path[depth] ?? 0, inner))
}

/** Removes the value at a path, with the key or the comma before it. */
export function removeValue(document: JsonDocument, path: ValuePath): JsonDocument {
  const node = findNodeAtLocation(document.root, [...path])
  const child = node?.parent?.type === 'property' ? node.parent : node
  const holder = child?.parent
  if (child === undefined || holder === undefined) return document
  const { text } = document
  const isLast = holder.children?.length === 1 && !hasComments(text, holder)
  return edited(document, isLast ? [replaceInside(holder, '')] : removeSome(text, holder, new Set([child])))
}

const edited = (document: JsonDocument, edits: Edit[]) => documentOf(document, applyEdits(document.text, edits))

function replacement(layout: Layout, { offset, length }: Node, value: unknown): Edit {
  const isOnOneLine = !layout.text.slice(offset, offset + length).includes('\n')
  const start = layout.text.lastIndexOf('\n', offset - 1) + 1
  const indent = /^[ \t]*/.exec(layout.text.slice(start, offset))?.[0] ?? ''
  const isList = typeof value === 'object' && isOnOneLine && !layout.compact
  return { offset, length, content: isList ? spaced(value) : element(value)(layout, indent) }
}

/** A list on one line stays on one line. */
function addition(layout: Layout, holder: Node, key: string | number, value: unknown): Edit[] {
  const last = holder.children?.at(-1)
  const isOnOneLine = !layout.text.slice(holder.offset, holder.offset + holder.length).includes('\n')
  if (last === undefined || !isOnOneLine || layout.compact) {
    return append(layout, holder, [typeof key === 'string' ? member(key, value) : element(value)])
  }
  const name = typeof key === 'string' ? `${JSON.stringify(key)}: ` : ''
  return [{ offset: last.offset + last.length, length: 0, content: `, ${name}${spaced(value)}` }]
}

/** Encodes a value on one line, with the spaces that people write. */
function spaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}: ${spaced(one)}`)
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}

/**
 * Adds items to a list below some keys, in the file's own layout. Keys that are missing are added, and items that the
 * list has already are not.
 *
 * @throws HookgateError `settingsMalformed` if a part of the file is not what it should be
 */
export function addItems(document: JsonDocument, path: readonly string[], items: readonly unknown[]): JsonDocument {
  if (items.length === 0) return document
  const { text } = document
  const layout = layoutOf(document)
  let holder = document.root
  for (const [depth, key] of path.entries()) {
    const type = depth === path.length - 1 ? 'array' : 'object'
    const value = ofType(document, path.slice(0, depth + 1), valueAt(holder, key), type)
    if (value === undefined) {
      const whole = path.slice(depth + 1).reduceRight<unknown>((inner, one) => ({ [one]: inner }), items)
      return documentOf(document, applyEdits(text, append(layout, holder, [member(key, whole)])))
    }
    holder = value
  }
  // Its objects have no prototype, which would make all of them different.
  const present: unknown = structuredClone(getNodeValue(holder))
  const missing = items.filter(
    (item) => !Array.isArray(present) || !present.some((one) => isDeepStrictEqual(one, item)),
  )
  if (missing.length === 0) return document
  return documentOf(document, applyEdits(text, append(layout, holder, missing.map(element))))
}

function ofType(
  { placeOf }: JsonDocument,
  path: readonly string[],
  node: Node | undefined,
  type: 'object' | 'array',
): Node | undefined {
  if (node === undefined || node.type === type) return node
  const name = quoted(path.at(-1) ?? '')
  throw malformed(placeOf(path, 'value'), `${name} is not ${type === 'array' ? 'a list' : 'an object'}`, 'fix it')
}

/** The layout of a file, so that additions look as if they had always been there. */
interface Layout {
  readonly text: string
  /** Everything on one line. */
  readonly compact: boolean
  readonly lineEnd: string
  /** One step of indentation. */
  readonly unit: string
}

/** Something to be added: its text, where the lines after its first are indented by this much. */
type Item = (layout: Layout, indent: string) => string

export const element =
  (value: unknown): Item =>
  (layout, indent) =>
    valueText(value, layout, indent)

export const member =
  (key: string, value: unknown): Item =>
  (layout, indent) =>
    `${JSON.stringify(key)}:${layout.compact ? '' : ' '}${valueText(value, layout, indent)}`

function valueText(value: unknown, { compact, lineEnd, unit }: Layout, indent: string): string {
  if (compact) return JSON.stringify(value)
  return JSON.stringify(value, undefined, unit).replaceAll('\n', `${lineEnd}${indent}`)
}

export function layoutOf({ text, root }: JsonDocument): Layout {
  const first = root.children?.[0]
  const body = text.slice(root.offset, root.offset + root.length)
  const indent = first === undefined ? undefined : ownIndent(text, first.offset)
  return {
    text,
    compact: first !== undefined && !body.includes('\n'),
    lineEnd: text.includes('\r\n') ? '\r\n' : '\n',
    // `JSON.stringify` takes no more than ten characters, and only spaces and tabs are indentation here.
    unit: indent === undefined || indent === '' || indent.length > 10 ? '  ' : indent,
  }
}

/**
 * Adds items at the end of an object or array. All white space that was there stays, unless it was all there was, and a
 * comment stays on the line that it is about.
 */
export function append(layout: Layout, container: Node, items: readonly Item[]): Edit[] {
  const { text, compact, lineEnd, unit } = layout
  const last = container.children?.at(-1)
  const outer = lineIndent(text, container.offset)
  const indent = (last === undefined ? undefined : ownIndent(text, last.offset)) ?? `${outer}${unit}`
  const gap = compact ? '' : `${lineEnd}${indent}`
  const body = items.map((item) => `${gap}${item(layout, indent)}`).join(',')
  if (last !== undefined) {
    const behind = remarkEnd(text, end(last))
    return behind === end(last) ? [insert(behind, `,${body}`)] : [insert(end(last), ','), insert(behind, body)]
  }
  if (hasComments(text, container)) return [insert(container.offset + 1, body)]
  return [{ ...inside(container), content: compact ? body : `${body}${lineEnd}${outer}` }]
}

/** Adds items at the beginning of an object or array, as `append` does at its end. */
export function prepend(layout: Layout, container: Node, items: readonly Item[]): Edit[] {
  const { text, compact, lineEnd, unit } = layout
  const first = container.children?.[0]
  if (first === undefined) return append(layout, container, items)
  const indent = ownIndent(text, first.offset) ?? `${lineIndent(text, container.offset)}${unit}`
  const gap = compact ? '' : `${lineEnd}${indent}`
  return [insert(first.offset, items.map((item) => `${item(layout, indent)},${gap}`).join(''))]
}

/** Takes children out again, with the commas and the white space that were put in with them. Comments stay. */
export function removeSome(text: string, container: Node, gone: ReadonlySet<Node>): Edit[] {
  const children = container.children ?? []
  const firstKept = children.findIndex((child) => !gone.has(child))
  return children.flatMap((child, index): Edit[] => {
    if (!gone.has(child)) return []
    const after = children[index + 1]
    if (index < firstKept && after !== undefined)
      return [cut(child.offset, end(child)), commaBehind(text, child, after)]
    const before = children[index - 1]
    const gap = gapIn(text, before === undefined ? container.offset + 1 : end(before), child.offset)
    // The end of a comment's line is the end of the comment, so one has to be left.
    const next = children.findIndex((one, at) => at > index && !gone.has(one))
    const lastGone = children.at(next === -1 ? -1 : next - 1) ?? child
    const from = gap.endsWithLine && !/^[ \t]*\r?\n/.test(text.slice(end(lastGone))) ? child.offset : gap.tail
    if (gap.comma === undefined || gap.comma + 1 === from) return [cut(gap.comma ?? from, end(child))]
    return [cut(gap.comma, gap.comma + 1), cut(from, end(child))]
  })
}

/** True if a comment stands between the brackets and in none of the children, or between its key and them. */
export function hasComments(text: string, container: Node): boolean {
  const { children = [], offset, length, parent } = container
  const key = parent?.type === 'property' ? parent.children?.[0] : undefined
  const starts = [...(key === undefined ? [] : [end(key)]), offset + 1, ...children.map(end)]
  const ends = [...(key === undefined ? [] : [offset]), ...children.map((child) => child.offset), offset + length - 1]
  return starts.some((start, at) => gapIn(text, start, ends[at] ?? start).hasComments)
}

/** The text between two values. */
interface Gap {
  readonly comma: number | undefined
  /** Where the white space at its end begins. */
  readonly tail: number
  /** True if that follows a comment to the end of its line. */
  readonly endsWithLine: boolean
  readonly hasComments: boolean
}

function gapIn(text: string, from: number, to: number): Gap {
  const gap: { -readonly [key in keyof Gap]: Gap[key] } = {
    comma: undefined,
    tail: from,
    endsWithLine: false,
    hasComments: false,
  }
  for (let at = from; at < to; at++) {
    const tail = commentEnd(text, at)
    if (tail !== undefined) {
      Object.assign(gap, { tail, endsWithLine: text[at + 1] === '/', hasComments: true })
      at = tail - 1
    } else if (text[at] === ',') Object.assign(gap, { comma: at, tail: at + 1, endsWithLine: false })
  }
  return gap
}

/** Cuts the comma behind a child, and the white space from there to what follows. */
function commaBehind(text: string, child: Node, after: Node): Edit {
  const from = gapIn(text, end(child), after.offset).comma ?? after.offset
  const [comma = ''] = /^,\s*/.exec(text.slice(from, after.offset)) ?? []
  return cut(from, from + comma.length)
}

/** Where the comments end that stand on the line behind a value; its own end where none do. */
function remarkEnd(text: string, valueEnd: number): number {
  let found = valueEnd
  for (let at = valueEnd; text[at] === ' ' || text[at] === '\t' || commentEnd(text, at) !== undefined;) {
    const remark = commentEnd(text, at)
    at = remark ?? at + 1
    found = remark ?? found
  }
  return found
}

/** Everything between the brackets becomes this text. */
export function replaceInside(container: Node, content: string): Edit {
  return { ...inside(container), content }
}

export function textInside(text: string, container: Node): string {
  const { offset, length } = inside(container)
  return text.slice(offset, offset + length)
}

const inside = ({ offset, length }: Node) => ({ offset: offset + 1, length: length - 2 })
const end = ({ offset, length }: Node) => offset + length
const insert = (offset: number, content: string): Edit => ({ offset, length: 0, content })
const cut = (from: number, to: number): Edit => ({ offset: from, length: to - from, content: '' })

/** The white space at the beginning of the line. */
function lineIndent(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? ''
}

/** The indentation of a node that begins its line; `undefined` for one behind other text. */
function ownIndent(text: string, offset: number): string | undefined {
  const start = text.lastIndexOf('\n', offset - 1) + 1
  const before = text.slice(start, offset)
  return start > 0 && /^[ \t]*$/.test(before) ? before : undefined
}

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
