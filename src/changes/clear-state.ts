import { HookgateError } from '../model/errors.ts'
import type { KeptStep } from '../model/past.ts'
import { type Rule, statesByName } from '../model/rule.ts'
import { quoted, quotedSome } from '../model/text.ts'
import { openStepDatabase } from '../past/database.ts'
import { scopeOf } from '../past/store.ts'
import { shortRuleId } from '../rules/match/word-pattern.ts'

/** States of a rule that a person names. */
export interface NamedStates {
  readonly rule: Rule
  readonly states: readonly string[]
}

/** Finds what `RULE.STATE` names, or a limit's RULE alone. @throws HookgateError `usage` if it names none, or several */
export function statesNamed(rules: readonly Rule[], text: string): NamedStates {
  const known = rules.flatMap((rule) => {
    const names = Object.keys(statesByName(rule))
    // A limit is one thing for a person, also where hookgate counts two for it.
    const parts =
      rule.handler.kind === 'builtin'
        ? [{ end: '', states: names }]
        : names.map((name) => ({ end: `.${name}`, states: [name] }))
    return parts.map(({ end, states }) => ({
      rule,
      states,
      id: `${rule.id}${end}`,
      short: `${shortRuleId(rule)}${end}`,
    }))
  })
  const [found, ...others] = known.filter(({ id, short }) => id === text || short === text)
  if (found === undefined) {
    const remedy =
      known.length === 0
        ? 'no rule of this session looks back'
        : `there are ${quotedSome(known.map(({ short }) => short))}`
    throw new HookgateError('usage', `no rule has a state ${quoted(text)}`, { remedy })
  }
  if (others.length === 0) return found
  const ids = quotedSome([found, ...others].map(({ id }) => id))
  throw new HookgateError('usage', `several rules have a state ${quoted(text)}`, { remedy: `name one of ${ids}` })
}

/**
 * Has states begin anew for a session, and whatever else they count together with it: a step says so, which every fold
 * of them honours.
 *
 * @returns the names of what was cleared
 */
export function clearState(file: string, of: KeptStep, { rule, states }: NamedStates): readonly string[] {
  const { agent, session, workspace } = of
  const bare = { text: '', key: '', commands: [], impacts: [], paths: [], hosts: [] }
  const store = openStepDatabase(file)
  try {
    for (const state of states) {
      const cleared = { rule: rule.id, state }
      store.append({ atMs: Date.now(), agent, session, workspace, outcome: 'cleared', cleared, ...bare })
      if (statesByName(rule)[state]?.kind === 'reused') store.forgetValues(scopeOf(of, 'session'))
    }
  } finally {
    store.close()
  }
  const name = shortRuleId(rule)
  return rule.handler.kind === 'builtin' ? [name] : states.map((state) => `${name}.${state}`)
}
