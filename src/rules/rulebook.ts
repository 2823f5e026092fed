import type { RuleSet } from '../model/rule.ts'
import { limits } from '../model/limits.ts'
import { type Places, placesFor, type RulesOptions } from './places.ts'
import { problemsError } from './problem.ts'
import { readRules, type RulesRead } from './read-rules.ts'

/** The rules of every workspace a gate is asked about, kept as fresh as their files. */
export interface Rulebook {
  /**
   * The rules in force for some workspace roots.
   *
   * INVARIANT: a file that is malformed or cannot be read is never taken for one without rules.
   *
   * @throws HookgateError `rulesMalformed`, every time until the file is mended
   */
  rulesFor(workspaceRoots: readonly string[]): RuleSet
}

interface Page {
  rules: RulesRead
  checkedAtMs: number
}

export function openRulebook(options: RulesOptions): Rulebook {
  const places = placesFor(options)
  const pages = new Map<string, Page>()
  return {
    rulesFor(workspaceRoots) {
      const key = workspaceRoots.join('\0')
      const page = pages.get(key) ?? newPage(pages, key, places, workspaceRoots)
      const nowMs = performance.now()
      if (nowMs - page.checkedAtMs > limits.rulesFreshMs) {
        if (!page.rules.unchanged()) page.rules = readRules(places, workspaceRoots)
        page.checkedAtMs = nowMs
      }
      const [first, ...more] = page.rules.errors
      if (first !== undefined) throw problemsError([first, ...more])
      return page.rules.ruleSet
    },
  }
}

function newPage(pages: Map<string, Page>, key: string, places: Places, roots: readonly string[]): Page {
  const [oldest] = pages.keys()
  if (pages.size >= limits.rulesKeptMax && oldest !== undefined) pages.delete(oldest)
  const page = { rules: readRules(places, roots), checkedAtMs: performance.now() }
  pages.set(key, page)
  return page
}
