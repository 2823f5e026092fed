import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf, errorText } from '../../model/errors.ts'
import { isJsonObject } from '../../model/json.ts'
import { type BundleDocument, rulesText } from '../document.ts'
import { inWords } from '../client-errors.ts'
import { bundleOf } from '../machine/kept.ts'
import { type SignedTarget, targetIn } from '../metadata.ts'
import {
  channelRole,
  newestTarget,
  type Release,
  servedName,
  type Switch,
  Switches,
  switchRole,
  switchTarget,
} from '../names.ts'
import {
  readRoot,
  readSnapshot,
  readTargets,
  readTimestamp,
  type Repository,
  type TargetsMetadata,
} from './repository.ts'

/** A channel, as a team looks at it. */
export interface ListedChannel {
  readonly channel: string
  readonly newest: Release | null
  readonly previous: Release | null
  /** Who signed it: the role, the id of its key, and until when that holds. */
  readonly signed: { readonly role: string; readonly keyid: string; readonly expires: string }
  readonly switches: readonly Switch[]
  /** What the newest release adds (`+`) to the one before, takes away (`-`) or changes (`~`). */
  readonly differences: readonly string[]
  /** Why a file of it is not what was signed; absent if all are. */
  readonly problem?: string
}

/** Lists the channels of a repository, each with what is signed about it. @throws HookgateError `bundleRepository` */
export function listChannels(repository: Repository, nowMs: number): readonly ListedChannel[] {
  const targets = readTargets(repository, 'targets')
  const roles = Object.values(targets.signed.delegations?.roles ?? {})
  const root = problemOf(() => {
    const trusted = readRoot(repository)
    const above = { targets, snapshot: readSnapshot(repository), timestamp: readTimestamp(repository) }
    for (const [role, metadata] of Object.entries(above)) {
      trusted.verifyDelegate(role, metadata)
      const { expires } = metadata.signed
      if (Date.parse(expires) <= nowMs) throw new Error(`${role}.json is expired`)
    }
  })
  const { switches = [] } =
    Switches.safeParse(readTargets(repository, switchRole).signed.targets[switchTarget]?.custom).data ?? {}
  return roles.flatMap(({ name, keyIDs }): readonly ListedChannel[] => {
    if (!name.startsWith(channelRole(''))) return []
    const channel = name.slice(channelRole('').length)
    const metadata = readTargets(repository, name)
    const { newest, previous } = releasesOf(metadata, channel)
    const [bundles, unreadable] = bundlesOf(repository, newest, previous)
    const problem = root ?? problemOf(() => targets.verifyDelegate(name, metadata)) ?? unreadable
    return [
      {
        channel,
        newest: newest?.release ?? null,
        previous: previous?.release ?? null,
        signed: { role: name, keyid: keyIDs[0] ?? '', expires: metadata.signed.expires },
        switches: switches.filter((one) => one.channel === channel && one.until * 1000 > nowMs),
        differences: bundles === undefined ? [] : differencesOf(...bundles),
        ...(problem !== undefined && { problem }),
      },
    ]
  })
}

function releasesOf(metadata: TargetsMetadata, channel: string) {
  const newest = targetIn(metadata, newestTarget(channel))
  const path = newest?.release.previous
  return { newest, previous: path === undefined ? undefined : targetIn(metadata, path) }
}

/** Reads the newest bundle of a channel; `undefined` if nothing is published in it. */
export function newestBundle(repository: Repository, channel: string): BundleDocument | undefined {
  const { newest } = releasesOf(readTargets(repository, channelRole(channel)), channel)
  return newest === undefined ? undefined : bundleAt(repository, newest)
}

const bundleAt = ({ folder }: Repository, target: SignedTarget): BundleDocument =>
  bundleOf(target, readFileSync(join(folder, 'targets', servedName(target.path, target.sha256))))

type Two = readonly [newer: BundleDocument, older: BundleDocument]

/** Reads both releases, so that they can be compared, or says why a file is not what was signed. */
function bundlesOf(
  repository: Repository,
  newest: SignedTarget | undefined,
  previous: SignedTarget | undefined,
): readonly [Two | undefined, string | undefined] {
  try {
    const read = [newest, previous].flatMap((one) => (one === undefined ? [] : [bundleAt(repository, one)]))
    const [newer, older] = read
    return [newer === undefined || older === undefined ? undefined : [newer, older], undefined]
  } catch (error) {
    return [undefined, codeOf(error) === 'ENOENT' ? 'the file of a release is missing' : errorText(error)]
  }
}

function problemOf(check: () => void): string | undefined {
  try {
    check()
    return undefined
  } catch (error) {
    return inWords(errorText(error))
  }
}

/** Says what a release adds to another one, takes away or changes, a line for each file and each part of the rules. */
function differencesOf(newer: BundleDocument, older: BundleDocument): readonly string[] {
  const [now, before] = [partsOf(newer), partsOf(older)]
  const files = [...new Set([...Object.keys(older.files), ...Object.keys(newer.files)])].toSorted()
  return [
    ...now.filter((part) => !before.includes(part)).map((part) => `+ ${part}`),
    ...before.filter((part) => !now.includes(part)).map((part) => `- ${part}`),
    ...files.flatMap((file) => {
      const [text, old] = [newer.files[file], older.files[file]]
      return text === old ? [] : [`${old === undefined ? '+' : text === undefined ? '-' : '~'} ${file}`]
    }),
  ]
}

/** Returns each member of a list and each value of the rules, with its key before it. */
function partsOf(bundle: BundleDocument): readonly string[] {
  const parts = (value: unknown, key: string): readonly string[] => {
    if (Array.isArray(value))
      return value.map((one) => `${key}: ${typeof one === 'string' ? one : JSON.stringify(one)}`)
    if (!isJsonObject(value)) return [`${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`]
    return Object.entries(value).flatMap(([name, one]) => parts(one, key === '' ? name : `${key}.${name}`))
  }
  return parts(JSON.parse(rulesText(bundle)), '')
}
