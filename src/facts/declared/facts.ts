import { homedir } from 'node:os'
import { isAbsolute } from 'node:path'
import { limits } from '../../model/limits.ts'
import type { FactRequest, FactValue } from '../../model/policy.ts'
import { lookUp } from './look-up.ts'
import { rememberFiles } from './remembered-files.ts'
import { stuckRoots } from '../stuck-roots.ts'

/** The facts that the host looks up for policies, which have no I/O of their own. */
export interface Facts {
  /**
   * Looks up facts, and returns them in the order of the requests. Never rejects, and takes no longer than
   * `limits.factsMs`. JSON values are shared with later results, so callers must not change them.
   *
   * @param env the event's environment; the gate's own by default
   */
  readonly gather: (requests: readonly FactRequest[], env?: Environment) => Promise<readonly FactValue[]>
}

type Environment = Readonly<Record<string, string | undefined>>

export function openFacts({ env: own }: { env: Environment }): Facts {
  const remembered = rememberFiles()
  const stuck = stuckRoots()
  return {
    async gather(requests, env = own) {
      const world = { env, home: homeOf(env), files: remembered.snapshot() }
      const keys = requests.map((request) => JSON.stringify(request))
      const waiting = new Map(requests.map((request, index) => [keys[index] ?? '', request])).entries()
      const underWay = new Map<string, { readonly root: string; readonly end: Promise<FactValue> }>()
      const found = new Map<string, FactValue>()
      let over = false
      const lane = async () => {
        for (const [key, request] of waiting) {
          const { root } = request
          const end =
            stuck.has(root) && !('env' in request.declaration) ? Promise.resolve(dead) : lookUp(request, world)
          underWay.set(key, { root, end })
          // oxlint-disable-next-line no-await-in-loop -- a lane is what looks at one fact after the other
          found.set(key, await end)
          underWay.delete(key)
          if (over) return
        }
      }
      await withinTime(Promise.all(Array.from({ length: limits.factsAtOnce }, lane)))
      over = true
      for (const { root, end } of underWay.values()) stuck.hold(root, end)
      return keys.map((key) => found.get(key) ?? late)
    },
  }
}
const late: FactValue = { missing: `took longer than ${limits.factsMs} ms` }
const dead: FactValue = { missing: 'was not looked up: an earlier lookup in the workspace has not finished' }

/** Waits for the work, but no longer than `limits.factsMs`. The timer does not keep the process alive. */
async function withinTime(work: Promise<unknown>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, limits.factsMs)
  timer.unref()
  await Promise.race([work, promise])
  clearTimeout(timer)
}

function homeOf(env: Environment): string {
  const home = env['HOME'] ?? env['USERPROFILE'] ?? ''
  return isAbsolute(home) ? home : homedir()
}
