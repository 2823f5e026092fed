import { coverageOf } from '../../gate/exceptions/coverage.ts'
import { exceptionFrom, type ProposedException } from '../../gate/exceptions/propose.ts'
import { allowingEntries } from '../../gate/builtin/permitted.ts'
import type { HookEvent } from '../../model/event.ts'
import type { PermissionEntry } from '../../model/rule.ts'
import type { ShellCommand } from '../../model/shell.ts'
import type { ToolFacts } from '../../model/tool-facts.ts'
import { type DangerExample, eventOfDanger } from '../../policy/compile/definition/examples.ts'

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

  /** Finds a danger that a command line is in another form: `rm --force -r /` for `rm -rf /`. */
  async function sameAs(text: string, isCandidate: (example: DangerExample) => boolean): Promise<string | undefined> {
    const [first] = examples
    if (first === undefined) return undefined
    const tool = { kind: 'shell', name: 'Bash', input: { command: text }, command: text } as const
    const { commands } = (await factsOf({ ...eventOfDanger(first), tool })).shell
    const forms = new Set(commands.map(formOf).filter((form) => form !== undefined))
    const programs = commands.map(({ program }) => program).filter((program) => program !== '')
    for (const example of examples) {
      const { command = '' } = example
      if (!isCandidate(example) || !programs.some((program) => command.includes(program))) continue
      // oxlint-disable-next-line no-await-in-loop -- the first is enough
      const run = (await factsOfExample(example)).shell.commands.filter((one) => one.wrapper !== true)
      const [only] = run
      const form = only === undefined || run.length > 1 ? undefined : formOf(only)
      if (form !== undefined && forms.has(form)) return exampleTitle(example)
    }
    return undefined
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
        if (allowingEntries([entry], event, facts, bases) !== undefined) return exampleTitle(example)
      }
      if (!entry.kinds.includes('shell') || entry.pattern === undefined) return undefined
      return sameAs(entry.pattern.replaceAll(String.raw`\*`, '*'), ({ kind }) => kind === 'shell')
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
        if (isCovered || coverage.whole() !== undefined) return exampleTitle(example)
      }
      if (proposed.command === undefined) return undefined
      return sameAs(proposed.command, ({ policy }) => proposed.rule === policy || proposed.rule.endsWith(`/${policy}`))
    },
  }
}

/**
 * Returns a key that is equal for two spellings of a command: the order of options, options written together, and long
 * options for short ones make no difference, nor does the program's folder. Of a long option the first letter counts,
 * so that two commands may be taken for one, and no danger for none. `undefined` if a word is not known.
 */
function formOf({ program, args, uncertain }: ShellCommand): string | undefined {
  if (program === '' || uncertain.length > 0 || args.some(({ unresolved }) => unresolved !== undefined))
    return undefined
  const words = args.map(({ value }) => value)
  const end = words.indexOf('--')
  const isOption = (word: string, index: number) => /^-[^-]|^--./.test(word) && (end < 0 || index < end)
  const options = words
    .filter(isOption)
    .flatMap((word) => (word.startsWith('--') ? [word.charAt(2)] : word.slice(1).split('')))
  const operands = words.filter((word, index) => !isOption(word, index) && index !== end)
  return JSON.stringify([program, [...new Set(options.map((one) => one.toLowerCase()))].toSorted(), operands])
}

const exampleTitle = ({ command, paths: [path], url, name }: DangerExample) => command ?? path ?? url ?? name
