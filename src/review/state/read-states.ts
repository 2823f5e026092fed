import { aboutLimit, usedOf } from '../../gate/builtin/session-limit.ts'
import type { HookEvent } from '../../model/event.ts'
import type { Json } from '../../model/json.ts'
import type { StateDeclaration, StateKind } from '../../model/past.ts'
import {
  isBuiltinRule,
  isPolicyRule,
  type PolicyRule,
  type Rule,
  type SessionLimit,
  type TokenLimit,
} from '../../model/rule.ts'
import type { PastView } from '../../past/past.ts'
import { evaluateAll, type PolicyDependencies, PolicyList } from '../../policy/policies.ts'
import { shortRuleId } from '../../rules/match/word-pattern.ts'

/** A state of a rule, and its value for one call. */
export interface ReadState {
  /** The rule without its source, and with it. */
  readonly rule: string
  readonly ruleId: string
  /** Absent for a limit, which has one. */
  readonly name?: string
  readonly kind: StateKind | 'limit' | 'tokens'
  /** The subject of a limit, or a policy's description of its state. */
  readonly about?: string
  /** What a limit on calls counts, to be read behind the number: "calls of `fetch` within 1h". */
  readonly counts?: string
  /** How often a limit lets it happen, or how many tokens. */
  readonly most?: number
  /** Absent if there is none, as for a label that nothing has set. */
  readonly value?: Json
  /** The reason why the value is not known. */
  readonly unknown?: string
}

export const limitOf = (rule: Rule): SessionLimit | undefined =>
  isBuiltinRule(rule) && rule.handler.builtin.kind === 'limit' ? rule.handler.builtin : undefined
export const tokenLimitOf = (rule: Rule): TokenLimit | undefined =>
  isBuiltinRule(rule) && rule.handler.builtin.kind === 'tokens' ? rule.handler.builtin : undefined

/** Reads the states of rules for a call, as these rules see them. @param only the one with this name. Default: all */
export async function readStates(
  rules: readonly Rule[],
  view: PastView,
  event: HookEvent,
  dependencies: PolicyDependencies,
  only?: string,
): Promise<readonly ReadState[]> {
  const read: ReadState[] = []
  for (const rule of rules) {
    const about = { rule: shortRuleId(rule), ruleId: rule.id }
    const limit = limitOf(rule)
    if (limit !== undefined)
      read.push({
        ...about,
        kind: 'limit',
        about: aboutLimit(limit),
        ...((limit.what === 'calls' || limit.what === 'atOnce') && { counts: aboutLimit(limit) }),
        most: limit.most,
        value: usedOf(rule.id, limit, view),
      })
    if (!isPolicyRule(rule)) continue
    const { state, digest } = rule.handler
    const wanted = Object.entries(state).filter(([name]) => only === undefined || name === only)
    const isCustom = wanted.some(([, { kind }]) => kind === 'custom')
    // oxlint-disable-next-line no-await-in-loop -- one policy after the other in the one sandbox
    const made = isCustom ? await customValues(rule, view, event, dependencies) : new Map<string, Json>()
    for (const [name, declaration] of wanted) {
      const own = {
        ...about,
        name,
        kind: declaration.kind,
        ...(declaration.description !== undefined && { about: declaration.description }),
      }
      const reading = view.read({ rule: rule.id, name, declaration, code: digest })
      const value = reading.kind === 'value' ? reading.value : made.get(name)
      const isUnknown = reading.kind === 'pending' && value === undefined
      read.push({
        ...own,
        ...(value !== undefined && { value }),
        ...(isUnknown && { unknown: 'the policy fails, or is not there to be asked' }),
      })
    }
  }
  return read
}

/** Has a policy's own `reduce` fold its states, by evaluating the policy. */
async function customValues(
  rule: PolicyRule,
  view: PastView,
  event: HookEvent,
  dependencies: PolicyDependencies,
): Promise<ReadonlyMap<string, Json>> {
  const made = new Map<string, Json>()
  const noting: PastView = {
    ...view,
    read(request) {
      const reading = view.read(request)
      if (reading.kind === 'value') return reading
      const keep = (state: Json) => {
        made.set(request.name, state)
        reading.keep(state)
      }
      return { ...reading, keep }
    },
  }
  const found = event.tool === undefined ? undefined : await dependencies.toolFacts(event)
  await evaluateAll(new PolicyList([rule]), event, found, { ...dependencies, view: noting })
  return made
}

/** Returns whether a value says that nothing has happened. */
export function isEmptyValue(declared: StateDeclaration | 'limit', value: Json | undefined): boolean {
  if (declared === 'limit') return value === 0
  switch (declared.kind) {
    case 'count':
    case 'streak':
      return value === 0
    case 'since':
      return value === false
    case 'label':
    case 'last':
    case 'reused':
      return value === undefined
    case 'budget':
      return spentIn(value) === 0
    case 'custom':
      return value === undefined || JSON.stringify(value) === JSON.stringify(declared.initial)
  }
}

/** Returns how much of a budget is spent. */
export const spentIn = (value: Json | undefined): number =>
  typeof value === 'object' && value !== null && 'spent' in value ? Number(value['spent']) : 0
