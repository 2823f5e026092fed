import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Signature } from '@tufjs/models'
import { codeOf } from '../../model/errors.ts'
import { whyFailed } from '../../files/disk.ts'
import { makeFolders } from '../../files/entries.ts'
import { makeFile, replaceFile } from '../../files/replace-file.ts'
import { rootOf, snapshotOf, targetsOf, timestampOf } from '../metadata.ts'
import { bundleError, servedName } from '../names.ts'
import type { SigningKey } from './keys.ts'
import { sha256Of } from '../../files/digest.ts'

/** Metadata of any role, as the library has it. */
type AnyMetadata = ReturnType<typeof rootOf | typeof timestampOf | typeof snapshotOf | typeof targetsOf>
export type TargetsMetadata = ReturnType<typeof targetsOf>

/** Days for which what a role signs holds. The online roles are signed anew by a machine, the others by people. */
const daysOf = { root: 365, targets: 90, snapshot: 7, timestamp: 1 } as const
type Kind = keyof typeof daysOf

const dayMs = 86_400_000

/** Returns when something signed now expires, as TUF writes it. */
const expiryOf = (kind: Kind, nowMs: number) =>
  new Date(nowMs + daysOf[kind] * dayMs).toISOString().replace(/\.\d+Z$/, 'Z')

/** A folder of signed metadata and targets, which a static server serves as it is. */
export interface Repository {
  readonly folder: string
}

const metadataFile = ({ folder }: Repository, name: string) => join(folder, 'metadata', name)

export const isRepository = (repository: Repository) => existsSync(metadataFile(repository, '1.root.json'))

/** Reads the newest root. @throws HookgateError `bundleRepository` */
export function readRoot(repository: Repository) {
  const versions = readNames(repository).flatMap((name) => Number(/^(\d+)\.root\.json$/.exec(name)?.[1] ?? []))
  const newest = Math.max(0, ...versions)
  if (newest === 0) {
    const remedy = 'make one with `hookgate bundle keys`, or name another folder'
    throw bundleError('bundleRepository', 'this is no folder of signed bundles', remedy, repository.folder)
  }
  return rootOf(read(repository, `${newest}.root.json`))
}

/** Reads the newest metadata of a role, by what timestamp and snapshot say. */
export const readTimestamp = (repository: Repository) => timestampOf(read(repository, 'timestamp.json'))
export const readSnapshot = (repository: Repository) =>
  snapshotOf(read(repository, `${readTimestamp(repository).signed.snapshotMeta.version}.snapshot.json`))

export function readTargets(repository: Repository, role: string): TargetsMetadata {
  const meta = readSnapshot(repository).signed.meta[`${role}.json`]
  if (meta !== undefined) return targetsOf(role, read(repository, `${meta.version}.${role}.json`))
  const remedy = 'add it with `hookgate bundle keys --channel NAME`, or check its name'
  throw bundleError('bundleRepository', `there is no role \`${role}\``, remedy, repository.folder)
}

function read(repository: Repository, name: string): string {
  const file = metadataFile(repository, name)
  return orRepositoryError(file, 'it cannot be read', () => readFileSync(file, 'utf8'))
}

function readNames({ folder }: Repository): readonly string[] {
  try {
    return readdirSync(join(folder, 'metadata'))
  } catch {
    return []
  }
}

/**
 * Checks that a key signed what it is to sign again.
 *
 * INVARIANT: nothing is signed that was changed on the server, where others may write too.
 *
 * @throws HookgateError `bundleRepository`
 */
export function checkSignedBy(metadata: AnyMetadata, key: SigningKey, { folder }: Repository): void {
  const given = metadata.signatures[key.keyid]?.sig
  signWith(metadata, key)
  // A key of this kind always gives the same signature for the same text.
  if (given === metadata.signatures[key.keyid]?.sig) return
  const message = `the metadata of \`${metadata.signed.type}\` was not signed by the key that would sign it now`
  throw bundleError('bundleRepository', message, 'take the folder from a copy that you trust', folder)
}

/** Adds a signature. */
export function signWith(metadata: AnyMetadata, { keyid, sign }: Pick<SigningKey, 'keyid' | 'sign'>): void {
  metadata.sign((bytes) => new Signature({ keyID: keyid, sig: sign(bytes) }))
}

/** Returns metadata of targets that follows, unsigned. */
export function nextTargets(role: string, metadata: TargetsMetadata, changes: object, nowMs: number): TargetsMetadata {
  const { version } = metadata.signed
  return targetsOf(role, unsigned({ ...metadata.signed.toJSON(), ...changes, ...head('targets', version + 1, nowMs) }))
}

/** Returns the first metadata of targets, unsigned. */
export const firstTargets = (role: string, content: object, nowMs: number): TargetsMetadata =>
  targetsOf(role, unsigned({ targets: {}, ...content, ...head('targets', 1, nowMs) }))

/** Returns the first, or the next, root, unsigned. */
export const newRoot = (content: object, version: number, nowMs: number) =>
  rootOf(unsigned({ ...content, ...head('root', version, nowMs) }))

const head = (kind: Kind, version: number, nowMs: number) => ({
  _type: kind,
  spec_version: '1.0.31',
  version,
  expires: expiryOf(kind, nowMs),
})
const unsigned = (signed: object) => JSON.stringify({ signed, signatures: [] })

/** Writes a root. @throws HookgateError `bundleRepository` if somebody else has written this version */
export function writeRoot(repository: Repository, root: ReturnType<typeof rootOf>): void {
  writeOnce(repository, `${root.signed.version}.root.json`, metadataText(root))
}

/** Returns the text of metadata, as it is served. */
export const metadataText = (metadata: AnyMetadata) => `${JSON.stringify(metadata.toJSON())}\n`

/** Puts a target where a server finds it. A target that is there already has the same content, by its name. */
export function writeTarget({ folder }: Repository, target: string, bytes: Uint8Array): void {
  const file = join(folder, 'targets', servedName(target, sha256Of(bytes)))
  orRepositoryError(file, 'it cannot be written', () => {
    makeFolders(dirname(file))
    makeFile(file, bytes, { mode: 0o644 })
  })
}

/** The keys of the roles that are online. */
export interface OnlineKeys {
  readonly snapshot: SigningKey
  readonly timestamp: SigningKey
}

/**
 * Writes changed roles, a snapshot with them, and last the timestamp, by which machines see them.
 *
 * @param changed signed metadata, by its role; empty to sign snapshot and timestamp anew
 * @param isChecked true if what is there was verified already, since other keys are to sign it now
 * @throws HookgateError `bundleRepository`
 */
export function commit(
  repository: Repository,
  changed: ReadonlyMap<string, TargetsMetadata>,
  keys: OnlineKeys,
  nowMs: number,
  isChecked = false,
): void {
  const isFirst = !existsSync(metadataFile(repository, 'timestamp.json'))
  const before = isFirst ? undefined : { timestamp: readTimestamp(repository), snapshot: readSnapshot(repository) }
  if (before !== undefined && !isChecked) {
    checkSignedBy(before.timestamp, keys.timestamp, repository)
    checkSignedBy(before.snapshot, keys.snapshot, repository)
  }
  for (const [role, metadata] of changed) {
    writeOnce(repository, `${metadata.signed.version}.${role}.json`, metadataText(metadata))
  }
  const entries = [...changed].map(
    ([role, one]) => [`${role}.json`, metaOf(one.signed.version, metadataText(one))] as const,
  )
  const meta: object = { ...metaIn(before?.snapshot), ...Object.fromEntries(entries) }
  const version = (before?.snapshot.signed.version ?? 0) + 1
  const snapshot = snapshotOf(unsigned({ meta, ...head('snapshot', version, nowMs) }))
  signWith(snapshot, keys.snapshot)
  writeOnce(repository, `${version}.snapshot.json`, metadataText(snapshot))
  writeTimestamp(
    repository,
    metaOf(version, metadataText(snapshot)),
    (before?.timestamp.signed.version ?? 0) + 1,
    keys,
    nowMs,
  )
}

const metaIn = (snapshot: ReturnType<typeof snapshotOf> | undefined): object =>
  Object.fromEntries(Object.entries(snapshot?.signed.meta ?? {}).map(([name, one]) => [name, one.toJSON()]))

/** Signs the timestamp anew, and the snapshot if half of its time is over. @throws HookgateError `bundleRepository` */
export function refresh(repository: Repository, keys: OnlineKeys, nowMs: number): void {
  const snapshot = readSnapshot(repository)
  const leftMs = Date.parse(snapshot.signed.expires) - nowMs
  if (leftMs < (daysOf.snapshot * dayMs) / 2) {
    commit(repository, new Map(), keys, nowMs)
    return
  }
  const timestamp = readTimestamp(repository)
  checkSignedBy(timestamp, keys.timestamp, repository)
  const { version, snapshotMeta } = timestamp.signed
  writeTimestamp(repository, snapshotMeta.toJSON(), version + 1, keys, nowMs)
}

function writeTimestamp(
  repository: Repository,
  snapshotMeta: object,
  version: number,
  { timestamp: key }: OnlineKeys,
  nowMs: number,
): void {
  const meta = { 'snapshot.json': snapshotMeta }
  const timestamp = timestampOf(unsigned({ meta, ...head('timestamp', version, nowMs) }))
  signWith(timestamp, key)
  const file = metadataFile(repository, 'timestamp.json')
  orRepositoryError(file, 'it cannot be written', () =>
    replaceFile(file, Buffer.from(metadataText(timestamp)), { mode: 0o644 }),
  )
}

const metaOf = (version: number, text: string) => ({
  version,
  length: Buffer.byteLength(text),
  hashes: { sha256: sha256Of(text) },
})

/** Writes a file of which there is one for each version. */
function writeOnce(repository: Repository, name: string, text: string): void {
  const file = metadataFile(repository, name)
  const isNew = orRepositoryError(file, 'it cannot be written', () => {
    makeFolders(dirname(file))
    return makeFile(file, Buffer.from(text), { mode: 0o644 })
  })
  if (isNew) return
  const remedy = 'somebody else has published: take the newest folder, and run this again'
  throw bundleError('bundleRepository', 'this version is there already', remedy, file)
}

function orRepositoryError<T>(file: string, message: string, action: () => T): T {
  try {
    return action()
  } catch (error) {
    const remedy =
      codeOf(error) === 'ENOENT' ? 'name the folder that `hookgate bundle keys` made' : 'name a folder that is yours'
    throw bundleError('bundleRepository', `${message}: ${whyFailed(error)}`, remedy, file)
  }
}
