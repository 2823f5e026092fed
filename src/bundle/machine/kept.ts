import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { type BundleSettings, pinnedRootDamaged, pinnedRootMissing } from '../../model/bundle-settings.ts'
import { errorText } from '../../model/errors.ts'
import { limits } from '../../model/limits.ts'
import { quoted } from '../../model/text.ts'
import { type BundleDocument, readBundle } from '../document.ts'
import { type Evidence, lastRoot, type SignedChannel, type SignedTarget, verifyEvidence } from '../metadata.ts'
import type { Release, Switch } from '../names.ts'
import { sha256Of } from '../../files/digest.ts'

/** The verified metadata that a gate keeps: all of its files, and the roots. */
const bundleActiveBytesMax = 4 * 1024 * 1024

/** The file in which a gate keeps a channel: verified metadata. The bundle that it means is found anew at each load. */
const ActiveFile = z.strictObject({
  format: z.literal(1),
  channel: z.string(),
  activatedAt: z.string(),
  evidence: z.strictObject({
    roots: z.array(z.string()).max(limits.bundleRootsMax),
    timestamp: z.string(),
    snapshot: z.string(),
    targets: z.string(),
    channel: z.string(),
    switch: z.string().optional(),
  }),
})

export const activeFileIn = (folder: string) => join(folder, 'active.json')

/** Reads the metadata that was verified last; `undefined` if there is none of this channel. */
export function lastEvidence(folder: string, channel: string): Evidence | undefined {
  try {
    const active = ActiveFile.parse(JSON.parse(readFileSync(activeFileIn(folder), 'utf8')))
    return active.channel === channel ? active.evidence : undefined
  } catch {
    return undefined
  }
}

/** The folder of a release, named for people; what it holds is verified by its hash. */
export const releaseFolder = (folder: string, { release, sha256 }: SignedTarget) =>
  join(folder, `${release.revision.replace(/[^\w.-]/g, '_')}-${sha256.slice(0, 12)}`)
export const bundleFileIn = (folder: string, target: SignedTarget) =>
  join(releaseFolder(folder, target), 'bundle.json.gz')

/** Reads a file; `undefined` if there is none that can be read. */
type ReadBytes = (file: string, bytesMax: number) => Uint8Array | undefined

/** Where this machine is, for a channel. */
interface MachineView {
  /** The folder in which the gate keeps bundles. */
  readonly folder: string
  /** The text of the pinned root; `undefined` if there is none. */
  readonly pinned: string | undefined
  readonly settings: BundleSettings
  readonly machineId: string
  readonly nowMs: number
  readonly read: ReadBytes
}

/** A verified bundle, and how it counts. */
export interface KeptBundle {
  readonly kind: 'kept'
  readonly signed: SignedChannel
  readonly choice: Choice
  /** Absent if no release is for this machine. */
  readonly bundle: BundleDocument | undefined
  /** Why it is not the one that should be in force. */
  readonly problem: string | undefined
  readonly activatedAt: string
  /** When all this has to be looked at again, ms since the epoch. */
  readonly changesAtMs: number
}

/** Nothing is kept that is verified. */
export interface NothingKept {
  readonly kind: 'nothing'
  readonly why: string
}

/**
 * Reads what is kept, from the pinned root to the bundle.
 *
 * INVARIANT: a bundle is only returned if its hash is signed for by the metadata, and that by the pinned root.
 */
export function readKept(view: MachineView): KeptBundle | NothingKept {
  const { folder, pinned, settings, machineId, nowMs, read } = view
  if (pinned === undefined) return nothing(pinnedRootMissing)
  if (!isRoot(pinned)) return nothing(pinnedRootDamaged)
  const bytes = read(activeFileIn(folder), bundleActiveBytesMax)
  if (bytes === undefined) return nothing('nothing has been fetched yet')
  try {
    const active = ActiveFile.parse(JSON.parse(new TextDecoder().decode(bytes)))
    if (active.channel !== settings.channel) return nothing(`nothing has been fetched of this channel yet`)
    const signed = verifyEvidence(pinned, active.evidence, settings.channel, nowMs)
    const choice = chooseFor(signed, machineId, nowMs)
    const found = choice.target === undefined ? undefined : readable(choice, signed, view)
    const staleMs = (settings.staleDays ?? limits.bundleStaleDays) * 86_400_000
    return {
      kind: 'kept',
      signed,
      choice: found?.choice ?? choice,
      bundle: found?.bundle,
      problem: found?.problem,
      activatedAt: active.activatedAt,
      changesAtMs: changesAt(signed, staleMs, nowMs),
    }
  } catch (error) {
    return nothing(
      error instanceof z.ZodError || error instanceof SyntaxError ? 'active.json is damaged' : errorText(error),
    )
  }
}

function isRoot(text: string): boolean {
  try {
    lastRoot(text, [])
    return true
  } catch {
    return false
  }
}

const nothing = (why: string): NothingKept => ({ kind: 'nothing', why })

/** Reads the chosen bundle or, if its file is damaged, the other one that is kept. */
function readable(choice: Choice, signed: SignedChannel, { folder, machineId, read }: MachineView) {
  const others = neededOf(signed, machineId).filter((one) => one.path !== choice.target?.path)
  const problems: string[] = []
  for (const target of [choice.target, ...others]) {
    if (target === undefined) continue
    const file = bundleFileIn(folder, target)
    try {
      const bundle = bundleOf(target, read(file, limits.bundleBytesMax))
      const isChosen = target === choice.target
      return {
        bundle,
        choice: isChosen
          ? choice
          : { ...choice, target, isNewest: target === signed.newest, mode: target.release.mode },
        problem: problems[0],
      }
    } catch (error) {
      problems.push(`${file}: ${errorText(error)}`)
    }
  }
  throw new Error(problems[0])
}

/** Unpacks a bundle whose hash is signed. @throws Error for any other bytes */
export function bundleOf({ sha256, length, release }: SignedTarget, bytes: Uint8Array | undefined): BundleDocument {
  if (bytes === undefined) throw new Error('the bundle is missing')
  const found = sha256Of(bytes)
  if (bytes.length !== length || found !== sha256) throw new Error('the bundle is not the one that was signed')
  const bundle = readBundle(bytes)
  if (bundle.revision === release.revision && bundle.name === release.name) return bundle
  throw new Error('the bundle has another name or revision than is signed for it')
}

/** Returns the text of the file that keeps evidence. */
export const activeText = (channel: string, evidence: Evidence, nowMs: number): string =>
  `${JSON.stringify({ format: 1, channel, activatedAt: new Date(nowMs).toISOString(), evidence })}\n`

/** Which release is for this machine now, and how it counts. */
interface Choice {
  /** Absent if none is. */
  readonly target: SignedTarget | undefined
  readonly isNewest: boolean
  readonly mode: Release['mode']
  /** Names of rules that only observe, since the kill switch says so. */
  readonly observed: readonly string[]
  /** A sentence for each kill switch that holds. */
  readonly switched: readonly string[]
}

/** Returns whether a release is for a machine: for the same one in every release would never try the others first. */
export function isInCohort({ percent, salt }: Pick<Release, 'percent' | 'salt'>, machineId: string): boolean {
  const digest = createHash('sha256').update(`${salt}\0${machineId}`).digest()
  return digest.readUInt32BE(0) % 10_000 < percent * 100
}

/** Chooses by what is signed, and by nothing else. A switch only loosens, so one that does not arrive changes nothing. */
export function chooseFor({ newest, previous, switches }: SignedChannel, machineId: string, nowMs: number): Choice {
  const thrown = switches.filter(({ from, until }) => from * 1000 <= nowMs && nowMs < until * 1000)
  const isFor = newest !== undefined && isInCohort(newest.release, machineId)
  const goesBack = thrown.some(({ action }) => action.kind === 'previous') && previous !== undefined
  const isNewest = isFor && !goesBack
  const target = isNewest ? newest : previous
  const isObserved = thrown.some(({ action }) => action.kind === 'observe' && action.rule === undefined)
  return {
    target,
    isNewest,
    mode: isObserved ? 'observe' : (target?.release.mode ?? 'observe'),
    observed: thrown.flatMap(({ action }) => (action.kind === 'observe' ? (action.rule ?? []) : [])),
    switched: thrown.map(switchText),
  }
}

/** Returns the releases that this machine needs now, or as soon as a switch is thrown or expires. */
export function neededOf({ newest, previous }: SignedChannel, machineId: string): readonly SignedTarget[] {
  const isFor = newest !== undefined && isInCohort(newest.release, machineId)
  return [...(isFor ? [newest] : []), ...(previous === undefined ? [] : [previous])]
}

/** Returns when a choice may be another one, ms since the epoch: a switch begins or ends, or the time runs out. */
function changesAt({ switches, freshUntilMs }: SignedChannel, staleMs: number, nowMs: number): number {
  const moments = [
    ...switches.flatMap(({ from, until }) => [from * 1000, until * 1000]),
    freshUntilMs,
    freshUntilMs + staleMs,
  ]
  return Math.min(...moments.filter((one) => one > nowMs), Infinity)
}

function switchText({ action, until, reason }: Switch): string {
  const ends = `until ${new Date(until * 1000).toISOString().slice(0, 16)}Z`
  const why = reason === '' ? '' : `: ${reason}`
  switch (action.kind) {
    case 'previous':
      return `the kill switch puts the release before in force ${ends}${why}`
    case 'observe': {
      const what = action.rule === undefined ? 'all rules of the bundle' : quoted(action.rule)
      return `the kill switch lets ${what} only observe ${ends}${why}`
    }
  }
}
