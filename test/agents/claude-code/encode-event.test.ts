import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dialect } from '../../../src/agents/claude-code/wire.ts'
import { EventName, type HookEvent } from '../../../src/model/event.ts'
import { type JsonObject, parseJsonObject } from '../../../src/model/json.ts'
import { claudeHookEvent, claudeWire } from '../../support/claude-wires.ts'
import { arbitraryEvent, dialectFree } from '../../support/events.ts'

/** Decodes the encoded event again, as a hook with this dialect would. */
function decoded(wire: JsonObject | undefined, { atMs, workspaceRoots }: HookEvent): HookEvent {
  const sent = parseJsonObject(JSON.stringify(wire)) ?? {}
  return dialect.decodeEvent(sent, { nowMs: atMs, env: { CLAUDE_PROJECT_DIR: workspaceRoots[0] }, cwd: '/' })
}

const clineEvent = (parts: Partial<HookEvent>): HookEvent => ({
  name: 'PreToolUse',
  agent: 'cline',
  session: { id: 'task-7', cwd: '/home/someone/app' },
  workspaceRoots: ['/home/someone/app'],
  atMs: 1,
  raw: { hookName: 'PreToolUse', taskId: 'task-7' },
  ...parts,
})

describe.each(EventName.options)('%s', (name) => {
  it('round-trips through encode and decode', () => {
    fc.assert(
      fc.property(arbitraryEvent('claude-code', name), (event) => {
        const [wire, ...more] = dialect.encodeEvent(event)
        expect(more).toEqual([])
        expect({ ...decoded(wire, event), raw: {} }).toEqual(event)
      }),
    )
  })

  it('keeps every dialect-free field when another agent sent it', () => {
    fc.assert(
      fc.property(arbitraryEvent('cline', name), (event) => {
        const [wire, ...more] = dialect.encodeEvent(event)
        expect(more).toEqual([])
        expect(dialectFree(decoded(wire, event))).toEqual(dialectFree(event))
      }),
    )
  })

  it('has its fields in Claude Code’s order', () => {
    const wire = claudeWire(name)
    const [built = {}] = dialect.encodeEvent({ ...claudeHookEvent(name), raw: {} })
    expect(Object.keys(built)).toEqual(Object.keys(wire).filter((key) => key in built))
    expect(Object.keys(built).filter((key) => !(key in wire))).toEqual([])
  })
})

it('gives a hook Claude Code’s own event unchanged', () => {
  const event = claudeHookEvent('PreToolUse', { field_of_tomorrow: 1 })
  expect(dialect.encodeEvent(event)[0]).toBe(event.raw)
})

describe("a call of another agent's tool", () => {
  it('is encoded as Claude Code would have sent it', () => {
    const event = clineEvent({
      tool: {
        kind: 'write',
        name: 'write_to_file',
        input: { path: 'src/a.ts', content: 'x' },
        paths: ['src/a.ts'],
        path: 'src/a.ts',
        content: 'x',
      },
    })
    expect(JSON.stringify(dialect.encodeEvent(event)[0])).toBe(
      JSON.stringify({
        session_id: 'task-7',
        transcript_path: '',
        cwd: '/home/someone/app',
        permission_mode: 'default',
        hook_event_name: 'PreToolUse',
        tool_name: 'Write',
        tool_input: { file_path: '/home/someone/app/src/a.ts', content: 'x' },
        tool_use_id: '',
      }),
    )
  })

  it('is encoded as one event per file', () => {
    const paths = ['a.ts', '/etc/hosts']
    const tool = { kind: 'read', name: 'read_files', id: 'c1', input: { files: [] }, paths, path: 'a.ts' } as const
    expect(dialect.encodeEvent(clineEvent({ tool })).map((wire) => [wire['tool_input'], wire['tool_use_id']])).toEqual([
      [{ file_path: '/home/someone/app/a.ts' }, 'c1'],
      [{ file_path: '/etc/hosts' }, 'c1'],
    ])
  })

  it('is encoded as no event without a tool or a required input', () => {
    expect(dialect.encodeEvent(clineEvent({}))).toEqual([])
    expect(dialect.encodeEvent(clineEvent({ tool: { kind: 'read', name: 'read_file', input: {} } }))).toEqual([])
  })
})

describe('a value that Claude Code does not define', () => {
  it.each<[string, Partial<HookEvent>, string, unknown]>([
    ['the reason of a cancelled task', { name: 'SessionEnd', trigger: 'cancelled' }, 'reason', 'other'],
    ['a session that ends without a reason', { name: 'SessionEnd' }, 'reason', 'other'],
    ['a session that starts in another way', { name: 'SessionStart', trigger: 'abandoned' }, 'source', 'startup'],
    ['a strategy of compaction', { name: 'PreCompact', trigger: 'auto-condense' }, 'trigger', 'auto'],
    ['instructions that are missing', { name: 'PreCompact' }, 'custom_instructions', null],
    ['whether a hook has blocked a stop before', { name: 'Stop' }, 'stop_hook_active', false],
    ['a failure without details', { name: 'StopFailure' }, 'error', 'unknown'],
  ])('becomes the most neutral value: %s', (_what, parts, field, value) => {
    expect(dialect.encodeEvent(clineEvent(parts))[0]?.[field]).toEqual(value)
  })
})

it('omits the permission mode where Claude Code does', () => {
  const [start] = dialect.encodeEvent(
    clineEvent({ name: 'SessionStart', session: { id: 't', cwd: '/', permissionMode: 'plan' } }),
  )
  expect(start).not.toHaveProperty('permission_mode')
})
