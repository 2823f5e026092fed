import type { HookEvent } from '../model/event.ts'
import type { Evaluation } from '../model/evaluation.ts'
import type { Json } from '../model/json.ts'
import type { FactRequest, FactValue, PolicyCall, PolicyRequest, PolicyResult } from '../model/policy.ts'
import { policyInput } from '../model/policy-input.ts'
import type { PolicyHandler, PolicyRule } from '../model/rule.ts'
import { policyOutcome } from './policy-outcome.ts'

/** What asking policies needs of the world. */
export interface AskingPolicies {
  readonly askPolicies: (request: PolicyRequest, signal?: AbortSignal) => Promise<readonly PolicyResult[]>
  readonly gatherFacts: (requests: readonly FactRequest[]) => Promise<readonly FactValue[]>
  readonly signal: AbortSignal | undefined
}

/** Asks all policies that apply to an event at once: their facts are looked up together, and one message asks them. */
export async function askPolicies(
  rules: readonly PolicyRule[],
  event: HookEvent,
  asking: AskingPolicies,
): Promise<readonly Evaluation[]> {
  if (rules.length === 0) return []
  const facts = factsOf(rules, event)
  const values = facts.length === 0 ? [] : await asking.gatherFacts(facts)
  const results = await asking.askPolicies(requestFor(rules, event, values), asking.signal)
  let first = 0
  return rules.map((rule, index) => {
    const names = Object.keys(rule.handler.facts)
    const own = values.slice(first, (first += names.length))
    return evaluationOf(rule, results[index] ?? unanswered, unknownFacts(names, own))
  })
}

const unanswered: PolicyResult = {
  failure: { code: 'workerLost', message: 'the sandbox did not answer for this policy' },
  durationMs: 0,
}

function evaluationOf(rule: PolicyRule, result: PolicyResult, unknown: readonly string[]): Evaluation {
  const { outcome, remarks } = policyOutcome(result, rule.distrust === undefined)
  const all = [...unknown, ...remarks]
  return {
    ...outcome,
    ruleId: rule.id,
    durationMs: result.durationMs,
    ...(all.length > 0 && { remarks: all }),
  }
}

/** Every declared fact of every rule, one after the other. */
function factsOf(rules: readonly PolicyRule[], event: HookEvent): readonly FactRequest[] {
  return rules.flatMap((rule) =>
    Object.values(rule.handler.facts).map((declaration) => ({
      declaration,
      root: rootFor(rule, event),
      trusted: rule.distrust === undefined,
    })),
  )
}

/** A workspace's own policy is about that workspace; any other is about the root that the call touches. */
function rootFor({ source }: PolicyRule, { workspaceRoots, action, session }: HookEvent): string {
  const path = action?.path
  const touched = path && workspaceRoots.find((root) => path.startsWith(`${root}/`))
  return source.workspaceRoot ?? (touched || workspaceRoots[0]) ?? session.cwd
}

function unknownFacts(names: readonly string[], values: readonly FactValue[]): readonly string[] {
  return values.flatMap((value, index) =>
    'missing' in value ? [`its fact \`${names[index] ?? ''}\` is not known: ${value.missing}`] : [],
  )
}

function requestFor(rules: readonly PolicyRule[], event: HookEvent, facts: readonly FactValue[]): PolicyRequest {
  const values: Json[] = []
  const places = facts.map((fact) => ('value' in fact ? values.push(fact.value) - 1 : -1))
  let first = 0
  const calls = rules.map(({ handler }): PolicyCall => {
    const last = first + Object.keys(handler.facts).length
    const own = places.slice(first, last)
    first = last
    return { domain: handler.domain, policy: handler.index, facts: own, params: paramsText(handler) }
  })
  return { calls, input: JSON.stringify(policyInput(event)), atMs: event.atMs, values }
}

/** Params come from the rules, not from the event: put into words once for as long as the rules are in force. */
function paramsText(handler: PolicyHandler): string {
  const known = paramsTexts.get(handler)
  if (known !== undefined) return known
  const text = JSON.stringify(handler.params)
  paramsTexts.set(handler, text)
  return text
}
const paramsTexts = new WeakMap<PolicyHandler, string>()
