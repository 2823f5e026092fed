import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { folderWith } from '../support/workspace.ts'

const accuracy = fileURLToPath(new URL('../../bench/accuracy/main.ts', import.meta.url))

function diffOf(line: object) {
  const dump = join(folderWith({ 'dump.jsonl': `${JSON.stringify(line)}\n` }), 'dump.jsonl')
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
}
const facts = { commands: [command], flows: [], uncertain: [] }
const verdicts = { decision: 'allow', 'read-only-allow/read-only-allow': 'allow' }

it('a dump that says what is said today has no differences', () => {
  const { stdout, status } = diffOf({ row, facts, verdicts })
  expect({ stdout, status }).toEqual({
    stdout: '1 commands: 0 with other verdicts, 0 with other facts\n',
    status: 0,
  })
})

it('differences in facts and verdicts are printed with both sides, and fail', () => {
  const other = { ...facts, commands: [{ ...command, cwd: '/tmp' }] }
  const { stdout, status } = diffOf({ row, facts: other, verdicts: { decision: 'deny' } })
  expect(stdout).toContain('decision: deny -> allow\n')
  expect(stdout).toContain('facts.commands.0.cwd: "/tmp" -> "/home/u/proj"\n')
  expect(status).toBe(1)
})

it('other words for what is uncertain are counted apart, and pass', () => {
  const { stdout, status } = diffOf({
    row: { ...row, cmd: 'if' },
    facts: { commands: [], flows: [], uncertain: ['as it was put before', 'and the other'] },
    verdicts: {
      decision: 'ask',
      'remote-execution/unknown-code': 'ask',
      'read-only-allow/read-only-allow': 'ask',
    },
  })
  expect({ stdout, status }).toMatchObject({ stdout: expect.stringContaining('1 differ in the wording'), status: 0 })
})
