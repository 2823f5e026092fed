import type { JsonDocument } from '../../install/json/document.ts'
import { removeValue, setValue } from '../../install/json/edit.ts'
import { packsOfFile } from './packs-of-file.ts'

/** Keys that make no rules: a file that has only such keys does not load. */
const notContent = new Set(['$schema', 'description', 'sequential'])

/** Removes an empty `packs` from a rules file, or adds one if the file would have no content and not load. */
export function withContent(document: JsonDocument): JsonDocument {
  const { entries, preset, others } = packsOfFile(document)
  if (entries.length > 0) return document
  const hasContent = preset !== undefined || others.some((key) => !notContent.has(key))
  return hasContent ? removeValue(document, ['packs']) : setValue(document, ['packs'], [])
}
