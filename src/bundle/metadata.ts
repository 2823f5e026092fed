import { Metadata, MetadataKind, type Root, type Snapshot, type Targets } from '@tufjs/models'
import { z } from 'zod'
import { errorText, HookgateError } from '../model/errors.ts'
import { limits } from '../model/limits.ts'
import { inWords } from './client-errors.ts'
import { bundleError, channelRole, newestTarget, Release, Switches, switchRole, switchTarget } from './names.ts'

/** The exact texts of verified metadata, from the pinned root's successors to the channel. */
export interface Evidence {
  /** Roots that follow the pinned one, in order. */
  readonly roots: readonly string[]
  readonly timestamp: string
  readonly snapshot: string
  readonly targets: string
  readonly channel: string
  /** Absent if it could not be fetched, or has expired: then nothing is loosened. */
  readonly switch?: string | undefined
}

/** A target, and what is signed about it. */
export interface SignedTarget {
  readonly path: string
  readonly sha256: string
  readonly length: number
  readonly release: Release
}

/** A channel, as the metadata has it. */
export interface SignedChannel {
  /** Absent if nothing was published in it. */
  readonly newest: SignedTarget | undefined
  /** The release before the newest one. */
  readonly previous: SignedTarget | undefined
  readonly switches: Switches['switches']
  /** When the server's word expires, ms since the epoch. */
  readonly freshUntilMs: number
  readonly rootVersion: number
}

/**
 * Verifies metadata that a gate has kept, down to the targets of a channel, as TUF's client does, except that what has
 * expired still counts: it is the last that is known.
 *
 * INVARIANT: each text is verified with the keys of the one above it, and the first with the pinned root.
 *
 * @throws HookgateError `bundleUnverified`
 */
export function verifyEvidence(pinned: string, evidence: Evidence, channel: string, nowMs: number): SignedChannel {
  const root = lastRoot(pinned, evidence.roots)
  const timestamp = timestampOf(evidence.timestamp)
  verified('timestamp', () => root.verifyDelegate('timestamp', timestamp))
  const { snapshotMeta } = timestamp.signed
  verified('snapshot', () => snapshotMeta.verify(Buffer.from(evidence.snapshot)))
  const snapshot = snapshotOf(evidence.snapshot)
  verified('snapshot', () => root.verifyDelegate('snapshot', snapshot))
  sameVersion('snapshot', snapshot.signed.version, snapshotMeta.version)
  const targets = listed('targets', evidence.targets, snapshot)
  verified('targets', () => root.verifyDelegate('targets', targets))
  const role = channelRole(channel)
  const ofChannel = delegated(role, evidence.channel, { targets, snapshot }, newestTarget(channel))
  const ofSwitch =
    evidence.switch === undefined
      ? undefined
      : delegated(switchRole, evidence.switch, { targets, snapshot }, switchTarget)
  const newest = targetIn(ofChannel, newestTarget(channel))
  const previous = newest?.release.previous
  return {
    newest,
    // Of the same channel, which the role is delegated: a name of another one's is no previous release.
    previous: previous?.startsWith(`${channel}/`) === true ? targetIn(ofChannel, previous) : undefined,
    switches: ofSwitch === undefined ? [] : switchesIn(ofSwitch, channel, nowMs),
    freshUntilMs: Date.parse(timestamp.signed.expires),
    rootVersion: root.signed.version,
  }
}

/** Follows the rotations from the pinned root, and returns the last one. @throws HookgateError `bundleUnverified` */
export function lastRoot(pinned: string, roots: readonly string[]): Metadata<Root> {
  let root = rootOf(pinned)
  verified('root', () => root.verifyDelegate('root', root))
  for (const text of roots) {
    const next = rootOf(text)
    verified('root', () => root.verifyDelegate('root', next))
    verified('root', () => next.verifyDelegate('root', next))
    sameVersion('root', next.signed.version, root.signed.version + 1)
    root = next
  }
  return root
}

interface Above {
  readonly targets: Metadata<Targets>
  readonly snapshot: Metadata<Snapshot>
}

/** Verifies a role to which the targets are delegated, and that what it is asked for is delegated to it. */
function delegated(role: string, text: string, { targets, snapshot }: Above, target: string): Metadata<Targets> {
  const metadata = listed(role, text, snapshot)
  verified(role, () => targets.verifyDelegate(role, metadata))
  const [first] = [...(targets.signed.delegations?.rolesForTarget(target) ?? [])]
  if (first?.role !== role) throw unverified(role, `\`${target}\` is not delegated to it`)
  return metadata
}

/** Parses a targets file that is the one in the snapshot. */
function listed(role: string, text: string, snapshot: Metadata<Snapshot>): Metadata<Targets> {
  const meta = snapshot.signed.meta[`${role}.json`]
  if (meta === undefined) throw unverified(role, 'the snapshot does not list it')
  verified(role, () => meta.verify(Buffer.from(text)))
  const metadata = targetsOf(role, text)
  sameVersion(role, metadata.signed.version, meta.version)
  return metadata
}

export function targetIn(metadata: Metadata<Targets>, path: string): SignedTarget | undefined {
  const target = Object.hasOwn(metadata.signed.targets, path) ? metadata.signed.targets[path] : undefined
  if (target === undefined) return undefined
  const release = Release.safeParse(target.custom)
  const { sha256 } = target.hashes
  if (!release.success || sha256 === undefined) throw unverified(path, 'what is signed about it is not understood')
  return { path, sha256, length: target.length, release: release.data }
}

/** Returns what the kill switch says of a channel now. A switch that has expired, or is not understood, says nothing. */
function switchesIn(metadata: Metadata<Targets>, channel: string, nowMs: number): Switches['switches'] {
  if (metadata.signed.isExpired(new Date(nowMs))) return []
  const { switches = [] } = Switches.safeParse(metadata.signed.targets[switchTarget]?.custom).data ?? {}
  return switches.filter((one) => one.channel === channel && nowMs < one.until * 1000)
}

/** Any JSON object, in a type that the models take. */
const MetadataJson = z.record(z.string(), z.json())

/** Parses the JSON of metadata, and makes a model of it. @throws HookgateError `bundleUnverified` */
function modelOf<T>(role: string, text: string, make: (json: z.infer<typeof MetadataJson>) => T): T {
  if (Buffer.byteLength(text) > limits.bundleMetadataBytesMax) throw unverified(role, 'it is too large')
  return verified(role, () => make(MetadataJson.parse(JSON.parse(text))))
}

export const rootOf = (text: string) => modelOf('root', text, (json) => Metadata.fromJSON(MetadataKind.Root, json))
export const timestampOf = (text: string) =>
  modelOf('timestamp', text, (json) => Metadata.fromJSON(MetadataKind.Timestamp, json))
export const snapshotOf = (text: string) =>
  modelOf('snapshot', text, (json) => Metadata.fromJSON(MetadataKind.Snapshot, json))
export const targetsOf = (role: string, text: string) =>
  modelOf(role, text, (json) => Metadata.fromJSON(MetadataKind.Targets, json))

function sameVersion(role: string, is: number, expected: number): void {
  if (is !== expected) throw unverified(role, `it is version ${is}, and ${expected} is signed`)
}

function verified<T>(role: string, action: () => T): T {
  try {
    return action()
  } catch (error) {
    if (error instanceof HookgateError) throw error
    throw unverified(
      role,
      error instanceof z.ZodError || error instanceof SyntaxError
        ? 'it is no metadata of TUF'
        : inWords(errorText(error)),
    )
  }
}

const unverified = (role: string, why: string) =>
  bundleError('bundleUnverified', `the metadata of \`${role}\` is not verified: ${why}`, 'see docs/bundles.md')
