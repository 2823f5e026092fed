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

/** A limit, and what does not count for it. */
export interface UncountedLimit {
  readonly rule: Rule
  readonly message: string
  readonly remedy: string
}

/** Finds limits on what some agents never say, and policies that hide what some agents show. @param agents the agents that are enabled */
export async function uncountedLimits(
  rules: readonly Rule[],
  agents: readonly string[],
): Promise<readonly UncountedLimit[]> {
  const found: UncountedLimit[] = []
  const hiding = rules.find((rule) => isPolicyRule(rule) && rule.handler.replacesOutput === true)
  const shown = agents.filter((agent) => !changesOutput(agent))
  const shownIfFailed = agents.filter(
    (agent) => changesOutput(agent) && reportsFailure(agent) && !changesOutput(agent, 'PostToolUseFailure'),
  )
  if (hiding !== undefined && shown.length > 0)
    found.push({
      rule: hiding,
      message: `${shown.map(titleOf).join(', ')}: no rule can change what a tool has returned, so the model sees what this rule hides`,
      remedy: 'keep it from being shown: turn on the pack `secrets`',
    })
  if (hiding !== undefined && shownIfFailed.length > 0)
    found.push({
      rule: hiding,
      message: `${shownIfFailed.map(titleOf).join(', ')}: no rule can change the output of a call that is reported as failed, so the model sees what this rule hides there`,
      remedy: 'keep it from being shown: turn on the pack `secrets`',
    })
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
