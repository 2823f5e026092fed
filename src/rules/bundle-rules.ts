import { join } from 'node:path'
import { type BundleDocument, rulesText } from '../bundle/document.ts'
import { type KeptBundle, type NothingKept, readKept } from '../bundle/machine/kept.ts'
import { machineIdIn } from '../bundle/machine/poll-state.ts'
import { makeDisk } from '../files/disk.ts'
import { type BundleInForce, type BundleSettings, type BundleState, pinnedRootName } from '../model/bundle-settings.ts'
import { type Disk, isUnreadable, type Unreadable } from '../model/disk.ts'
import { limits } from '../model/limits.ts'
import type { PolicyLoader } from '../model/policy-loading.ts'
import { isError, type Problem, problemText } from '../model/errors.ts'
import type { Rule } from '../model/rule.ts'
import { builtinRule } from './self-protection.ts'
import { bundleSettingsIn, missingText } from './machine-settings.ts'
import { findOwn } from './find/policies.ts'
import type { SearchResult } from './find/search.ts'
import type { LoadedRules } from './load/draft.ts'
import { namesRule } from './match/word-pattern.ts'
import type { RulesPlaces } from './places.ts'
import { counted } from '../words/counted.ts'
import { isBelow } from '../words/machine-paths.ts'
import { sha256Of } from '../files/digest.ts'

/** The rules of the bundle that the managed file names, as they are to be read. */
export interface BundleRules {
  /** The disk, with the bundle's files. */
  readonly disk: Disk
  readonly found: SearchResult
  readonly inForce: BundleInForce
  /** Lets rules only observe, where that is signed. */
  settle(loaded: LoadedRules): LoadedRules
  /** The rule about calls while the bundle is stale for too long; absent if the managed file asks for none. */
  readonly staleRule: Rule | undefined
  /** What every answer says while nothing signed is in force; absent where something is. */
  readonly alarm?: string
}

/** Reads what is kept of the bundle that the managed hooks.json names. */
export function bundleRules(places: RulesPlaces, settings: BundleSettings, disk: Disk): BundleRules {
  const { managedFolder, bundlesFolder: folder } = places
  const nowMs = Date.now()
  const bytesAt = (file: string, bytesMax: number) => {
    const bytes = disk.read(file, bytesMax)
    return isUnreadable(bytes) ? undefined : bytes
  }
  const root = bytesAt(join(managedFolder, settings.root ?? pinnedRootName), limits.bundleMetadataBytesMax)
  const pinned = root === undefined ? undefined : new TextDecoder().decode(root)
  const kept = readKept({ folder, pinned, settings, machineId: machineIdIn(folder), nowMs, read: bytesAt })
  const state = stateOf(settings, kept, nowMs)
  const inForce = { settings, pinned, state }
  const stale = staleRule(managedFolder, settings, kept, nowMs)
  if (kept.kind === 'nothing') {
    // They are read again after a time, so that they are looked for again.
    const isRecent = (now: number) => nowMs <= now && now < nowMs + limits.bundleLookAgainMs
    const unchanged = () => isRecent(Date.now()) && disk.unchanged()
    const alarm = missingText(settings.channel, kept.why)
    return { disk: { ...disk, unchanged }, found: nothingFound, inForce, settle: same, staleRule: stale, alarm }
  }
  // A switch may end, the time run out, or a clock that was ahead be set back, while no file changes.
  const isSameTime = (now: number) => nowMs <= now && now < kept.changesAtMs
  const unchanged = () => isSameTime(Date.now()) && disk.unchanged()
  const { bundle, choice } = kept
  if (bundle === undefined) {
    return { disk: { ...disk, unchanged }, found: nothingFound, inForce, settle: same, staleRule: stale }
  }
  const top = bundleRoot(managedFolder, bundle)
  const own = bundleDisk({ ...disk, unchanged }, top, bundle)
  return {
    disk: own,
    found: findBundle(own, top),
    inForce,
    settle: (loaded) => (loaded.source.bundled === true ? observing(loaded, choice) : loaded),
    staleRule: stale,
  }
}

const nothingFound: SearchResult = { found: [], problems: [] }
const same = (loaded: LoadedRules) => loaded

function findBundle(disk: Disk, root: string): SearchResult {
  const origin = { scope: 'managed', prefix: 'managed:bundle/', base: root, workspaceRoot: undefined } as const
  const { found, problems } = findOwn(disk, origin, root, { short: true })
  const bundled = { bundled: true } as const
  return { found: found.map((one) => Object.assign({}, one, { source: { ...one.source, ...bundled } })), problems }
}

function observing(loaded: LoadedRules, { mode, observed }: KeptBundle['choice']): LoadedRules {
  const isOff = mode === 'observe'
  const rules = loaded.rules.map((rule): Rule => {
    const onlyObserves = isOff || observed.some((name) => namesRule(name, rule))
    return onlyObserves ? Object.assign({}, rule, { mode: 'observe' } as const) : rule
  })
  // An exception counts where it is, so in a bundle that only observes there is none.
  return { ...loaded, rules, exceptions: isOff ? [] : loaded.exceptions }
}

function stateOf({ channel }: BundleSettings, kept: KeptBundle | NothingKept, nowMs: number): BundleState {
  if (kept.kind === 'nothing') return { channel, freshness: 'missing', problem: kept.why, switched: [] }
  const { signed, choice, bundle, problem } = kept
  return {
    channel,
    freshness: nowMs < signed.freshUntilMs ? 'fresh' : 'stale',
    freshUntilMs: signed.freshUntilMs,
    switched: choice.switched,
    ...(problem !== undefined && { problem }),
    ...(bundle !== undefined && {
      release: { name: bundle.name, revision: bundle.revision, mode: choice.mode, isNewest: choice.isNewest },
    }),
  }
}

function staleRule(
  managedFolder: string,
  { onStale = 'continue', onMissing = onStale, staleDays = limits.bundleStaleDays, channel }: BundleSettings,
  kept: KeptBundle | NothingKept,
  nowMs: number,
): Rule | undefined {
  const limitMs = kept.kind === 'nothing' ? nowMs : kept.signed.freshUntilMs + staleDays * 86_400_000
  const then = kept.kind === 'nothing' ? onMissing : onStale
  if (then === 'continue' || nowMs < limitMs) return undefined
  const stale = `have been stale for more than ${counted(staleDays, 'day')}; see \`hookgate bundle status\``
  const reason =
    kept.kind === 'nothing' ? missingText(channel, kept.why) : `the signed rules of the channel ${channel} ${stale}`
  return builtinRule({
    id: 'hookgate:stale-bundle',
    source: { id: 'hookgate:', scope: 'managed', file: join(managedFolder, 'hooks.json'), ...unplaced },
    builtin: { kind: 'stale-bundle', effect: then === 'block' ? 'deny' : 'ask', reason },
    onFailure: 'block',
    mode: 'enforce',
  })
}

const unplaced = { workspaceRoot: undefined, pluginRoot: undefined }

/**
 * Loads the rules of a bundle as a machine would, and runs the examples of its policies.
 *
 * @returns what is wrong, warnings too if `isStrict`
 */
export async function checkBundle(
  bundle: BundleDocument,
  policies: PolicyLoader,
  { home, managedFolder, isStrict = false }: Pick<RulesPlaces, 'home' | 'managedFolder'> & { isStrict?: boolean },
): Promise<readonly string[]> {
  const root = bundleRoot(managedFolder, bundle)
  const disk = bundleDisk(makeDisk(), root, bundle)
  const { found, problems } = findBundle(disk, root)
  const { loadAll } = await import('./load/load-all.ts')
  const all = await loadAll(found, disk, { home, policies, drafts: false, isTrusted: () => true })
  for (const { domain } of all) domain?.release()
  const wrong: readonly Problem[] = [...problems, ...all.flatMap(({ loaded }) => loaded.problems)]
  const rules = all.flatMap(({ loaded }) => loaded.rules)
  const none = rules.length === 0 && wrong.length === 0 ? ['it has no rules'] : []
  return [...none, ...wrong.filter((one) => isStrict || isError(one)).map(problemText)]
}

/** Returns what is in force of the bundle that the managed file names; `undefined` if it names none. */
export async function bundleInForce(places: RulesPlaces): Promise<BundleInForce | undefined> {
  const disk = makeDisk()
  const settings = bundleSettingsIn(places, disk)
  return settings === undefined ? undefined : bundleRules(places, settings, disk).inForce
}

/**
 * Returns the folder that a bundle's files seem to be in. It is below the managed folder, where nobody but an administrator
 * can put a link or another file in their place, and need not exist.
 */
export const bundleRoot = (managedFolder: string, { revision }: Pick<BundleDocument, 'revision'>) =>
  join(managedFolder, 'bundle', revision)

/**
 * Shows the files of a verified bundle in a folder, and all others as they are on the disk.
 *
 * INVARIANT: no file of a bundle is read from a disk, where others may have changed it since it was verified.
 */
export function bundleDisk(disk: Disk, root: string, bundle: BundleDocument): Disk {
  // A bundle may have policies only.
  const hasRules = Object.keys(bundle.rules).length > 0
  const texts = { ...bundle.files, ...(hasRules && { 'hooks.json': rulesText(bundle) }) }
  const files = new Map(Object.entries(texts).map(([path, text]) => [join(root, path), Buffer.from(text)]))
  const isOurs = (path: string) => path === root || isBelow(path, root)
  const isFolder = (path: string) => path === root || [...files.keys()].some((file) => isBelow(file, path))
  const namesIn = (folder: string) => [
    ...new Set(
      [...files.keys()].flatMap((file) =>
        isBelow(file, folder) ? (file.slice(folder.length + 1).split(/[\\/]/)[0] ?? []) : [],
      ),
    ),
  ]
  const none: Unreadable = { kind: 'unreadable', why: 'it does not exist' }
  return {
    searched: disk.searched,
    see(path) {
      if (!isOurs(path)) return disk.see(path)
      if (files.has(path)) return 'file'
      return isFolder(path) ? 'folder' : 'absent'
    },
    executable: (path) => (isOurs(path) ? false : disk.executable(path)),
    names: (folder) => (isOurs(folder) ? namesIn(folder) : disk.names(folder)),
    list: (folder) => (isOurs(folder) ? namesIn(folder).toSorted() : disk.list(folder)),
    read: (path, bytesMax) => {
      if (!isOurs(path)) return disk.read(path, bytesMax)
      const bytes = files.get(path) ?? none
      const isLong = bytes instanceof Uint8Array && bytes.length > bytesMax
      return isLong ? { kind: 'unreadable', why: `it is larger than ${bytesMax} bytes` } : bytes
    },
    sha256: (path, bytesMax) => {
      if (!isOurs(path)) return disk.sha256(path, bytesMax)
      const bytes = files.get(path)
      return bytes === undefined ? none : sha256Of(bytes)
    },
    writableByOthers: (path) => (isOurs(path) ? false : disk.writableByOthers(path)),
    unchanged: () => disk.unchanged(),
  }
}
