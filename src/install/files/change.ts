import { chmodSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Lock, waitForLock } from '../../files/lock.ts'
import { ensurePrivateFolder } from '../../files/state/own-folder.ts'
import type { GatePaths } from '../../files/state/places.ts'
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
import { backUp, type EnableRecord, readRecord, removeRecord, writeRecord } from './own-state.ts'

/** Wait of one `enable` for another, which asks its agent once: seconds on a busy machine. */
const settingsLockMs = 60_000

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
  if (now.real === looked.real && isSamePresent(now.present, looked.present)) return
  throw unwritable(file, 'it was changed just now by another program', 'run it again')
}

/** True if a file is what it was before: the same bytes with the same rights, or none both times. */
export function isSamePresent(a: Present | undefined, b: Present | undefined): boolean {
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
