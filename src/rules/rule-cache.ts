import type { RuleSet } from '../model/rule.ts'
import { limits } from '../model/limits.ts'
import type { PolicyLoader } from '../model/policy-loading.ts'
import { placesFor, type RulesOptions } from './places.ts'
import { problemsError, problemText } from '../model/problem.ts'
import { readRules, type RulesRead } from './read-rules.ts'

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
 */
export function openRuleCache(
  options: RulesOptions,
  policies: PolicyLoader,
  onRead?: (workspaceRoots: readonly string[], wrong: readonly string[]) => void,
): RuleCache {
  const places = placesFor(options)
  const entries = new Map<string, CacheEntry>()

  async function readAnew(entry: CacheEntry, workspaceRoots: readonly string[]): Promise<RuleSet> {
    try {
      const before = entry.read
      entry.read = await readRules(places, workspaceRoots, policies, before?.inForce)
      entry.checkedAtMs = performance.now()
      before?.release()
      onRead?.(workspaceRoots, wrongWith(entry.read))
      // The entry was evicted while it was read, so no caller will use it again.
      if (!isKept(entry)) entry.read.release()
      return inForce(entry.read)
    } finally {
      entry.reading = undefined
    }
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
      if (read !== undefined && nowMs - entry.checkedAtMs <= limits.rulesFreshMs) return inForce(read)
      if (read?.unchanged() === true) {
        entry.checkedAtMs = nowMs
        return inForce(read)
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

function inForce({ ruleSet, inForce: active, errors }: RulesRead): RuleSet {
  const [first, ...more] = errors
  if (first !== undefined && active === undefined) throw problemsError([first, ...more])
  return ruleSet
}
