import { coverageOf } from '../exceptions/coverage.ts'
import { exceptionFrom, type ProposedException } from '../exceptions/propose.ts'
import { allowingEntries } from '../builtin/permitted.ts'
import type { HookEvent } from '../model/event.ts'
import type { PermissionEntry } from '../model/rule.ts'
import type { ToolFacts } from '../model/tool-facts.ts'
import { type DangerExample, eventOfDanger } from '../policy/compile/danger-examples.ts'

/** Tells whether a suggestion would let through a call that the examples of shipped policies refuse or ask about. */
export interface Dangers {
  /** Returns such a call's command or tool; `undefined` if none passes. */
  allowedBy(entry: PermissionEntry): Promise<string | undefined>
  exceptedBy(exception: ProposedException): Promise<string | undefined>
}

type FindEventFacts = (event: HookEvent) => Promise<ToolFacts>

export function openDangers(examples: readonly DangerExample[], factsOf: FindEventFacts): Dangers {
  const known = new Map<DangerExample, Promise<ToolFacts>>()

  function factsOfExample(example: DangerExample): Promise<ToolFacts> {
    const facts = known.get(example) ?? factsOf(eventOfDanger(example))
    known.set(example, facts)
    return facts
  }

  return {
    async allowedBy(entry) {
      const start = /^[^\s*]*/.exec(entry.pattern ?? '')?.[0] ?? ''
      for (const example of examples) {
        if (!entry.kinds.includes(example.kind) || !(example.command ?? '').includes(start)) continue
        const event = eventOfDanger(example)
        // oxlint-disable-next-line no-await-in-loop -- the first is enough
        const facts = await factsOfExample(example)
        const bases = { roots: event.workspaceRoots, cwd: event.session.cwd }
        if (allowingEntries([entry], event, facts, bases) !== undefined) return nameOf(example)
      }
      return undefined
    },
    async exceptedBy(proposed) {
      for (const example of examples) {
        if (proposed.rule !== example.policy && !proposed.rule.endsWith(`/${example.policy}`)) continue
        const event = eventOfDanger(example)
        const exception = exceptionFrom({ ...proposed, project: example.cwd }, 'user', 'a suggestion')
        // oxlint-disable-next-line no-await-in-loop -- the first is enough
        const facts = await factsOfExample(example)
        const coverage = coverageOf(exception === undefined ? [] : [exception], event, facts)
        const isCovered = facts.shell.commands.some((_, index) => coverage.command(index) !== undefined)
        if (isCovered || coverage.whole() !== undefined) return nameOf(example)
      }
      return undefined
    },
  }
}

const nameOf = ({ command, paths: [path], url, name }: DangerExample) => command ?? path ?? url ?? name
