import type { Place } from '../model/errors.ts'
import type { RuleSet, Source } from '../model/rule.ts'
import { discover } from './find/discover.ts'
import { makeDisk } from '../files/disk.ts'
import type { Disk } from '../model/disk.ts'
import type { Loaded } from './load/bind/draft.ts'
import type { HeldDomain, IsTrusted, PolicyLoader } from '../model/policy-loading.ts'
import { alarmsFor } from './alarms.ts'
import { type Contribution, merge } from './merge.ts'
import type { Places } from './places.ts'
import { isError, type Problem, problemText } from '../model/problem.ts'
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
  /** With the trust that each had when it was taken. */
  readonly contributions: readonly Contribution[]
  readonly domains: readonly HeldDomain[]
  readonly readAtMs: number
}

/** @param before what was in force so far, and stays so where what is read cannot be */
export async function readRules(
  places: Places,
  workspaceRoots: readonly string[],
  policies: PolicyLoader,
  before?: InForce,
): Promise<RulesRead> {
  const disk = makeDisk()
  const finding = discover(places, workspaceRoots, disk)
  const sources = [...finding.found, ...(before?.contributions ?? [])].map(({ source }) => source)
  const store = await storeFor(sources, places, disk)
  const trust = sources.length > 0 ? await trustFor(store, places, disk) : undefined
  // Most of this room is about what is in a file: whoever has none does not wait for it.
  const { loadAll } = finding.found.length > 0 ? await import('./load/load-all.ts') : { loadAll: () => [] }
  const isTrusted: IsTrusted = (source, file) => trust?.trusts(source, file) ?? false
  const all = await loadAll(finding.found, disk, { home: places.home, policies, isTrusted })
  const loaded = all.map((one) => one.loaded)
  const domains = all.flatMap(({ domain }) => domain ?? [])
  const readAtMs = Date.now()
  const problems = [...finding.problems, ...loaded.flatMap((one) => one.problems)]
  const errors = problems.filter(isError)
  const isKept = errors.length > 0
  const kept = isKept ? before : undefined
  if (isKept) takeOver(before, domains)
  const notes = store.problem === undefined ? [] : [`no workspace is trusted: ${problemText(store.problem)}`]
  const trustedBy = (by: Trust) =>
    kept?.contributions.map((one) => keptContribution(one, by)) ?? loaded.map((one) => contribution(one, by))
  const contributions = trust === undefined ? [] : trustedBy(trust)
  const inForce = isKept ? kept : { contributions, domains, readAtMs }
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

/** Holds what is to stay in force, and nothing else. */
function takeOver(before: InForce | undefined, read: readonly HeldDomain[]): void {
  before?.domains.forEach((domain) => domain.hold())
  read.forEach((domain) => domain.release())
}

async function trustFor(store: TrustStore, places: Places, disk: Disk): Promise<Trust> {
  return (await import('./trust/trust.ts')).trustBy(store, places, disk)
}

/**
 * INVARIANT: what was not trusted when it was taken is not trusted later, and what was is only as long as the workspace
 * and what it runs are. A rules file that is broken on purpose must not keep scripts trusted that are then changed.
 */
function keptContribution(one: Contribution, trust: Trust): Contribution {
  return {
    ...one,
    rules: one.rules.map((rule) => ({ ...rule, untrustedReason: rule.untrustedReason ?? trust.ofKeptRule(rule) })),
    trusted: one.trusted && trust.ofKeptSource(one.source) === undefined,
  }
}

function contribution({ source, rules, notes, asking, disableAllHooks }: Loaded, trust: Trust): Contribution {
  return {
    source,
    notes,
    asking,
    disableAllHooks,
    rules: rules.map((rule) => ({ ...rule, untrustedReason: trust.ofRule(rule) })),
    // Only where it matters: it costs a look at the file's whole content.
    trusted: disableAllHooks && trust.ofSource(source) === undefined,
  }
}

/** Pins are of interest only where something of a workspace was found. */
async function storeFor(sources: readonly Source[], places: Places, disk: Disk): Promise<TrustStore> {
  const needed = !places.trustWorkspace && sources.some(({ workspaceRoot }) => workspaceRoot !== undefined)
  if (!needed) return { pins: {}, problem: undefined }
  return (await import('./trust/trust-store.ts')).readTrust(places.trustFile, disk)
}
