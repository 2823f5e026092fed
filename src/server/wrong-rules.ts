import { limits } from '../model/limits.ts'
import { printable } from '../model/text.ts'
import type { Log } from './log.ts'

/** What is wrong with rules that a gate has read, though it goes on: a person who asks, or looks into the log, is told. */
export interface WrongRules {
  readonly told: (workspaceRoots: readonly string[], wrong: readonly string[]) => void
  /** Of those that hold everywhere. */
  readonly everywhere: readonly string[]
  /** Of those of workspaces, each with the one that it is about. */
  readonly inWorkspaces: readonly string[]
  /** Whose rules are to be asked for again by who wants to know whether they have been mended. */
  readonly workspaces: readonly (readonly string[])[]
}

interface Told {
  readonly workspaceRoots: readonly string[]
  readonly wrong: readonly string[]
}

export function watchWrongRules(log: Log): WrongRules {
  const known = new Map<string, Told>()
  return {
    told(workspaceRoots, wrong) {
      const key = workspaceRoots.join('\0')
      const before = known.get(key)?.wrong ?? []
      for (const line of wrong.filter((one) => !before.includes(one))) log.warn({ workspaceRoots }, line)
      known.delete(key)
      if (wrong.length > 0) known.set(key, { workspaceRoots, wrong })
      else if (before.length > 0) log.info({ workspaceRoots }, 'the rules load again')
      const [oldest] = known.keys()
      // No more than there are rules for.
      if (known.size > limits.rulesKeptMax && oldest !== undefined) known.delete(oldest)
    },
    get everywhere() {
      return (known.get('')?.wrong ?? []).map(printable)
    },
    get inWorkspaces() {
      return [...known.values()]
        .filter(({ workspaceRoots }) => workspaceRoots.length > 0)
        .flatMap(({ workspaceRoots, wrong }) =>
          wrong.map((line) => printable(`in ${workspaceRoots.join(' and ')}: ${line}`)),
        )
    },
    get workspaces() {
      return [...known.values()].map((one) => one.workspaceRoots)
    },
  }
}
