import type { EventName } from '../model/event.ts'
import type { Rule, RuleSet, Scope, Source } from '../model/rule.ts'
import { deepFreeze } from '../model/freeze.ts'

/** A source's rules, and whether the source itself is trusted. */
export interface Contribution {
  readonly source: Source
  readonly rules: readonly Rule[]
  readonly notes: readonly string[]
  readonly asking: readonly string[]
  readonly disableAllHooks: boolean
  /** Of no consequence but with `disableAllHooks`. */
  readonly trusted: boolean
}

const authority: Readonly<Record<Scope, number>> = { managed: 3, explicit: 2, user: 1, project: 0 }

/**
 * Makes one rule set of all sources, in their order.
 *
 * INVARIANT: a lower source adds rules, and never takes away or loosens one of a higher. What takes rules away
 * (`disableAllHooks`, Cline's `project` precedence) is heeded from a workspace only once it is trusted.
 */
export function merge(
  contributions: readonly Contribution[],
  clinePrecedence: 'both' | 'project',
  remarks: readonly string[] = [],
  alarms: readonly string[] = [],
): RuleSet {
  // Each of Cline's scripts is a contribution of its own, of one folder.
  const switchedOff = new Set<string>()
  const enabled = contributions.filter((contribution) => {
    const by = disabledBy(contribution, contributions)
    if (by !== undefined && contribution.rules.length > 0) {
      switchedOff.add(`${contribution.source.id} is switched off by \`disableAllHooks\` in ${by.source.id}`)
    }
    return by === undefined
  })
  const notes = [
    ...switchedOff,
    ...remarks,
    ...contributions.flatMap((contribution) => contribution.notes),
    ...askingNotes(contributions),
  ]
  const rules = enabled.flatMap((contribution) => contribution.rules)
  const kept = rules.filter((rule) => {
    const by = clinePrecedence === 'project' ? replacedBy(rule, rules) : undefined
    if (by !== undefined) notes.push(`${rule.id} is replaced by ${by.id}`)
    return by === undefined
  })
  return ruleSet(kept, { notes, switchedOff: [...switchedOff], alarms })
}

/** Once for each file and folder: an agent has an entry for hookgate at every event. */
function askingNotes(contributions: readonly Contribution[]): readonly string[] {
  const asking = contributions.flatMap((one) => one.asking.map((id) => ({ id, source: one.source.id })))
  return [...Map.groupBy(asking, ({ source }) => source)].map(([source, [first, ...others]]) =>
    first === undefined || others.length > 0
      ? `${source} has ${others.length + 1} hooks, but they only call hookgate, so hookgate does not run them`
      : `${first.id} only calls hookgate, so hookgate does not run it`,
  )
}

/** A source switches off itself, and what has no more authority than it has. */
function disabledBy({ source }: Contribution, all: readonly Contribution[]): Contribution | undefined {
  return all.find(
    (other) =>
      other.disableAllHooks &&
      (other.source.id === source.id || (other.trusted && authority[other.source.scope] >= authority[source.scope])),
  )
}

/** Cline's published reference: a project's hook takes the place of the global one of the same name. */
function replacedBy(rule: Rule, rules: readonly Rule[]): Rule | undefined {
  if (rule.source.scope !== 'user' || !isScript(rule)) return undefined
  return rules.find(
    (other) =>
      other.source.scope === 'project' &&
      isScript(other) &&
      other.match.spelled === rule.match.spelled &&
      other.untrustedReason === undefined,
  )
}

const isScript = ({ handler }: Rule) => handler.kind === 'command' && handler.program.form === 'script'

export function ruleSet(
  rules: readonly Rule[],
  { notes = [], switchedOff = [], alarms = [] }: Partial<Omit<RuleSet, 'rules' | 'byEvent'>> = {},
): RuleSet {
  const byEvent = new Map<EventName, Rule[]>()
  for (const rule of rules) {
    for (const event of rule.match.events) {
      const listening = byEvent.get(event)
      if (listening === undefined) byEvent.set(event, [rule])
      else listening.push(rule)
    }
  }
  // Rules are handed to embedders: what they do to them must not reach the next event.
  return deepFreeze({
    rules: [...rules],
    byEvent,
    notes: [...notes],
    switchedOff: [...switchedOff],
    alarms: [...alarms],
  })
}
