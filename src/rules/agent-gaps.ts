import {
  changesOutput,
  reportsEnd,
  reportsFailure,
  reportsShellFailure,
  titleOf,
  tokensOf,
} from '../agents/registry.ts'
import { ToolKind } from '../model/event.ts'
import { isBuiltinRule, isPolicyRule, type Rule } from '../model/rule.ts'
import { listOf } from '../model/text.ts'

/** A rule, and what it cannot do with some agents. */
export interface AgentGap {
  readonly rule: Rule
  readonly message: string
  readonly remedy: string
}

/** Finds what rules cannot do with these agents: limits on what an agent never says, and outputs that it shows all the same. */
export const agentGaps = async (rules: readonly Rule[], agents: readonly string[]): Promise<readonly AgentGap[]> => [
  ...shownOutputs(rules, agents),
  ...(await uncountedLimits(rules, agents)),
]

/** Finds policies that change outputs which some agents show as they were. */
function shownOutputs(rules: readonly Rule[], agents: readonly string[]): readonly AgentGap[] {
  const shown = agents.filter((agent) => !changesOutput(agent))
  const shownIfFailed = agents.filter(
    (agent) => changesOutput(agent) && reportsFailure(agent) && !changesOutput(agent, 'PostToolUseFailure'),
  )
  const inForce = rules.filter(({ mode }) => mode === 'enforce')
  const refusesSecrets = inForce.some(({ id }) => id.includes('/secrets/'))
  return inForce.flatMap((rule) => {
    if (!isPolicyRule(rule) || rule.handler.replacesOutput !== true) return []
    const isOfSecrets = rule.id.includes('/output-secrets/')
    // What would show a secret is refused before, which is all that can be done.
    if (isOfSecrets && refusesSecrets) return []
    const remedy = isOfSecrets
      ? 'keep it from being shown: turn on the pack `secrets`'
      : 'refuse the calls whose output it changes'
    const gap = (some: readonly string[], message: string): readonly AgentGap[] =>
      some.length === 0 ? [] : [{ rule, message: `${some.map(titleOf).join(', ')}: ${message}`, remedy }]
    return gap(shown, 'no rule can change what a tool has returned, so the model sees what this rule hides').concat(
      gap(
        shownIfFailed,
        'no rule can change the output of a call that is reported as failed, so the model sees what this rule hides there',
      ),
    )
  })
}

async function uncountedLimits(rules: readonly Rule[], agents: readonly string[]): Promise<readonly AgentGap[]> {
  const found: AgentGap[] = []
  for (const rule of rules.filter(isBuiltinRule)) {
    const { builtin } = rule.handler
    const add = (without: readonly string[], message: string, remedy: string) => {
      if (without.length > 0) found.push({ rule, message: `${without.map(titleOf).join(', ')}: ${message}`, remedy })
    }
    if (builtin.kind === 'tokens') {
      // oxlint-disable-next-line no-await-in-loop -- a file has one such limit, or two
      const said = await Promise.all(agents.map(tokensOf))
      const without = agents.filter((_, at) => said[at] === undefined)
      add(without, 'the session files do not say what was spent, so no tokens count there', 'limit `calls` there')
    }
    // docs/state.md says it of a preset's limits: nobody asked for them for just these agents.
    if (builtin.kind !== 'limit' || builtin.isOfPreset === true) continue
    const kinds = listOf(builtin.of.tool ?? []).flatMap((name) => ToolKind.safeParse(name).data ?? [])
    if (builtin.what === 'failed')
      add(
        agents.filter((agent) => !reportsShellFailure(agent)),
        'shell commands that fail are not reported as failed, so they do not count there',
        'limit `repeated`, which counts calls before they run',
      )
    if (builtin.what === 'atOnce')
      add(
        agents.filter((agent) => !reportsFailure(agent) || !reportsEnd(agent, kinds)),
        'not every end of a call is reported, so some count there as if they still ran',
        'limit `most` with `within`',
      )
  }
  return found
}
