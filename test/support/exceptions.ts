import { evaluateBuiltin } from '../../src/gate/builtin/evaluate.ts'
import { coverageOf } from '../../src/gate/exceptions/coverage.ts'
import { withExceptions } from '../../src/gate/exceptions/except.ts'
import { openEventFacts } from '../../src/facts/tool-call.ts'
import { toolKind } from '../../src/agents/tool-names.ts'
import type { HookEvent } from '../../src/model/event.ts'
import type { Evaluation } from '../../src/model/evaluation.ts'
import type { Exception } from '../../src/model/exception.ts'
import { type BuiltinRule, Plan } from '../../src/model/rule.ts'
import type { Scope } from '../../src/model/effect.ts'
import type { ToolFacts } from '../../src/model/tool-facts.ts'
import { permissionEntry } from '../../src/rules/load/permissions.ts'
import { subjectOf } from '../../src/rules/match/word-pattern.ts'
import { ruleNamed, shellEvent } from './plans.ts'

export const root = '/home/someone/project'
const home = '/home/someone'

/** The keys of an exception as in a rules file, and its authority. */
export interface WrittenException {
  readonly rule?: string
  readonly command?: string
  readonly path?: string
  readonly project?: string
  readonly session?: string
  readonly endsAtMs?: number
  readonly scope?: Scope
}

/** Makes an exception of the rule that `refusing` makes. */
export function exceptionOf({ rule = 'permissions.deny', scope = 'user', ...more }: WrittenException): Exception {
  const subject = subjectOf({ rule, command: more.command, path: more.path }, home)
  if ('message' in subject) throw new Error(subject.message)
  const { project, session, endsAtMs } = more
  const open = { reason: undefined, place: undefined }
  return { ...open, name: 'user:hooks.json#exceptions[0]', scope, rule, subject, project, session, endsAtMs }
}

/** Makes the rule of a list in `permissions.deny`. */
export function refusing(entries: readonly string[], scope: Scope = 'user'): BuiltinRule {
  const rule = ruleNamed(`${scope}:hooks.json#permissions.deny`, 'block')
  const read = entries.map((text) => {
    const entry = permissionEntry(text, 'deny', home)
    if ('message' in entry) throw new Error(entry.message)
    return entry
  })
  const source = { ...rule.source, id: `${scope}:hooks.json`, scope }
  const builtin = { kind: 'permissions', effect: 'deny', entries: read } as const
  return { ...rule, source, handler: { kind: 'builtin', builtin } }
}

/** Makes the event of a shell command, or of a file tool with a path. */
export function callOf(
  call: string | { readonly tool: string; readonly path: string; readonly glob?: string },
  cwd = root,
): HookEvent {
  const { tool: name, ...more } = typeof call === 'string' ? { tool: 'Bash', command: call } : call
  const paths = 'path' in more ? { paths: [more.path] } : {}
  const { glob: _, ...fields } = { glob: '', ...more }
  const tool = { name, kind: toolKind('claude-code', name), input: { ...more }, ...fields, ...paths }
  return { ...shellEvent, tool, session: { id: 's1', cwd }, workspaceRoots: [cwd] }
}

export const factsOf = (event: HookEvent): Promise<ToolFacts> => openEventFacts(home)(event, { HOME: home })

/** Evaluates built-in rules on a call, and takes back what exceptions cover. */
export async function judged(
  rules: readonly BuiltinRule[],
  exceptions: readonly Exception[],
  event: HookEvent,
  nowMs = 0,
): Promise<readonly Evaluation[]> {
  const facts = await factsOf(event)
  const evaluate = (rule: BuiltinRule, on: ToolFacts): Evaluation => ({
    ...evaluateBuiltin(rule, event, on).outcome,
    ruleId: rule.id,
    durationMs: 0,
  })
  return withExceptions(
    new Plan(rules),
    rules.map((rule) => evaluate(rule, facts)),
    event,
    {
      exceptions,
      nowMs,
      toolFacts: async () => facts,
      evaluateAgain: async ({ id }, on) => rules.filter((rule) => rule.id === id).map((rule) => evaluate(rule, on)),
    },
  )
}

/** Returns what is left of a refusal of every shell command: `deny`, `ask` or `none`. */
export async function leftOf(
  entries: readonly string[],
  exceptions: readonly (WrittenException | string)[],
  event: HookEvent | string,
): Promise<string> {
  const written = exceptions.map((one) => exceptionOf(typeof one === 'string' ? { command: one } : one))
  const [left] = await judged([refusing(entries)], written, typeof event === 'string' ? callOf(event) : event)
  return left?.kind === 'applicable' ? (left.effect ?? 'none') : 'none'
}

/** Returns whether exceptions cover all of a call. */
export async function isCoveredWhole(exceptions: readonly WrittenException[], event: HookEvent): Promise<boolean> {
  return coverageOf(exceptions.map(exceptionOf), event, await factsOf(event)).whole() !== undefined
}
