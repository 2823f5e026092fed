import { addItems } from '../json/add-items.ts'
import type { JsonDocument } from '../json/document.ts'
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
    merged = addItems(merged, ['permissions', effect], [...new Set(texts)])
  }
  for (const { event, group } of hooks) merged = addItems(merged, ['hooks', event], [group])
  return merged
}
