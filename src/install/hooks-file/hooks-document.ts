import { isDeepStrictEqual } from 'node:util'
import { HookgateError } from '../../model/errors.ts'
import type { SettingsFormat } from '../files/replace-settings.ts'
import {
  type Entries,
  type FoundHandler,
  handlersIn,
  type HookLists,
  withEntries,
  withoutHandlers,
} from '../json/hook-lists.ts'
import { documentBytes, documentOf, type JsonDocument, propertyKey } from '../json/document.ts'

/** A file in which an agent keeps hooks, whatever its format. */
export interface HooksDocument {
  readonly text: string
  readonly format: SettingsFormat
  /** The keys at its top. */
  readonly keys: readonly string[]
  /** Everything that stands where a handler does. */
  readonly handlers: readonly FoundHandler[]
  /** Parses another text as the content of the same file. */
  withText(text: string): HooksDocument
  bytes(text: string): Buffer
  /**
   * Returns the text with one entry more for each event.
   *
   * @throws HookgateError `settingsMalformed` where hooks are kept in a form to which none can be added
   */
  withEntries(entries: Entries): string
  /**
   * Returns the text without some handlers, and without what they leave empty.
   *
   * @param before the text before hookgate was added, as far as that is known
   */
  withoutHandlers(before: string | undefined, isGone: (handler: unknown) => boolean): string
}

const valueOf = ({ handler }: FoundHandler) => handler

/** Makes the document of a JSON file. */
export function jsonHooks(document: JsonDocument, lists: HookLists<unknown>): HooksDocument {
  return {
    text: document.text,
    format: document.comments === 'allowed' ? 'commentedJson' : 'json',
    keys: (document.root.children ?? []).map(propertyKey),
    handlers: handlersIn(document, lists),
    withText: (text) => jsonHooks(documentOf(document, text), lists),
    bytes: (text) => documentBytes(document, text),
    withEntries: (entries) => withEntries(document, entries, lists),
    withoutHandlers(before, isGone) {
      const left = withoutHandlers(document, before, isGone, lists)
      const kept = handlersIn(document, lists).filter(({ handler }) => !isGone(handler))
      const found = documentOf(document, left)
      if (isDeepStrictEqual(handlersIn(found, lists).map(valueOf), kept.map(valueOf))) return left
      throw new HookgateError('internal', 'its hooks could not be told from the rest', {
        place: { file: document.file },
      })
    },
  }
}
