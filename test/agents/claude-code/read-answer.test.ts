import { describe, expect, it } from 'vitest'
import { EventName } from '../../../src/model/event.ts'
import type { Applicable, Obligation } from '../../../src/model/evaluation.ts'
import type { JsonObject } from '../../../src/model/json.ts'
import {
  answerOf,
  applicable,
  fielded,
  noticed,
  outcomeOf,
  silent,
  specificOutcomeOf,
} from '../../support/claude-hooks.ts'

describe('PreToolUse', () => {
  it.each(['allow', 'deny', 'ask', 'defer'] as const)('decodes the permission decision %s', (decision) => {
    expect(specificOutcomeOf('PreToolUse', { permissionDecision: decision })).toEqual(applicable({ effect: decision }))
    expect(
      specificOutcomeOf('PreToolUse', { permissionDecision: decision, permissionDecisionReason: ' since\u001b[2J ' }),
    ).toEqual(applicable({ effect: decision, reason: 'since\\x1b[2J' }))
  })

  it.each<[JsonObject, Partial<Applicable>]>([
    [
      { decision: 'approve', reason: 'fine' },
      { effect: 'allow', reason: 'fine' },
    ],
    [
      { decision: 'block', reason: 'no' },
      { effect: 'deny', reason: 'no' },
    ],
    [{ decision: 'block' }, { effect: 'deny' }],
    [{ decision: 'block', reason: '  ' }, { effect: 'deny' }],
  ])('decodes the older form %j', (object, parts) => {
    expect(outcomeOf('PreToolUse', object)).toEqual(applicable(parts))
  })

  it.each<[string, string, Partial<Applicable>]>([
    ['approve', 'deny', { effect: 'deny', reason: 'new' }],
    ['block', 'allow', { effect: 'deny', reason: 'old' }],
    ['approve', 'ask', { effect: 'ask', reason: 'new' }],
    ['approve', 'allow', { effect: 'allow', reason: 'new' }],
    ['block', 'deny', { effect: 'deny', reason: 'new' }],
  ])('decodes the stronger of %s and %s', (decision, permissionDecision, parts) => {
    const specific = { permissionDecision, permissionDecisionReason: 'new' }
    expect(specificOutcomeOf('PreToolUse', specific, { decision, reason: 'old' })).toEqual(applicable(parts))
  })

  it('uses the older form’s reason where the newer has none', () => {
    const outcome = specificOutcomeOf(
      'PreToolUse',
      { permissionDecision: 'deny' },
      { decision: 'block', reason: 'old' },
    )
    expect(outcome).toEqual(applicable({ effect: 'deny', reason: 'old' }))
  })

  it('decodes a replaced input with or without a decision, but not with a refusal', () => {
    const obligations: Obligation[] = [{ kind: 'replaceInput', input: { command: 'ls' } }]
    const updatedInput = { command: 'ls' }
    expect(specificOutcomeOf('PreToolUse', { updatedInput })).toEqual(applicable({ obligations }))
    expect(specificOutcomeOf('PreToolUse', { updatedInput, permissionDecision: 'ask' })).toEqual(
      applicable({ effect: 'ask', obligations }),
    )
    expect(specificOutcomeOf('PreToolUse', { updatedInput, permissionDecision: 'deny' })).toEqual(
      applicable({ effect: 'deny' }),
    )
  })

  it('ignores a reason without a decision', () => {
    expect(specificOutcomeOf('PreToolUse', { permissionDecisionReason: 'x' }, { reason: 'y' })).toEqual(silent)
  })

  it("decodes the plugin format's block inside hookSpecificOutput", () => {
    const block = { decision: 'block', reason: 'Force push is prohibited.' }
    expect(specificOutcomeOf('PreToolUse', block)).toEqual(
      applicable({ effect: 'deny', reason: 'Force push is prohibited.' }),
    )
    const stdout = JSON.stringify({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...block } })
    expect(answerOf('PreToolUse', stdout, { exitCode: 2 })).toEqual(
      applicable({ effect: 'deny', reason: 'Force push is prohibited.' }),
    )
    expect(specificOutcomeOf('PreToolUse', { decision: 'block', reason: 7 })).toEqual(applicable({ effect: 'deny' }))
    expect(specificOutcomeOf('PreToolUse', { decision: 'block', permissionDecision: 'allow' })).toEqual(
      applicable({ effect: 'deny' }),
    )
  })

  it.each(['approve', 'allow', 7])('ignores any other decision there: %j', (decision) => {
    expect(specificOutcomeOf('PreToolUse', { decision })).toEqual(silent)
  })
})

const decided = (decision: JsonObject) => specificOutcomeOf('PermissionRequest', { decision })

describe('PermissionRequest', () => {
  it('decodes an allow, a replaced input and updated permissions', () => {
    const updatedPermissions = [{ type: 'setMode', mode: 'plan' }]
    expect(decided({ behavior: 'allow' })).toEqual(applicable({ effect: 'allow' }))
    expect(decided({ behavior: 'allow', updatedInput: { command: 'x' }, updatedPermissions })).toEqual(
      applicable({
        effect: 'allow',
        obligations: [{ kind: 'replaceInput', input: { command: 'x' } }],
        advice: [fielded('updatedPermissions', updatedPermissions)],
      }),
    )
  })

  it('decodes a refusal with its message and its interrupt flag', () => {
    expect(decided({ behavior: 'deny' })).toEqual(applicable({ effect: 'deny' }))
    expect(decided({ behavior: 'deny', message: 'no', interrupt: true, updatedInput: {} })).toEqual(
      applicable({ effect: 'deny', reason: 'no', advice: [fielded('interrupt', true)] }),
    )
  })

  it('ignores fields of the other behavior', () => {
    expect(decided({ behavior: 'allow', message: 'x', interrupt: true })).toEqual(
      applicable({ effect: 'allow', reason: 'x' }),
    )
    expect(decided({ behavior: 'deny', updatedPermissions: [] })).toEqual(applicable({ effect: 'deny' }))
  })

  it.each(['approve', 'block'])('ignores %s, the form of other events', (decision) => {
    const expected = decision === 'block' ? applicable({ advice: [noticed(idle('PermissionRequest'))] }) : silent
    expect(outcomeOf('PermissionRequest', { decision, reason: 'x' })).toEqual(expected)
  })
})

const idle = (name: EventName) => `\`decision: block\` has no effect at ${name}`

describe('decision: block', () => {
  const honored: readonly EventName[] = [
    'PreToolUse',
    'PreModelSwitch',
    'PostToolUse',
    'PostToolUseFailure',
    'PostToolBatch',
    'UserPromptSubmit',
    'UserPromptExpansion',
    'Stop',
    'SubagentStop',
    'TaskCreated',
    'ConfigChange',
    'PreCompact',
  ]
  it.each(honored)('refuses at %s', (name) => {
    expect(outcomeOf(name, { decision: 'block', reason: 'no' })).toEqual(applicable({ effect: 'deny', reason: 'no' }))
  })

  it.each(EventName.options.filter((name) => !honored.includes(name)))(
    'has no effect at %s, and says so in a notice',
    (name) => {
      expect(outcomeOf(name, { decision: 'block', reason: 'no' })).toEqual(
        applicable({ advice: [noticed(idle(name))] }),
      )
    },
  )

  it.each(EventName.options.filter((name) => name !== 'PreToolUse'))(
    'is the only form: approve has no effect at %s',
    (name) => {
      expect(outcomeOf(name, { decision: 'approve', reason: 'x' })).toEqual(silent)
    },
  )
})

describe('PreModelSwitch', () => {
  it.each(['allow', 'deny', 'ask'] as const)('decodes the permission decision %s', (decision) => {
    const specific = { permissionDecision: decision, permissionDecisionReason: 'r' }
    expect(specificOutcomeOf('PreModelSwitch', specific)).toEqual(applicable({ effect: decision, reason: 'r' }))
  })
})

describe.each(['Elicitation', 'ElicitationResult'] as const)('%s', (name) => {
  it('decodes accept as an allow, with its content', () => {
    expect(specificOutcomeOf(name, { action: 'accept', content: { a: 1 } })).toEqual(
      applicable({ effect: 'allow', advice: [fielded('action', 'accept'), fielded('content', { a: 1 })] }),
    )
  })

  it('decodes decline and cancel as refusals', () => {
    expect(specificOutcomeOf(name, { action: 'decline', content: {} }, { reason: 'no' })).toEqual(
      applicable({ effect: 'deny', reason: 'no' }),
    )
    expect(specificOutcomeOf(name, { action: 'cancel' })).toEqual(
      applicable({ effect: 'deny', advice: [fielded('action', 'cancel')] }),
    )
  })
})
