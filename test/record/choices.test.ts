import { expect, it } from 'vitest'
import { openReader } from '../../src/record/read.ts'
import { append, databaseWith, recordWith, refusedBy } from '../support/records.ts'

it('the record can be filtered by its agents and projects, the most frequent first, and by rules that were timed', () => {
  const file = databaseWith([
    recordWith({ agent: 'cline', project: '/a' }),
    recordWith({ project: '/b' }),
    recordWith({ project: '/b' }),
  ])
  append(file, [], {
    times: [{ day: '2026-11-23', rule: 'user:hooks.json/p/r', bucket: 1, number: 1 }],
  })
  const reader = openReader(file)
  expect(reader?.choices()).toEqual({
    agents: ['claude-code', 'cline'],
    projects: ['/b', '/a'],
    rules: ['user:hooks.json/p/r'],
  })
  reader?.close()
})

it('rows are found by what observing rules said, and by failures', () => {
  const observed = { ruleId: 'r', durationMs: 1, effect: 'deny', observed: true } as const
  const failed = {
    ruleId: 'r',
    durationMs: 1,
    failure: { code: 'timeout', message: 'late' },
  } as const
  const file = databaseWith([
    recordWith(refusedBy('r')),
    recordWith({ evaluations: [observed] }),
    recordWith({ evaluations: [{ ...observed, effect: 'allow' }] }),
    recordWith({ evaluations: [failed] }),
    recordWith({ error: { code: 'internal', message: 'x' } }),
  ])
  const reader = openReader(file)
  const seqs = (mark: 'observed' | 'failed') => [...(reader?.rows({ marks: [mark] }) ?? [])].map(({ seq }) => seq)
  expect(seqs('observed')).toEqual([2])
  expect(seqs('failed')).toEqual([4, 5])
  const either = reader?.rows({ outcomes: ['deny'], marks: ['observed'] }) ?? []
  expect([...either].map(({ seq }) => seq)).toEqual([1, 2])
  reader?.close()
})
