import { type BundlePoller, openPoller } from '../../bundle/machine/poller.ts'
import { bundlesFolder } from '../../bundle/machine/poll-state.ts'
import { openToolFacts } from '../../facts/tool-call.ts'
import { homeFolder } from '../../files/home-folder.ts'
import type { GatePaths } from '../../files/state/places.ts'
import type { Gate, GateOptions } from '../../gate/gate.ts'
import { openPolicyLoader } from '../../policy/compile/policy-loader.ts'
import { openSandbox } from '../../policy/open-sandbox.ts'
import { placesFor } from '../../rules/places.ts'
import type { Log } from './log.ts'

/** Opens the poller of a gate: what it fetches is tried in a sandbox of its own, beside the one that decides. */
export function openBundles(places: GatePaths, gate: Gate, options: GateOptions, log: Log): BundlePoller {
  const env = options.env ?? process.env
  const current = async () => (await gate.rulesFor({ workspaceRoots: [] })).bundle?.state
  return openPoller({
    folder: bundlesFolder(places.folder),
    env,
    log,
    current: () => current().catch(() => undefined),
    async check(bundle) {
      const { checkBundle } = await import('../../rules/bundle-rules.ts')
      const { managedFolder } = placesFor({ env, home: options.home, managedFolder: options.managedFolder })
      const sandbox = openSandbox('process', openToolFacts(), 1)
      try {
        const home = homeFolder(options.home)
        return await checkBundle(bundle, openPolicyLoader(sandbox, {}), { home, managedFolder })
      } finally {
        await sandbox.close()
      }
    },
  })
}
