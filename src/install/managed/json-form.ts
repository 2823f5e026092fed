import { isDeepStrictEqual } from 'node:util'
import { findNodeAtLocation, getNodeValue } from 'jsonc-parser'
import { z } from 'zod'
import { Json } from '../../model/json.ts'
import type { Pin } from '../../agents/install/managed.ts'
import { type JsonDocument, parseDocument } from '../json/document.ts'
import { handlersIn, withEntries, withoutHandlers } from '../json/hook-lists.ts'
import { removeValue, setValue } from '../json/set-value.ts'
import type { ManagedFile } from './managed-file.ts'
import type { ManagedForm } from './managed-form.ts'

/** Edits a JSON file in its own layout; comments stay where the agent reads them. */
export function jsonForm(
  { file, managed, entries, pins, beside, comments, position, own }: ManagedFile,
  holds: 'groups' | 'handlers',
): ManagedForm {
  const lists = { at: managed.at, holds, position, own } as const
  const parsed = (text: string) => parseDocument(Buffer.from(text), file, comments)
  const allPins = [
    ...(managed.pins ?? []),
    ...(managed.onlyManagedHooks === undefined ? [] : [managed.onlyManagedHooks]),
  ]
  return {
    format: comments === 'allowed' ? 'commentedJson' : 'json',
    empty: `${JSON.stringify(beside, undefined, 2)}\n`,
    added(text) {
      const pinned = pins.reduce(
        (document, { path, value }) =>
          isPinMet(valueIn(document, path), value)
            ? document
            : setValue(document, path, withPin(valueIn(document, path), value)),
        parsed(text),
      )
      return withEntries(pinned, entries, lists)
    },
    removed(text, before) {
      const left = withoutHandlers(parsed(text), before, (handler) => own(handler) !== undefined, lists)
      if (before === undefined) return left
      return allPins.reduce((document, pin) => unpinned(document, pin, parsed(before)), parsed(left)).text
    },
    read(text) {
      const document = parsed(text)
      return { root: valueIn(document, []) ?? null, handlers: handlersIn(document, lists) }
    },
  }
}

function valueIn({ root }: JsonDocument, path: readonly string[]): Json | undefined {
  const node = findNodeAtLocation(root, [...path])
  // Its objects have no prototype, which would make all of them different.
  return node === undefined ? undefined : Json.parse(structuredClone(getNodeValue(node)))
}

/** Returns whether a setting has its fixed value; a list may have more. */
export const isPinMet = (found: Json | undefined, value: Json): boolean =>
  Array.isArray(value) && Array.isArray(found)
    ? value.every((one) => found.includes(one))
    : isDeepStrictEqual(found, value)

/** The value that a setting gets: a list keeps the members that it has. */
function withPin(old: Json | undefined, value: Json): Json {
  const [present, wanted] = [z.array(Json).safeParse(old).data, z.array(Json).safeParse(value).data]
  return present === undefined || wanted === undefined ? value : [...new Set([...present, ...wanted])]
}

/** Gives a setting the value again that it had before, unless it has been changed since. */
function unpinned(document: JsonDocument, { path, value }: Pin, before: JsonDocument): JsonDocument {
  const old = valueIn(before, path)
  if (isPinMet(old, value) || !isDeepStrictEqual(valueIn(document, path), withPin(old, value))) return document
  if (old !== undefined) return setValue(document, path, old)
  return withoutEmptied(removeValue(document, path), path.slice(0, -1), before)
}

/** Removes the objects that were made for a setting and are empty now. */
function withoutEmptied(document: JsonDocument, path: readonly string[], before: JsonDocument): JsonDocument {
  const isEmptied =
    path.length > 0 && isDeepStrictEqual(valueIn(document, path), {}) && valueIn(before, path) === undefined
  return isEmptied ? withoutEmptied(removeValue(document, path), path.slice(0, -1), before) : document
}
