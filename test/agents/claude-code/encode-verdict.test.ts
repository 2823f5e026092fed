import { describe, expect, it } from 'vitest'
import { encodeVerdict } from '../../../src/agents/claude-code/encode-verdict.ts'
import { EventName } from '../../../src/model/event.ts'
import type { Json, JsonObject } from '../../../src/model/json.ts'
import type { Verdict } from '../../../src/model/verdict.ts'
import { claudeHookEvent } from '../../support/claude-wires.ts'
import { verdictOf } from '../../support/verdicts.ts'

const encoded = (name: EventName, parts: Partial<Verdict>) => encodeVerdict(claudeHookEvent(name), verdictOf(parts))
const json = (object: JsonObject) => `${JSON.stringify(object)}\n`
const specific = (hookEventName: EventName, fields: JsonObject) => ({
  hookSpecificOutput: { hookEventName, ...fields },
})
const block = { decision: 'block', reason: 'no' }

describe('a refusal is encoded in the form of its event', () => {
  it.each<[EventName, JsonObject]>([
    ['PreToolUse', specific('PreToolUse', { permissionDecision: 'deny', permissionDecisionReason: 'no' })],
    ['PreModelSwitch', specific('PreModelSwitch', { permissionDecision: 'deny', permissionDecisionReason: 'no' })],
    ['PermissionRequest', specific('PermissionRequest', { decision: { behavior: 'deny', message: 'no' } })],
    ['Elicitation', specific('Elicitation', { action: 'decline' })],
    ['ElicitationResult', specific('ElicitationResult', { action: 'decline' })],
    ['PostToolUse', block],
    ['PostToolUseFailure', block],
    ['PostToolBatch', block],
    ['UserPromptSubmit', block],
    ['UserPromptExpansion', block],
    ['Stop', block],
    ['SubagentStop', block],
    ['TaskCreated', block],
    ['TaskCompleted', block],
    ['TeammateIdle', block],
    ['ConfigChange', block],
    ['PreCompact', block],
    ['WorktreeCreate', block],
  ])('%s', (name, object) => {
    expect(encoded(name, { decision: 'deny', reason: 'no' })).toEqual({
      stdout: json(object),
      stderr: 'no\n',
      exitCode: 2,
    })
  })

  it.each<EventName>([
    'SessionStart',
    'SessionEnd',
    'Setup',
    'SubagentStart',
    'StopFailure',
    'Notification',
    'MessageDisplay',
    'InstructionsLoaded',
    'CwdChanged',
    'FileChanged',
    'DirectoryAdded',
    'PostCompact',
    'PostModelSwitch',
    'PermissionDenied',
    'WorktreeRemove',
  ])('and named on stderr where the event cannot be denied: %s', (name) => {
    expect(encoded(name, { decision: 'deny', reason: 'no' })).toEqual({
      stdout: '',
      stderr: `hookgate: deny, which the protocol of Claude Code can't express at ${name}: no\n`,
      exitCode: 0,
    })
  })

  it('but cannot be expressed for a change of the managed settings', () => {
    const event = claudeHookEvent('ConfigChange', { source: 'policy_settings' })
    expect(encodeVerdict(event, verdictOf({ decision: 'deny', reason: 'no' }))).toMatchObject({
      stdout: '',
      exitCode: 0,
    })
  })

  it('with a reason, even where none was given', () => {
    for (const reason of ['', ' \n']) {
      const answer = encoded('Stop', { decision: 'deny', reason })
      expect(answer.stdout).toBe(json({ decision: 'block', reason: 'refused without a reason' }))
      expect(answer.stderr).toBe('refused without a reason\n')
    }
  })

  it('without a terminal control character', () => {
    const { stdout, stderr } = encoded('PreToolUse', { decision: 'deny', reason: 'a\u001b[2J\u009bb\u202e' })
    expect(stderr).toBe('a\\x1b[2J\\x9bb\\u{202e}\n')
    expect(stdout).toContain(String.raw`a\\x1b[2J\\x9bb\\u{202e}`)
  })
})

describe('at PreToolUse', () => {
  it.each(['allow', 'ask', 'defer'] as const)('encodes %s as a permission decision', (decision) => {
    expect(encoded('PreToolUse', { decision, reason: 'r' })).toEqual({
      stdout: json(specific('PreToolUse', { permissionDecision: decision, permissionDecisionReason: 'r' })),
      stderr: '',
      exitCode: 0,
    })
  })

  it('encodes a whole verdict in one object', () => {
    const verdict: Partial<Verdict> = {
      decision: 'allow',
      reason: 'r',
      context: 'c',
      notices: ['n', 'm'],
      obligations: [
        { kind: 'replaceInput', input: { command: 'ls' } },
        { kind: 'stop', reason: 'enough' },
      ],
      agentFields: { suppressOutput: true },
    }
    const fields = {
      permissionDecision: 'allow',
      permissionDecisionReason: 'r',
      updatedInput: { command: 'ls' },
      additionalContext: 'c',
    }
    expect(encoded('PreToolUse', verdict).stdout).toBe(
      json({
        continue: false,
        stopReason: 'enough',
        systemMessage: 'n\nm',
        suppressOutput: true,
        ...specific('PreToolUse', fields),
      }),
    )
  })

  it('encodes a replaced input without a decision, so that the user is still prompted', () => {
    const obligations: Verdict['obligations'] = [{ kind: 'replaceInput', input: { command: 'ls' } }]
    expect(encoded('PreToolUse', { obligations }).stdout).toBe(
      json(specific('PreToolUse', { updatedInput: { command: 'ls' } })),
    )
  })
})

it.each(EventName.options.filter((name) => name !== 'WorktreeCreate'))(
  'prints nothing at %s for an empty verdict',
  (name) => {
    expect(encoded(name, {})).toEqual({ stdout: '', stderr: '', exitCode: 0 })
  },
)

const replacing = (toolName: string, output: Json) => {
  const event = claudeHookEvent('PostToolUse', { tool_name: toolName })
  return encodeVerdict(event, verdictOf({ obligations: [{ kind: 'replaceOutput', output }] }))
}

describe('at PostToolUse', () => {
  it('encodes a replaced output of the tool’s own type', () => {
    expect(replacing('Bash', { stdout: '***' }).stdout).toBe(
      json(specific('PostToolUse', { updatedToolOutput: { stdout: '***' } })),
    )
  })

  it.each(['***', null, ['***'], 7])('passes an output that would be dropped to the model as context: %j', (output) => {
    const answer = replacing('Bash', output)
    expect(answer.exitCode).toBe(2)
    expect(answer.stdout).toContain('"decision":"block","reason":"a rule demands a different output, which')
  })

  it('encodes any replaced output of an MCP tool, since Claude Code does not check it', () => {
    expect(replacing('mcp__db__query', '***').stdout).toBe(json(specific('PostToolUse', { updatedToolOutput: '***' })))
  })
})

it('encodes a stop without a reason where there is none', () => {
  expect(encoded('Stop', { obligations: [{ kind: 'stop', reason: '' }] }).stdout).toBe(json({ continue: false }))
})

describe('at PermissionRequest', () => {
  const obligations: Verdict['obligations'] = [{ kind: 'replaceInput', input: { command: 'ls' } }]

  it('encodes an allow with its input and its permissions', () => {
    const agentFields = { updatedPermissions: [{ type: 'setMode' }], interrupt: true }
    const decision = { behavior: 'allow', updatedInput: { command: 'ls' }, updatedPermissions: [{ type: 'setMode' }] }
    expect(encoded('PermissionRequest', { decision: 'allow', obligations, agentFields }).stdout).toBe(
      json(specific('PermissionRequest', { decision })),
    )
  })

  it('encodes a refusal with its interrupt flag', () => {
    const agentFields = { updatedPermissions: [], interrupt: true }
    const decision = { behavior: 'deny', message: 'no', interrupt: true }
    expect(encoded('PermissionRequest', { decision: 'deny', reason: 'no', agentFields }).stdout).toBe(
      json(specific('PermissionRequest', { decision })),
    )
  })

  it('leaves an ask to the prompt that Claude Code shows anyway', () => {
    expect(encoded('PermissionRequest', { decision: 'ask', reason: 'r' })).toEqual({
      stdout: '',
      stderr: '',
      exitCode: 0,
    })
  })

  it('refuses for its own reason, whatever else is demanded', () => {
    expect(encoded('PermissionRequest', { decision: 'deny', reason: 'no', obligations }).stderr).toBe('no\n')
  })

  it('refuses a replaced input without an allow, since the protocol can’t express it', () => {
    expect(encoded('PermissionRequest', { obligations }).exitCode).toBe(2)
    expect(encoded('PermissionRequest', { decision: 'ask', obligations }).exitCode).toBe(2)
  })
})

const refusing = (action: string) => encoded('Elicitation', { decision: 'deny', reason: 'no', agentFields: { action } })

describe('at Elicitation', () => {
  const agentFields = { action: 'accept', content: { a: 1 } }

  it('passes on a hook’s form content where it is allowed', () => {
    expect(encoded('Elicitation', { decision: 'allow', agentFields }).stdout).toBe(
      json(specific('Elicitation', agentFields)),
    )
  })

  it('leaves it to the user where a rule only allows, asks or abstains', () => {
    const nothing = { stdout: '', stderr: '', exitCode: 0 }
    expect(encoded('Elicitation', { decision: 'allow' })).toEqual(nothing)
    expect(encoded('Elicitation', { decision: 'ask', agentFields })).toEqual(nothing)
    expect(encoded('Elicitation', { agentFields })).toEqual(nothing)
  })

  it('declines what is denied, and cancels what a hook cancelled', () => {
    expect(refusing('accept').stdout).toBe(json(specific('Elicitation', { action: 'decline' })))
    expect(refusing('cancel').stdout).toBe(json(specific('Elicitation', { action: 'cancel' })))
  })
})

describe('at WorktreeCreate', () => {
  it('prints only the path that a hook returned', () => {
    const answer = encoded('WorktreeCreate', { agentFields: { worktreePath: '/w/x y' }, notices: ['slow'] })
    expect(answer).toEqual({ stdout: '/w/x y\n', stderr: 'hookgate: slow\n', exitCode: 0 })
  })

  it.each([undefined, '', ' ', 7, '/a\n/b'])(
    'fails with a clear message where no hook returned one: %j',
    (worktreePath) => {
      const agentFields = worktreePath === undefined ? {} : { worktreePath }
      const { stdout, stderr, exitCode } = encoded('WorktreeCreate', { decision: 'allow', agentFields })
      expect(exitCode).toBe(2)
      expect(stderr).toMatch(/^no hook printed the path of the new worktree; do not register hookgate for .*\n$/)
      expect(stdout).toBe(json({ decision: 'block', reason: stderr.trim() }))
    },
  )

  it('refuses even where a hook returned a path', () => {
    expect(encoded('WorktreeCreate', { decision: 'deny', reason: 'no', agentFields: { worktreePath: '/w' } })).toEqual({
      stdout: json(block),
      stderr: 'no\n',
      exitCode: 2,
    })
  })
})

describe('at PreCompact', () => {
  it('prints instructions as plain text', () => {
    expect(encoded('PreCompact', { context: 'keep the plan' }).stdout).toBe('keep the plan\n')
  })

  it('cannot express anything else', () => {
    const answer = encoded('PreCompact', { context: 'keep the plan', agentFields: { suppressOutput: true } })
    expect(answer.stdout).toBe('keep the plan\n')
    expect(answer.stderr).toBe('hookgate: a field `suppressOutput`, which Claude Code does not know at PreCompact\n')
  })

  it('prefixes text that would be read as an object', () => {
    expect(encoded('PreCompact', { context: ' {"a": 1}' }).stdout).toBe('Instructions:\n {"a": 1}\n')
  })
})

describe('a field specific to Claude Code', () => {
  it.each<[EventName, JsonObject]>([
    ['SessionStart', { initialUserMessage: 'm', sessionTitle: 't', watchPaths: ['a'], reloadSkills: true }],
    ['UserPromptSubmit', { sessionTitle: 't', suppressOriginalPrompt: true }],
    ['PostToolUse', { classifierContext: 'c' }],
    ['PermissionDenied', { retry: true }],
    ['MessageDisplay', { displayContent: 'd' }],
    ['CwdChanged', { watchPaths: ['a'] }],
    ['FileChanged', { watchPaths: [] }],
  ])('is encoded where it was decoded from: %s', (name, agentFields) => {
    expect(encoded(name, { agentFields })).toEqual({
      stdout: json(specific(name, agentFields)),
      stderr: '',
      exitCode: 0,
    })
  })

  it('is encoded beside the other fields', () => {
    const agentFields = { suppressOutput: false, terminalSequence: '\u0007' }
    expect(encoded('Notification', { agentFields }).stdout).toBe(json(agentFields))
  })

  it('that the event does not have is dropped, and named', () => {
    expect(encoded('Stop', { agentFields: { sessionTitle: 't', permissionDecision: 'allow' } })).toEqual({
      stdout: '',
      stderr:
        'hookgate: a field `sessionTitle`, which Claude Code does not know at Stop\n' +
        'hookgate: a field `permissionDecision`, which Claude Code does not know at Stop\n',
      exitCode: 0,
    })
  })

  it('cannot pass for a decision', () => {
    const agentFields = { permissionDecision: 'allow', updatedInput: { command: 'x' }, decision: 'approve' }
    expect(encoded('PreToolUse', { agentFields }).stdout).toBe('')
  })
})

it('prefixes every line on stderr', () => {
  expect(encoded('SessionEnd', { notices: ['two\nlines', 'and \u001b one'] }).stderr).toBe(
    'hookgate: two\nhookgate: lines\nhookgate: and \\x1b one\n',
  )
})
