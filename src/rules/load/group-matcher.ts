import { agentNames } from '../../agents/registry.ts'
import type { AgentName } from '../../model/event.ts'
import { isJsonObject } from '../../model/json.ts'
import type { JsonPath } from '../../model/problem.ts'
import type { Matcher, Rule } from '../../model/rule.ts'
import { compileMatcher, matcherWarnings, matchesNothing } from '../match/matcher.ts'
import type { Format } from '../places.ts'
import { problem, refuse, type RulesFileState } from './reading.ts'
import { unmatchedRule } from './unsupported-hook.ts'

/** The agent that the hooks of a file were written for, unless they name another. */
const agentOf: Readonly<Record<Format, AgentName>> = {
  hookgate: 'claude-code',
  settings: 'claude-code',
  copy: 'claude-code',
  plugin: 'claude-code',
  cline: 'cline',
}

interface GroupMatcher {
  readonly matcher: Matcher
  /** A rule that says that it matches nothing. */
  readonly told: readonly Rule[]
}

/**
 * Compiles the matcher of a group. One that no tool can match leaves the hooks of other agents as silent as they are
 * there; a policy has no other agent, and is refused.
 */
export function groupMatcher(
  reading: RulesFileState,
  id: string,
  { matcher: text, hooks }: { readonly matcher?: string | undefined; readonly hooks: readonly unknown[] },
  events: Rule['match']['events'],
  path: JsonPath,
): GroupMatcher | undefined {
  const { format } = reading
  const named = hooks.flatMap((hook) => (isJsonObject(hook) ? (hook['dialect'] ?? []) : []))
  const agent = agentNames.find((name) => name === named[0]) ?? agentOf[format]
  const matcher = compileMatcher(text, events, format, agent)
  if (matcher.kind === 'refused') return refuse(reading, matcher, path)
  const warnings = matcherWarnings(text, events, format, agent)
  const isDead = matchesNothing(matcher)
  const isOwn = hooks.some((hook) => isJsonObject(hook) && (hook['type'] === 'policy' || hook['type'] === 'authzen'))
  for (const { message, remedy } of warnings)
    problem(reading, isDead && isOwn ? 'error' : 'warning', path, 'value', message, remedy)
  if (isDead && isOwn) return undefined
  reading.places.set(id, reading.parsed.place(path, 'value'))
  return { matcher, told: isDead ? [unmatchedRule(reading, id, text ?? '', warnings)] : [] }
}
