import { counted } from '../words/counted.ts'
import { isError, type Place, type Problem, problemsError, problemText } from '../model/errors.ts'
import { isOver } from '../model/exception.ts'
import type { RuleSet, Source } from '../model/rule.ts'
import { authority } from '../model/effect.ts'
import { limits } from '../model/limits.ts'
import { discover } from './find/discover.ts'
import { makeDisk } from '../files/disk.ts'
import type { Disk } from '../model/disk.ts'
import type { LoadedRules } from './load/draft.ts'
import type { HeldDomain, IsTrusted, PolicyLoader } from '../model/policy-loading.ts'
import type { switchedOffIn } from './hook-switches.ts'
import type { BundleRules } from './bundle-rules.ts'
import type { BundleInForce } from '../model/bundle-settings.ts'
import { bundleSettingsIn, loosenedProblems } from './machine-settings.ts'
import { changedSet, type Contribution, merge } from './merge.ts'
import { placesFor, type RulesOptions, type RulesPlaces } from './places.ts'
import { withRemote } from './protection.ts'
import { quotedSome } from '../model/text.ts'
import { recordedAgents, withSelfProtection } from './self-protection.ts'
import type { Trust } from './trust/trust.ts'
import type { TrustStore } from './trust/trust-store.ts'

/** The result of reading the rules for some workspace roots. */
export interface RulesRead {
  /**
   * The rules in force: those just read or, while there are `errors`, those in force before.
   *
   * INVARIANT: do not decide with it if there are `errors` and nothing was in force before.
   */
  readonly ruleSet: RuleSet
  /** The contributions of `ruleSet` and when they were read. `undefined` if there is nothing to decide with. */
  readonly inForce: InForce | undefined
  /** The reasons why the files just read are not in force: unreadable or malformed files, policies that do not load. */
  readonly errors: readonly Problem[]
  /** All `errors`, and everything else that is wrong or odd. */
  readonly problems: readonly Problem[]
  /** Those of `problems` that are about exceptions without effect. */
  readonly ineffectiveExceptions: readonly Problem[]
  /** Those of `problems` that are about managed files which others than an administrator can change. */
  readonly unmanaged: readonly Problem[]
  readonly loaded: readonly LoadedRules[]
  /** Returns where a rule is written in its file. */
  placeOf(ruleId: string): Place | undefined
  /** Returns whether reading again would give the same result. */
  unchanged(): boolean
  /** Releases the policies from the sandbox. Must not be called while the rules may still be used to decide. */
  release(): void
}

interface InForce {
  /** Each has the trust it had when it was read. */
  readonly contributions: readonly Contribution[]
  readonly domains: readonly HeldDomain[]
  readonly readAtMs: number
}

/**
 * Reads, loads and merges the rules for some workspace roots.
 *
 * @param before the rules in force so far, which stay in force if the new ones do not load
 */
export async function readRules(
  places: RulesPlaces,
  workspaceRoots: readonly string[],
  policies: PolicyLoader,
  before?: InForce,
): Promise<RulesRead> {
  const own = makeDisk()
  const bundle = await bundleFor(places, own)
  const disk = bundle?.disk ?? own
  const finding = discover(places, workspaceRoots, disk, bundle?.found)
  const sources = [...finding.found, ...(before?.contributions ?? [])].map(({ source }) => source)
  const store = await storeFor(sources, places, disk)
  const trust = await trustFor(sources, store, places, disk)
  // Most of this folder handles file contents: a user without rules does not wait for it to be imported.
  const { loadAll } = finding.found.length > 0 ? await import('./load/load-all.ts') : { loadAll: () => [] }
  const isTrusted: IsTrusted = (source, file) => trust.trusts(source, file)
  const all = await loadAll(finding.found, disk, { home: places.home, drafts: places.drafts, policies, isTrusted })
  const loaded = all.map((one) => bundle?.settle(one.loaded) ?? one.loaded)
  const domains = all.flatMap(({ domain }) => domain ?? [])
  const readAtMs = Date.now()
  const unmanaged = await unmanagedIn(loaded, places)
  const found = [
    ...finding.problems,
    ...loaded.flatMap((one) => one.problems),
    ...disabledInVain(loaded),
    ...loosenedProblems(loaded),
    ...unmanaged,
  ]
  const errors = found.filter(isError)
  // Where rules do not load, an exception of one of them is no mistake.
  const ineffective = errors.length > 0 ? [] : await findIneffective(loaded, workspaceRoots, readAtMs)
  const problems = [...found, ...ineffective]
  const isKept = errors.length > 0
  const kept = isKept ? before : undefined
  if (isKept) takeOver(before, domains)
  const untrusted = store.problem === undefined ? [] : [`no workspace is trusted: ${problemText(store.problem)}`]
  const notes = [...untrusted, ...ineffective.map(problemText)]
  const trustedBy = (by: Trust) =>
    kept?.contributions.map((one) => keptContribution(one, by)) ?? loaded.map((one) => contribution(one, by, readAtMs))
  const contributions = trustedBy(trust)
  const inForce = isKept ? kept : { contributions, domains, readAtMs }
  const alarms = inForce === undefined ? [] : alarmsFor(errors, inForce.readAtMs)
  const lost = all.some((one) => one.lost)
  const merged = merge(contributions, places.clinePrecedence, notes, alarms)
  const agents = recordedAgents(places, disk)
  const isHere = workspaceRoots.length > 0 && agents.length > 0
  const notAsking = isHere ? await switchesIn(workspaceRoots, agents, places, disk) : {}
  const inSet = changedSet(merged, { notAsking })
  return {
    ruleSet: withSelfProtection(withRemote(withBundle(inSet, bundle)), contributions, places, disk),
    inForce,
    errors,
    problems: store.problem === undefined ? problems : [...problems, store.problem],
    ineffectiveExceptions: ineffective,
    unmanaged,
    loaded,
    placeOf: (ruleId) => loaded.map((one) => one.places.get(ruleId)).find((place) => place !== undefined),
    unchanged: () => !lost && disk.unchanged(),
    release: () => inForce?.domains.forEach((domain) => domain.release()),
  }
}

async function switchesIn(...where: Parameters<typeof switchedOffIn>): Promise<RuleSet['notAsking']> {
  return (await import('./hook-switches.ts')).switchedOffIn(...where)
}

/** Reads the signed bundle only where a managed file names one: what verifies it is not small. */
async function bundleFor(places: RulesPlaces, disk: Disk): Promise<BundleRules | undefined> {
  const settings = bundleSettingsIn(places, disk)
  return settings === undefined ? undefined : (await import('./bundle-rules.ts')).bundleRules(places, settings, disk)
}

/** Adds the rule about stale rules, and what is in force of the bundle. */
function withBundle(set: RuleSet, bundle: BundleRules | undefined): RuleSet {
  if (bundle === undefined) return set
  const { staleRule, inForce, alarm } = bundle
  const notes = [...inForce.state.switched, ...set.notes]
  const rules = staleRule === undefined ? set.rules : [staleRule, ...set.rules]
  const alarms = alarm === undefined ? set.alarms : [alarm, ...set.alarms]
  return changedSet(set, { rules, notes, alarms, bundle: inForce })
}

async function unmanagedIn(loaded: readonly LoadedRules[], places: RulesPlaces): Promise<readonly Problem[]> {
  if (loaded.every(({ source }) => source.scope !== 'managed')) return []
  return (await import('./managed-owners.ts')).unmanagedFiles(loaded, places)
}

async function findIneffective(
  loaded: readonly LoadedRules[],
  workspaceRoots: readonly string[],
  nowMs: number,
): Promise<readonly Problem[]> {
  if (loaded.every(({ exceptions }) => exceptions.length === 0)) return []
  return (await import('./load/exceptions.ts')).exceptionProblems(loaded, workspaceRoots, nowMs)
}

/** Warns of rules that a file leaves out of a pack, though a source with more authority has them on: once for each such source. */
function disabledInVain(loaded: readonly LoadedRules[]): readonly Problem[] {
  return loaded.flatMap(({ source, disabled }) => {
    const above = loaded.filter((other) => authority[other.source.scope] > authority[source.scope])
    return above.flatMap(({ source: by, rules }): readonly Problem[] => {
      const kept = disabled.filter(({ rule }) => rules.some(({ id }) => id.endsWith(`/${rule}`)))
      const [first] = kept
      if (first === undefined) return []
      const names = quotedSome([...new Set(kept.map(({ rule }) => rule))])
      const [stay, them] = kept.length === 1 ? ['stays', 'it'] : ['stay', 'them']
      const message = `${names} ${stay} in force: a ${source.scope}'s file cannot switch off rules of ${by.id}`
      const remedy = `leave ${them} out in ${by.file}, or remove this`
      return [{ severity: 'warning', place: first.place, message, remedy }]
    })
  })
}

/** Keeps the domains that stay in force, and releases those that were just loaded. */
function takeOver(before: InForce | undefined, read: readonly HeldDomain[]): void {
  before?.domains.forEach((domain) => domain.hold())
  read.forEach((domain) => domain.release())
}

const trusted = () => undefined
const trustInAll: Trust = {
  ofRule: trusted,
  ofSource: trusted,
  trusts: () => true,
  ofKeptRule: trusted,
  ofKeptSource: trusted,
}

/** Finding the files that a command names takes the facts of shell commands, which only rules of a workspace wait for. */
async function trustFor(
  sources: readonly Source[],
  store: TrustStore,
  places: RulesPlaces,
  disk: Disk,
): Promise<Trust> {
  if (!needsTrust(sources, places)) return trustInAll
  return (await import('./trust/trust.ts')).trustBy(store, places, disk)
}

const needsTrust = (sources: readonly Source[], { trustWorkspace }: RulesPlaces): boolean =>
  !trustWorkspace && sources.some(({ workspaceRoot }) => workspaceRoot !== undefined)

/**
 * Re-evaluates the trust of a contribution that stays in force.
 *
 * INVARIANT: what was untrusted when read never becomes trusted later, and what was trusted stays so only as long as
 * the workspace and the files it runs are. Otherwise a deliberately broken rules file would keep scripts trusted that
 * are changed afterwards.
 */
function keptContribution(one: Contribution, trust: Trust): Contribution {
  return {
    ...one,
    rules: one.rules.map((rule) => ({ ...rule, untrustedReason: rule.untrustedReason ?? trust.ofKeptRule(rule) })),
    trusted: one.trusted && trust.ofKeptSource(one.source) === undefined,
  }
}

/** @param nowMs an exception that is over by then is in force no more, and is not said to be */
function contribution(
  { source, rules, exceptions, notes, asking, ...rest }: LoadedRules,
  trust: Trust,
  nowMs: number,
): Contribution {
  const { disableAllHooks, selfProtection, record, export: exported, remote, approvals, userMaySet, contact } = rest
  return {
    source,
    exceptions: exceptions.filter((one) => !isOver(one, nowMs)),
    notes,
    asking,
    disableAllHooks,
    selfProtection,
    record,
    export: exported,
    remote,
    approvals,
    userMaySet,
    contact,
    rules: rules.map((rule) => ({ ...rule, untrustedReason: trust.ofRule(rule) })),
    // Computed only where it matters, since it hashes the whole file.
    trusted: disableAllHooks && trust.ofSource(source) === undefined,
  }
}

/** Reads the pins only if something was found in a workspace. */
async function storeFor(sources: readonly Source[], places: RulesPlaces, disk: Disk): Promise<TrustStore> {
  if (!needsTrust(sources, places)) return { pins: {}, problem: undefined }
  return (await import('./trust/trust-store.ts')).readTrust(places.trustFile, disk)
}

/** Returns the warnings to show while the last valid rules stay in force because the current files do not load. */
function alarmsFor(errors: readonly Problem[], readAtMs: number): readonly string[] {
  const inForce = `the rules as of ${new Date(readAtMs).toISOString().slice(0, 19)}Z stay in force`
  const named = errors.slice(0, limits.wrongFieldsNamedMax)
  const more = errors.length - named.length
  const lines = named.map((error) => `the rules do not load: ${problemText(error)}; ${inForce}`)
  return more === 0 ? lines : [...lines, `${counted(more, 'more mistake')}: see \`hookgate check\``]
}

/** Caches the rules of every workspace that a gate serves, and rereads them when their files change. */
export interface RuleCache {
  /**
   * Returns the rules in force for some workspace roots, synchronously while the cached ones are fresh.
   *
   * Concurrent callers share one read. If the files do not load, the last valid rules stay in force and report it in
   * their `alarms`.
   *
   * INVARIANT: a malformed or unreadable file is never treated as a file without rules.
   *
   * @throws HookgateError `rulesMalformed` if no rules have loaded yet, on every call until the files are fixed
   */
  rulesFor(workspaceRoots: readonly string[]): RuleSet | Promise<RuleSet>
}

interface CacheEntry {
  read: RulesRead | undefined
  checkedAtMs: number
  /** Set while the rules are being read. */
  reading: Promise<RuleSet> | undefined
}

/**
 * Opens a cache of rules.
 *
 * @param onRead called after each read with the problems of some workspace roots: an empty list if they load
 * @param beforeMissing awaited before rules count that lack the signed ones, which it may fetch
 */
export function openRuleCache(
  options: RulesOptions,
  policies: PolicyLoader,
  onRead?: (workspaceRoots: readonly string[], wrong: readonly string[]) => void,
  beforeMissing?: (bundle: BundleInForce) => Promise<void>,
): RuleCache {
  const places = placesFor(options)
  const entries = new Map<string, CacheEntry>()

  async function readAnew(entry: CacheEntry, workspaceRoots: readonly string[]): Promise<RuleSet> {
    try {
      const before = entry.read
      entry.read = await withFetched(await readRules(places, workspaceRoots, policies, before?.inForce), workspaceRoots)
      entry.checkedAtMs = performance.now()
      before?.release()
      onRead?.(workspaceRoots, wrongWith(entry.read))
      // The entry was evicted while it was read, so no caller will use it again.
      if (!isKept(entry)) entry.read.release()
      return rulesOrFailure(entry.read)
    } finally {
      entry.reading = undefined
    }
  }

  async function withFetched(read: RulesRead, workspaceRoots: readonly string[]): Promise<RulesRead> {
    const { bundle } = read.ruleSet
    if (bundle?.state.freshness !== 'missing' || beforeMissing === undefined) return read
    await beforeMissing(bundle)
    if (read.unchanged()) return read
    const again = await readRules(places, workspaceRoots, policies, read.inForce)
    read.release()
    return again
  }

  const isKept = (entry: CacheEntry) => [...entries.values()].includes(entry)

  function newEntry(key: string): CacheEntry {
    const [oldest] = entries
    if (entries.size >= limits.ruleSetsCachedMax && oldest !== undefined) {
      entries.delete(oldest[0])
      if (oldest[1].reading === undefined) oldest[1].read?.release()
    }
    const entry: CacheEntry = { read: undefined, checkedAtMs: 0, reading: undefined }
    entries.set(key, entry)
    return entry
  }

  return {
    rulesFor(workspaceRoots) {
      const key = workspaceRoots.join('\0')
      const entry = entries.get(key) ?? newEntry(key)
      if (entry.reading !== undefined) return entry.reading
      const { read } = entry
      const nowMs = performance.now()
      if (read !== undefined && nowMs - entry.checkedAtMs <= limits.rulesFreshMs) return rulesOrFailure(read)
      if (read?.unchanged() === true) {
        entry.checkedAtMs = nowMs
        return rulesOrFailure(read)
      }
      entry.reading = readAnew(entry, workspaceRoots)
      return entry.reading
    },
  }
}

/**
 * Returns the problems as callers see them: the alarms and the exceptions without effect, or the errors if no rules are in force, and
 * the agents that do not ask.
 */
function wrongWith({ ruleSet, inForce: active, errors, ineffectiveExceptions }: RulesRead): readonly string[] {
  const notAsking = Object.values(ruleSet.notAsking).flat()
  const own =
    active === undefined ? errors.map(problemText) : [...ruleSet.alarms, ...ineffectiveExceptions.map(problemText)]
  return [...own, ...notAsking]
}

function rulesOrFailure({ ruleSet, inForce: active, errors }: RulesRead): RuleSet {
  const [first, ...more] = errors
  if (first !== undefined && active === undefined) throw problemsError([first, ...more])
  return ruleSet
}
