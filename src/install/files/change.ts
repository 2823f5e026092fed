import { chmodSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Lock, waitForLock } from '../../files/lock.ts'
import { ensurePrivateFolder } from '../../files/state/own-folder.ts'
import type { GatePaths } from '../../files/state/places.ts'
import { boundsOf, type InstallContext } from '../install-context.ts'
import {
  lookAt,
  type Looked,
  makeFolder,
  type Present,
  removeEmptyFolders,
  removeFile,
  replaceSettings,
  restoreSettings,
  type SettingsFormat,
  unwritable,
} from './settings-file.ts'
import { backUp, type EnableRecord, readRecord, removeRecord, sha256, writeRecord } from './own-state.ts'

/** Wait of one `enable` for another: each takes some milliseconds. */
const settingsLockMs = 10_000

/** The planned change of one file. */
export interface FileChange {
  readonly file: string
  readonly looked: Looked
  readonly within: string | undefined
  /** Its new content; `undefined`: it is removed. */
  readonly after: Buffer | undefined
  readonly format: SettingsFormat
  readonly mode: number
  /** The record that `disable` needs; `undefined` removes it. `foldersMade` is completed. */
  readonly record: EnableRecord | undefined
  /** The agent of the record, where files are kept by agent. */
  readonly agent?: string
  /** Folders to be removed with it where nothing else is in them, the topmost first. */
  readonly foldersToRemove: readonly string[]
  /** A copy is kept: the content is a person's own. */
  readonly worthKeeping: boolean
}

export interface Changed {
  readonly file: string
  readonly what: 'wrote' | 'restored' | 'removed'
  readonly backup: string | undefined
}

interface CarriedOut {
  readonly backup: string | undefined
  /** As far as it can be done: for when another change of the same plan fails. */
  readonly undo: () => void
}

export const changesNothing = ({ looked: { present }, after, mode }: FileChange): boolean =>
  present === undefined
    ? after === undefined
    : after !== undefined && present.bytes.equals(after) && present.mode === mode

/** Lets one `enable` or `disable` run after the other. */
export async function lockSettings(places: GatePaths): Promise<Lock> {
  ensurePrivateFolder(places.folder)
  const file = join(places.folder, 'enable.lock')
  const lock = await waitForLock(file, performance.now() + settingsLockMs)
  if (lock !== undefined) return lock
  throw unwritable(file, 'another `hookgate enable` is in progress', 'wait for it, or stop it')
}

/**
 * Carries a change out. What is remembered is written first: of a file that was changed and is not remembered, the undoing
 * would be guessed.
 */
export function carryOut(places: GatePaths, change: FileChange): CarriedOut {
  const { looked, after, mode, record } = change
  const { real, present } = looked
  const recordBefore = readRecord(places, real, change.agent)
  const backup = present !== undefined && change.worthKeeping ? backUp(places, real, present.bytes) : undefined
  const foldersMade = after === undefined ? [] : makeFolder(dirname(real), 0o755)
  const forget = () => {
    removeEmptyFolders(foldersMade)
    if (recordBefore === undefined) removeRecord(places, real, change.agent)
    else writeRecord(places, recordBefore)
  }
  try {
    if (record !== undefined) {
      writeRecord(places, { ...record, foldersMade: [...foldersMade, ...record.foldersMade] })
    }
    checkUnchanged(change)
    if (after === undefined) removeFile(real)
    else if (present?.bytes.equals(after) === true) chmodSync(real, mode)
    else replaceSettings(real, after, change.format, mode, present)
  } catch (error) {
    forget()
    throw error
  }
  if (record === undefined) removeRecord(places, real, change.agent)
  removeEmptyFolders(change.foldersToRemove)
  return {
    backup,
    undo() {
      if (present === undefined) removeFile(real)
      else {
        makeFolder(dirname(real), 0o755)
        restoreSettings(real, present.bytes, present.mode, present)
      }
      forget()
    },
  }
}

/** Agents write their settings too, and know nothing of our lock. @throws HookgateError `settingsUnwritable` */
export function checkUnchanged({ file, looked, within }: Pick<FileChange, 'file' | 'looked' | 'within'>): void {
  const now = lookAt(file, within)
  if (now.real === looked.real && isSame(now.present, looked.present)) return
  throw unwritable(file, 'it was changed just now by another program', 'run it again')
}

function isSame(a: Present | undefined, b: Present | undefined): boolean {
  if (a === undefined || b === undefined) return a === b
  return a.bytes.equals(b.bytes) && a.mode === b.mode
}

/** Carries out all of the changes or, where one fails, none. */
export function carryAllOut(places: GatePaths, changes: readonly FileChange[]): readonly Changed[] {
  const undoes: (() => void)[] = []
  try {
    return changes
      .filter((change) => !changesNothing(change))
      .map((change) => {
        const { backup, undo } = carryOut(places, change)
        undoes.unshift(undo)
        return changedBy(change, backup)
      })
  } catch (error) {
    for (const undo of undoes) undoIfPossible(undo)
    throw error
  }
}

/** Undoes one of several changes. The first error is the one to report. */
export function undoIfPossible(undo: () => void): void {
  try {
    undo()
  } catch {
    // The next may still be undone.
  }
}

export function changedBy({ file, after, record }: FileChange, backup: string | undefined): Changed {
  return { file, what: after === undefined ? 'removed' : record === undefined ? 'restored' : 'wrote', backup }
}

/** A file that `enable` writes whole, as it is now. */
export interface WholeFile {
  readonly file: string
  readonly looked: Looked
  /** `hand`: a person's own, that does nothing but ask hookgate. */
  readonly own: 'absent' | 'yes' | 'hand' | 'no'
}

/** Looks at a file, and recognises by its content whether `enable` wrote it. */
export function wholeFileAt(
  file: string,
  context: InstallContext,
  ownerOf: (bytes: Buffer) => WholeFile['own'],
): WholeFile {
  const looked = lookAt(file, boundsOf(context))
  return { file, looked, own: looked.present === undefined ? 'absent' : ownerOf(looked.present.bytes) }
}

/** Returns whether a file is as `enable` wrote it on this machine. Only then may it be run. */
export const isAsWritten = ({ looked: { real, present } }: WholeFile, { places }: InstallContext): boolean =>
  readRecord(places, real)?.registered.includes(sha256(present?.bytes ?? '')) === true

/** Plans to write a file. A copy is kept of one that a person wrote or edited. */
export function written(one: WholeFile, text: string, mode: number, context: InstallContext): FileChange {
  const { looked, own } = one
  const after = Buffer.from(text)
  const foldersMade = own === 'absent' ? [] : (readRecord(context.places, looked.real)?.foldersMade ?? [])
  return {
    ...changeOf(one, context),
    after,
    mode,
    record: { version: 1, file: looked.real, before: null, foldersMade, registered: [sha256(after)] },
    worthKeeping: own === 'hand' || (own === 'yes' && !isAsWritten(one, context)),
  }
}

/** Plans to remove those of some files that `enable` wrote, and the folders that it made for them. */
export function removedFiles(files: readonly WholeFile[], context: InstallContext): readonly FileChange[] {
  const own = files.filter((one) => one.own === 'yes')
  const made = new Set(own.flatMap(({ looked }) => readRecord(context.places, looked.real)?.foldersMade ?? []))
  const folders = [...made].toSorted((a, b) => a.length - b.length)
  return own.map((one, index) => changeOf(one, context, index === own.length - 1 ? folders : []))
}

const changeOf = (
  { file, looked }: WholeFile,
  context: InstallContext,
  foldersToRemove: readonly string[] = [],
): FileChange => ({
  file,
  looked,
  within: boundsOf(context),
  after: undefined,
  format: 'own',
  mode: looked.present?.mode ?? 0o644,
  record: undefined,
  foldersToRemove,
  worthKeeping: false,
})
