import { applyEdits, type Edit, findNodeAtLocation, type Node } from 'jsonc-parser'
import { documentOf, type JsonDocument } from './document.ts'
import { append, element, hasComments, type Layout, layoutOf, member, removeSome, replaceInside } from './layout.ts'

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
