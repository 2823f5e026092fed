import type { Place } from '../model/errors.ts'
import type { RuleSet } from '../model/rule.ts'
import { discover } from './find/discover.ts'
import { type Disk, makeDisk } from './disk.ts'
import type { Loaded } from './load/draft.ts'
import type { HeldDomain, PolicyCache } from './load/policy/policy-cache.ts'
import { alarmsFor } from './alarms.ts'
import { type Contribution, merge } from './merge.ts'
import type { Places } from './places.ts'
import { isError, type Problem, problemText } from './problem.ts'
import type { Trust } from './trust/trust.ts'
import type { TrustStore } from './trust/trust-store.ts'

/** Everything that is to be known of the rules for some workspace roots. */
export interface RulesRead {
  /**
   * What is in force: what was read or, while there are `errors`, what was in force before.
   *
   * INVARIANT: not to be decided with where there are `errors` and nothing was in force before.
   */
  readonly ruleSet: RuleSet
  /** What `ruleSet` was made of, and when that was read. `undefined` where there is nothing to decide with. */
  readonly inForce: InForce | undefined
  /** Why what was read is not in force: files that cannot be read or understood, policies that do not load. */
  readonly errors: readonly Problem[]
  /** The same, and everything else that is wrong or odd. */
  readonly problems: readonly Problem[]
  readonly loaded: readonly Loaded[]
  /** Where a rule stands in its file. */
  placeOf(ruleId: string): Place | undefined
  /** Whether another reading would come to the same. */
  unchanged(): boolean
  /** Nobody will decide with it again: its policies leave the sandbox. */
  release(): void
}

interface InForce {
  readonly loaded: readonly Loaded[]
  readonly domains: readonly HeldDomain[]
  readonly readAtMs: number
}

/** @param before what was in force so far, and stays so where what is read cannot be */
export async function readRules(
  places: Places,
  workspaceRoots: readonly string[],
  policies: PolicyCache,
  before?: InForce,
): Promise<RulesRead> {
  const disk = makeDisk()
  const finding = discover(places, workspaceRoots, disk)
  // Most of this room is about what is in a file: whoever has none does not wait for it.
  const { loadAll } = finding.found.length > 0 ? await import('./load/load-all.ts') : { loadAll: () => [] }
  const all = await loadAll(finding.found, disk, places.home, policies)
  const read: InForce = {
    loaded: all.map(({ loaded }) => loaded),
    domains: all.flatMap(({ domain }) => domain ?? []),
    readAtMs: Date.now(),
  }
  const { loaded } = read
  const problems = [...finding.problems, ...loaded.flatMap((one) => one.problems)]
  const errors = problems.filter(isError)
  const inForce = takeOver(read, errors, before)
  const standing = (inForce ?? read).loaded
  const store = await storeFor(standing, places, disk)
  const notes = store.problem === undefined ? [] : [`no workspace is trusted: ${problemText(store.problem)}`]
  // INVARIANT: what was in force before is trusted anew. A rules file that is broken on purpose must not keep scripts
  // trusted that are then changed.
  const contributions = standing.length > 0 ? await trusted(standing, store, places, disk) : []
  const alarms = inForce === undefined ? [] : alarmsFor(errors, inForce.readAtMs)
  const lost = all.some((one) => one.lost)
  return {
    ruleSet: merge(contributions, places.clinePrecedence, notes, alarms),
    inForce,
    errors,
    problems: store.problem === undefined ? problems : [...problems, store.problem],
    loaded,
    placeOf: (ruleId) => loaded.map((one) => one.places.get(ruleId)).find((place) => place !== undefined),
    unchanged: () => !lost && disk.unchanged(),
    release: () => inForce?.domains.forEach((domain) => domain.release()),
  }
}

/** Holds what is to be in force, and nothing else. */
function takeOver(read: InForce, errors: readonly Problem[], before: InForce | undefined): InForce | undefined {
  if (errors.length === 0) return read
  before?.domains.forEach((domain) => domain.hold())
  read.domains.forEach((domain) => domain.release())
  return before
}

async function trusted(standing: readonly Loaded[], store: TrustStore, places: Places, disk: Disk) {
  const { trustBy } = await import('./trust/trust.ts')
  const trust = trustBy(store, places, disk)
  return standing.map((one) => contribution(one, trust))
}

function contribution({ source, rules, notes, disableAllHooks }: Loaded, trust: Trust): Contribution {
  return {
    source,
    notes,
    disableAllHooks,
    rules: rules.map((rule) => ({ ...rule, distrust: trust.ofRule(rule) })),
    // Only where it matters: it costs a look at the file's whole content.
    trusted: disableAllHooks && trust.ofSource(source) === undefined,
  }
}

/** Pins are of interest only where something of a workspace was found. */
async function storeFor(loaded: readonly Loaded[], places: Places, disk: Disk): Promise<TrustStore> {
  const needed = !places.trustWorkspace && loaded.some(({ source }) => source.workspaceRoot !== undefined)
  if (!needed) return { pins: {}, problem: undefined }
  return (await import('./trust/trust-store.ts')).readTrust(places.trustFile, disk)
}
