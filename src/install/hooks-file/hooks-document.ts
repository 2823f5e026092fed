import {
  type Entries,
  type FoundHandler,
  handlersIn,
  type HookLists,
  withEntries,
  withoutHandlers,
} from '../json/hook-lists.ts'
import { documentBytes, documentOf, type JsonDocument, keyOf } from '../json/document.ts'

/** A file in which an agent keeps hooks, whatever its format. */
export interface HooksDocument {
  readonly text: string
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

/** Makes the document of a JSON file. */
export function jsonHooks(document: JsonDocument, lists: HookLists<unknown>): HooksDocument {
  return {
    text: document.text,
    keys: (document.root.children ?? []).map(keyOf),
    handlers: handlersIn(document, lists),
    withText: (text) => jsonHooks(documentOf(document, text), lists),
    bytes: (text) => documentBytes(document, text),
    withEntries: (entries) => withEntries(document, entries, lists),
    withoutHandlers: (before, isGone) => withoutHandlers(document, before, isGone, lists),
  }
}
