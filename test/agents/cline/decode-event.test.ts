import { describe, expect, it } from 'vitest'
import { dialect as cline } from '../../../src/agents/cline/wire.ts'
import { HookgateError } from '../../../src/model/errors.ts'
import { HookEvent } from '../../../src/model/event.ts'
import { type JsonObject, parseJsonObject } from '../../../src/model/json.ts'
import { classicWire, extension, sdkWire, surroundings, wires } from '../../support/cline-events.ts'

const decode = (wire: JsonObject) => cline.decodeEvent(wire, surroundings)

const callWith = (parameters: JsonObject) => ({ hookName: 'PreToolUse', preToolUse: { toolName: 'x', parameters } })

describe('an event of Cline', () => {
  it.each(Object.values(wires).flat())('is decoded: $hookName of $clineVersion', (wire) => {
    expect(() => HookEvent.parse(decode(wire))).not.toThrow()
    expect(decode(wire)).toMatchObject({ agent: 'cline', workspaceRoots: ['/home/ada/shop'], raw: wire })
    expect(cline.events).toContain(decode(wire).name)
    expect(cline.recognises(wire)).toBe(true)
  })

  it.each([
    ['PreToolUse', 'PreToolUse', undefined],
    ['PostToolUse', 'PostToolUse', undefined],
    ['UserPromptSubmit', 'UserPromptSubmit', undefined],
    ['TaskStart', 'SessionStart', 'startup'],
    ['TaskResume', 'SessionStart', 'resume'],
    ['TaskCancel', 'SessionEnd', 'cancelled'],
    ['TaskComplete', 'Stop', undefined],
    ['PreCompact', 'PreCompact', 'auto'],
    ['Notification', 'Notification', 'agent_needs_input'],
  ])('%s of the classic engine is %s, trigger %s', (hookName, name, trigger) => {
    const event = decode(wires.classic.find((wire) => wire['hookName'] === hookName) ?? {})
    expect([event.name, event.trigger]).toEqual([name, trigger])
  })

  it.each([
    ['tool_call', 'PreToolUse', undefined],
    ['tool_result', 'PostToolUse', undefined],
    ['prompt_submit', 'UserPromptSubmit', undefined],
    ['agent_start', 'SessionStart', 'startup'],
    ['agent_resume', 'SessionStart', 'resume'],
    ['agent_abort', 'SessionEnd', 'cancelled'],
    ['session_shutdown', 'SessionEnd', 'other'],
    ['agent_end', 'Stop', undefined],
    ['agent_error', 'StopFailure', 'unknown'],
    ['pre_compact', 'PreCompact', 'auto'],
  ])('%s of the SDK is %s, trigger %s', (hookName, name, trigger) => {
    const event = decode(wires.sdk.find((wire) => wire['hookName'] === hookName) ?? {})
    expect([event.name, event.trigger]).toEqual([name, trigger])
  })

  it('is deeply frozen, and so is its raw input', () => {
    const event = decode(wires.sdk[0] ?? {})
    expect(Object.isFrozen(event.tool?.input['commands'])).toBe(true)
    expect(Object.isFrozen(event.raw['workspaceInfo'])).toBe(true)
  })

  it('may nest deeper than the call stack', () => {
    const input = parseJsonObject(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`) ?? null
    const event = decode(sdkWire('tool_call', { tool_call: { name: 'x', input } }))
    expect(event.tool?.name).toBe('x')
  })
})

describe('an event of the classic engine', () => {
  it('is read whole', () => {
    const { raw, ...event } = decode(
      classicWire('PostToolUse', {
        postToolUse: {
          toolName: 'execute_command',
          parameters: { command: 'ls', requires_approval: 'false' },
          result: 'a b',
          success: true,
          executionTimeMs: 12,
        },
      }),
    )
    expect(raw).toMatchObject({ hookName: 'PostToolUse' })
    expect(event).toEqual({
      name: 'PostToolUse',
      agent: 'cline',
      session: { id: 'task-7', cwd: '/home/ada/shop', model: { provider: 'anthropic', slug: 'sonnet' } },
      workspaceRoots: ['/home/ada/shop'],
      atMs: 1_795_000_000_123,
      tool: {
        kind: 'shell',
        name: 'execute_command',
        input: { command: 'ls', requires_approval: 'false' },
        command: 'ls',
      },
      result: { output: 'a b', succeeded: true, durationMs: 12 },
    })
  })

  it('fills in the defaults that proto3 omits', () => {
    const event = decode({ hookName: 'PostToolUse', postToolUse: { toolName: 'read_file' } })
    expect(event).toMatchObject({
      session: { id: '', cwd: surroundings.cwd },
      workspaceRoots: [],
      atMs: surroundings.nowMs,
      tool: { input: {} },
      result: { output: '', succeeded: false, durationMs: 0 },
    })
    expect(event.session.model).toBeUndefined()
  })

  it('uses a failed tool’s result as its error', () => {
    const event = decode(classicWire('PostToolUse', { postToolUse: { toolName: 'x', result: 'no such file' } }))
    expect(event.result).toEqual({ output: 'no such file', succeeded: false, error: 'no such file', durationMs: 0 })
  })

  it('may use the names of the first published protocol', () => {
    const event = decode({
      cline_version: '3.36.0',
      hook_name: 'PreToolUse',
      task_id: 'task-1',
      workspace_roots: ['/w'],
      user_id: 'ada',
      pre_tool_use: { tool_name: 'execute_command', parameters: { command: 'ls', snake_case: 'stays' } },
    })
    expect(event).toMatchObject({ name: 'PreToolUse', session: { id: 'task-1', cwd: '/w' }, workspaceRoots: ['/w'] })
    expect(event.tool?.input).toEqual({ command: 'ls', snake_case: 'stays' })
  })

  it('prefers the current name where both are present', () => {
    expect(decode(classicWire('TaskResume', { task_id: 'old' })).session.id).toBe('task-7')
  })

  it.each([
    [['/w', '/v'], '/w'],
    [[], surroundings.cwd],
  ])('has its first root as working directory: %j', (workspaceRoots, cwd) => {
    expect(decode(classicWire('TaskResume', { workspaceRoots })).session.cwd).toBe(cwd)
  })

  it('has absolute workspace roots, whatever was sent', () => {
    expect(decode(classicWire('TaskResume', { workspaceRoots: ['shop'] })).workspaceRoots).toEqual(['/home/ada/shop'])
  })

  it.each([
    ['1795000000123', 1_795_000_000_123],
    ['2026-11-18T11:06:40.123Z', 1_795_000_000_123],
    ['soon', surroundings.nowMs],
    ['', surroundings.nowMs],
    ['99999999999999999999', surroundings.nowMs],
  ])('has the time of %j', (timestamp, atMs) => {
    expect(decode(classicWire('TaskResume', { timestamp })).atMs).toBe(atMs)
  })

  it('has no model where Cline sends none', () => {
    expect(decode(classicWire('TaskResume', extension)).session.model).toBeUndefined()
  })

  it.each([
    ['user_attention', 'agent_needs_input'],
    ['task_complete', 'agent_completed'],
    ['something_new', 'something_new'],
  ])('maps the notification %s to %s', (event, trigger) => {
    expect(decode(classicWire('Notification', { notification: { event, message: 'm' } }))).toMatchObject({
      trigger,
      message: 'm',
    })
  })

  it('keeps the prompt and the last message', () => {
    expect(decode(wires.classic[2] ?? {}).prompt).toBe('go on')
    expect(decode(wires.classic[3] ?? {}).prompt).toBe('fix it')
    expect(decode(wires.classic[6] ?? {}).message).toBe('done')
  })

  it('has no prompt and no message where Cline has none', () => {
    expect(decode(classicWire('UserPromptSubmit')).prompt).toBe('')
    for (const hookName of ['TaskStart', 'TaskComplete', 'Notification']) {
      expect(decode(classicWire(hookName))).not.toHaveProperty('prompt')
      expect(decode(classicWire(hookName))).not.toHaveProperty('message')
    }
    expect(decode(classicWire('TaskStart', { taskStart: { taskMetadata: { initialTask: '' } } }))).not.toHaveProperty(
      'prompt',
    )
  })

  it('may name a sub-agent', () => {
    expect(decode(classicWire('TaskResume', { agent_id: 'a' })).trigger).toBe('resume')
  })
})

describe('an event of the SDK', () => {
  it('is read whole', () => {
    const { raw, ...event } = decode(
      sdkWire('tool_result', {
        parent_agent_id: 'agent_0',
        tool_result: {
          id: 'c9',
          name: 'shop__order',
          input: { item: { sku: 'k1' } },
          output: { content: [] },
          durationMs: 15,
        },
        postToolUse: { success: true },
      }),
    )
    expect(raw).toMatchObject({ agent_id: 'agent_1' })
    expect(event).toEqual({
      name: 'PostToolUse',
      agent: 'cline',
      session: { id: 'conv_1_a', rootId: '1_b', cwd: '/home/ada/shop', agentId: 'agent_1' },
      workspaceRoots: ['/home/ada/shop'],
      atMs: 1_795_000_000_123,
      tool: { kind: 'mcp', name: 'mcp__shop__order', id: 'c9', input: { item: { sku: 'k1' } } },
      result: { output: { content: [] }, succeeded: true, durationMs: 15 },
    })
  })

  it('is not a sub-agent’s without a parent', () => {
    expect(decode(sdkWire('agent_start')).session.agentId).toBeUndefined()
  })

  it.each([
    [[], '/w', '/w', ['/w']],
    [['/v', '/w'], '/w', '/w', ['/v', '/w']],
    [['/v', '/w'], '', '/v', ['/v', '/w']],
    [[], '', surroundings.cwd, []],
  ])('has its root path as working directory: roots %j, root path %j', (workspaceRoots, rootPath, cwd, roots) => {
    const event = decode(sdkWire('agent_start', { workspaceRoots, workspaceInfo: { rootPath } }))
    expect([event.session.cwd, event.workspaceRoots]).toEqual([cwd, roots])
  })

  it('may omit its workspace roots', () => {
    const { workspaceInfo: _, workspaceRoots: __, ...wire } = sdkWire('agent_start')
    expect(decode(wire)).toMatchObject({ session: { cwd: surroundings.cwd }, workspaceRoots: [] })
  })

  it.each([
    [{ postToolUse: { success: false } }, {}, { succeeded: false }],
    [{}, { error: 'no such file' }, { succeeded: false, error: 'no such file' }],
    [{}, { error: { name: 'E', message: 'no such file' } }, { succeeded: false, error: 'no such file' }],
    [{}, { error: { code: 5 } }, { succeeded: false, error: '{"code":5}' }],
    [{}, { error: null, output: null }, { succeeded: true, output: null }],
  ])('distinguishes success from failure: %j %j', (fields, result, expected) => {
    const event = decode(sdkWire('tool_result', { ...fields, tool_result: { name: 'x', input: {}, ...result } }))
    expect(event.result).toEqual(expected)
  })

  it('keeps the prompt, one run’s error and another’s last message', () => {
    expect(decode(wires.sdk[2] ?? {}).prompt).toBe('go on')
    expect(decode(sdkWire('prompt_submit')).prompt).toBe('')
    expect(decode(wires.sdk[7] ?? {}).message).toBe('no model')
    expect(decode(wires.sdk[6] ?? {}).message).toBe('done')
  })
})

describe('an invalid event of Cline', () => {
  const rows: readonly (readonly [JsonObject, string])[] = [
    [
      { taskId: 't' },
      '`hookName` must be `PreToolUse`, `PostToolUse`, `UserPromptSubmit`, `TaskStart`, `TaskResume`, `TaskCancel`, `TaskComplete`, `PreCompact` or `Notification`, but is missing',
    ],
    [{ hookName: 'TaskPause' }, '`hookName` must be `PreToolUse`, `PostToolUse`, '],
    [{ hookName: 'TaskPause' }, ', not `TaskPause`'],
    [{ hookName: 'tool_paused', agent_id: 'a' }, '`hookName` must be `tool_call`, '],
    [{ hookName: 'PreToolUse' }, '`preToolUse.toolName` is missing'],
    [{ hookName: 'PostToolUse', postToolUse: { parameters: {} } }, '`postToolUse.toolName` is missing'],
    [{ hookName: 'PreToolUse', preToolUse: [] }, '`preToolUse` must be an object, not an array'],
    [{ hookName: 'PreToolUse', preToolUse: { toolName: 5 } }, '`preToolUse.toolName` must be a string, not a number'],
    [
      { hookName: 'PreToolUse', preToolUse: { toolName: 'x', parameters: { deep: true } } },
      '`preToolUse.parameters.deep` must be a string, not a boolean',
    ],
    [{ hookName: 'TaskStart', taskId: null }, '`taskId` must be a string, not null'],
    [{ hookName: 'TaskStart', workspaceRoots: '/w' }, '`workspaceRoots` must be an array, not a string'],
    [{ hookName: 'tool_call' }, '`tool_call` is missing'],
    [{ hookName: 'tool_call', tool_call: { input: {} } }, '`tool_call.name` must be a string, but is missing'],
    [{ hookName: 'tool_call', tool_call: { name: '' } }, '`tool_call.name` must not be empty'],
    [{ hookName: 'agent_start', parent_agent_id: {} }, '`parent_agent_id` must be a string, not an object'],
  ]
  it.each(rows)('is rejected with the name of its field: %j', (wire, message) => {
    expect(() => decode(wire)).toThrow(HookgateError)
    expect(() => decode(wire)).toThrow(message)
    expect(() => decode(wire)).toThrow(expect.objectContaining({ code: 'eventMalformed' }))
  })

  it('is quoted in one line without control characters', () => {
    expect(() => decode(callWith({ 'a\n\u001b[2J': 1 }))).toThrow(String.raw`preToolUse.parameters.a\n\x1b[2J`)
    expect(() => decode(callWith({ a: ['x'] }))).toThrow('not an array')
    expect(() => decode({ hookName: 'y'.repeat(1000) })).toThrow(`\`${'y'.repeat(80)}…\``)
  })

  it.each([
    [{ hook_event_name: 'PreToolUse', hookName: 'PreToolUse', taskId: 't' }, false],
    [{ hookName: 'PreToolUse' }, false],
    [{ hookName: 5, taskId: 't' }, false],
    [{ taskId: 't' }, false],
    [{ hook_name: 'PreToolUse', task_id: 't' }, true],
    [{ hookName: 'TaskPause', clineVersion: '5' }, true],
  ])('is recognised by its shape: %j', (wire, recognised) => {
    expect(cline.recognises(wire)).toBe(recognised)
  })
})
