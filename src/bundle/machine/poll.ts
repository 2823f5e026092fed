import { lstatSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { tryLock } from '../../files/lock.ts'
import { makeFolders } from '../../files/entries.ts'
import { replaceFile } from '../../files/replace-file.ts'
import { version } from '../../files/program-files.ts'
import { errorText } from '../../model/errors.ts'
import { bundleError } from '../names.ts'
import type { BundleDocument } from '../document.ts'
import { type SignedTarget, verifyEvidence } from '../metadata.ts'
import { activeFileIn, activeText, bundleFileIn, bundleOf, chooseFor, neededOf, releaseFolder } from './kept.ts'
import { askServer, textAt, type UpdateOptions } from './update.ts'

/** The means of one look at the server. */
export interface PollOptions extends UpdateOptions {
  readonly machineId: string
  /** Loads the rules of a bundle and runs the examples of its policies. @returns what is wrong; empty if nothing is */
  readonly check: (bundle: BundleDocument) => Promise<readonly string[]>
  /** Bundles that failed the check, by their hash, with the reason: they are not loaded again and again. */
  readonly refused: Map<string, string>
}

/** The result of a look at the server. */
export interface PollResult {
  /** True if something was activated. */
  readonly isNew: boolean
  /** Warnings for a person, although the look succeeded. */
  readonly notes: readonly string[]
  /** True if another process looks for the same folder, and this one did not. */
  readonly isBusy?: true
}

/**
 * Looks at the server, and puts what is new into force: fetched, verified, checked and written, and only then pointed at,
 * by one rename. While another gate looks for the same folder, as of a shared volume, this one leaves it to it: the
 * slower one would put an older release back.
 *
 * @throws HookgateError: then what was in force stays so
 */
export async function poll(options: PollOptions): Promise<PollResult> {
  const lock = pollLock(options.folder)
  if (lock === undefined)
    return {
      isNew: false,
      notes: ['another process looks for new bundles in this folder: it holds `poll.lock`'],
      isBusy: true,
    }
  try {
    return await look(options)
  } finally {
    lock.release()
  }
}

/** Takes the lock of all that look for one folder; `undefined` while another process has it. */
export function pollLock(folder: string) {
  makeFolders(folder, 0o700)
  return tryLock(join(folder, 'poll.lock'))
}

async function look(options: PollOptions): Promise<PollResult> {
  const { folder, pinned, channel, machineId } = options
  const news = await askServer(options)
  const nowMs = Date.now()
  const signed = verifyEvidence(pinned, news.evidence, channel, nowMs)
  const { target: chosen } = chooseFor(signed, machineId, nowMs)
  const needed = neededOf(signed, machineId)
  const notes = news.switchProblem === undefined ? [] : [news.switchProblem]
  for (const target of needed) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- there are two at most
      await keep(target, (one) => news.download(one), options)
    } catch (error) {
      if (target === chosen) throw error
      notes.push(errorText(error))
    }
  }
  const file = activeFileIn(folder)
  const before = textAt(file)
  const text = activeText(channel, news.evidence, nowMs)
  const isNew = withoutTime(before) !== withoutTime(text)
  if (isNew) replaceFile(file, Buffer.from(text))
  prune(folder, needed)
  return { isNew, notes }
}

/** Makes sure that a bundle is on the disk, and that its rules load. */
async function keep(
  target: SignedTarget,
  download: (target: SignedTarget) => Promise<Uint8Array>,
  { folder, check, refused }: PollOptions,
): Promise<void> {
  if (isKept(folder, target)) return
  const before = refused.get(target.sha256)
  if (before !== undefined) throw refusal(target, before)
  const bytes = await download(target)
  const bundle = bundleOf(target, bytes)
  const [why, ...more] = isTooNew(bundle) ? [tooNew(bundle)] : await check(bundle)
  if (why !== undefined) {
    const text = more.length === 0 ? why : `${why} (and ${more.length} more)`
    refused.set(target.sha256, text)
    throw refusal(target, text)
  }
  makeFolders(releaseFolder(folder, target), 0o700)
  replaceFile(bundleFileIn(folder, target), bytes)
}

/** Returns whether a bundle needs a newer hookgate. */
function isTooNew({ minGate = '0.0.0' }: BundleDocument): boolean {
  const own = numbers(version())
  const [index, least] = [...numbers(minGate).entries()].find(([at, one]) => one !== (own[at] ?? 0)) ?? [0, 0]
  return least > (own[index] ?? 0)
}
const numbers = (text: string) => text.split('.').map((part) => Number.parseInt(part, 10))
const tooNew = ({ minGate = '' }: BundleDocument) => `it needs hookgate ${minGate}, and this is ${version()}`

const refusal = ({ release }: SignedTarget, why: string) =>
  bundleError(
    'bundleMalformed',
    `the revision ${release.revision} does not load: ${why}`,
    'what is kept stays in force',
  )

function isKept(folder: string, target: SignedTarget): boolean {
  try {
    bundleOf(target, readFileSync(bundleFileIn(folder, target)))
    return true
  } catch {
    return false
  }
}

const withoutTime = (text: string) => text.replace(/"activatedAt":"[^"]*"/, '')

/** Removes releases that are not needed any more. */
function prune(folder: string, needed: readonly SignedTarget[]): void {
  const kept = new Set(needed.map((target) => basename(releaseFolder(folder, target))))
  for (const name of readdirSync(folder)) {
    if (!/-[0-9a-f]{12}$/.test(name) || kept.has(name)) continue
    // A link is no release of ours, and may lead nowhere.
    if (lstatSync(join(folder, name), { throwIfNoEntry: false })?.isDirectory() === true)
      rmSync(join(folder, name), { recursive: true, force: true })
  }
}
