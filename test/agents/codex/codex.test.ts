import { lastResort } from '../../../src/agents/last-resort.ts'
import { describe, expect, it } from 'vitest'
import { answerTo, decoded, line, root, type VerdictName } from '../../support/agent-verdicts.ts'

const unasked = 'sure?\nCodex cannot ask the person, so this question is a refusal.'

const turn = { session_id: 'cx-1', turn_id: 't-1', transcript_path: null, cwd: root, model: 'some-model' }
const call = (tool_name: string, tool_input: object, name = 'PreToolUse') => ({
  ...turn,
  hook_event_name: name,
  permission_mode: 'default',
  tool_name,
  tool_input: { ...tool_input },
  tool_use_id: 'call-1',
})
const shell = call('Bash', { command: 'make' })

describe('an event of Codex', () => {
  it('is a shell command whichever surface sent it', () => {
    for (const name of ['Bash', 'shell', 'exec_command']) {
      const { tool } = decoded('codex', call(name, { command: ['git', 'push', 'a b'] }))
      expect(tool).toMatchObject({ kind: 'shell', command: "git push 'a b'" })
    }
  })

  it.each([
    [{ cmd: 'git push' }, 'git push'],
    [{ cmd: ['git', 'push', 'a b'], yield_time_ms: 100 }, "git push 'a b'"],
    [{ cmd: 'ls', command: 'rm x' }, 'rm x\nls'],
    [{ cmd: 'ls', command: null }, 'ls'],
  ])('is a shell command under either key: %j', (input, command) => {
    for (const name of ['Bash', 'exec_command', 'shell_command'])
      expect(decoded('codex', call(name, input)).tool).toMatchObject({ kind: 'shell', command })
  })

  it.each([{ cmd: 5 }, { cmd: ['ls', 5] }, { cmd: {}, command: 'ls' }, {}])(
    'is refused without a command that can be read: %j',
    (input) => {
      expect(() => decoded('codex', call('exec_command', input))).toThrow('must be a string')
    },
  )

  it('names every file of a patch and the targets of moves', () => {
    const command = '*** Begin Patch\n*** Update File: a.ts\n*** Move to: b.ts\n*** Delete File: c.ts\n*** End Patch'
    const { tool } = decoded('codex', call('apply_patch', { command }))
    expect(tool).toMatchObject({ kind: 'edit', path: 'a.ts', paths: ['a.ts', 'b.ts', 'c.ts'] })
  })

  it('has the ids of its call and session, and a tool’s output unchanged', () => {
    const { session, tool, result } = decoded('codex', {
      ...call('Bash', { command: 'ls' }, 'PostToolUse'),
      tool_response: 'a\n',
    })
    expect([session.id, session.permissionMode, tool?.id, result]).toEqual([
      'cx-1',
      'default',
      'call-1',
      { succeeded: true, output: 'a\n' },
    ])
    expect(decoded('codex', call('mcp__notes__add', {})).tool?.kind).toBe('mcp')
  })

  it.each(['Interrupt', 'PreModelRequest', 'PostModelRequest'])(
    '%s, which hookgate does not model, is ignored, and does not block the agent',
    (name) => {
      const event = { ...turn, hook_event_name: name }
      expect(() => decoded('codex', event)).toThrow('must be the name of a Codex event')
      expect(lastResort('codex', JSON.stringify(event), 'it broke').exitCode).toBe(1)
    },
  )
})

const specific = (fields: object) => ({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...fields } })
const denied = (reason: string) => line(specific({ permissionDecision: 'deny', permissionDecisionReason: reason }))

describe('the answer to Codex', () => {
  it.each<[VerdictName, readonly [string, string, number]]>([
    ['abstain', ['', '', 0]],
    // Codex treats a bare `allow` as an error and runs the tool.
    ['allow', ['', '', 0]],
    // Codex cannot ask: it treats `ask` as an error and runs the tool.
    ['ask', [denied(unasked), `${unasked}\n`, 2]],
    ['deny', [denied('no'), 'no\n', 2]],
    ['denyWithoutReason', [denied('refused without a reason'), 'refused without a reason\n', 2]],
    ['context', [line(specific({ additionalContext: 'know this' })), '', 0]],
    ['notice', [line({ systemMessage: 'a hook broke' }), '', 0]],
    ['rewrite', [line(specific({ permissionDecision: 'allow', updatedInput: { command: 'ls' } })), '', 0]],
  ])('encodes %s byte for byte', (outcome, bytes) => {
    expect(answerTo('codex', shell, outcome)).toEqual(bytes)
  })

  it('refuses a call whose turn should end, which cannot be expressed before the call', () => {
    const [stdout, , exitCode] = answerTo('codex', shell, 'stop')
    expect([JSON.parse(stdout), exitCode]).toMatchObject([{ hookSpecificOutput: { permissionDecision: 'deny' } }, 2])
    expect(stdout).not.toContain('continue')
  })

  it('has its own form for a permission request, a result and the end of a turn', () => {
    const request = call('Bash', { command: 'make' }, 'PermissionRequest')
    expect(answerTo('codex', request, 'deny')[0]).toBe(
      line({
        hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: 'deny', message: 'no' } },
      }),
    )
    const done = { ...call('Bash', {}, 'PostToolUse'), tool_response: 'x' }
    expect(answerTo('codex', done, 'deny')).toEqual([line({ decision: 'block', reason: 'no' }), 'no\n', 2])
    expect(answerTo('codex', { ...turn, hook_event_name: 'Stop' }, 'stop')[0]).toBe(
      line({ continue: false, stopReason: 'enough' }),
    )
  })
})
