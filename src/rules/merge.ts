import type { EventName } from '../model/event.ts'
import type { Exception } from '../model/exception.ts'
import { deepFreeze } from '../model/json.ts'
import { type Rule, RuleSet, type Source } from '../model/rule.ts'
import { authority } from '../model/effect.ts'
import { usualRecord } from '../model/record-settings.ts'
import { quotedSome } from '../model/text.ts'
import { type MachineKeys, machineSettings } from './machine-settings.ts'

/** The rules of one source, and whether the source itself is trusted. */
export interface Contribution extends MachineKeys {
  readonly source: Source
  readonly rules: readonly Rule[]
  readonly notes: readonly string[]
  /** Ids of the hooks that only call hookgate, which would ask itself. */
  readonly asking: readonly string[]
  readonly exceptions: readonly Exception[]
  readonly disableAllHooks: boolean
  /** Matters only together with `disableAllHooks`. */
  readonly trusted: boolean
}

/**
 * Merges all sources into one rule set, in the order given.
 *
 * INVARIANT: a source with less authority adds rules, and never removes or loosens one with more. Whatever removes
 * rules (`disableAllHooks`, Cline's `project` precedence) takes effect from a workspace only once it is trusted.
 */
export function merge(
  contributions: readonly Contribution[],
  clinePrecedence: 'both' | 'project',
  remarks: readonly string[] = [],
  alarms: readonly string[] = [],
): RuleSet {
  // Each Cline script is a contribution of its own, but all of a folder share one source id.
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
    ...launcherNotes(contributions),
    ...enabled.flatMap(exceptionNote),
  ]
  const rules = enabled.flatMap((contribution) => contribution.rules)
  const kept = rules.filter((rule) => {
    const by = clinePrecedence === 'project' ? replacedBy(rule, rules) : undefined
    if (by !== undefined) notes.push(`${rule.id} is replaced by ${by.id}`)
    return by === undefined
  })
  const exceptions = enabled.flatMap((contribution) => contribution.exceptions)
  const { record, export: exported, remote, approvals, contact } = machineSettings(contributions)
  return ruleSet(kept, {
    exceptions,
    notes,
    switchedOff: [...switchedOff],
    alarms,
    record,
    export: exported,
    remote,
    approvals,
    contact,
  })
}

function exceptionNote({ source, exceptions }: Contribution): readonly string[] {
  if (exceptions.length === 0) return []
  const names = quotedSome([...new Set(exceptions.map(({ rule }) => rule))])
  return [
    `${source.id} makes ${exceptions.length === 1 ? 'an exception' : `${exceptions.length} exceptions`} to ${names}`,
  ]
}

/** Returns one note per source for the hooks that only call hookgate: an agent has such an entry at every event. */
function launcherNotes(contributions: readonly Contribution[]): readonly string[] {
  const asking = contributions.flatMap((one) => one.asking.map((id) => ({ id, source: one.source.id })))
  return [...Map.groupBy(asking, ({ source }) => source)].map(([source, [first, ...others]]) =>
    first === undefined || others.length > 0
      ? `${source} has ${others.length + 1} hooks, but they only call hookgate, so hookgate does not run them`
      : `${first.id} only calls hookgate, so hookgate does not run it`,
  )
}

/** Finds the source that disables this one: itself, or a trusted one of at least the same authority. */
function disabledBy({ source }: Contribution, all: readonly Contribution[]): Contribution | undefined {
  return all.find(
    (other) =>
      other.disableAllHooks &&
      (other.source.id === source.id || (other.trusted && authority[other.source.scope] >= authority[source.scope])),
  )
}

/** Finds the project hook that replaces a global one of the same name, as Cline's published reference says. */
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

/** Returns a copy of a rule set with some of its content replaced. */
export const changedSet = (set: RuleSet, changes: Partial<Omit<RuleSet, 'prepared' | 'byEvent'>>): RuleSet =>
  ruleSet(changes.rules ?? set.rules, Object.assign({}, set, changes))

export function ruleSet(
  rules: readonly Rule[],
  {
    exceptions = [],
    notes = [],
    switchedOff = [],
    selfProtectionOff,
    alarms = [],
    notAsking = {},
    record = usualRecord,
    export: exported,
    remote,
    approvals,
    bundle,
    contact,
  }: Partial<Omit<RuleSet, 'rules' | 'byEvent'>> = {},
): RuleSet {
  const byEvent = new Map<EventName, Rule[]>()
  for (const rule of rules) {
    for (const event of rule.match.events) {
      const rulesOfEvent = byEvent.get(event)
      if (rulesOfEvent === undefined) byEvent.set(event, [rule])
      else rulesOfEvent.push(rule)
    }
  }
  const set = new RuleSet({
    rules: [...rules],
    byEvent,
    exceptions: [...exceptions],
    notes: [...notes],
    switchedOff: [...switchedOff],
    ...(selfProtectionOff !== undefined && { selfProtectionOff }),
    alarms: [...alarms],
    notAsking,
    record,
    ...(exported !== undefined && { export: exported }),
    ...(remote !== undefined && { remote }),
    ...(approvals !== undefined && { approvals }),
    ...(bundle !== undefined && { bundle }),
    ...(contact !== undefined && { contact }),
  })
  // Rule sets are handed to embedders, whose changes must not affect the next event.
  return deepFreeze(set)
}
