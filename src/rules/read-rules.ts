import type { Place } from '../model/errors.ts'
import type { RuleSet } from '../model/rule.ts'
import { discover } from './find/discover.ts'
import { type Disk, makeDisk } from './disk.ts'
import { load, type Loaded } from './load/load.ts'
import { type Contribution, merge } from './merge.ts'
import type { Places } from './places.ts'
import { isError, type Problem, problemText } from './problem.ts'
import { type Trust, trustBy } from './trust/trust.ts'
import { readTrust, type TrustStore } from './trust/trust-store.ts'

/** Everything that is to be known of the rules for some workspace roots. */
export interface RulesRead {
  /** What could be understood. INVARIANT: not to be decided with while there are `errors`. */
  readonly ruleSet: RuleSet
  /** Why there is no deciding: files that cannot be read or understood. */
  readonly errors: readonly Problem[]
  /** The same, and everything else that is wrong or odd. */
  readonly problems: readonly Problem[]
  readonly loaded: readonly Loaded[]
  /** Where a rule stands in its file. */
  placeOf(ruleId: string): Place | undefined
  /** Whether all files are as they were when they were read. */
  unchanged(): boolean
}

export function readRules(places: Places, workspaceRoots: readonly string[]): RulesRead {
  const disk = makeDisk()
  const finding = discover(places, workspaceRoots, disk)
  const loaded = finding.found.map((found) => load(found, disk, places.home))
  const problems = [...finding.problems, ...loaded.flatMap((one) => one.problems)]
  const store = storeFor(loaded, places, disk)
  const trust = trustBy(store, places, disk)
  const notes = store.problem === undefined ? [] : [`no workspace is trusted: ${problemText(store.problem)}`]
  const contributions = loaded.map((one) => contribution(one, trust))
  return {
    ruleSet: merge(contributions, places.clinePrecedence, notes),
    errors: problems.filter(isError),
    problems: store.problem === undefined ? problems : [...problems, store.problem],
    loaded,
    placeOf: (ruleId) => loaded.map((one) => one.places.get(ruleId)).find((place) => place !== undefined),
    unchanged: () => disk.unchanged(),
  }
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
function storeFor(loaded: readonly Loaded[], places: Places, disk: Disk): TrustStore {
  const needed = !places.trustWorkspace && loaded.some(({ source }) => source.workspaceRoot !== undefined)
  return needed ? readTrust(places.trustFile, disk) : { pins: {}, problem: undefined }
}
