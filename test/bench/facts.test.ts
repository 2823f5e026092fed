import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { folderWith } from '../support/workspace.ts'

const bench = fileURLToPath(new URL('../../bench/facts.ts', import.meta.url))

it.each([
  ['is not there', {}, 'none', / is no folder that can be read \(ENOENT\)\n$/],
  ['has no rows', { 'rows/a.txt': '' }, 'rows', / holds no `\*\.jsonl` file\n$/],
  [
    'has rows without a command',
    { 'rows/a.jsonl': '{"source":"s","id":"1","expect":"scan"}\n' },
    'rows',
    / has a `cmd`\n$/,
  ],
])('a corpus that %s is reported in one line, and nothing is measured', (_, files, name, message) => {
  const { stdout, stderr, status } = spawnSync(process.execPath, [bench, '--corpus', join(folderWith(files), name)], {
    encoding: 'utf8',
  })
  expect({ stdout, status }).toEqual({ stdout: '', status: 2 })
  expect(stderr).toMatch(/^facts: .*\n$/)
  expect(stderr).toMatch(message)
})
