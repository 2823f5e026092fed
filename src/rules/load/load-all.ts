import type { Disk } from '../disk.ts'
import type { Found } from '../find/found.ts'
import type { Source } from '../../model/rule.ts'
import { type Allowance, openAllowances } from '../../policy/compile/allowance.ts'
import type { Draft } from './bind/draft.ts'
import { load } from './load.ts'
import { compilePolicies, type WithPolicies } from './bind/load-policies.ts'
import type { PolicyCache } from '../../policy/compile/policy-cache.ts'
import { withoutConfigured } from './bind/without-configured.ts'
import { turn } from './turns.ts'

/** What reading rules needs beside the files. */
export interface Loading {
  readonly home: string
  readonly policies: PolicyCache
  /** Whether a file of a source that came with a workspace is as it was when it was trusted. */
  trusts(source: Source, file: string): boolean
}

/** Reads everything that was found, and loads the policies in it. What has the most authority waits for nothing else. */
export async function loadAll(found: readonly Found[], disk: Disk, loading: Loading): Promise<readonly WithPolicies[]> {
  const { home, policies } = loading
  const allowances = openAllowances((source, file) => loading.trusts(source, file))
  const read: { readonly draft: Draft; readonly allowance: Allowance }[] = []
  for (const one of found) {
    // oxlint-disable-next-line no-await-in-loop -- so that others have their turn between two files
    await turn()
    const allowance = allowances(one.source)
    read.push({ draft: load(one, disk, home, allowance), allowance })
  }
  const drafts = read.map(({ draft }) => draft)
  const loaded: Promise<WithPolicies>[] = []
  for (const { draft, allowance } of read) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other, by their authority
    const start = await compilePolicies(withoutConfigured(draft, drafts), disk, policies, allowance)
    const one = start()
    // Whoever waits for all of them is told.
    one.catch(() => {})
    loaded.push(one)
  }
  return Promise.all(loaded)
}
