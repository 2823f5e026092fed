import { isDeepStrictEqual } from 'node:util'
import { stricter } from '../model/effect.ts'
import type { HookEvent } from '../model/event.ts'
import type { Handler, Plan, Program, Rule, RuleSet } from '../model/rule.ts'
import { limits } from '../model/limits.ts'
import { meetsCondition, ruleHears } from './match/match.ts'

const emptyPlan: Plan = Object.freeze({ rules: Object.freeze([]) })

/**
 * The rules that apply to an event, in the order of their sources. The same hook from several of them runs once.
 *
 * An event that nothing matches costs about a microsecond: most events of a session are of this kind. Events of one kind
 * have the very same plan where no rule has an `if`.
 */
export function planFor(event: HookEvent, ruleSet: RuleSet): Plan {
  const { rules, plan } = hearing(event, ruleSet)
  return plan ?? planOf(rules.filter((rule) => meetsCondition(rule, event)))
}

function planOf(rules: readonly Rule[]): Plan {
  if (rules.length === 0) return emptyPlan
  const once: Rule[] = []
  for (const rule of rules) {
    const index = once.findIndex((earlier) => isSameHook(earlier, rule))
    const earlier = once[index]
    if (earlier === undefined) once.push(rule)
    else once[index] = onceFor(earlier, rule)
  }
  return Object.freeze({ rules: Object.freeze(once) })
}

/** The rules whose matchers hear an event, and what is planned for it where they have no conditions. */
interface Hearing {
  readonly rules: readonly Rule[]
  readonly plan: Plan | undefined
}

const remembered = new WeakMap<RuleSet, Map<string, Hearing>>()
const nobody: Hearing = Object.freeze({ rules: Object.freeze([]), plan: emptyPlan })

/**
 * Whose matchers hear an event depends on a few words of it alone, and a session says the same few over and over, so
 * what was found for them is remembered, up to `limits.hearingsRememberedMax`.
 */
function hearing(event: HookEvent, ruleSet: RuleSet): Hearing {
  const listening = ruleSet.byEvent.get(event.name)
  if (listening === undefined) return nobody
  const { name, agent, trigger, action } = event
  const key = `${name}\0${agent}\0${action?.tool ?? ''}\0${action?.name ?? ''}\0${trigger ?? ''}`
  const known = remembered.get(ruleSet) ?? new Map<string, Hearing>()
  const found = known.get(key) ?? heardBy(listening.filter((rule) => ruleHears(rule, event)))
  const worthIt = known.size < limits.hearingsRememberedMax && key.length <= limits.rememberedKeyCharactersMax
  if (worthIt) known.set(key, found)
  remembered.set(ruleSet, known)
  return found
}

function heardBy(rules: readonly Rule[]): Hearing {
  const conditional = rules.some(({ match }) => match.condition !== undefined || match.command !== undefined)
  return { rules, plan: conditional ? undefined : planOf(rules) }
}

/** Claude Code's rule: the same command, arguments and `if`, whatever else differs. A plugin's root is part of it. */
function isSameHook(a: Rule, b: Rule): boolean {
  if (!isSameHandler(a.handler, b.handler) || a.match.condition?.text !== b.match.condition?.text) return false
  if (a.match.command?.source !== b.match.command?.source) return false
  // A hook of an agent that has several events for one thing is told another each time.
  return a.match.spelled === b.match.spelled || a.match.tools === b.match.tools
}

function isSameHandler(a: Handler, b: Handler): boolean {
  switch (a.kind) {
    case 'command':
      return (
        b.kind === a.kind &&
        isSameProgram(a.program, b.program) &&
        a.dialect === b.dialect &&
        a.folder === b.folder &&
        isDeepStrictEqual(a.env, b.env)
      )
    case 'policy':
      return b.kind === a.kind && a.file === b.file && isDeepStrictEqual(a.params, b.params)
  }
}

/** Every pair of a plan is compared, so what nearly always differs is looked at first. */
function isSameProgram(a: Program, b: Program): boolean {
  switch (a.form) {
    case 'shell':
      return b.form === a.form && a.command === b.command && a.shell === b.shell
    case 'exec':
      return b.form === a.form && a.file === b.file && isDeepStrictEqual(a.args, b.args)
    case 'script':
      return b.form === a.form && a.file === b.file
  }
}

/**
 * What stands for two copies of one hook, in the place of the earlier.
 *
 * INVARIANT: a copy never loosens the other. The stricter `onFailure` counts, it is waited for if either is, and a
 * trusted one speaks for an untrusted one, never the other way round.
 */
function onceFor(earlier: Rule, later: Rule): Rule {
  const kept = earlier.distrust !== undefined && later.distrust === undefined ? later : earlier
  const onFailure = stricter(earlier.onFailure, later.onFailure)
  const handler = waitedFor(kept.handler, [earlier.handler, later.handler])
  if (kept.onFailure === onFailure && kept.handler === handler) return kept
  return Object.freeze({ ...kept, onFailure, handler })
}

const isUnawaited = (handler: Handler) => (handler.kind === 'command' ? handler.async : false)

function waitedFor(kept: Handler, copies: readonly Handler[]): Handler {
  if (kept.kind === 'policy' || kept.async === copies.every(isUnawaited)) return kept
  return Object.freeze({ ...kept, async: false })
}
