import { describe, expect, it } from 'vitest'
import { decodeAnswer } from '../../../src/agents/claude-code/decode-answer.ts'
import { dialect } from '../../../src/agents/claude-code/wire.ts'
import type { EventName, HookEvent } from '../../../src/model/event.ts'
import type { JsonObject } from '../../../src/model/json.ts'
import { applicable, exited, hookHandler, outcomeOf, specificOutcomeOf } from '../../support/claude-hooks.ts'

describe('an answer of the wrong shape', () => {
  const at = 'hookSpecificOutput.'
  it.each<[EventName, JsonObject, string]>([
    [
      'PreToolUse',
      { permissionDecision: 'block' },
      `\`${at}permissionDecision\` must be \`allow\`, \`deny\`, \`ask\` or \`defer\`, not \`block\``,
    ],
    [
      'PreToolUse',
      { permissionDecision: null },
      `\`${at}permissionDecision\` must be \`allow\`, \`deny\`, \`ask\` or \`defer\`, not null`,
    ],
    ['PreToolUse', { permissionDecisionReason: 1 }, `\`${at}permissionDecisionReason\` must be a string, not a number`],
    ['PreToolUse', { updatedInput: 'ls' }, `\`${at}updatedInput\` must be an object, not a string`],
    ['PreToolUse', { updatedInput: [] }, `\`${at}updatedInput\` must be an object, not an array`],
    ['PreToolUse', { additionalContext: ['x'] }, `\`${at}additionalContext\` must be a string, not an array`],
    [
      'PreModelSwitch',
      { permissionDecision: 'defer' },
      `\`${at}permissionDecision\` must be \`allow\`, \`deny\` or \`ask\`, not \`defer\``,
    ],
    ['PermissionRequest', { decision: 'deny' }, `\`${at}decision\` must be an object, not a string`],
    [
      'PermissionRequest',
      { decision: { behavior: 'ask' } },
      `\`${at}decision.behavior\` must be \`allow\` or \`deny\`, not \`ask\``,
    ],
    ['PermissionRequest', { decision: {} }, `\`${at}decision.behavior\` must be \`allow\` or \`deny\`, but is missing`],
    [
      'PermissionRequest',
      { decision: { behavior: 'deny', interrupt: 'yes' } },
      `\`${at}decision.interrupt\` must be a boolean, not a string`,
    ],
    ['SessionStart', { watchPaths: ['a', 7] }, `\`${at}watchPaths[1]\` must be a string, not a number`],
    ['PermissionDenied', { retry: 'true' }, `\`${at}retry\` must be a boolean, not a string`],
    [
      'Elicitation',
      { action: 'allow' },
      `\`${at}action\` must be \`accept\`, \`decline\` or \`cancel\`, not \`allow\``,
    ],
  ])('is reported inside hookSpecificOutput: %s %j', (name, specific, message) => {
    expect(specificOutcomeOf(name, specific)).toEqual({
      kind: 'indeterminate',
      failure: { code: 'badOutput', message },
    })
  })

  it.each<[JsonObject, string]>([
    [{ decision: 'deny' }, '`decision` must be `approve` or `block`, not `deny`'],
    [{ decision: 'x'.repeat(81) }, `\`decision\` must be \`approve\` or \`block\`, not \`${'x'.repeat(80)}…\``],
    [{ decision: null }, '`decision` must be `approve` or `block`, not null'],
    [{ decision: 'block', reason: 5 }, '`reason` must be a string, not a number'],
    [{ continue: 'false' }, '`continue` must be a boolean, not a string'],
    [{ stopReason: {} }, '`stopReason` must be a string, not an object'],
    [{ systemMessage: ['x'] }, '`systemMessage` must be a string, not an array'],
    [{ suppressOutput: 1 }, '`suppressOutput` must be a boolean, not a number'],
    [{ terminalSequence: true }, '`terminalSequence` must be a string, not a boolean'],
    [{ hookSpecificOutput: 'x' }, '`hookSpecificOutput` must be an object, not a string'],
    [{ hookSpecificOutput: null }, '`hookSpecificOutput` must be an object, not null'],
    [{ hookSpecificOutput: {} }, '`hookSpecificOutput.hookEventName` must be `Stop`, but is missing'],
    [{ hookSpecificOutput: { hookEventName: 3 } }, '`hookSpecificOutput.hookEventName` must be `Stop`, not a number'],
    [
      { hookSpecificOutput: { hookEventName: 'SubagentStop' } },
      '`hookSpecificOutput.hookEventName` must be `Stop`, not `SubagentStop`',
    ],
    [
      { decision: 'block', reason: 'x', hookSpecificOutput: {} },
      '`hookSpecificOutput.hookEventName` must be `Stop`, but is missing',
    ],
  ])('is reported outside it: %j', (object, message) => {
    expect(outcomeOf('Stop', object)).toEqual({ kind: 'indeterminate', failure: { code: 'badOutput', message } })
  })

  it('still refuses where only the event name in hookSpecificOutput differs', () => {
    const outcome = outcomeOf('Stop', {
      decision: 'block',
      reason: 'not yet',
      hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow' },
    })
    expect(outcome).toEqual(
      applicable({
        effect: 'deny',
        reason: 'not yet',
        failure: {
          code: 'badOutput',
          message: '`hookSpecificOutput.hookEventName` must be `Stop`, not `PreToolUse`',
        },
      }),
    )
  })
})

describe('a rewrite by a hook behind another agent', () => {
  const event: HookEvent = {
    name: 'PreToolUse',
    agent: 'cline',
    session: { id: 't', cwd: '/app' },
    workspaceRoots: ['/app'],
    atMs: 1,
    tool: {
      kind: 'write',
      name: 'write_to_file',
      input: { path: 'a.ts', content: 'x' },
      paths: ['a.ts'],
      path: 'a.ts',
      content: 'x',
    },
    raw: {},
  }
  const rewriting = (specific: JsonObject, ending = {}) => {
    const [sent = {}] = dialect.encodeEvent(event)
    const stdout = JSON.stringify({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...specific } })
    return decodeAnswer(event, sent, exited({ stdout, ...ending }), hookHandler)
  }

  it('is encoded with that agent’s keys, and keeps the fields that the hook left unchanged', () => {
    expect(rewriting({ updatedInput: { file_path: '/app/a.ts', content: 'y' } })).toEqual(
      applicable({ obligations: [{ kind: 'replaceInput', input: { path: 'a.ts', content: 'y' } }] }),
    )
  })

  it('that cannot be encoded refuses the call, which must not run unchanged', () => {
    const updatedInput = { file_path: '/app/a.ts', content: 'x', mode: '0600' }
    expect(rewriting({ updatedInput })).toEqual({
      kind: 'applicable',
      effect: 'deny',
      reason: '`updatedInput` changes something the calling agent has no field for',
      obligations: [],
      advice: [],
      failure: {
        code: 'notTranslatable',
        message: '`updatedInput` changes something the calling agent has no field for',
      },
    })
    expect(rewriting({ updatedInput, permissionDecision: 'deny' })).toEqual(applicable({ effect: 'deny' }))
    expect(rewriting({ updatedInput }, { exitCode: 2, stderr: 'no' })).toMatchObject({ effect: 'deny' })
  })
})
