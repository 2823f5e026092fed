import type { Edit, Node } from 'jsonc-parser'
import type { JsonDocument } from './document.ts'

/** How a file is laid out, so that what is added to it looks as if it had always been there. */
export interface Layout {
  readonly text: string
  /** Everything on one line. */
  readonly compact: boolean
  readonly lineEnd: string
  /** One step of indentation. */
  readonly unit: string
}

/** Something to be added: its text, where the lines after its first are indented by this much. */
export type Item = (layout: Layout, indent: string) => string

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

/** Adds items at the end of an object or array. All white space that was there stays, unless it was all there was. */
export function append(layout: Layout, container: Node, items: readonly Item[]): Edit {
  const { text, compact, lineEnd, unit } = layout
  const last = container.children?.at(-1)
  const outer = lineIndent(text, container.offset)
  const indent = (last === undefined ? undefined : ownIndent(text, last.offset)) ?? `${outer}${unit}`
  const gap = compact ? '' : `${lineEnd}${indent}`
  const body = items.map((item) => `${gap}${item(layout, indent)}`).join(',')
  if (last !== undefined) return { offset: end(last), length: 0, content: `,${body}` }
  return { ...inside(container), content: compact ? body : `${body}${lineEnd}${outer}` }
}

/** Adds items at the beginning of an object or array, as `append` does at its end. */
export function prepend(layout: Layout, container: Node, items: readonly Item[]): Edit {
  const { text, compact, lineEnd, unit } = layout
  const first = container.children?.[0]
  if (first === undefined) return append(layout, container, items)
  const indent = ownIndent(text, first.offset) ?? `${lineIndent(text, container.offset)}${unit}`
  const gap = compact ? '' : `${lineEnd}${indent}`
  return { offset: first.offset, length: 0, content: items.map((item) => `${item(layout, indent)},${gap}`).join('') }
}

/**
 * Takes children out again, with the commas and the white space that were put in with them. Not for all of them: what
 * was in a container before is not to be seen from it.
 */
export function removeSome(children: readonly Node[], gone: ReadonlySet<Node>): Edit[] {
  const firstKept = children.findIndex((child) => !gone.has(child))
  return children.flatMap((child, index): Edit[] => {
    if (!gone.has(child)) return []
    const before = children[index - 1]
    const after = children[index + 1]
    if (index > firstKept && before !== undefined) return [cut(end(before), end(child))]
    return after === undefined ? [] : [cut(child.offset, after.offset)]
  })
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
