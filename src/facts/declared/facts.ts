import { homedir } from 'node:os'
import { isAbsolute } from 'node:path'
import { limits } from '../../model/limits.ts'
import type { Environment } from '../../model/node-environment.ts'
import type { FactRequest, FactValue } from '../../model/policy.ts'
import { type FactSources, lookUp } from './look-up.ts'
import { rememberFiles } from './remembered-files.ts'
import { lookUpInTime, stuckRoots, type TimedLookup } from '../timed-lookups.ts'

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

export function openFacts({ env: own }: { env: Environment }): Facts {
  const remembered = rememberFiles()
  const stuck = stuckRoots()
  return {
    async gather(requests, env = own) {
      const sources = { env, home: homeOf(env), files: remembered.snapshot() }
      const keys = requests.map((request) => JSON.stringify(request))
      const lookups = new Map(requests.map((request, at) => [keys[at] ?? '', lookupOf(request, sources)]))
      const found = await lookUpInTime(lookups, { ms: limits.factsMs, stuck, skipped: dead })
      return keys.map((key) => found.get(key) ?? late)
    },
  }
}

const lookupOf = (request: FactRequest, sources: FactSources): TimedLookup<FactValue> => ({
  ...(!('env' in request.declaration || 'secretVariables' in request.declaration) && { root: request.root }),
  run: async () => lookUp(request, sources),
})

const late: FactValue = { missing: `took longer than ${limits.factsMs} ms` }
const dead: FactValue = { missing: 'was not looked up: an earlier lookup in the workspace has not finished' }

function homeOf(env: Environment): string {
  const home = env['HOME'] ?? env['USERPROFILE'] ?? ''
  return isAbsolute(home) ? home : homedir()
}
