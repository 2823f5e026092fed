import { isDeepStrictEqual } from 'node:util'
import type { Evaluation } from '../../model/evaluation.ts'
import type { HookEvent } from '../../model/event.ts'
import type { Exception } from '../../model/exception.ts'
import { limits } from '../../model/limits.ts'
import type { Plan, Rule } from '../../model/rule.ts'
import type { ShellFacts, TouchedPath } from '../../model/shell.ts'
import type { ToolFacts } from '../../model/tool-facts.ts'
import { commandPatternText, shortRuleId, subjectOf } from '../../rules/match/word-pattern.ts'
import { isInside, wayWithin } from '../../words/paths.ts'
import { coverageOf, outermostOf } from './coverage.ts'
import { type ExceptingContext, withExceptions } from './except.ts'

/** An exception with the keys that it has in a rules file. */
export interface ProposedException {
  readonly rule: string
  /** Exactly one of these two. */
  readonly command?: string
  readonly path?: string
  readonly project: string
}

/**
 * Returns the narrowest exceptions that take back an answer of a rule: for exactly its commands or files, in the
 * project of the event.
 *
 * Once an exception is in force, the rule's answer about the rest of the call is another one, with exceptions of its own.
 *
 * @returns undefined if no exception can cover the answer, since not everything that it is about is known
 */
export function propose(
  event: HookEvent,
  facts: ToolFacts,
  rule: Rule,
  evaluation: Evaluation,
): readonly ProposedException[] | undefined {
  if (evaluation.kind !== 'applicable' || evaluation.failure !== undefined) return undefined
  if (evaluation.effect !== 'deny' && evaluation.effect !== 'ask') return undefined
  const { commands = [] } = evaluation
  const project = event.workspaceRoots[0] ?? event.session.cwd
  const named = idForPattern(rule)
  const isWhole = commands.length === 0
  if (event.tool?.kind !== 'shell') {
    // A pattern cannot say that its `*` is the character.
    if (facts.paths.some(({ absolute = '*' }) => absolute.includes('*'))) return undefined
    return checked(facts.paths.map((path) => ({ rule: named, project, path: pathText(path, project) })))
  }
  const own = isWhole ? [...facts.shell.commands.keys()] : commands
  const texts = commandTexts(facts.shell, own)
  if (texts.some(({ length }) => length > limits.exceptionCharactersMax)) return undefined
  return checked(texts.map((command) => ({ rule: named, project, command })))

  /** Returns proposals if they cover the answer. */
  function checked(proposals: readonly ProposedException[]): readonly ProposedException[] | undefined {
    const exceptions = proposals.flatMap((one) => exceptionFrom(one, 'user', 'a proposal') ?? [])
    if (exceptions.length < proposals.length) return undefined
    const coverage = coverageOf(exceptions, event, facts)
    const covers = isWhole ? [coverage.whole()] : commands.map((index) => coverage.command(index))
    return covers.includes(undefined) ? undefined : proposals
  }
}

/**
 * Makes the exception of a proposal.
 *
 * @returns undefined if it cannot be written as a pattern
 */
export function exceptionFrom(
  { rule, command, path, project }: ProposedException,
  scope: Exception['scope'],
  name: string,
  more: Partial<Pick<Exception, 'session' | 'endsAtMs' | 'reason'>> = {},
): Exception | undefined {
  // Proposals name no home directory.
  const subject = subjectOf({ rule, command, path }, '')
  if ('message' in subject) return undefined
  const open = { session: undefined, endsAtMs: undefined, reason: undefined, place: undefined }
  return { ...open, ...more, name, scope, rule, subject, project }
}

/**
 * Returns a rule's short id, or its full id where the short one is only a position in a file, which other files have
 * too.
 */
function idForPattern(rule: Rule): string {
  const short = shortRuleId(rule)
  return /^\w+\[|^permissions\./.test(short) ? rule.id : short
}

/** Returns the patterns of the commands whose words must match, each once. */
function commandTexts(facts: ShellFacts, indices: readonly number[]): readonly string[] {
  const judged = new Set(indices.map((index) => outermostOf(facts, index)))
  return [...new Set([...judged].map((index) => commandText(facts, index)))]
}

function commandText({ commands }: ShellFacts, index: number): string {
  const one = commands[index]
  return commandPatternText([one?.written, ...(one?.args ?? [])].map((word) => word?.value ?? ''))
}

/** Returns a path as a glob that only it matches: from the project's root, or absolute. */
function pathText({ absolute = '' }: TouchedPath, project: string): string {
  return isInside(absolute, project) ? `./${wayWithin(absolute, project)}` : absolute
}

/** Commands of a refused call for which exceptions are proposed: each is tried. Nobody excepts as many by hand. */
const exceptionCommandsMax = 32

/** A rule's answer that is to be taken back. */
interface RestrictingAnswer {
  readonly rule: Rule
  readonly evaluation: Evaluation
}

/**
 * Proposes exceptions that together take back all of some answers: a rule names one command at a time, and the next
 * only once an exception covers the first. So each proposal is tried.
 *
 * @param restricting returns those of the remaining answers that the exceptions should take back
 * @returns the exceptions of each rule, by its id; none for a rule that they cannot take back
 */
export async function proposeAll(
  plan: Plan,
  evaluations: readonly Evaluation[],
  event: HookEvent,
  context: ExceptingContext,
  restricting: (evaluations: readonly Evaluation[]) => readonly RestrictingAnswer[],
): Promise<ReadonlyMap<string, readonly ProposedException[]>> {
  const found = new Map<string, readonly ProposedException[]>()
  const failed = new Set<string>()
  const facts = await context.toolFacts().catch(() => undefined)
  if (facts === undefined || facts.shell.commands.length > exceptionCommandsMax) return found
  let left = restricting(evaluations)
  for (let round = 0; round < limits.exceptionRoundsMax && left.length > 0; round++) {
    for (const { rule, evaluation } of left) {
      const known = found.get(rule.id) ?? []
      const isKnown = (one: ProposedException) => known.some((other) => isDeepStrictEqual(one, other))
      const more = propose(event, facts, rule, evaluation)?.filter((one) => !isKnown(one)) ?? []
      if (more.length === 0) failed.add(rule.id)
      else found.set(rule.id, [...known, ...more])
    }
    const proposed = [...found.values()].flat().flatMap((one) => exceptionFrom(one, 'user', 'a proposal') ?? [])
    const exceptions = [...context.exceptions, ...proposed]
    // oxlint-disable-next-line no-await-in-loop -- each round says what is left for the next
    const tried = await withExceptions(plan, evaluations, event, { ...context, exceptions })
    left = restricting(tried).filter(({ rule }) => !failed.has(rule.id))
  }
  for (const { rule } of left) failed.add(rule.id)
  for (const id of failed) found.delete(id)
  return found
}
