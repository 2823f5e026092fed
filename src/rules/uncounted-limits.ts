import { reportsEnd, reportsFailure, reportsShellFailure, titleOf, tokensOf } from '../agents/registry.ts'
import { ToolKind } from '../model/event.ts'
import { isBuiltinRule, type Rule } from '../model/rule.ts'
import { listOf } from '../model/text.ts'

/** A limit, and what does not count for it. */
export interface UncountedLimit {
  readonly rule: Rule
  readonly message: string
  readonly remedy: string
}

/** Finds limits on what some agents never say. @param agents the agents that are enabled */
export async function uncountedLimits(
  rules: readonly Rule[],
  agents: readonly string[],
): Promise<readonly UncountedLimit[]> {
  const found: UncountedLimit[] = []
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
