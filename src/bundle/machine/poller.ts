import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { headerValues } from '../../files/header-values.ts'
import { makeFolders } from '../../files/entries.ts'
import type { BundleInForce, BundleState } from '../../model/bundle-settings.ts'
import { errorText } from '../../model/errors.ts'
import { limits } from '../../model/limits.ts'
import { printable } from '../../model/text.ts'
import { machineIdIn, type PollState, writePollState } from './poll-state.ts'
import type { PollOptions } from './poll.ts'

/** All requests of one look at the server. */
const bundlePollMsMax = 120_000

/** The longest wait after failures: a server that is back is seen within the hour. */
const bundleBackoffMsMax = 3_600_000

/** Looks for new bundles as long as a gate runs. */
export interface BundlePoller {
  /** Follows the channel that the rules name now; `undefined`: none. */
  use(inForce: BundleInForce | undefined): void
  /** Returns the result of the last look; `undefined` if no channel is followed, or none was made yet. */
  status(): PollState | undefined
  close(): Promise<void>
}

interface PollerOptions {
  /** The folder in which the gate keeps bundles. */
  readonly folder: string
  /** The variables that headers may name. */
  readonly env: Readonly<Record<string, string | undefined>>
  readonly check: PollOptions['check']
  /** Returns what is in force now, read anew. */
  readonly current: () => Promise<BundleState | undefined>
  readonly log: { warn(text: string): void; info(text: string): void }
}

export function openPoller(options: PollerOptions): BundlePoller {
  let followed = ''
  let isOpen = true
  let status: PollState | undefined
  let ending = new AbortController()
  /** One loop ends before the next begins. */
  let loop: Promise<void> = Promise.resolve()

  return {
    use(inForce) {
      const wanted = inForce === undefined ? '' : JSON.stringify([inForce.settings, inForce.pinned])
      if (wanted === followed || !isOpen) return
      followed = wanted
      status = undefined
      ending.abort()
      ending = new AbortController()
      const { signal } = ending
      if (inForce === undefined) return
      const onLook = (state: PollState) => {
        status = state
      }
      loop = loop.then(() => follow(inForce, signal, onLook, options))
    },
    status: () => status,
    async close() {
      isOpen = false
      ending.abort()
      await loop
    },
  }
}

/** Looks again and again until the signal. Never rejects. */
async function follow(
  inForce: BundleInForce,
  signal: AbortSignal,
  onLook: (state: PollState) => void,
  options: PollerOptions,
): Promise<void> {
  const { folder, log, current } = options
  const refused = new Map<string, string>()
  const pollMs = (inForce.settings.poll ?? limits.bundlePollSeconds) * 1000
  let failures = 0
  let before: PollState | undefined
  try {
    makeFolders(folder, 0o700)
    const machineId = machineIdIn(folder, { isNew: true })
    await sleep(firstDelayMs(pollMs, machineId, inForce.state.freshness === 'missing'), undefined, { signal })
    while (!signal.aborted) {
      // oxlint-disable-next-line no-await-in-loop -- one look after the other
      const look = await lookOnce(inForce, { machineId, refused, signal }, options)
      if (signal.aborted) return
      failures = look.problem === undefined ? 0 : failures + 1
      // oxlint-disable-next-line no-await-in-loop -- see above
      const state = (await current()) ?? inForce.state
      const after = writePollState(folder, state, look, Date.now())
      for (const line of changesBetween(before, after)) log[line.level](line.text)
      onLook(after)
      before = after
      const nextMs = failures === 0 ? nextDelayMs(pollMs) : backoffMs(failures, pollMs)
      // oxlint-disable-next-line no-await-in-loop -- waiting is the point
      await sleep(nextMs, undefined, { signal })
    }
  } catch (error) {
    // A folder that cannot be written, or a system without randomness: what is in force stays so.
    if (!signal.aborted) log.warn(`no bundles are looked for: ${errorText(error)}`)
  }
}

type LookResult = Pick<PollState, 'problem' | 'notes'>

const failed = (problem: string): LookResult => ({ problem: printable(problem).replaceAll('\n', ' '), notes: [] })

async function lookOnce(
  { settings, pinned }: BundleInForce,
  { machineId, refused, signal }: Pick<PollOptions, 'machineId' | 'refused' | 'signal'>,
  { folder, env, check }: PollerOptions,
): Promise<LookResult> {
  if (pinned === undefined) return failed('the pinned root is missing beside the managed hooks.json')
  const headers = headerValues(settings.headers ?? {}, env)
  if (typeof headers === 'string') return failed(headers)
  const limit = AbortSignal.any([signal, AbortSignal.timeout(bundlePollMsMax)])
  const { url, channel } = settings
  try {
    // Loaded late: only a gate that follows a channel needs a client of TUF.
    const { poll } = await import('./poll.ts')
    const { notes } = await poll({ folder, pinned, url, channel, headers, machineId, refused, check, signal: limit })
    return { notes: notes.map(printable) }
  } catch (error) {
    return failed(errorText(error))
  }
}

/**
 * Spreads the first looks of all machines over an interval, by the machine and not by chance: also when all start at
 * once. One that has nothing yet does not wait as long.
 */
export function firstDelayMs(pollMs: number, machineId: string, isMissing: boolean): number {
  const part = createHash('sha256').update(`first ${machineId}`).digest().readUInt32BE(0) / 2 ** 32
  return part * (isMissing ? Math.min(pollMs, bundleFirstPollMsMax) : pollMs)
}
/**
 * A machine that has no rules yet does not wait a whole interval for its first look, but at most this: 20,000 new ones at
 * once are 2,300 requests a second.
 */
export const bundleFirstPollMsMax = 60_000

/** Machines that once looked together do not go on doing so. */
export const nextDelayMs = (pollMs: number): number => pollMs * (0.75 + Math.random() / 2)

/** Waits longer after each failure, and never as long as another machine that failed at the same moment. */
function backoffMs(failures: number, pollMs: number): number {
  const longestMs = Math.max(pollMs, Math.min(bundleBackoffMsMax, pollMs * 2 ** (failures - 1)))
  return longestMs * (0.5 + Math.random() / 2)
}

interface LogLine {
  readonly level: 'warn' | 'info'
  readonly text: string
}

/** Returns what a person should know of a change. */
function changesBetween(before: PollState | undefined, after: PollState): readonly LogLine[] {
  const { activated, problem, freshness } = after
  const isSame = before?.activated?.at === activated?.at
  return [
    ...(activated !== undefined && !isSame
      ? [
          {
            level: 'info',
            text: `the bundle ${activated.name} ${activated.revision} is in force: ${activated.mode}`,
          } as const,
        ]
      : []),
    ...(problem !== undefined && before?.problem === undefined
      ? [{ level: 'warn', text: `new bundles cannot be had, and what is in force stays so: ${problem}` } as const]
      : []),
    ...(problem === undefined && before?.problem !== undefined
      ? [{ level: 'info', text: 'new bundles can be had again' } as const]
      : []),
    ...(freshness === 'stale' && before?.freshness === 'fresh'
      ? [{ level: 'warn', text: 'the bundle in force is stale' } as const]
      : []),
  ]
}
