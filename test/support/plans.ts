import type { OnFailure } from '../../src/model/effect.ts'
import type { ToolUse, HookEvent } from '../../src/model/event.ts'
import type { Evaluation } from '../../src/model/evaluation.ts'
import { type CommandRule, Plan, type Rule } from '../../src/model/rule.ts'

export const shellAction: ToolUse = {
  kind: 'shell',
  name: 'Bash',
  input: { command: 'ls', description: 'list' },
  command: 'ls',
}

/** An event for tests in which the event's content does not matter. */
export const shellEvent: HookEvent = {
  name: 'PreToolUse',
  agent: 'claude-code',
  session: { id: 's1', cwd: '/home/someone/project' },
  workspaceRoots: ['/home/someone/project'],
  atMs: 1_790_000_000_000,
  tool: shellAction,
  raw: {},
}

/** Builds a rule of which only id and `onFailure` matter. */
export function ruleNamed(id: string, onFailure: OnFailure = 'continue'): CommandRule {
  return {
    id,
    source: {
      id: 'explicit:hooks.json',
      scope: 'explicit',
      file: '/rules/hooks.json',
      workspaceRoot: undefined,
      pluginRoot: undefined,
    },
    match: {
      spelled: 'PreToolUse',
      events: ['PreToolUse'],
      triggers: undefined,
      matcher: { kind: 'any' },
      subject: { kind: 'any' },
      condition: undefined,
    },
    handler: {
      kind: 'command',
      dialect: 'claude-code',
      program: { form: 'shell', shell: 'sh', command: 'true' },
      env: {},
      plainTextEvents: [],
      async: false,
    },
    onFailure,
    mode: 'enforce',
    timeoutMs: undefined,
    sequence: undefined,
    untrustedReason: undefined,
  }
}

export function planOf(...rules: readonly Rule[]): Plan {
  return new Plan(rules)
}

type ApplicableFields = Partial<Omit<Extract<Evaluation, { kind: 'applicable' }>, 'kind' | 'ruleId'>>

export function applicable(ruleId: string, what: ApplicableFields): Evaluation {
  return { kind: 'applicable', ruleId, obligations: [], advice: [], durationMs: 1, ...what }
}

export function notApplicable(ruleId: string): Evaluation {
  return { kind: 'notApplicable', ruleId, durationMs: 1 }
}

export function indeterminate(ruleId: string, message = 'exited with code 1'): Evaluation {
  return { kind: 'indeterminate', ruleId, failure: { code: 'nonzeroExit', message }, durationMs: 1 }
}
