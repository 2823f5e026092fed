import { rmSync, utimesSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { unseenNote } from '../../src/install/gate-report.ts'
import type { RecordLevel } from '../../src/model/record-settings.ts'
import { installContextIn } from '../support/install-context.ts'
import { append, recordWith } from '../support/records.ts'

const minuteMs = 60_000
const session = 'home/.claude/projects/-p/5f9a.jsonl'
const settings = 'home/.claude/settings.json'

/**
 * A person with a session of Claude Code and an agent that asked hookgate; times are minutes before now.
 *
 * @param events the agents and times of recorded events
 */
async function noteAfter(
  { worked, registered }: { readonly worked: number; readonly registered: number },
  events: readonly (readonly [agent: string, ago: number])[] = [],
  level: RecordLevel = 'all',
) {
  const now = Date.now()
  const context = installContextIn({ [session]: '{}', [settings]: '{}', 'state/x': '' })
  const folder = dirname(context.home)
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const setTime = (name: string, ago: number) =>
    utimesSync(join(folder, name), new Date(now - ago * minuteMs), new Date(now - ago * minuteMs))
  setTime(session, worked)
  setTime(settings, registered)
  const places = { ...context.places, decisions: join(folder, 'state', 'decisions.db') }
  if (events.length > 0)
    append(
      places.decisions,
      events.map(([agent, ago]) => recordWith({ agent }, now - ago * minuteMs)),
    )
  const place = join(folder, settings)
  const scope = { scope: 'user', state: 'works', by: 'enable', events: [], canaries: [], problems: [], place } as const
  return unseenNote('claude-code', { scopes: [scope] }, level, { ...context, places })
}

describe('an agent that worked without an event, by the files of its sessions,', () => {
  it.each([
    ['with no event at all', { worked: 10, registered: 60 }, []],
    ['long after its last event', { worked: 10, registered: 600 }, [['claude-code', 120]]],
    [
      'while another agent asked',
      { worked: 10, registered: 600 },
      [
        ['claude-code', 120],
        ['codex', 12],
        ['codex', 1],
      ],
    ],
  ] as const)('is named: %s', async (_, times, events) => {
    expect(await noteAfter(times, events)).toEqual([
      expect.stringMatching(/^warning: Claude Code worked at .*asked hookgate nothing in the 15 minutes before/),
    ])
  })

  it.each([
    ['its last event is of that time', { worked: 10, registered: 600 }, [['claude-code', 20]], 'all'],
    [
      'it asks again since',
      { worked: 10, registered: 600 },
      [
        ['claude-code', 2],
        ['codex', 1],
      ],
      'all',
    ],
    ['it worked before it was registered', { worked: 60, registered: 50 }, [], 'all'],
    ['it was registered during the session', { worked: 10, registered: 20 }, [], 'all'],
    ['not every event is recorded', { worked: 10, registered: 600 }, [], 'decisions'],
    ['nothing is recorded', { worked: 10, registered: 600 }, [], 'off'],
  ] as const)('is not named where %s', async (_, times, events, level) => {
    expect(await noteAfter(times, events, level)).toEqual([])
  })
})
