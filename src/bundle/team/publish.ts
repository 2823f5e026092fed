import { randomBytes } from 'node:crypto'
import { readBundle } from '../document.ts'
import {
  bundleError,
  channelRole,
  newestTarget,
  olderTarget,
  Release,
  servedName,
  type Switch,
  Switches,
  switchRole,
  switchTarget,
} from '../names.ts'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  checkSignedBy,
  commit,
  nextTargets,
  readTargets,
  type Repository,
  signWith,
  type TargetsMetadata,
  writeTarget,
} from './repository.ts'
import { roleKey, onlineKeys, type Signing } from './roles.ts'
import { sha256Of } from '../../files/digest.ts'

/** The share of machines that a release is for, and its mode. */
export interface Rollout {
  readonly percent: number
  readonly mode: Release['mode']
}

/** Publishes a bundle in a channel. @returns what is signed about it */
export function publish(
  repository: Repository,
  channel: string,
  bytes: Uint8Array,
  rollout: Rollout,
  signing: Signing,
): Release {
  const { name, revision } = readBundle(bytes)
  const { metadata, key } = ownTargets(repository, channelRole(channel), signing)
  const newest = entryOf(metadata, newestTarget(channel))
  if (newest?.release.revision === revision) {
    const remedy = 'publish another revision, or change how far it goes with `hookgate bundle promote`'
    throw bundleError('bundleRepository', `the revision ${revision} is the newest one already`, remedy)
  }
  // A release that did not reach all machines leaves the one before it as what the others have.
  const isWhole = newest !== undefined && newest.release.percent === 100
  const path = isWhole ? olderTarget(channel, newest.release.revision) : newest?.release.previous
  const { previous: _, ...kept } = newest?.release ?? {}
  const before = path === undefined ? undefined : isWhole ? { ...newest, release: kept } : entryOf(metadata, path)
  if (isWhole && path !== undefined) writeTarget(repository, path, bytesOf(repository, newestTarget(channel), newest))
  const release: Release = {
    name,
    revision,
    ...rollout,
    salt: randomBytes(12).toString('hex'),
    ...(path !== undefined && { previous: path }),
  }
  writeTarget(repository, newestTarget(channel), bytes)
  const targets = {
    [newestTarget(channel)]: { ...fileOf(bytes), custom: release },
    ...(path !== undefined && before !== undefined && { [path]: { ...before.file, custom: before.release } }),
  }
  signAndCommit(repository, { role: channelRole(channel), metadata, key }, { targets }, signing)
  return release
}

/** Changes how far the newest release of a channel goes. @returns what is signed about it now */
export function promote(repository: Repository, channel: string, rollout: Partial<Rollout>, signing: Signing): Release {
  const { metadata, key } = ownTargets(repository, channelRole(channel), signing)
  const newest = entryOf(metadata, newestTarget(channel))
  if (newest === undefined) {
    const remedy = 'publish a bundle with `hookgate bundle publish`'
    throw bundleError('bundleRepository', `nothing is published in the channel ${channel}`, remedy)
  }
  const release = { ...newest.release, ...rollout }
  const { path = '' } = { path: release.previous }
  const before = path === '' ? undefined : entryOf(metadata, path)
  const targets = {
    [newestTarget(channel)]: { ...newest.file, custom: release },
    ...(before !== undefined && { [path]: { ...before.file, custom: before.release } }),
  }
  signAndCommit(repository, { role: channelRole(channel), metadata, key }, { targets }, signing)
  return release
}

/** Throws the kill switch of a channel, or takes it back if there is no action. @returns the entries that hold */
export function throwSwitch(
  repository: Repository,
  channel: string,
  thrown: Omit<Switch, 'channel' | 'from'> | undefined,
  signing: Signing,
): Switches['switches'] {
  // There is such a channel.
  readTargets(repository, channelRole(channel))
  const { metadata, key } = ownTargets(repository, switchRole, signing)
  const { switches = [] } = Switches.safeParse(metadata.signed.targets[switchTarget]?.custom).data ?? {}
  const from = Math.floor(signing.nowMs / 1000)
  const others = switches.filter((one) => one.until > from && (one.channel !== channel || thrown !== undefined))
  const now = thrown === undefined ? others : [...others, { channel, from, ...thrown }]
  const custom = Switches.safeParse({ switches: now })
  if (!custom.success) {
    const message = `it is no valid kill switch: ${custom.error.issues[0]?.message ?? ''}`
    throw bundleError('bundleRepository', message, 'see `hookgate bundle --help`')
  }
  const bytes = Buffer.from(`${JSON.stringify(custom.data, undefined, 2)}\n`)
  writeTarget(repository, switchTarget, bytes)
  const targets = { [switchTarget]: { ...fileOf(bytes), custom: custom.data } }
  signAndCommit(repository, { role: switchRole, metadata, key }, { targets }, signing)
  return custom.data.switches
}

/** Reads the targets of a role whose key is in the folder. */
function ownTargets(repository: Repository, role: string, signing: Signing) {
  const metadata = readTargets(repository, role)
  const key = roleKey(signing, role)
  checkSignedBy(metadata, key, repository)
  return { metadata, key }
}

function signAndCommit(
  repository: Repository,
  { role, metadata, key }: { role: string } & ReturnType<typeof ownTargets>,
  changes: object,
  signing: Signing,
): void {
  const next = nextTargets(role, metadata, changes, signing.nowMs)
  signWith(next, key)
  commit(repository, new Map([[role, next]]), onlineKeys(signing), signing.nowMs)
}

const fileOf = (bytes: Uint8Array) => ({
  length: bytes.length,
  hashes: { sha256: sha256Of(bytes) },
})

/** A target of a channel, in parts. */
function entryOf({ signed }: TargetsMetadata, path: string) {
  const target = signed.targets[path]
  if (target === undefined) return undefined
  const { length, hashes } = target
  return { file: { length, hashes }, release: Release.parse(target.custom) }
}

function bytesOf({ folder }: Repository, target: string, { file }: NonNullable<ReturnType<typeof entryOf>>): Buffer {
  const { sha256 = '' } = file.hashes
  const path = join(folder, 'targets', servedName(target, sha256))
  const bytes = readFileSync(path)
  if (sha256Of(bytes) === sha256) return bytes
  const remedy = 'take the folder from a copy that you trust'
  throw bundleError('bundleRepository', 'it is not the file that was signed', remedy, path)
}
