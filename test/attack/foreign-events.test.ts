import * as fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type AnswerChannel, exitOutcome } from '../../src/agents/sender.ts'
import { dialectFor, httpBody } from '../../src/agents/index.ts'
import { agentNames, type KnownAgent } from '../../src/agents/registry.ts'
import { createGate } from '../../src/library/index.ts'
import type { Answer, Dialect } from '../../src/model/dialect.ts'
import { EventName } from '../../src/model/event.ts'
import { type JsonObject, merged } from '../../src/model/json.ts'
import { abstention, type Verdict } from '../../src/model/verdict.ts'
import { claudeWire } from '../support/claude-wires.ts'
import { dialects } from '../support/dialects.ts'
import { sampleEvent } from '../support/samples.ts'
import { ask, listening } from '../support/server.ts'
import { claudeShell, grokTool } from '../support/wire.ts'
import { folderWith } from '../support/workspace.ts'
import { runsOf } from '../support/sample.ts'

const around = { nowMs: 1_790_000_000_000, env: {}, cwd: '/' }
const refusal: Verdict = { ...abstention, decision: 'deny', cancel: true, reason: 'because of the test' }

/** Returns an agent's own event, if it has one of this name. */
function eventOf(dialect: Dialect, name: EventName): JsonObject | undefined {
  const other = agentNames.find((agent) => agent !== dialect.agent) ?? ''
  return dialect.events.includes(name) ? dialect.encodeEvent(sampleEvent(name, other))[0] : undefined
}

/** Returns a refusal in the dialect of the agent that was taken for the sender; `undefined` if that is the registered one. */
async function refusedInOther(
  agent: KnownAgent,
  wire: JsonObject,
  channel: AnswerChannel,
): Promise<Answer | undefined> {
  const dialect = await dialectFor(agent, wire, around, channel)
  if (dialect.agent === agent) return undefined
  const event = dialect.decodeEvent(wire, around)
  const answer = dialect.encodeVerdict(event, refusal)
  return channel === 'process'
    ? answer
    : { stdout: httpBody(dialect.agent, answer, event.name), stderr: '', exitCode: 0 }
}

function isHeard(dialect: Dialect, wire: JsonObject, answer: Answer): boolean {
  const event = dialect.decodeEvent(wire, around)
  const outcome = exitOutcome(dialect, event, wire, answer)
  return outcome.kind === 'applicable' && outcome.effect === 'deny'
}

const pairs = agentNames.flatMap((registered) =>
  agentNames.flatMap((sender) => (sender === registered ? [] : [{ registered, sender }])),
)

describe('an event picks no dialect in which its refusal is not heard', () => {
  it.each(pairs)('of $sender, if its hook is registered for $registered', async ({ registered, sender }) => {
    for (const name of EventName.options) {
      const wire = eventOf(dialects[sender], name)
      const same = eventOf(dialects[registered], name)
      if (wire === undefined || same === undefined) continue
      const event = dialects[registered].decodeEvent(same, around)
      if (dialects[registered].support(event).deny === 'unsupported') continue
      for (const channel of ['process', 'response'] as const) {
        // oxlint-disable-next-line no-await-in-loop -- a table
        const answer = await refusedInOther(registered, wire, channel)
        const heard = answer === undefined || isHeard(dialects[registered], same, answer)
        expect({ name, channel, heard }).toEqual({ name, channel, heard: true })
      }
    }
  })

  /** Fields and values by which agents are told apart, as a later version of Claude Code might have them. */
  const marks: readonly JsonObject[] = [
    { timestamp: '2026-11-23T10:00:00.000Z' },
    { timestamp: 1_790_000_000_000 },
    { conversation_id: 'c' },
    { tool_call_id: 'c' },
    { sessionID: 's' },
    { sessionId: 's' },
    { turn_id: 't' },
    { message_id: 'm' },
    { model: 'm' },
    { hookName: 'PreToolUse' },
    { taskId: 't', clineVersion: '3' },
    { agent_action_name: 'post_run_command', tool_info: {} },
    { event: 'session.idle', directory: '/' },
    { source: 'new' },
    { permission_mode: 'yolo' },
    { permission_mode: 'off' },
    { transcript_path: '/home/someone/.codex/sessions/a.jsonl' },
    { transcript_path: '/home/someone/.qwen/a.jsonl' },
    { transcript_path: '/home/someone/.factory/a.jsonl' },
    { toolName: 'x', toolResult: {} },
    { notificationType: 'x' },
    { error: 'x' },
  ]

  it('whatever a later version of the registered agent adds to its events', async () => {
    const name = fc.constantFrom(...EventName.options)
    const added = fc.subarray([...marks], { maxLength: 4 })
    const channels = fc.constantFrom<AnswerChannel>('process', 'response')
    await fc.assert(
      fc.asyncProperty(name, added, channels, async (event, more, channel) => {
        const own = claudeWire(event)
        const known = dialects['claude-code'].decodeEvent(own, around)
        if (dialects['claude-code'].support(known).deny === 'unsupported') return
        const wire = merged(own, ...more)
        const answer = await refusedInOther('claude-code', wire, channel)
        if (answer === undefined) return
        expect(isHeard(dialects['claude-code'], own, answer)).toBe(true)
        const { tool } = (await dialectFor('claude-code', wire, around, channel)).decodeEvent(wire, around)
        expect([tool?.kind, tool?.command]).toEqual([known.tool?.kind, known.tool?.command])
      }),
      { numRuns: runsOf(400) },
    )
  })
})

describe('an event of another agent than the registered one', () => {
  const senders = [
    ['copilot-cli', 'bash'],
    ['cursor', 'Shell'],
    ['vscode', 'run_in_terminal'],
    ['droid', 'Execute'],
    ['qwen-code', 'run_shell_command'],
  ] as const

  it.each(senders)('is read and answered as of %s', async (sender, tool) => {
    const wire = dialects[sender].encodeEvent(sampleEvent('PreToolUse', 'claude-code'), 'PreToolUse')[0] ?? {}
    const dialect = await dialectFor('claude-code', wire, around, 'process')
    expect(dialect.agent).toBe(sender)
    const event = dialect.decodeEvent(wire, around)
    expect(event).toMatchObject({ agent: sender, tool: { name: tool, kind: 'shell', command: 'ls -l' } })
    const { stdout, stderr, exitCode } = dialect.encodeVerdict(event, refusal)
    expect(stdout).toBe(dialects[sender].encodeVerdict(event, refusal).stdout)
    expect({ stderr, exitCode }).toEqual({ stderr: 'because of the test\n', exitCode: 2 })
    expect(dialect.encodeVerdict(event, abstention).exitCode).toBe(0)
  })

  it('is the registered agent’s if it is like those of several others', async () => {
    const wire = { ...claudeShell('ls', '/w'), timestamp: '2026-11-23T10:00:00.000Z', conversation_id: 'c' }
    expect((await dialectFor('claude-code', wire, around, 'process')).agent).toBe('claude-code')
  })

  it('is the registered agent’s if it calls a tool that only this one has', async () => {
    const timestamp = '2026-11-23T10:00:00.000Z'
    const called = (tool: string) => claudeShell('ls', '/w', { tool_name: tool, timestamp })
    expect((await dialectFor('claude-code', called('Bash'), around, 'process')).agent).toBe('claude-code')
    expect((await dialectFor('claude-code', called('run_shell_command'), around, 'process')).agent).toBe('qwen-code')
  })

  it('is Grok Build’s, which runs the hooks of Claude Code’s settings', async () => {
    const wire = grokTool('run_terminal_command', { command: 'ls' }, '/w')
    const dialect = await dialectFor('claude-code', wire, around, 'process')
    expect(dialect.agent).toBe('grok-build')
    const { tool } = dialect.decodeEvent(wire, around)
    expect(tool).toEqual({
      kind: 'shell',
      name: 'run_terminal_command',
      id: tool?.id,
      input: { command: 'ls' },
      command: 'ls',
    })
  })

  it('is the registered agent’s if no descriptor is of its sender', async () => {
    const { hookEventName: _, ...wire } = grokTool('run_terminal_command', { command: 'ls' }, '/w')
    const dialect = await dialectFor('claude-code', wire, around, 'process')
    expect(dialect.agent).toBe('claude-code')
    expect(dialect.decodeEvent(wire, around).tool).toMatchObject({ kind: 'shell', inferred: true, command: 'ls' })
  })
})

describe('Copilot CLI, which runs the hooks of Claude Code’s settings', () => {
  const copilot = (root: string): JsonObject => ({
    hook_event_name: 'PreToolUse',
    session_id: 's',
    timestamp: '2026-11-20T12:31:15.252Z',
    cwd: root,
    tool_name: 'Write',
    // Claude Code's name for the tool, and its own keys.
    tool_input: { path: `${root}/locked/a.txt`, file_text: 'x' },
  })
  const rules = JSON.stringify({ permissions: { deny: ['Write(locked/**)'] } })

  it('is refused by its own words', async () => {
    const root = folderWith({ 'hooks.json': rules })
    const gate = createGate({ rules: [`${root}/hooks.json`], discover: false })
    onTestFinished(() => gate.close())
    const { event, stdout, exitCode } = await gate.answer(copilot(root), { agent: 'claude-code' })
    expect(event?.agent).toBe('copilot-cli')
    expect(JSON.parse(stdout)).toMatchObject({ permissionDecision: 'deny' })
    expect(exitCode).toBe(2)
  })

  it('by the thin client’s route too, and by HTTP in the words that the registered agent hears', async () => {
    const root = folderWith({ 'hooks.json': rules })
    const wire = copilot(root)
    const listener = await listening({ gate: { rules: [`${root}/hooks.json`] } })
    const thin = await ask(listener, '/v1/hook/claude-code', { body: wire })
    expect(thin.headers['hookgate-exit-code']).toBe('2')
    expect(thin.body).toContain('"permissionDecision":"deny"')
    const http = await ask(listener, '/claude-code', { body: wire })
    expect(http.json()).toMatchObject({ hookSpecificOutput: { permissionDecision: 'deny' } })
  })
})
