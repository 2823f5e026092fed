import { dirname } from 'node:path'
import { realPath } from '../../files/real-path.ts'
import { turn } from '../../files/turns.ts'
import type { Disk } from '../../model/disk.ts'
import type { CompileBudget, IsTrusted, PolicyLoader } from '../../model/policy-loading.ts'
import type { RuleSource } from '../find/search.ts'
import { workspaceDisk } from '../find/workspace-disk.ts'
import { type LoadedSource, compilePolicies } from './load-policies.ts'
import { type RulesDraft, isBinding } from './draft.ts'
import { load } from './load.ts'
import { openRulesBudgets } from './reading.ts'

/** The dependencies of loading, apart from the files. */
interface Loading {
  readonly home: string
  readonly policies: PolicyLoader
  /** Returns whether a file of a workspace's source is unchanged since the workspace was trusted. */
  readonly isTrusted: IsTrusted
}

/** Reads everything that was found, and loads its policies, those with the most authority first. */
export async function loadAll(
  found: readonly RuleSource[],
  disk: Disk,
  loading: Loading,
): Promise<readonly LoadedSource[]> {
  const { home, policies, isTrusted } = loading
  const rulesBudgets = openRulesBudgets(isTrusted)
  const compileBudgets = policies.openBudgets(isTrusted)
  const disks = ({ source }: RulesDraft) => workspaceDisk(source.workspaceRoot, home, disk)
  const read: { readonly draft: RulesDraft; readonly budget: CompileBudget }[] = []
  for (const one of found) {
    // oxlint-disable-next-line no-await-in-loop -- so that others have their turn between two files
    await turn()
    const draft = load(one, disk, home, rulesBudgets(one.source))
    read.push({ draft, budget: compileBudgets(one.source) })
  }
  const drafts = read.map(({ draft }) => draft)
  const loaded: Promise<LoadedSource>[] = []
  for (const { draft, budget } of read) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other, by their authority
    const start = await compilePolicies(withoutConfigured(draft, drafts), disks(draft), policies, budget)
    const one = start()
    // `Promise.all` below reports it.
    one.catch(() => {})
    loaded.push(one)
  }
  return Promise.all(loaded)
}

/**
 * Drops the policies of a `policies/` folder that the hooks.json beside it names.
 *
 * They are in force as that file says, with its params and matcher, and must not apply a second time by their own
 * definitions.
 *
 * @param all every draft, including this one
 */
function withoutConfigured(draft: RulesDraft, all: readonly RulesDraft[]): RulesDraft {
  const beside = all.filter((other) => other !== draft && isBeside(other, draft))
  const configured = new Set(beside.flatMap(configuredIn))
  if (configured.size === 0) return draft
  const entries = draft.entries.filter(
    (entry) => !isBinding(entry) || entry.written !== undefined || !configured.has(realPath(entry.file)),
  )
  return { ...draft, entries }
}

/** Returns the policies that a rules file names, and all those of its packs, so that disabled rules stay disabled. */
function configuredIn({ entries, claimed }: RulesDraft): readonly string[] {
  const named = entries.filter(isBinding).filter(({ written }) => written !== undefined)
  return [...named.map(({ file }) => file), ...claimed].map(realPath)
}

/** Returns whether a rules file and a folder of policies belong together: same owner, same parent folder. */
function isBeside({ source: rules }: RulesDraft, { source: folder }: RulesDraft): boolean {
  return (
    rules.scope === folder.scope &&
    rules.workspaceRoot === folder.workspaceRoot &&
    dirname(rules.file) === dirname(folder.file)
  )
}
