import type { RuleSet } from '../model/rule.ts'
import { limits } from '../model/limits.ts'
import type { PolicyLoader } from '../model/policy-loading.ts'
import { placesFor, type RulesOptions } from './places.ts'
import { problemsError, problemText } from '../model/problem.ts'
import { readRules, type RulesRead } from './read-rules.ts'

/** The rules of every workspace a gate is asked about, kept as fresh as their files. */
export interface RuleCache {
  /**
   * The rules in force for some workspace roots: at once while what is known is fresh. Whoever asks while they are read
   * waits for the one reading. Where they do not load, the last that did are in force, and say so in their `alarms`.
   *
   * INVARIANT: a file that is malformed or cannot be read is never taken for one without rules.
   *
   * @throws HookgateError `rulesMalformed` where none have loaded yet, every time until the files are fixed
   */
  rulesFor(workspaceRoots: readonly string[]): RuleSet | Promise<RuleSet>
}

interface CacheEntry {
  read: RulesRead | undefined
  checkedAtMs: number
  /** While it is being read. */
  reading: Promise<RuleSet> | undefined
}

/** @param onRead told what is wrong with the rules of some workspace roots, whenever they were read: nothing, where they load */
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
      // Nobody will come for it any more.
      if (!isKept(entry)) entry.read.release()
      return inForce(entry.read)
    } finally {
      entry.reading = undefined
    }
  }

  const isKept = (entry: CacheEntry) => [...entries.values()].includes(entry)

  function newEntry(key: string): CacheEntry {
    const [oldest] = entries
    if (entries.size >= limits.rulesKeptMax && oldest !== undefined) {
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

/** As those who ask for them are told, or not told the rules at all. */
function wrongWith({ ruleSet, inForce: standing, errors }: RulesRead): readonly string[] {
  return standing === undefined ? errors.map(problemText) : ruleSet.alarms
}

function inForce({ ruleSet, inForce: standing, errors }: RulesRead): RuleSet {
  const [first, ...more] = errors
  if (first !== undefined && standing === undefined) throw problemsError([first, ...more])
  return ruleSet
}
