import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, it } from 'vitest'
import { limits } from '../../src/model/limits.ts'
import { gateGlanceMs } from '../../src/service/server/ensure-gate.ts'
import { statusRulesMs } from '../../src/service/server/gate-status.ts'

const root = join(import.meta.dirname, '../..')

it('a gate that still reads its rules reports that before it is considered stuck', () => {
  expect(statusRulesMs).toBeLessThan(gateGlanceMs)
})

it('a gate answers while a decision waits for the first signed rules', () => {
  expect(limits.bundleFirstLookMs).toBeLessThan(limits.gateAnswerMs)
})

it('each limit names the attack tests that reach it, and no others', () => {
  const text = readFileSync(join(root, 'src/model/limits.ts'), 'utf8')
  // Limits without a reason of their own share that of the one above.
  const entry = /^ {2}\/\*\*((?:(?!\*\/)[^])*)\*\/\n((?: {2}\w+: .*\n)+)/gm
  const rows = text.split(/^export const (?=\w+ = \{)/m).flatMap((table) => {
    const of = /^\w+/.exec(table)?.[0] ?? ''
    return [...table.matchAll(entry)].map(([, reason = '', lines = '']) => ({
      limits: [...lines.matchAll(/^ {2}(\w+):/gm)].map(([, name]) => `${of}.${name}`),
      tests: (/\bAttack:([\w\s*`,-]+)\./.exec(reason)?.[1] ?? '').match(/[\w-]+/g) ?? [],
    }))
  })
  const used = globSync('test/attack/*.test.ts', { cwd: root }).map((file) => ({
    test: basename(file, '.test.ts'),
    limits: new Set(readFileSync(join(root, file), 'utf8').match(/\b(?:l|\w+L)imits\.(?!ts\b)\w+/g)),
  }))
  const reaching = (row: readonly string[]) =>
    used.filter((one) => row.some((limit) => one.limits.has(limit))).map(({ test }) => test)
  expect(rows.flatMap(({ tests }) => tests).length).toBeGreaterThan(20)
  for (const row of rows)
    expect([row.limits, row.tests.toSorted()]).toEqual([row.limits, reaching(row.limits).toSorted()])
})
