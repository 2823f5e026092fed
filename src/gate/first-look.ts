import { setTimeout as sleep } from 'node:timers/promises'
import type { BundleDocument } from '../bundle/document.ts'
import { pollStateIn } from '../bundle/machine/poll-state.ts'
import { lookNow, type PollerOptions } from '../bundle/machine/poller.ts'
import { openToolFacts } from '../facts/tool-call.ts'
import type { BundleInForce } from '../model/bundle-settings.ts'
import { limits } from '../model/limits.ts'
import { openPolicyLoader } from '../policy/compile/policy-loader.ts'
import { openSandbox } from '../policy/open-sandbox.ts'
import { bundleInForce, checkBundle } from '../rules/bundle-rules.ts'
import { placesFor, type RulesOptions } from '../rules/places.ts'

/** Fetches signed rules before the first decision that would be made without them. */
export interface FirstLook {
  /** Waits until the rules were fetched, or cannot be had, or `limits.bundleFirstLookMs` are over. Never rejects. */
  before(inForce: BundleInForce): Promise<void>
  /** Stops waiting and fetching. */
  end(): void
}

/** Opens it for whoever decides: a resident gate, a process of one event, an embedder's gate. */
export function openFirstLook(where: RulesOptions): FirstLook {
  const ending = new AbortController()
  const { signal } = ending
  const means = bundleMeans(where, signal)
  const refused = new Map<string, string>()
  let waiting: Promise<unknown> | undefined

  async function lookAndWait(inForce: BundleInForce): Promise<void> {
    // A look that takes longer goes on, and what it fetches counts for the decisions after it.
    const looking = lookNow(inForce, signal, means, refused).catch(() => undefined)
    const enough = new AbortController()
    const stopped = AbortSignal.any([signal, enough.signal])
    const time = sleep(limits.bundleFirstLookMs, undefined, { signal: stopped }).catch(() => undefined)
    await Promise.race([looking, time])
    enough.abort()
    void looking.finally(() => (waiting = undefined))
  }

  return {
    async before(inForce) {
      if (signal.aborted || (waiting === undefined && hasJustFailed(inForce, means.folder))) return
      await (waiting ??= lookAndWait(inForce))
    },
    end: () => ending.abort(),
  }
}

/** A server that is away is not asked again for each call: not by this process, nor by one for each event. */
export function hasJustFailed({ settings }: BundleInForce, folder: string): boolean {
  const last = pollStateIn(folder)
  if (last?.problem === undefined || last.channel !== settings.channel) return false
  const agoMs = Date.now() - Date.parse(last.checkedAt)
  return agoMs >= 0 && agoMs < limits.bundleLookAgainMs
}

/** Returns what looking for a bundle takes: fetched bundles are tried in a sandbox of their own, which ends with the look. */
export function bundleMeans(where: RulesOptions, signal?: AbortSignal): Omit<PollerOptions, 'log'> {
  const places = placesFor(where)
  return {
    folder: places.bundlesFolder,
    env: places.env,
    current: async () => (await bundleInForce(places))?.state,
    async check(bundle: BundleDocument) {
      const sandbox = openSandbox('process', openToolFacts(), { threads: 1 })
      const stop = () => sandbox.killAll()
      signal?.addEventListener('abort', stop)
      try {
        return await checkBundle(bundle, openPolicyLoader(sandbox), places)
      } finally {
        signal?.removeEventListener('abort', stop)
        await sandbox.close()
      }
    },
  }
}
