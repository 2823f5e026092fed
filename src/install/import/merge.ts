import { isDeepStrictEqual } from 'node:util'
import { applyEdits, getNodeValue, type Node } from 'jsonc-parser'
import { quoted } from '../../model/text.ts'
import { documentOf, type JsonDocument, malformed, valueAt } from '../json/document.ts'
import { append, element, layoutOf, member } from '../json/layout.ts'
import type { Translation } from './translate.ts'

/**
 * Adds rules to a rules file, in its own layout. What it has already is not added again.
 *
 * @throws HookgateError `settingsMalformed` if a part of the file is not what it should be
 */
export function withRules(document: JsonDocument, { permissions, hooks }: Translation): JsonDocument {
  let merged = document
  for (const effect of ['deny', 'ask', 'allow'] as const) {
    const texts = permissions.filter((one) => one.effect === effect).map(({ text }) => text)
    merged = withItems(merged, ['permissions', effect], [...new Set(texts)])
  }
  for (const { event, group } of hooks) merged = withItems(merged, ['hooks', event], [group])
  return merged
}

/** Adds items to a list below two keys, which are added where they are missing. */
function withItems(document: JsonDocument, [outer, inner]: readonly [string, string], items: readonly unknown[]) {
  if (items.length === 0) return document
  const { root, text } = document
  const layout = layoutOf(document)
  const holder = ofType(document, [outer], valueAt(root, outer), 'object')
  if (holder === undefined) {
    return documentOf(document, applyEdits(text, [append(layout, root, [member(outer, { [inner]: items })])]))
  }
  const list = ofType(document, [outer, inner], valueAt(holder, inner), 'array')
  if (list === undefined) {
    return documentOf(document, applyEdits(text, [append(layout, holder, [member(inner, items)])]))
  }
  // Its objects have no prototype, which would make all of them different.
  const present: unknown = structuredClone(getNodeValue(list))
  const missing = items.filter(
    (item) => !Array.isArray(present) || !present.some((one) => isDeepStrictEqual(one, item)),
  )
  if (missing.length === 0) return document
  return documentOf(document, applyEdits(text, [append(layout, list, missing.map(element))]))
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
