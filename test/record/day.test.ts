import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openReader } from '../../src/record/read.ts'
import { recordDays } from '../support/day.ts'
import { folderWith } from '../support/workspace.ts'

it('a day of the demo has what agents report after their calls, and counts each call once', async () => {
  const home = folderWith()
  const file = join(home, 'decisions.db')
  await recordDays(home, file, 1)
  const reader = openReader(file)
  const rows = [...(reader?.rows() ?? [])]
  const counted = reader?.figures({ startsMs: [0] }).spans[0]
  reader?.close()
  const calls = rows.filter(({ record }) => record.event === 'PreToolUse')
  const ran = calls.filter((row) => row.ran !== undefined)
  expect(counted?.decided).toBe(calls.length)
  expect(ran).toHaveLength(rows.length - calls.length)
  expect(ran.length).toBeGreaterThan(30)
  expect(ran.some((row) => row.ran?.succeeded === false)).toBe(true)
  expect(ran.every(({ record: { decision } }) => decision === 'abstain' || decision === 'allow')).toBe(true)
})
