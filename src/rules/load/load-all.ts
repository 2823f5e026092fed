import type { Disk } from '../../model/disk.ts'
import type { Found } from '../find/found.ts'
import type { Draft } from './bind/draft.ts'
import { load } from './load.ts'
import { compilePolicies, type WithPolicies } from './bind/load-policies.ts'
import type { CompileBudget, IsTrusted, PolicyLoader } from '../../model/policy-loading.ts'
import { openRulesBudgets } from './rules-budget.ts'
import { withoutConfigured } from './bind/without-configured.ts'
import { turn } from '../../files/turns.ts'

/** The dependencies of loading, apart from the files. */
export interface Loading {
  readonly home: string
  readonly policies: PolicyLoader
  /** Returns whether a file of a workspace's source is unchanged since the workspace was trusted. */
  readonly isTrusted: IsTrusted
}

/** Reads everything that was found, and loads its policies, those with the most authority first. */
export async function loadAll(found: readonly Found[], disk: Disk, loading: Loading): Promise<readonly WithPolicies[]> {
  const { home, policies, isTrusted } = loading
  const rulesBudgets = openRulesBudgets(isTrusted)
  const compileBudgets = policies.openBudgets(isTrusted)
  const read: { readonly draft: Draft; readonly budget: CompileBudget }[] = []
  for (const one of found) {
    // oxlint-disable-next-line no-await-in-loop -- so that others have their turn between two files
    await turn()
    const draft = load(one, disk, home, rulesBudgets(one.source))
    read.push({ draft, budget: compileBudgets(one.source) })
  }
  const drafts = read.map(({ draft }) => draft)
  const loaded: Promise<WithPolicies>[] = []
  for (const { draft, budget } of read) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other, by their authority
    const start = await compilePolicies(withoutConfigured(draft, drafts), disk, policies, budget)
    const one = start()
    // `Promise.all` below reports it.
    one.catch(() => {})
    loaded.push(one)
  }
  return Promise.all(loaded)
}
