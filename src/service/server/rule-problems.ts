import { limits } from '../../model/limits.ts'
import { printable } from '../../model/text.ts'
import type { Log } from './log.ts'

/** The problems of the rules that a running gate has read, and of agents there, for its status and its log. */
export interface RuleProblems {
  readonly onRulesRead: (workspaceRoots: readonly string[], wrong: readonly string[]) => void
  /** Problems of the rules that apply everywhere. */
  readonly everywhere: readonly string[]
  /** Problems of workspaces' rules, each with its workspace. */
  readonly inWorkspaces: readonly string[]
  /** The workspace roots of recent events: reading their rules again shows what is wrong there now. */
  readonly workspaces: readonly (readonly string[])[]
}

interface Reported {
  readonly workspaceRoots: readonly string[]
  readonly wrong: readonly string[]
}

export function watchRuleProblems(log: Log): RuleProblems {
  const known = new Map<string, Reported>()
  return {
    onRulesRead(workspaceRoots, wrong) {
      const key = workspaceRoots.join('\0')
      const before = known.get(key)?.wrong ?? []
      for (const line of wrong.filter((one) => !before.includes(one))) log.warn({ workspaceRoots }, line)
      known.delete(key)
      known.set(key, { workspaceRoots, wrong })
      if (wrong.length === 0 && before.length > 0) log.info({ workspaceRoots }, 'the problems are fixed')
      const [oldest] = known.keys()
      // Bounded like the cache of rules.
      if (known.size > limits.ruleSetsCachedMax && oldest !== undefined) known.delete(oldest)
    },
    get everywhere() {
      return (known.get('')?.wrong ?? []).map(printable)
    },
    get inWorkspaces() {
      // A workspace has the rules of the user as well, whose problems are said once.
      const said = new Set((known.get('')?.wrong ?? []).map(withoutTime))
      return [...known.values()]
        .filter(({ workspaceRoots }) => workspaceRoots.length > 0)
        .flatMap(({ workspaceRoots, wrong }) =>
          wrong
            .filter((line) => !said.has(withoutTime(line)))
            .map((line) => printable(`in ${workspaceRoots.join(' and ')}: ${line}`)),
        )
    },
    get workspaces() {
      return [...known.values()].map((one) => one.workspaceRoots)
    },
  }
}

/** Each set of rules was read at another time. */
const withoutTime = (line: string) => line.replace(/the rules as of \S+ /, '')
