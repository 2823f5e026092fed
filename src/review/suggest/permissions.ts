import { hasShellTrait } from '../../model/shell-traits.ts'
import { join } from 'node:path'
import { shippedFolder, shippedPacks } from '../../files/policy-files.ts'
import { allowingEntries } from '../../gate/builtin/permitted.ts'
import { createGate } from '../../gate/gate.ts'
import { restricts } from '../../model/effect.ts'
import type { HookEvent } from '../../model/event.ts'
import { toolCarries } from '../../model/tool-kinds.ts'
import type { Environment } from '../../model/node-environment.ts'
import type { PermissionEntry } from '../../model/rule.ts'
import type { ShellCommand } from '../../model/shell.ts'
import type { ToolFacts } from '../../model/tool-facts.ts'
import { permissionEntry } from '../../rules/load/permissions.ts'
import { takesSubcommand } from '../../rules/match/pattern.ts'
import type { Dangers } from './dangers.ts'
import type { Question } from './questions.ts'

/** A call with the facts about it. */
export interface CallWithFacts {
  readonly event: HookEvent
  readonly facts: ToolFacts
}

/** A line for `permissions.allow`. */
export interface SuggestedPermission {
  readonly text: string
  /** The number of questions about calls that it allows, by itself or with other suggested lines. */
  readonly spares: number
  /** Calls of the record that it also allows, and that led to no question. */
  readonly alsoAllows: readonly string[]
}

/** A line that was considered, and the example of a danger that it would let through. */
export interface RejectedSuggestion {
  readonly text: string
  readonly danger: string
}

interface PermissionChoice {
  readonly chosen: readonly SuggestedPermission[]
  readonly rejected: readonly RejectedSuggestion[]
}

/** Questions of agents with the lines that would spare each: all of them are needed. */
interface Need {
  readonly question: Question & CallWithFacts
  readonly entries: readonly PermissionEntry[]
}

/**
 * Chooses the lines that would have spared the most questions.
 *
 * A line is about the command of one question or, if several questions were about the same program and subcommand,
 * about all commands of these. No line lets a known danger through.
 */
export async function choosePermissions(
  questions: readonly (Question & CallWithFacts)[],
  others: readonly CallWithFacts[],
  dangers: Pick<Dangers, 'allowedBy'> & { readonly objectionTo: ObjectionTo },
  { home, leastTimes, max }: { readonly home: string; readonly leastTimes: number; readonly max: number },
): Promise<PermissionChoice> {
  const rejected = new Map<string, string>()
  const judged = new Map<string, PermissionEntry | undefined>()

  async function usable(text: string): Promise<PermissionEntry | undefined> {
    if (judged.has(text)) return judged.get(text)
    const parsed = permissionEntry(text, 'allow', home)
    const entry = 'kinds' in parsed ? parsed : undefined
    const danger = entry === undefined ? undefined : ((await dangers.allowedBy(entry)) ?? openEnd(entry))
    if (danger !== undefined) rejected.set(text, danger)
    const result = danger === undefined ? entry : undefined
    judged.set(text, result)
    return result
  }

  const open: (Question & CallWithFacts)[] = []
  const grave = new Set<string>()
  for (const question of questions) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other, in one sandbox
    const objection = await dangers.objectionTo(question.event)
    if (objection === undefined) open.push(question)
    else
      for (const { exact, prefix = exact } of partsOf(question)) {
        rejected.set(exact, objection)
        grave.add(prefix)
      }
  }
  const wide = wideTexts(open)
  const needs: Need[] = []
  for (const question of open) {
    // oxlint-disable-next-line no-await-in-loop -- each may reject what the next would need
    const found = await Promise.all(
      partsOf(question).map(async ({ exact, prefix }) => {
        const wider = prefix !== undefined && wide.has(prefix) && !grave.has(prefix) ? await usable(prefix) : undefined
        return wider ?? usable(exact)
      }),
    )
    const entries = found.filter((one) => one !== undefined)
    if (entries.length < found.length || !isAllowed(entries, question)) continue
    needs.push({ question, entries })
  }
  return { chosen: mostSparing(needs, others, leastTimes, max), rejected: rejectedTexts(rejected) }
}

/**
 * Says why a line about all commands of a subcommand is too wide. A star is any option and operand, also those that nobody
 * was asked about: `kubectl get *` allows `--kubeconfig`, whose file may name a program, and `--raw /api/v1/secrets`.
 */
function openEnd({ pattern = '' }: PermissionEntry): string | undefined {
  const [, prefix] = /^(.+) \*$/.exec(pattern) ?? []
  if (prefix === undefined || onlyShow.has(prefix)) return undefined
  return `options of \`${prefix}\` that run, read, write or send anything`
}

/** Subcommands of which no option or operand, of the program's own ones too, runs, writes or sends anything. */
const onlyShow: ReadonlySet<string> = new Set(
  ['docker', 'podman']
    .flatMap((engine) => [`${engine} ps`, `${engine} images`, `${engine} port`])
    .concat('git status', 'git ls-files', 'git merge-base', 'git rev-parse', 'rustup show'),
)

const rejectedTexts = (rejected: ReadonlyMap<string, string>) =>
  [...rejected].map(([text, danger]) => ({ text, danger }))

function mostSparing(
  needs: readonly Need[],
  others: readonly CallWithFacts[],
  leastTimes: number,
  max: number,
): readonly SuggestedPermission[] {
  const spares = new Map<PermissionEntry, number>()
  for (const { entries, question } of needs)
    for (const entry of new Set(entries)) spares.set(entry, (spares.get(entry) ?? 0) + question.times)
  return [...spares]
    .filter(([, times]) => times >= leastTimes)
    .toSorted(([a, x], [b, y]) => y - x || (a.text < b.text ? -1 : 1))
    .slice(0, max)
    .map(([entry, times]) => ({
      text: entry.text,
      spares: times,
      alsoAllows: [...new Set(others.filter((call) => isAllowed([entry], call)).map(({ event }) => subjectOf(event)))],
    }))
}

const subjectOf = ({ tool }: HookEvent) => tool?.command ?? tool?.url ?? tool?.path ?? tool?.name ?? ''

function isAllowed(entries: readonly PermissionEntry[], { event, facts }: CallWithFacts): boolean {
  const bases = { roots: event.workspaceRoots, cwd: event.session.cwd }
  return allowingEntries(entries, event, facts, bases) !== undefined
}

/** A part of a call that needs a line of its own. */
interface CallPart {
  readonly exact: string
  /** The line about all commands of the same program and subcommand. */
  readonly prefix?: string
}

function partsOf({ event, facts }: CallWithFacts): readonly CallPart[] {
  const { tool } = event
  if (tool === undefined) return []
  switch (toolCarries[tool.kind].subject) {
    case 'command':
      return facts.shell.commands.filter((command) => !hasShellTrait(command, 'changesFolder')).map(partOfCommand)
    case 'url': {
      const host = URL.parse(tool.url ?? '')?.hostname
      return host === undefined || hasStar(host) ? [] : [{ exact: `WebFetch(domain:${host})` }]
    }
    case 'input':
      return tool.kind !== 'mcp' || hasStar(tool.name) ? [] : [{ exact: tool.name }]
    case 'path':
      return []
  }
}

/** A line would take the star of a host or a tool, which a model can write, for any text. */
const hasStar = (text: string) => text.includes('*')

function partOfCommand({ written, args }: ShellCommand): CallPart {
  const words = [written, ...args].map((word) => word?.value ?? '')
  const [program = '', subcommand] = words.map((word) => word.replaceAll('*', String.raw`\*`))
  const exact = `Bash(${words.join(' ').replaceAll('*', String.raw`\*`)})`
  const isNamed = subcommand !== undefined && /^[a-z][\w:-]*$/.test(subcommand) && words.length > 2
  return isNamed && takesSubcommand.has(program) ? { exact, prefix: `Bash(${program} ${subcommand} *)` } : { exact }
}

/** Returns the wider lines, each about several commands that led to questions. */
function wideTexts(questions: readonly CallWithFacts[]): ReadonlySet<string> {
  const parts = questions.flatMap(partsOf)
  const byPrefix = Map.groupBy(
    parts.filter(({ prefix }) => prefix !== undefined),
    ({ prefix }) => prefix ?? '',
  )
  return new Set(
    [...byPrefix].filter(([, all]) => new Set(all.map(({ exact }) => exact)).size > 1).map(([text]) => text),
  )
}

/** Says what a policy that hookgate ships has against a call, though nobody has turned it on; `undefined` if none has. */
type ObjectionTo = (event: HookEvent) => Promise<string | undefined>

export async function withShippedRules<T>(
  { home, env }: { readonly home: string; readonly env: Environment },
  use: (objectionTo: ObjectionTo) => Promise<T>,
): Promise<T> {
  const rules = shippedPacks().map((name) => join(shippedFolder, name))
  const gate = createGate({ rules, discover: false, home, env })
  try {
    return await use(async (event) => {
      // What an agent has asked about came before its permission prompt.
      const { decision, determining } = await gate.decide({ ...event, name: 'PreToolUse' })
      const [id = ''] = determining
      return restricts(decision)
        ? `what ${id.slice(id.lastIndexOf('/') + 1)} ${decision === 'deny' ? 'refuses' : 'asks about'}`
        : undefined
    })
  } finally {
    await gate.close()
  }
}
