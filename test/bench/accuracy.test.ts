import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { folderWith } from '../support/workspace.ts'

const accuracy = fileURLToPath(new URL('../../bench/accuracy/main.ts', import.meta.url))

function diffOf(...lines: readonly object[]) {
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
  const dump = join(folderWith({ 'dump.jsonl': text }), 'dump.jsonl')
  return spawnSync(process.execPath, [accuracy, '--diff', dump], { encoding: 'utf8' })
}

const row = { source: 'own', id: '1', expect: 'scan', cmd: ':' }
const command = {
  program: ':',
  written: { value: ':' },
  args: [],
  assignments: [],
  redirections: [],
  cwd: '/home/u/proj',
  reach: [],
  paths: [],
  uncertain: [],
  place: { start: 0, end: 1 },
  line: { start: 0, options: [], operands: [] },
  traits: ['prints', 'saysWhatChanges'],
}
const facts = { commands: [command], flows: [], uncertain: [] }
const verdicts = { decision: 'allow', 'read-only-allow/read-only-allow': 'allow' }

const reworded = {
  row: { ...row, cmd: 'if' },
  facts: { commands: [], flows: [], uncertain: ['as it was put before', 'and the other'] },
  verdicts: {
    decision: 'ask',
    'remote-execution/unknown-code': 'ask',
    'read-only-allow/read-only-allow': 'ask',
  },
}

it('a dump equal to today’s passes, and differently worded uncertainties are counted separately', () => {
  const { stdout, status } = diffOf({ row, facts, verdicts }, reworded)
  expect(stdout).toBe(
    '2 commands: 0 with other verdicts, 0 with other facts\n1 differ in the wording of what is uncertain alone\n',
  )
  expect(status).toBe(0)
})

it('differences in facts and verdicts are printed with both sides, and fail', () => {
  const other = { ...facts, commands: [{ ...command, cwd: '/tmp' }] }
  const { stdout, status } = diffOf({ row, facts: other, verdicts: { decision: 'deny' } })
  expect(stdout).toContain('decision: deny -> allow\n')
  expect(stdout).toContain('facts.commands.0.cwd: "/tmp" -> "/home/u/proj"\n')
  expect(status).toBe(1)
})
