import { isDeepStrictEqual } from 'node:util'
import { subscribedEvents } from '../../agents/event-names.ts'
import { type OwnRule, untranslated } from '../../agents/install/own-rules.ts'
import { makeDisk } from '../../files/disk.ts'
import type { AgentName } from '../../model/event.ts'
import type { JsonObject } from '../../model/json.ts'
import { isError, type Refusal } from '../../model/problem.ts'
import type { Source } from '../../model/rule.ts'
import { isRule } from '../../rules/load/draft.ts'
import { load } from '../../rules/load/load.ts'
import { permissionEntry } from '../../rules/load/permissions.ts'
import { rulesFileEvents } from '../../rules/load/wire.ts'
import { ownHandler } from '../http-groups/own-handler.ts'

type ImportedPermission = Extract<OwnRule, { kind: 'permission' }>
type Untranslated = Extract<OwnRule, { kind: 'untranslated' }>

/** A group with one hook, as it is written into hookgate's rules file. */
interface ImportedHook {
  readonly event: string
  readonly group: JsonObject
}

/** The rules of an agent in hookgate's form, each accepted by the loader, and those that have none. */
export interface Translation {
  readonly permissions: readonly ImportedPermission[]
  readonly hooks: readonly ImportedHook[]
  readonly untranslated: readonly Untranslated[]
}

/** Translates the rules of an agent for a rules file. The loader itself judges what can be expressed. */
export function translate(rules: readonly OwnRule[], agent: AgentName, source: Source, home: string): Translation {
  const permissions: ImportedPermission[] = []
  const hooks: ImportedHook[] = []
  const left: Untranslated[] = []
  const leave = (from: string, what: string, why: string) => {
    const one = untranslated(from, what, why)
    if (one.kind === 'untranslated' && !left.some((other) => isDeepStrictEqual(one, other))) left.push(one)
  }
  for (const rule of rules) {
    if (rule.kind === 'untranslated') leave(rule.from, rule.what, rule.why)
    else if (rule.kind === 'permission') {
      const entry = permissionEntry(rule.text, rule.effect, home)
      if ('message' in entry) leave(rule.from, `${rule.effect} ${rule.text}`, reasonOf(entry))
      else permissions.push(rule)
    } else if (ownHandler(rule.handler) === undefined) {
      const hook = translatedHook(rule, agent)
      const why = hook === undefined ? 'hookgate has no such event' : loadProblem(hook, source, home)
      if (hook === undefined || why !== undefined) leave(rule.from, `a hook at ${rule.event}`, why ?? '')
      else if (!callsHookgate(hook, source, home)) hooks.push(hook)
    }
  }
  return { permissions, hooks, untranslated: left }
}

const reasonOf = ({ message, remedy }: Pick<Refusal, 'message' | 'remedy'>) =>
  remedy === undefined ? message : `${message}; ${remedy}`

function translatedHook(
  { event, matcher, handler }: Extract<OwnRule, { kind: 'hook' }>,
  agent: AgentName,
): ImportedHook | undefined {
  const named = rulesFileEvents.includes(event) ? event : subscribedEvents(agent, event)?.events[0]
  if (named === undefined) return undefined
  return { event: named, group: { ...(matcher !== undefined && { matcher }), hooks: [handler] } }
}

/** Loads a rules file with this hook alone. */
function loaded({ event, group }: ImportedHook, source: Source, home: string) {
  const bytes = Buffer.from(JSON.stringify({ hooks: { [event]: [group] } }))
  const disk = { ...makeDisk(), read: () => bytes }
  return load({ kind: 'file', source, format: 'hookgate' }, disk, home)
}

/** Says why a hook does not load, or is never run. */
function loadProblem(hook: ImportedHook, source: Source, home: string): string | undefined {
  const { problems, entries } = loaded(hook, source, home)
  const error = problems.find(isError)
  if (error !== undefined) return reasonOf(error)
  return entries.filter(isRule).flatMap(({ handler }) => {
    return handler.kind === 'builtin' && handler.builtin.kind === 'unsupported' ? [handler.builtin.why] : []
  })[0]
}

const callsHookgate = (hook: ImportedHook, source: Source, home: string) => loaded(hook, source, home).asking.length > 0
