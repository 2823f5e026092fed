import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ToolKind } from '../../src/model/event.ts'
import type { DecisionRecord } from '../../src/record/record.ts'
import { ocsfEvent } from '../../src/record/ocsf/event.ts'
import { hookgateHere } from '../support/cli.ts'
import { OcsfEvent } from '../support/ocsf-schema.ts'
import { databaseWith, recordWith, refusedBy } from '../support/records.ts'

const origin = { hostname: 'laptop', device: 'd'.repeat(64), user: 'anna', titleOf: (agent: string) => agent }
const eventOf = (some: Partial<DecisionRecord>, ran?: { readonly succeeded: boolean; readonly error?: string }) => {
  const event = ocsfEvent({ seq: 7, record: recordWith(some), ...(ran && { ran }) }, origin)
  const checked = OcsfEvent.safeParse(JSON.parse(JSON.stringify(event)))
  expect(checked.error?.message).toBeUndefined()
  return event
}

const subjects: Readonly<Record<ToolKind, string>> = {
  shell: 'npm test',
  read: '/home/me/web/package.json',
  write: 'C:\\web\\a.ts',
  edit: 'src/a.ts',
  search: '/home/me/web',
  list: '/',
  fetch: 'https://example.com:8443/a?b=c',
  websearch: 'how to quit vim',
  browser: 'about:blank',
  agent: 'explore',
  mcp: 'issue 12',
  other: 'x',
}
const wanted: Readonly<Record<ToolKind, number>> = {
  shell: 100_701,
  read: 100_102,
  write: 100_101,
  edit: 100_103,
  search: 100_199,
  list: 100_199,
  fetch: 400_203,
  websearch: 400_299,
  browser: 400_299,
  agent: 600_399,
  mcp: 600_399,
  other: 600_399,
}

describe('a decision in OCSF', () => {
  it.each(ToolKind.options)(
    'about a call of the kind %s is of the class of that activity, whatever is known of it',
    (tool) => {
      expect(eventOf({ tool, subject: subjects[tool], toolName: 'mcp__tracker__read', call: 'c1' })).toMatchObject({
        type_uid: wanted[tool],
        action_id: 1,
        disposition_id: 16,
      })
      const { subject: _subject, project: _project, toolName: _toolName, ...bare } = recordWith({ tool })
      expect(
        OcsfEvent.safeParse(JSON.parse(JSON.stringify(ocsfEvent({ seq: 1, record: bare }, origin)))).error,
      ).toBeUndefined()
    },
  )

  it.each(ToolKind.options)(
    'that refuses a call of the kind %s is a finding, with the call as its evidence',
    (tool) => {
      const event = eventOf({
        ...refusedBy('git-safety/force-push'),
        tool,
        subject: subjects[tool],
        severity: 'high',
        call: 'c1',
      })
      expect(event).toMatchObject({
        type_uid: 200_401,
        action: 'Denied',
        disposition: 'Blocked',
        severity: 'High',
        is_alert: true,
        policy: { name: 'git-safety/force-push' },
        finding_info: { analytic: { name: 'git-safety/force-push', type_id: 1 } },
      })
      expect(JSON.stringify(event['evidences'])).toContain(JSON.stringify(subjects[tool]))
    },
  )

  it.each<readonly [what: string, some: Partial<DecisionRecord>, message: string]>([
    ['a command', { tool: 'shell', toolName: 'Bash', subject: 'npm test' }, 'Bash: npm test'],
    ['a path', { tool: 'write', toolName: 'Write', subject: 'a.ts', input: { content: 'x' } }, 'Write: a.ts'],
    [
      'a tool of a server',
      { tool: 'mcp', toolName: 'mcp__github__merge_pull_request', input: { repo: 'shop', pull_number: 812 } },
      'github merge_pull_request: pull_number 812',
    ],
    [
      'a search',
      { tool: 'search', toolName: 'Grep', subject: '/w/src', input: { pattern: 'TODO' } },
      'Grep: TODO in /w/src',
    ],
    [
      'a sub-agent',
      { tool: 'agent', toolName: 'Task', input: { subagent_type: 'cleaner', prompt: 'Tidy up', description: 'tidy' } },
      'Task: cleaner: Tidy up',
    ],
    [
      'a search of the web',
      { tool: 'websearch', toolName: 'WebSearch', input: { query: 'how to' } },
      'WebSearch: how to',
    ],
    ['a call without an input', { tool: 'mcp', toolName: 'mcp__clock__now' }, 'clock now'],
  ])('about %s names it for people as `hookgate log` does, and for programs as before', (_what, some, message) => {
    const { subject: _subject, input: _input, ...bare } = recordWith({})
    const event = ocsfEvent({ seq: 1, record: { ...bare, ...some } }, origin)
    expect(event['message']).toBe(`abstain for claude-code: ${message}`)
    const operation = { mcp__github__merge_pull_request: 'merge_pull_request', mcp__clock__now: 'now', Task: 'Task' }
    const structured = JSON.stringify({ ...event, message: '' })
    for (const [name, own] of Object.entries(operation))
      if (name === some.toolName) expect(structured).toContain(`"operation":"${own}"`)
  })

  it('about an event without a tool is of the agent’s interface', () => {
    const { tool: _tool, toolName: _toolName, subject: _subject, ...prompt } = recordWith({ event: 'UserPromptSubmit' })
    const event = ocsfEvent({ seq: 1, record: prompt }, origin)
    expect(OcsfEvent.safeParse(JSON.parse(JSON.stringify(event))).error).toBeUndefined()
    expect(event).toMatchObject({ class_uid: 6003, api: { operation: 'UserPromptSubmit' } })
  })

  const outcomes: readonly (readonly [string, Partial<DecisionRecord>, string, string])[] = [
    ['a refusal', { decision: 'deny', told: 'deny' }, 'Denied', 'Blocked'],
    ['a question that the agent cannot ask', { decision: 'ask', told: 'deny' }, 'Denied', 'Blocked'],
    ['a question', { decision: 'ask', told: 'ask' }, 'Unknown', 'Challenge'],
    ['a deferral', { decision: 'defer', told: 'defer' }, 'Unknown', 'Challenge'],
    ['a permission', { decision: 'allow', told: 'allow' }, 'Allowed', 'Allowed'],
    ['no opinion', {}, 'Allowed', 'No Action'],
    [
      'a person’s approval',
      { decision: 'allow', told: 'allow', approval: { outcome: 'approved', waitedMs: 5 } },
      'Allowed',
      'Approved',
    ],
    [
      'what only observes',
      { evaluations: [{ ruleId: 'a', durationMs: 1, effect: 'deny', observed: true }] },
      'Allowed',
      'Logged',
    ],
    [
      'an error of hookgate',
      { decision: 'deny', told: 'deny', error: { code: 'internal', message: 'x' } },
      'Denied',
      'Blocked',
    ],
  ]
  it.each(outcomes)('says of %s what became of the call', (_what, some, action, disposition) => {
    expect(eventOf(some)).toMatchObject({ action, disposition })
  })

  it('says how the call ended', () => {
    expect(eventOf({}, { succeeded: true })).toMatchObject({ status: 'Success' })
    expect(eventOf({}, { succeeded: false, error: 'Exit code 1' })).toMatchObject({
      status: 'Failure',
      status_detail: 'Exit code 1',
    })
  })

  it('is printed one a line by `hookgate log --format ocsf`, with the same filters', async () => {
    const file = databaseWith([recordWith(), recordWith(refusedBy('a')), recordWith({ subject: 'ls' })])
    const log = (...argv: string[]) =>
      hookgateHere(['log', '--format', ...argv], { env: { HOOKGATE_HOME: join(file, '..') }, cwd: '/' })
    const { stdout, exitCode } = await log('ocsf')
    expect(exitCode).toBe(0)
    const events = stdout
      .trimEnd()
      .split('\n')
      .map((line) => OcsfEvent.parse(JSON.parse(line)))
    expect(events.map((event) => Reflect.get(Object(event), 'class_uid') as unknown)).toEqual([1007, 2004, 1007])
    expect((await log('ocsf', '--decision', 'refused')).stdout.trimEnd().split('\n')).toHaveLength(1)
    expect((await log('cef')).stderr).toContain('--format must be `ocsf`')
    expect((await log('ocsf', '--json')).stderr).toContain('without --json')
  })
})
