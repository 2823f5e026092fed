import { titleOf } from '../../agents/registry.ts'
import { quoted } from '../../model/text.ts'
import type { FileChange } from '../files/change.ts'
import { lookAt, type Looked } from '../files/look-at.ts'
import { type EnableRecord, readRecord, sha256 } from '../files/own-state.ts'
import { unwritable } from '../files/replace-settings.ts'
import type { GatePaths } from '../../files/state/places.ts'
import { formOf } from './form.ts'
import type { ManagedFile } from './managed-file.ts'
import type { ManagedForm } from './managed-form.ts'

/** Everybody reads an administrator's file, and only its owner writes it. */
const managedMode = 0o644

/** An administrator's file as it is now. */
interface PresentFile {
  readonly looked: Looked
  readonly form: ManagedForm
  readonly record: EnableRecord | undefined
  /** Its text without the byte order mark; `undefined` where there is none. */
  readonly text: string | undefined
  readonly byteOrderMark: string
  /** Its text without what an earlier `enable --managed` has put there; `undefined` where nothing else is in it. */
  readonly theirs: string | undefined
}

/** @throws HookgateError `settingsMalformed` */
function presentAt(one: ManagedFile, places: GatePaths): PresentFile {
  const looked = lookAt(one.file, undefined)
  const form = formOf(one)
  const record = readRecord(places, looked.real, one.agent.name)
  const whole = looked.present?.bytes.toString()
  const byteOrderMark = whole?.startsWith('\uFEFF') === true ? '\uFEFF' : ''
  const text = whole?.slice(byteOrderMark.length)
  const found = { looked, form, record, text, byteOrderMark }
  if (text === undefined) return { ...found, theirs: undefined }
  const asWritten = record?.registered.includes(sha256(looked.present?.bytes ?? '')) === true
  if (asWritten) return { ...found, theirs: record.before ?? undefined }
  const isOwn = one.managed.isOwnFile === true
  const left = form.removed(text, record === undefined && !isOwn ? undefined : (record?.before ?? form.empty))
  const isAdded = isOwn || record?.before === null
  const isOurs = left !== text && isAdded && left.trim() === form.empty.trim()
  return { ...found, theirs: isOurs ? undefined : left }
}

/** Plans to register an agent in an administrator's file. @throws HookgateError `settingsMalformed`, `settingsUnwritable` */
export function managedAdded(one: ManagedFile, places: GatePaths, owner: Owner | undefined): FileChange {
  const present = presentAt(one, places)
  const { looked, form, record, text, byteOrderMark, theirs } = present
  if (one.managed.isOwnFile === true && text !== undefined && theirs === text) {
    throw unwritable(
      one.file,
      `${quoted(titleOf(one.agent.name))} has a file of this name that is not hookgate's`,
      'move it away',
    )
  }
  const kept = one.managed.isOwnFile === true ? undefined : theirs
  const after = Buffer.from(`${byteOrderMark}${form.added(kept ?? form.empty)}`)
  const modeBefore = record === undefined ? looked.present?.mode : (record.mode?.before ?? looked.present?.mode)
  return {
    ...changeOf(one, present, owner),
    after,
    mode: managedMode,
    record: {
      version: 1,
      file: looked.real,
      agent: one.agent.name,
      before: kept ?? null,
      foldersMade: record?.foldersMade ?? [],
      ...(modeBefore !== undefined &&
        modeBefore !== managedMode && { mode: { before: modeBefore, after: managedMode } }),
      registered: [sha256(after)],
    },
    foldersToRemove: [],
  }
}

/** Plans to take hookgate out of an administrator's file; nothing where it is not in it. @throws HookgateError */
export function managedRemoved(one: ManagedFile, places: GatePaths, owner: Owner | undefined): readonly FileChange[] {
  const present = presentAt(one, places)
  const { looked, record, text, byteOrderMark, theirs } = present
  if (looked.present === undefined || theirs === text) return []
  const { mode } = looked.present
  return [
    {
      ...changeOf(one, present, owner),
      after: theirs === undefined ? undefined : Buffer.from(`${byteOrderMark}${theirs}`),
      mode: record?.mode?.after === mode ? record.mode.before : mode,
      record: undefined,
      foldersToRemove: theirs === undefined ? (record?.foldersMade ?? []) : [],
    },
  ]
}

/** The user and group that are to own the file. */
export interface Owner {
  readonly uid: number
  readonly gid: number
}

const changeOf = ({ file, agent }: ManagedFile, { looked, form, theirs }: PresentFile, owner: Owner | undefined) => ({
  file,
  looked: looked.present === undefined ? looked : { ...looked, present: { ...looked.present, ...owner } },
  within: undefined,
  format: form.format,
  agent: agent.name,
  worthKeeping: theirs !== undefined,
})
