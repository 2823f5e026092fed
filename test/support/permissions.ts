import { toolKind } from '../../src/agents/tool-names.ts'
import { evaluateBuiltin } from '../../src/gate/builtin/evaluate.ts'
import { combine } from '../../src/gate/combine/combine.ts'
import { openEventFacts } from '../../src/facts/tool-call.ts'
import type { HookEvent, ToolUse } from '../../src/model/event.ts'
import { type PermissionList, type Rule, Plan } from '../../src/model/rule.ts'
import type { Verdict } from '../../src/model/verdict.ts'
import { permissionEntry } from '../../src/rules/load/permissions.ts'
import { ruleNamed, shellEvent } from './plans.ts'

export type PermissionLists = Partial<Record<PermissionList['effect'], readonly string[]>>

/** The surroundings of a call whose permissions are judged. */
export interface PermissionCall {
  readonly name: string
  readonly command?: string
  readonly path?: string
  readonly url?: string
  readonly input?: ToolUse['input']
  readonly agent?: string
  readonly root?: string
  readonly cwd?: string
}

/** Judges a call by the permission lists of a user's file, on facts with real links. */
export async function permitted(
  lists: PermissionLists,
  call: PermissionCall,
  more: Partial<Pick<Rule, 'source' | 'untrustedReason'>> = {},
): Promise<Verdict> {
  const event = eventOf(call)
  const facts = await openEventFacts('/home/someone')(event, { HOME: '/home/someone' })
  const rules = (['deny', 'ask', 'allow'] as const).flatMap((effect) => {
    const rule = { ...ruleNamed(`user:hooks.json#permissions.${effect}`, 'block'), ...more }
    const entries = (lists[effect] ?? []).map((text) => {
      const entry = permissionEntry(text, effect, '/home/someone')
      if ('message' in entry) throw new Error(entry.message)
      return entry
    })
    return [{ ...rule, handler: { kind: 'builtin', builtin: { kind: 'permissions', effect, entries } } } as const]
  })
  const evaluations = rules.map((rule) => {
    const { outcome, remarks } = evaluateBuiltin(rule, event, facts)
    return { ...outcome, ruleId: rule.id, durationMs: 0, ...(remarks.length > 0 && { remarks }) }
  })
  return combine(new Plan(rules), evaluations, event)
}

function eventOf({ name, command, path, url, input = {}, agent = 'claude-code', ...where }: PermissionCall): HookEvent {
  const root = where.root ?? '/home/someone/project'
  const tool: ToolUse = {
    name,
    kind: toolKind(agent, name),
    input,
    ...(command !== undefined && { command }),
    ...(path !== undefined && { path, paths: [path] }),
    ...(url !== undefined && { url }),
  }
  return { ...shellEvent, agent, tool, session: { id: 's', cwd: where.cwd ?? root }, workspaceRoots: [root] }
}

/** Returns the decision on a shell command. */
export async function permittedCommand(lists: PermissionLists, command: string): Promise<string> {
  return (await permitted(lists, { name: 'Bash', command })).decision
}
