import { describe, expect, it } from 'vitest'
import { decodeAnswer } from '../../../src/dialect/claude-code/decode-answer.ts'
import { encodeEvent } from '../../../src/dialect/claude-code/encode-event.ts'
import type { EventName, HookEvent } from '../../../src/model/event.ts'
import type { JsonObject } from '../../../src/model/json.ts'
import { applicable, exited, hookHandler, saying, specifically } from '../../support/claude-hooks.ts'

describe('an answer of the wrong shape', () => {
  const at = 'hookSpecificOutput.'
  it.each<[EventName, JsonObject, string]>([
    [
      'PreToolUse',
      { permissionDecision: 'block' },
      `${at}permissionDecision: expected one of allow, deny, ask, defer, got \`block\``,
    ],
    [
      'PreToolUse',
      { permissionDecision: null },
      `${at}permissionDecision: expected one of allow, deny, ask, defer, got null`,
    ],
    ['PreToolUse', { permissionDecisionReason: 1 }, `${at}permissionDecisionReason: expected a string, got a number`],
    ['PreToolUse', { updatedInput: 'ls' }, `${at}updatedInput: expected an object, got a string`],
    ['PreToolUse', { updatedInput: [] }, `${at}updatedInput: expected an object, got a list`],
    ['PreToolUse', { additionalContext: ['x'] }, `${at}additionalContext: expected a string, got a list`],
    [
      'PreModelSwitch',
      { permissionDecision: 'defer' },
      `${at}permissionDecision: expected one of allow, deny, ask, got \`defer\``,
    ],
    ['PermissionRequest', { decision: 'deny' }, `${at}decision: expected an object, got a string`],
    [
      'PermissionRequest',
      { decision: { behavior: 'ask' } },
      `${at}decision.behavior: expected one of allow, deny, got \`ask\``,
    ],
    ['PermissionRequest', { decision: {} }, `${at}decision.behavior: expected one of allow, deny, got nothing`],
    [
      'PermissionRequest',
      { decision: { behavior: 'deny', interrupt: 'yes' } },
      `${at}decision.interrupt: expected a boolean, got a string`,
    ],
    ['SessionStart', { watchPaths: ['a', 7] }, `${at}watchPaths[1]: expected a string, got a number`],
    ['PermissionDenied', { retry: 'true' }, `${at}retry: expected a boolean, got a string`],
    ['Elicitation', { action: 'allow' }, `${at}action: expected one of accept, decline, cancel, got \`allow\``],
  ])('is named inside of hookSpecificOutput: %s %j', (name, specific, message) => {
    expect(specifically(name, specific)).toEqual({ kind: 'indeterminate', failure: { code: 'badOutput', message } })
  })

  it.each<[JsonObject, string]>([
    [{ decision: 'deny' }, 'decision: expected one of approve, block, got `deny`'],
    [{ decision: 'x'.repeat(81) }, 'decision: expected one of approve, block, got a string'],
    [{ decision: null }, 'decision: expected one of approve, block, got null'],
    [{ decision: 'block', reason: 5 }, 'reason: expected a string, got a number'],
    [{ continue: 'false' }, 'continue: expected a boolean, got a string'],
    [{ stopReason: {} }, 'stopReason: expected a string, got an object'],
    [{ systemMessage: ['x'] }, 'systemMessage: expected a string, got a list'],
    [{ suppressOutput: 1 }, 'suppressOutput: expected a boolean, got a number'],
    [{ terminalSequence: true }, 'terminalSequence: expected a string, got a boolean'],
    [{ hookSpecificOutput: 'x' }, 'hookSpecificOutput: expected an object, got a string'],
    [{ hookSpecificOutput: null }, 'hookSpecificOutput: expected an object, got null'],
    [{ hookSpecificOutput: {} }, 'hookSpecificOutput.hookEventName: expected `Stop`, got nothing'],
    [{ hookSpecificOutput: { hookEventName: 3 } }, 'hookSpecificOutput.hookEventName: expected `Stop`, got a number'],
    [
      { hookSpecificOutput: { hookEventName: 'SubagentStop' } },
      'hookSpecificOutput.hookEventName: expected `Stop`, got `SubagentStop`',
    ],
    [
      { decision: 'block', reason: 'x', hookSpecificOutput: {} },
      'hookSpecificOutput.hookEventName: expected `Stop`, got nothing',
    ],
  ])('is named beside it: %j', (object, message) => {
    expect(saying('Stop', object)).toEqual({ kind: 'indeterminate', failure: { code: 'badOutput', message } })
  })

  it('still refuses where only the event in hookSpecificOutput is another one', () => {
    const outcome = saying('Stop', {
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
          message: 'hookSpecificOutput.hookEventName: expected `Stop`, got `PreToolUse`',
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
    action: {
      tool: 'write',
      name: 'write_to_file',
      input: { path: 'a.ts', content: 'x' },
      paths: ['a.ts'],
      path: 'a.ts',
      content: 'x',
    },
    raw: {},
  }
  const rewriting = (specific: JsonObject, ending = {}) => {
    const [sent = {}] = encodeEvent(event)
    const stdout = JSON.stringify({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...specific } })
    return decodeAnswer(event, sent, exited({ stdout, ...ending }), hookHandler)
  }

  it('is put into the keys of that agent, and leaves alone what the hook left alone', () => {
    expect(rewriting({ updatedInput: { file_path: '/app/a.ts', content: 'y' } })).toEqual(
      applicable({ obligations: [{ kind: 'replaceInput', input: { path: 'a.ts', content: 'y' } }] }),
    )
  })

  it('that cannot be put so refuses the call, which must not run as it was', () => {
    const updatedInput = { file_path: '/app/a.ts', content: 'x', mode: '0600' }
    expect(rewriting({ updatedInput })).toEqual({
      kind: 'applicable',
      effect: 'deny',
      reason: '`updatedInput` changes what the calling agent has no field for',
      obligations: [],
      advice: [],
      failure: { code: 'notTranslatable', message: '`updatedInput` changes what the calling agent has no field for' },
    })
    expect(rewriting({ updatedInput, permissionDecision: 'deny' })).toEqual(applicable({ effect: 'deny' }))
    expect(rewriting({ updatedInput }, { exitCode: 2, stderr: 'no' })).toMatchObject({ effect: 'deny' })
  })
})
