import { describe, expect, it } from 'vitest'
import { EventName, type HookEvent } from '../../../src/model/event.ts'
import type { Json, JsonObject } from '../../../src/model/json.ts'
import { applicable, fielded, noticed, outcomeOf, silent, specificOutcomeOf } from '../../support/claude-hooks.ts'
import { claudeHookEvent } from '../../support/claude-wires.ts'

describe('continue: false', () => {
  const ignored: readonly EventName[] = [
    'SessionStart',
    'TaskCreated',
    'PreCompact',
    'Notification',
    'Elicitation',
    'ElicitationResult',
    'WorktreeCreate',
    'WorktreeRemove',
    'ConfigChange',
    'CwdChanged',
    'FileChanged',
    'DirectoryAdded',
  ]
  it.each(EventName.options.filter((name) => !ignored.includes(name)))('ends the turn at %s', (name) => {
    expect(outcomeOf(name, { continue: false, stopReason: ' enough ' })).toEqual(
      applicable({ obligations: [{ kind: 'stop', reason: 'enough' }] }),
    )
    expect(outcomeOf(name, { continue: false })).toEqual(applicable({ obligations: [{ kind: 'stop', reason: '' }] }))
  })

  it.each(ignored)('has no effect at %s, and says so in a notice', (name) => {
    expect(outcomeOf(name, { continue: false, stopReason: 'enough' })).toEqual(
      applicable({ advice: [noticed(`\`continue: false\` has no effect at ${name}`)] }),
    )
  })

  it('comes together with a decision', () => {
    expect(specificOutcomeOf('PreToolUse', { permissionDecision: 'deny' }, { continue: false })).toEqual(
      applicable({ effect: 'deny', obligations: [{ kind: 'stop', reason: '' }] }),
    )
  })

  it('is read from no other field', () => {
    expect(outcomeOf('Stop', { continue: true, stopReason: 'x' })).toEqual(silent)
  })
})

describe('additionalContext', () => {
  const supported: readonly EventName[] = [
    'PreToolUse',
    'PostToolUse',
    'PostToolUseFailure',
    'PostToolBatch',
    'UserPromptSubmit',
    'UserPromptExpansion',
    'SessionStart',
    'Stop',
    'SubagentStop',
    'SubagentStart',
    'Notification',
    'PostModelSwitch',
  ]
  it.each(supported)('is context for the model at %s', (name) => {
    expect(specificOutcomeOf(name, { additionalContext: ' a\u001bb\n' })).toEqual(
      applicable({ advice: [{ kind: 'addContext', text: ' a\\x1bb\n' }] }),
    )
    expect(specificOutcomeOf(name, { additionalContext: ' \n' })).toEqual(silent)
  })

  it.each(EventName.options.filter((name) => !supported.includes(name)))('is ignored at %s', (name) => {
    expect(specificOutcomeOf(name, { additionalContext: 'x' })).toEqual(silent)
    expect(specificOutcomeOf(name, { additionalContext: 7 })).toEqual(silent)
  })
})

describe("a replacement of a tool's output", () => {
  const mcp = claudeHookEvent('PostToolUse', { tool_name: 'mcp__db__query' })

  it.each<[string, EventName | HookEvent, JsonObject, Json | undefined]>([
    ['by updatedToolOutput', 'PostToolUse', { updatedToolOutput: { stdout: '***' } }, { stdout: '***' }],
    ['by null', 'PostToolUse', { updatedToolOutput: null }, null],
    ['of an MCP tool', mcp, { updatedToolOutput: 'x' }, 'x'],
    ['of an MCP tool by its older name', mcp, { updatedMCPToolOutput: ['x'] }, ['x']],
    ['by both, where the newer wins', mcp, { updatedMCPToolOutput: 'old', updatedToolOutput: 'new' }, 'new'],
    ["of another tool by the MCP tools' name", 'PostToolUse', { updatedMCPToolOutput: 'x' }, undefined],
    ['at an event before the call', 'PreToolUse', { updatedToolOutput: 'x' }, undefined],
  ])('is replaced %s', (_what, event, specific, output) => {
    const replaced = applicable({ obligations: [{ kind: 'replaceOutput', output: output ?? null }] })
    expect(specificOutcomeOf(event, specific)).toEqual(output === undefined ? silent : replaced)
  })
})

describe('a field specific to Claude Code', () => {
  it.each<[EventName, string, Json]>([
    ['SessionStart', 'initialUserMessage', 'hello'],
    ['SessionStart', 'sessionTitle', 'Refactoring'],
    ['SessionStart', 'watchPaths', ['.env']],
    ['SessionStart', 'reloadSkills', true],
    ['UserPromptSubmit', 'sessionTitle', 'Refactoring'],
    ['UserPromptSubmit', 'suppressOriginalPrompt', true],
    ['UserPromptExpansion', 'suppressOriginalPrompt', true],
    ['MessageDisplay', 'displayContent', 'other words'],
    ['PostToolUse', 'classifierContext', 'harmless'],
    ['PermissionDenied', 'retry', true],
    ['CwdChanged', 'watchPaths', ['a', 'b']],
    ['FileChanged', 'watchPaths', []],
    ['WorktreeCreate', 'worktreePath', '/w'],
  ])('is decoded at %s: %s', (name, key, value) => {
    expect(specificOutcomeOf(name, { [key]: value })).toEqual(applicable({ advice: [fielded(key, value)] }))
  })

  it.each<[string, Json]>([
    ['suppressOutput', true],
    ['terminalSequence', '\u001b]0;title\u0007'],
  ])('is decoded at any event: %s', (key, value) => {
    expect(outcomeOf('Notification', { [key]: value })).toEqual(applicable({ advice: [fielded(key, value)] }))
  })

  it('is ignored at other events', () => {
    expect(specificOutcomeOf('Stop', { sessionTitle: 'x', watchPaths: 'y', retry: 'z' })).toEqual(silent)
  })

  it('has the control characters in its texts escaped', () => {
    expect(specificOutcomeOf('MessageDisplay', { displayContent: 'a\u001b[2Jb' })).toEqual(
      applicable({ advice: [fielded('displayContent', 'a\\x1b[2Jb')] }),
    )
  })
})

it.each(EventName.options)('decodes a notice for the user at %s', (name) => {
  expect(outcomeOf(name, { systemMessage: ' careful\u0007 ' })).toEqual(
    applicable({ advice: [noticed('careful\\x07')] }),
  )
  expect(outcomeOf(name, { systemMessage: ' ' })).toEqual(silent)
})
