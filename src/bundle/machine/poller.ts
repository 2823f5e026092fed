import { setTimeout as sleep } from 'node:timers/promises'
import { headerValues } from '../../files/header-values.ts'
import { makeFolders } from '../../files/entries.ts'
import {
  type BundleInForce,
  type BundleState,
  pinnedRootDamaged,
  pinnedRootMissing,
} from '../../model/bundle-settings.ts'
import { errorText } from '../../model/errors.ts'
import { limits } from '../../model/limits.ts'
import { printable } from '../../model/text.ts'
import { machineIdIn, type PollState, pollStateIn, writePollState } from './poll-state.ts'
import type { PollOptions, PollResult } from './poll.ts'

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

export interface PollerOptions {
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
  const { folder, log } = options
  const refused = new Map<string, string>()
  const pollMs = (inForce.settings.poll ?? limits.bundlePollSeconds) * 1000
  let failures = 0
  let before: PollState | undefined
  try {
    makeFolders(folder, 0o700)
    const last = pollStateIn(folder)
    if (last !== undefined && last.channel === inForce.settings.channel) {
      before = { ...last, freshness: inForce.state.freshness }
      for (const line of changesBetween(undefined, before)) log[line.level](line.text)
      onLook(before)
    }
    const isMissing = inForce.state.freshness === 'missing'
    await sleep(firstDelayMs(pollMs, before, isMissing, Date.now()), undefined, { signal })
    while (!signal.aborted) {
      // oxlint-disable-next-line no-await-in-loop -- one look after the other
      const after = await lookNow(inForce, signal, options, refused)
      if (signal.aborted || after === undefined) return
      failures = after.problem === undefined ? 0 : failures + 1
      for (const line of changesBetween(before, after)) log[line.level](line.text)
      onLook(after)
      before = after
      const isWithout = after.freshness === 'missing'
      const nextMs =
        failures === 0 || isWithout
          ? nextDelayMs(isWithout ? Math.min(pollMs, bundleMissingPollMsMax) : pollMs)
          : backoffMs(failures, pollMs)
      // oxlint-disable-next-line no-await-in-loop -- waiting is the point
      await sleep(nextMs, undefined, { signal })
    }
  } catch (error) {
    // A folder that cannot be written, or a system without randomness: what is in force stays so.
    if (!signal.aborted) log.warn(`no bundles are looked for: ${errorText(error)}`)
  }
}

/**
 * Looks at the server, and keeps the result for people and later looks. Where another process looks for the same folder,
 * and there are no rules yet, its end is awaited: two gates that start together both have what one of them fetches.
 *
 * @returns `undefined` if the signal ended it
 */
export async function lookNow(
  inForce: BundleInForce,
  signal: AbortSignal,
  options: Omit<PollerOptions, 'log'>,
  refused = new Map<string, string>(),
): Promise<PollState | undefined> {
  const { folder, current } = options
  makeFolders(folder, 0o700)
  const machineId = machineIdIn(folder, { isNew: true })
  while (!signal.aborted) {
    // oxlint-disable-next-line no-await-in-loop -- one look after the other
    const { isBusy, ...look } = await lookOnce(inForce, { machineId, refused, signal }, options)
    if (signal.aborted) return undefined
    // oxlint-disable-next-line no-await-in-loop -- see above
    const state = (await current()) ?? inForce.state
    if (isBusy !== true || state.freshness !== 'missing') return writePollState(folder, state, look, Date.now())
    // oxlint-disable-next-line no-await-in-loop -- see above
    await sleep(bundleBusyMs, undefined, { signal })
  }
  return undefined
}

/** Time until it is looked again whether another process has ended its look. */
const bundleBusyMs = 100

type LookResult = Pick<PollState, 'problem' | 'notes'> & Pick<PollResult, 'isBusy'>

const failed = (problem: string): LookResult => ({ problem: printable(problem).replaceAll('\n', ' '), notes: [] })

async function lookOnce(
  { settings, pinned, state }: BundleInForce,
  { machineId, refused, signal }: Pick<PollOptions, 'machineId' | 'refused' | 'signal'>,
  { folder, env, check }: Omit<PollerOptions, 'log'>,
): Promise<LookResult> {
  if (pinned === undefined) return failed(pinnedRootMissing)
  if (state.problem === pinnedRootDamaged) return failed(pinnedRootDamaged)
  const headers = headerValues(settings.headers ?? {}, env)
  if (typeof headers === 'string') return failed(headers)
  const limit = AbortSignal.any([signal, AbortSignal.timeout(bundlePollMsMax)])
  const { url, channel } = settings
  try {
    // Loaded late: only a gate that follows a channel needs a client of TUF.
    const { poll } = await import('./poll.ts')
    const { notes, isBusy } = await poll({
      folder,
      pinned,
      url,
      channel,
      headers,
      machineId,
      refused,
      check,
      signal: limit,
    })
    return { notes: notes.map(printable), ...(isBusy && { isBusy }) }
  } catch (error) {
    return failed(errorText(error))
  }
}

/**
 * Returns the time until the first look of a gate. It is due an interval after the last one, whoever made that: at once
 * where there was none, or where each gate ends before its next look. A machine without rules does not wait as long.
 */
export function firstDelayMs(pollMs: number, last: PollState | undefined, isMissing: boolean, nowMs: number): number {
  if (last === undefined) return 0
  const agoMs = nowMs - Date.parse(last.checkedAt)
  const wait = nextDelayMs(isMissing ? Math.min(pollMs, bundleMissingPollMsMax) : pollMs)
  return agoMs < 0 ? 0 : Math.max(0, wait - agoMs)
}

/** The interval of looks, at most, where there are no rules yet: 20,000 such machines are 2,300 requests a second. */
const bundleMissingPollMsMax = 60_000

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
