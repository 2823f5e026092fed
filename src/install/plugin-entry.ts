import { isDeepStrictEqual } from 'node:util'
import { findNodeAtLocation, getNodeValue } from 'jsonc-parser'
import type { PluginInstall, SettingsEntry } from '../agents/install/install.ts'
import { HookgateError } from '../model/errors.ts'
import type { AgentName } from '../model/event.ts'
import type { FileChange } from './files/change.ts'
import { type EnableRecord, readRecord } from './files/own-state.ts'
import { lookAt } from './files/settings-file.ts'
import { boundsOf, type InstallContext } from './install-context.ts'
import { documentBytes, type JsonDocument, parseDocument, removeValue, setValue } from './json/edit.ts'

// The value in an agent's settings without which it does not load hookgate's plugin.

interface EntryOf {
  readonly agent: AgentName
  readonly install: Pick<PluginInstall, 'entry'>
}

const empty = '{}\n'

/** The settings as they are now. @throws HookgateError `settingsMalformed` */
function settingsOf({ file }: SettingsEntry, context: InstallContext) {
  const looked = lookAt(file, boundsOf(context))
  try {
    return { looked, document: parseDocument(looked.present?.bytes ?? Buffer.from(empty), file, 'allowed') }
  } catch (error) {
    if (!(error instanceof HookgateError)) throw error
    // Its agent may read more than JSON, and what is edited has to be understood to the last sign.
    const remedy = 'write it as JSON, which may have comments'
    throw new HookgateError(error.code, error.message, {
      ...(error.place !== undefined && { place: error.place }),
      remedy,
    })
  }
}

const isIn = ({ root }: JsonDocument, { path, value }: SettingsEntry): boolean => {
  const node = findNodeAtLocation(root, [...path])
  const present: unknown = node === undefined ? undefined : structuredClone(getNodeValue(node))
  return (
    typeof present === 'object' &&
    present !== null &&
    Object.entries(value).every(([key, one]) => isDeepStrictEqual(new Map(Object.entries(present)).get(key), one))
  )
}

export function hasEntry({ install }: EntryOf, context: InstallContext): boolean {
  const entry = install.entry?.(context)
  return entry === undefined || isIn(settingsOf(entry, context).document, entry)
}

/** Plans to add the entry, in the file's own layout; none where it is there. @throws HookgateError `settingsMalformed` */
export function entryAdded({ agent, install }: EntryOf, context: InstallContext): readonly FileChange[] {
  const entry = install.entry?.(context)
  if (entry === undefined) return []
  const { looked, document } = settingsOf(entry, context)
  if (isIn(document, entry)) return []
  const changed = setValue(document, entry.path, entry.value)
  const earlier = readRecord(context.places, looked.real, agent)
  const before = looked.present === undefined ? null : document.text
  const record: EnableRecord = { version: 1, file: looked.real, agent, before, foldersMade: [], registered: [] }
  return [
    {
      ...changeOf(entry, looked, agent, context),
      after: documentBytes(changed, changed.text),
      mode: looked.present?.mode ?? 0o600,
      record: earlier ?? record,
      worthKeeping: true,
    },
  ]
}

/** Plans to take the entry out again, with the objects that were made for it. @throws HookgateError `settingsMalformed` */
export function entryRemoved({ agent, install }: EntryOf, context: InstallContext): readonly FileChange[] {
  const entry = install.entry?.(context)
  if (entry === undefined) return []
  const { looked, document } = settingsOf(entry, context)
  if (looked.present === undefined || findNodeAtLocation(document.root, [...entry.path]) === undefined) return []
  const record = readRecord(context.places, looked.real, agent)
  const left = withoutEntry(document, entry, record?.before ?? undefined)
  const isOurs = record?.before === null && left.text.trim() === empty.trim()
  return [
    {
      ...changeOf(entry, looked, agent, context),
      after: isOurs ? undefined : documentBytes(left, left.text),
      foldersToRemove: record?.foldersMade ?? [],
    },
  ]
}

/** Removes what was added: an object that is then empty stays if it was there before. */
function withoutEntry(
  document: JsonDocument,
  { path, value }: SettingsEntry,
  before: string | undefined,
): JsonDocument {
  const original = before === undefined ? undefined : parseDocument(Buffer.from(before), document.file, 'allowed')
  const wasThere = (some: readonly string[]) =>
    original !== undefined && findNodeAtLocation(original.root, [...some]) !== undefined
  // The text from before is the text after, to the byte, if nobody has changed the file since.
  if (original !== undefined && setValue(original, path, value).text === document.text) return original
  let left = removeValue(document, path)
  for (const depth of path.slice(1).keys()) {
    const holder = path.slice(0, path.length - 1 - depth)
    const node = findNodeAtLocation(left.root, [...holder])
    if ((node?.children?.length ?? 1) === 0 && !wasThere(holder)) left = removeValue(left, holder)
  }
  return left
}

function changeOf(
  { file }: SettingsEntry,
  looked: FileChange['looked'],
  agent: AgentName,
  context: InstallContext,
): FileChange {
  return {
    file,
    looked,
    within: boundsOf(context),
    after: undefined,
    format: 'commentedJson',
    mode: looked.present?.mode ?? 0o600,
    record: undefined,
    agent,
    foldersToRemove: [],
    worthKeeping: false,
  }
}
