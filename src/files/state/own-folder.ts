import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { checkPrivateFolder, ensurePrivateFolder as ensureFolder, type FolderRemedies } from '../private-folder.ts'
import type { GatePaths } from './places.ts'

const elsewhere = 'set HOOKGATE_HOME to a folder of your own'
const remedies: FolderRemedies = {
  elsewhere,
  link: `remove it, or ${elsewhere}`,
  noFolder: `move it away, or ${elsewhere}`,
  isOurs: isOwnName,
}

/**
 * Creates one of the gate's folders for its owner only, or checks that it is private. Anyone who could put a socket
 * there would be the gate, and would decide what an agent may do.
 *
 * @throws HookgateError `unavailable`
 */
export const ensurePrivateFolder = (folder: string) => ensureFolder(folder, remedies)

/**
 * Creates or checks a private folder inside the gate's folder, in which every file is hookgate's.
 *
 * @returns its path
 */
export function ensureFolderOf(places: Pick<GatePaths, 'folder'>, name: (typeof ownNames)[number]): string {
  ensurePrivateFolder(places.folder)
  const folder = join(places.folder, name)
  ensureFolder(folder, { ...remedies, isOurs: () => true })
  return folder
}

/** Creates or checks the folders of the gate and of its socket. @throws HookgateError `unavailable` */
export function ensurePlaces({ folder, socketFolder }: GatePaths): void {
  ensurePrivateFolder(folder)
  if (socketFolder !== undefined && socketFolder !== folder) ensurePrivateFolder(socketFolder)
}

/** Checks that the gate's folders, if they exist, are private. @throws HookgateError `unavailable` */
export function checkPlaces({ folder, socketFolder }: GatePaths): void {
  for (const one of [folder, socketFolder]) {
    if (one !== undefined && exists(one)) checkPrivateFolder(one, remedies)
  }
}

function exists(folder: string): boolean {
  try {
    lstatSync(folder)
    return true
  } catch {
    return false
  }
}

/** The names of the files and folders that hookgate creates in its own folder. */
export const ownNames = [
  'approvals.key',
  'backups',
  'bundles',
  'clients',
  'code',
  'compiled',
  'decisions.db',
  'decisions.db-shm',
  'decisions.db-wal',
  'decisions.db.lock',
  'decisions.db.verified',
  'decisions.writers',
  'enable.lock',
  'enabled',
  'environment.json',
  'export.json',
  'export.key',
  'export.lock',
  'gate.json',
  'gate.key',
  'gate.lock',
  'gate.log',
  'gate.log.1',
  'gate.sock',
  'hooks',
  'last-start',
  'page.json',
  'past.db',
  'past.db-shm',
  'past.db-wal',
  'refusals',
  'sandboxed',
  'sessions',
  'start.lock',
  'stops',
  'token',
] as const

const names: ReadonlySet<string> = new Set(ownNames)

/** A draft of `replaceFile`, not yet renamed to its final name. */
const draft = /^\.(?<name>.+)\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The socket of a gate whose own folder has too long a path for one. */
const shortSocket = /^[0-9a-f]{16}\.sock$/

/** What the sender of a person's answer holds open: see `withWitness`. */
const witness = /^answer-[0-9a-f]{64}$/

/** A damaged database that was set aside. */
const damagedDatabase = /^decisions\.db\.damaged-[0-9TZ.-]+(?:-wal|-shm)?$/

/** Returns whether hookgate itself creates files of this name in its folder. */
export function isOwnName(name: string): boolean {
  return (
    names.has(draft.exec(name)?.groups?.['name'] ?? name) ||
    [shortSocket, witness, damagedDatabase].some((form) => form.test(name))
  )
}
