import { chmodSync, lstatSync, readdirSync, type Stats } from 'node:fs'
import { dirname } from 'node:path'
import { errorText, HookgateError } from '../model/errors.ts'
import { shellWord } from '../model/shell-word.ts'
import { makeFolders } from './make-folders.ts'

/** What to do about a folder that is not fit. */
export interface FolderRemedies {
  readonly elsewhere: string
  /** Default: `elsewhere`. */
  readonly link?: string
  /** Default: `elsewhere`. */
  readonly noFolder?: string
  /** Whether something of this name is there for nobody but us: a folder with nothing else in it is ours to close. */
  readonly isOurs: (name: string) => boolean
}

/** The same for one that others may look into, which is closed to their writing without a word. */
type SharedRemedies = Omit<FolderRemedies, 'isOurs'>

/**
 * Makes a folder for its owner only, or sees that it is one. Whoever else could get at what is inside would read what is
 * kept from others, or put something of his own in its place.
 *
 * @throws HookgateError `unavailable`
 */
export function ensurePrivateFolder(folder: string, remedies: FolderRemedies): void {
  makeFolder(folder, remedies)
  checkPrivateFolder(folder, remedies)
}

/** Sees that a folder is for its owner only. @throws HookgateError `unavailable` */
export function checkPrivateFolder(folder: string, remedies: FolderRemedies): void {
  const mode = modeOfOwn(folder, remedies)
  if (mode === undefined || (mode & reachableByOthers) === 0) return
  const remedy = isForUs(folder, mode, remedies) ? `run \`chmod 700 ${shellWord(folder)}\`` : remedies.elsewhere
  throw unfit(folder, 'users other than its owner can access it', remedy)
}

/**
 * Whether nobody would miss it. INVARIANT: nobody is advised to close a folder that others live by, such as `/` or `/tmp`,
 * or one that the system has at the top, empty though it may be.
 */
function isForUs(folder: string, mode: number, { isOurs }: FolderRemedies): boolean {
  const parent = dirname(folder)
  if ((mode & sticky) !== 0 || parent === dirname(parent)) return false
  try {
    return readdirSync(folder).every(isOurs)
  } catch {
    return false
  }
}

/**
 * Makes a folder for its owner only, or sees that nobody else can put anything into it, though others may look: what is
 * put in the place of a file there could lead what is written somewhere else.
 *
 * @throws HookgateError `unavailable`
 */
export function ensureUnsharedFolder(folder: string, remedies: SharedRemedies): void {
  makeFolder(folder, remedies)
  const mode = modeOfOwn(folder, remedies)
  if (mode === undefined || (mode & writableByOthers) === 0) return
  // Everybody's folder by intention, such as /tmp, which root owns.
  if ((mode & sticky) !== 0) throw unfit(folder, 'it is a folder shared between users', remedies.elsewhere)
  chmodSync(folder, mode & 0o755)
}

function makeFolder(folder: string, { elsewhere }: SharedRemedies): void {
  try {
    makeFolders(folder, 0o700)
  } catch (cause) {
    // It may be there as something else, of which the check has more to say than the system.
    if (statsOf(folder) === undefined)
      throw unfit(folder, `the folder cannot be created: ${errorText(cause)}`, elsewhere)
  }
}

/**
 * The mode of a folder that is this user's. `undefined` on Windows, which has neither owners nor modes that Node could
 * tell of; a user's profile is closed to others there.
 */
function modeOfOwn(folder: string, { elsewhere, link, noFolder }: SharedRemedies): number | undefined {
  const stats = statsOf(folder)
  if (stats === undefined) throw unfit(folder, 'the folder cannot be accessed', elsewhere)
  if (stats.isSymbolicLink()) throw unfit(folder, 'it is a symbolic link', link ?? elsewhere)
  if (!stats.isDirectory()) throw unfit(folder, 'it is not a folder', noFolder ?? elsewhere)
  const uid = process.getuid?.()
  if (uid === undefined) return undefined
  if (stats.uid === uid) return stats.mode
  throw unfit(folder, `it belongs to user id ${stats.uid}, and you are ${uid}`, elsewhere)
}

function statsOf(folder: string): Stats | undefined {
  try {
    return lstatSync(folder)
  } catch {
    return undefined
  }
}

const reachableByOthers = 0o077
const writableByOthers = 0o022
const sticky = 0o1000

const unfit = (folder: string, message: string, remedy: string) =>
  new HookgateError('unavailable', message, { place: { file: folder }, remedy })
