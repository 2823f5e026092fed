import type { Disk } from '../disk.ts'
import type { Found } from '../find/found.ts'
import { load } from './load.ts'
import { loadPolicies, type WithPolicies } from './policy/load-policies.ts'
import type { PolicyCache } from './policy/policy-cache.ts'
import { withoutConfigured } from './policy/without-configured.ts'

/** Reads everything that was found, and loads the policies in it. */
export function loadAll(
  found: readonly Found[],
  disk: Disk,
  home: string,
  policies: PolicyCache,
): Promise<readonly WithPolicies[]> {
  const drafts = withoutConfigured(found.map((one) => load(one, disk, home)))
  return Promise.all(drafts.map((draft) => loadPolicies(draft, disk, policies)))
}
