import { openToolFacts } from '../facts/tool-call.ts'
import type { PolicyLoader } from '../model/policy-loading.ts'
import { openPolicyLoader } from '../policy/compile/policy-loader.ts'
import { openSandbox } from '../policy/open-sandbox.ts'

/**
 * Lends a loader of policies to a command, and then closes its sandbox.
 *
 * @param proving also compile shipped policies and run their examples
 */
export async function withPolicies<T>(use: (policies: PolicyLoader) => Promise<T>, proving = false): Promise<T> {
  // Each thread loads every policy, and a command evaluates few events.
  const sandbox = openSandbox('process', openToolFacts(), { threads: 1 })
  try {
    return await use(openPolicyLoader(sandbox, { proving }))
  } finally {
    await sandbox.close()
  }
}
