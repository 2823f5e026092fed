import type { RuleSet } from '../model/rule.ts'
import { limits } from '../model/limits.ts'
import type { PolicyLoader } from '../model/policy-loading.ts'
import { placesFor, type RulesOptions } from './places.ts'
import { problemsError, problemText } from '../model/problem.ts'
import { readRules, type RulesRead } from './read-rules.ts'

/** The rules of every workspace a gate is asked about, kept as fresh as their files. */
export interface Rulebook {
  /**
   * The rules in force for some workspace roots: at once while what is known is fresh. Whoever asks while they are read
   * waits for the one reading. Where they do not load, the last that did are in force, and say so in their `alarms`.
   *
   * INVARIANT: a file that is malformed or cannot be read is never taken for one without rules.
   *
   * @throws HookgateError `rulesMalformed` where none have loaded yet, every time until the files are mended
   */
  rulesFor(workspaceRoots: readonly string[]): RuleSet | Promise<RuleSet>
}

interface Page {
  read: RulesRead | undefined
  checkedAtMs: number
  /** While it is being read. */
  reading: Promise<RuleSet> | undefined
}

/** @param onRead told what is wrong with the rules of some workspace roots, whenever they were read: nothing, where they load */
export function openRulebook(
  options: RulesOptions,
  policies: PolicyLoader,
  onRead?: (workspaceRoots: readonly string[], wrong: readonly string[]) => void,
): Rulebook {
  const places = placesFor(options)
  const pages = new Map<string, Page>()

  async function readAnew(page: Page, workspaceRoots: readonly string[]): Promise<RuleSet> {
    try {
      const before = page.read
      page.read = await readRules(places, workspaceRoots, policies, before?.inForce)
      page.checkedAtMs = performance.now()
      before?.release()
      onRead?.(workspaceRoots, wrongWith(page.read))
      // Nobody will come for it any more.
      if (!isKept(page)) page.read.release()
      return inForce(page.read)
    } finally {
      page.reading = undefined
    }
  }

  const isKept = (page: Page) => [...pages.values()].includes(page)

  function newPage(key: string): Page {
    const [oldest] = pages
    if (pages.size >= limits.rulesKeptMax && oldest !== undefined) {
      pages.delete(oldest[0])
      if (oldest[1].reading === undefined) oldest[1].read?.release()
    }
    const page: Page = { read: undefined, checkedAtMs: 0, reading: undefined }
    pages.set(key, page)
    return page
  }

  return {
    rulesFor(workspaceRoots) {
      const key = workspaceRoots.join('\0')
      const page = pages.get(key) ?? newPage(key)
      if (page.reading !== undefined) return page.reading
      const { read } = page
      const nowMs = performance.now()
      if (read !== undefined && nowMs - page.checkedAtMs <= limits.rulesFreshMs) return inForce(read)
      if (read?.unchanged() === true) {
        page.checkedAtMs = nowMs
        return inForce(read)
      }
      page.reading = readAnew(page, workspaceRoots)
      return page.reading
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
