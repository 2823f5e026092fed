import { boundsOf, type InstallContext } from '../install-context.ts'
import type { FileChange } from './change.ts'
import { lookAt, type Looked } from './settings-file.ts'
import { readRecord, sha256 } from './own-state.ts'

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
