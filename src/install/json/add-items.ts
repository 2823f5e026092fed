import { isDeepStrictEqual } from 'node:util'
import { applyEdits, getNodeValue, type Node } from 'jsonc-parser'
import { quoted } from '../../model/text.ts'
import { documentOf, type JsonDocument, malformed, valueAt } from './document.ts'
import { append, element, layoutOf, member } from './layout.ts'

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
