import { describe, expect, it } from 'vitest'
import { support, supportTable } from '../../../src/agents/claude-code/index.ts'
import type { ProtocolSupport } from '../../../src/model/dialect.ts'
import { EventName } from '../../../src/model/event.ts'
import { claudeHookEvent } from '../../support/claude-wires.ts'

/** The events at which Claude Code supports this in the given way. */
const events = (what: keyof ProtocolSupport, how: string) =>
  EventName.options.filter((name) => supportTable[name][what] === how).toSorted()

describe('Claude Code supports', () => {
  it.each<[keyof ProtocolSupport, readonly EventName[]]>([
    [
      'deny',
      [
        'PreToolUse',
        'PermissionRequest',
        'PostToolUse',
        'PostToolUseFailure',
        'PostToolBatch',
        'UserPromptSubmit',
        'UserPromptExpansion',
        'Stop',
        'SubagentStop',
        'TaskCreated',
        'TaskCompleted',
        'TeammateIdle',
        'ConfigChange',
        'PreCompact',
        'PreModelSwitch',
        'Elicitation',
        'ElicitationResult',
        'WorktreeCreate',
      ],
    ],
    ['allow', ['PreToolUse', 'PermissionRequest', 'PreModelSwitch']],
    ['ask', ['PreToolUse', 'PreModelSwitch']],
    ['defer', ['PreToolUse']],
    ['replaceInput', ['PreToolUse', 'PermissionRequest']],
    ['replaceOutput', ['PostToolUse']],
    [
      'stop',
      [
        'PreToolUse',
        'PermissionDenied',
        'PostToolUse',
        'PostToolUseFailure',
        'PostToolBatch',
        'UserPromptSubmit',
        'UserPromptExpansion',
        'Stop',
        'SubagentStop',
        'SubagentStart',
        'TaskCompleted',
        'TeammateIdle',
        'PostModelSwitch',
      ],
    ],
    [
      'context',
      [
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
        'PreCompact',
        'PostModelSwitch',
      ],
    ],
  ])('%s at certain events', (what, names) => {
    expect(events(what, 'native')).toEqual(names.toSorted())
  })

  it('no notice where it does not parse JSON', () => {
    const deaf = ['Setup', 'SessionEnd', 'StopFailure', 'InstructionsLoaded', 'PreCompact', 'PostCompact']
    expect(events('notice', 'dropped')).toEqual([...deaf, 'WorktreeCreate', 'WorktreeRemove'].toSorted())
  })

  it('an ask by an empty answer, where it prompts anyway', () => {
    expect(events('ask', 'implicit')).toEqual(['Elicitation', 'PermissionRequest'])
  })
})

it.each(EventName.options)('%s refuses what it cannot express, exactly where it can refuse', (name) => {
  const ways = Object.values(supportTable[name])
  expect(ways).not.toContain(supportTable[name].deny === 'native' ? 'unsupported' : 'asDeny')
})

it('cannot refuse a change of the managed settings', () => {
  expect(support(claudeHookEvent('ConfigChange')).deny).toBe('native')
  expect(support(claudeHookEvent('ConfigChange', { source: 'policy_settings' })).deny).toBe('unsupported')
})
