import { expect, it } from 'vitest'
import { type ProtectionFacts, protectionOf } from '../../../src/ui/page/views/now/protection-state.ts'

type Row = NonNullable<ProtectionFacts['agents']>[number]
type Gate = NonNullable<ProtectionFacts['gate']>

type Check = ProtectionFacts['checks'] extends ReadonlyMap<string, infer One> ? One : never

const agent = (name: 'cline' | 'codex', by?: 'enable'): Row => ({
  agent: name,
  title: name,
  folder: `/home/me/.${name}`,
  places: by === undefined ? [] : [{ scope: 'user', place: '/x', by, events: ['PreToolUse'], problems: [] }],
  obstacles: [],
  administeredIn: null,
  figures: undefined,
  lastAt: undefined,
})
const gate = (protection: Gate['protection'], record: Partial<Gate['record']> = {}): Gate => ({
  protection,
  record: { level: 'all', file: '/x', ...record },
  unmanaged: [],
  bundle: null,
})
const withBundle = (bundle: Partial<NonNullable<Gate['bundle']>>): Gate => ({
  ...gate('enforce'),
  bundle: { channel: 'laptops', freshness: 'fresh', switched: [], ...bundle },
})
const verified = (kind: 'whole' | 'broken') =>
  kind === 'whole'
    ? { kind, at: '2026-11-26T10:00:00Z', rows: 3 }
    : { kind, at: '2026-11-26T10:00:00Z', seq: 2, what: 'changed' as const }
const checked = (
  name: 'cline' | 'codex',
  calls: boolean,
  uncoveredEvents: readonly string[] = [],
  obstacles: readonly string[] = [],
): readonly [string, Check] => [
  name,
  { agent: name, check: { agent: name, calls, scopes: [], obstacles, held: [], notes: [], uncoveredEvents } },
]
const both = [agent('cline', 'enable'), agent('codex', 'enable')]
const all = [checked('cline', true), checked('codex', true)]

it.each([
  ['nothing is known yet', undefined, undefined, [], 'checking', []],
  ['an agent is not checked yet', gate('enforce'), both, all.slice(1), 'checking', []],
  ['all enabled agents are proved', gate('enforce'), both, all, 'protected', []],
  [
    'one that is not enabled is no enabled one',
    gate('enforce'),
    [...both.slice(0, 1), agent('codex')],
    all,
    'protected',
    [],
  ],
  ['no agent is enabled', gate('enforce'), [agent('codex')], [], 'unprotected', [/No agent asks/]],
  [
    'one of two does not ask',
    gate('enforce'),
    both,
    [...all.slice(1), checked('cline', false)],
    'partly',
    [/^cline does/],
  ],
  [
    'one of two is said not to ask, and why',
    gate('enforce'),
    both,
    [...all.slice(1), checked('cline', false, [], ['no trust'])],
    'partly',
    [/^cline does not ask hookgate: no trust\.$/],
  ],
  [
    'the check itself failed',
    gate('enforce'),
    both.slice(0, 1),
    [['cline', { agent: 'cline', problem: 'x' }]],
    'unprotected',
    [/^cline does not ask/],
  ],
  [
    'some events are not asked about',
    gate('enforce'),
    both.slice(0, 1),
    [checked('cline', true, ['Stop'])],
    'partly',
    [/every event/],
  ],
  ['rules only observe', gate('observe'), both, all, 'observing', [/only observe/]],
  ['there are no rules', gate('none'), both, all, 'unprotected', [/No rules/]],
  ['rules do not load', gate(null), both, all, 'blocked', [/every call is refused/]],
  ['the record is intact', gate('enforce', { verified: verified('whole') }), both, all, 'protected', []],
  ['the record was changed', gate('enforce', { verified: verified('broken') }), both, all, 'partly', [/was changed/]],
  ['nothing can be recorded', gate('enforce', { problem: 'the disk is full' }), both, all, 'partly', [/disk is full/]],
  [
    'others can write the managed file',
    { ...gate('enforce'), unmanaged: ['/etc/hookgate: others can write it'] },
    both,
    all,
    'partly',
    [/^\/etc\/hookgate: others can write it\.$/],
  ],
  ['signed rules are fresh', withBundle({}), both, all, 'protected', []],
  ['signed rules are stale', withBundle({ freshness: 'stale' }), both, all, 'partly', [/are stale/]],
  [
    'signed rules never came',
    withBundle({ freshness: 'missing', problem: 'the root is missing' }),
    both,
    all,
    'partly',
    [/^The signed rules of the channel laptops are not in force: the root is missing\.$/],
  ],
  [
    'a kill switch holds',
    withBundle({ switched: ['the kill switch lets `a` only observe'] }),
    both,
    all,
    'partly',
    [/^The kill switch lets `a` only observe\.$/],
  ],
] as const)('if %s, the answer is not more than is true', (_case, known, agents, checks, level, reasons) => {
  const state = protectionOf({ gate: known, agents, checks: new Map<string, Check>(checks) })
  expect(state.level).toBe(level)
  expect(state.reasons).toEqual(reasons.map((reason) => expect.stringMatching(reason) as unknown))
})
