import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createGate } from '../../../src/library/index.ts'
import { claudeShell } from '../../support/wire.ts'
import { waysOutByTools } from './what-leaves-by-tools.ts'
import { type Call, waysOut } from './what-leaves.ts'

const home = mkdtempSync(join(tmpdir(), 'what-leaves-'))
const cwd = join(home, 'proj')
mkdirSync(join(cwd, '.git'), { recursive: true })
writeFileSync(join(cwd, '.git/HEAD'), 'ref: refs/heads/main\n')
writeFileSync(join(cwd, '.git/config'), '[remote "origin"]\n\turl = git@github.com:acme/shop.git\n')
const rules = join(home, 'hooks.json')
writeFileSync(rules, JSON.stringify({ preset: 'recommended' }))
const gate = createGate({ placement: 'caller', rules: [rules], discover: false, home, env: { HOME: home } })
afterAll(async () => {
  await gate.close()
  rmSync(home, { recursive: true })
})

/** Puts the calls' own home in place of the one that they are written for. */
const here = (call: Call): Call => JSON.parse(JSON.stringify(call).replaceAll('/home/u', home)) as Call

async function stoppedBy(written: Call): Promise<readonly string[]> {
  const call = here(written)
  const wire =
    typeof call === 'string'
      ? claudeShell(call, cwd)
      : claudeShell('', cwd, { tool_name: call[0], tool_input: call[1] })
  const { evaluations } = await gate.decide(await gate.decode(wire))
  return evaluations.flatMap((one) =>
    one.kind === 'applicable' && /deny|ask/.test(one.effect ?? '') ? [one.ruleId.split('/').at(-1) ?? ''] : [],
  )
}

/** Rules about who reads what is sent on purpose, wherever it goes. */
const aboutReaders: ReadonlySet<string> = new Set(['going-live', 'outgoing-messages', 'others-repositories'])

const titleOf = (call: Call) => (typeof call === 'string' ? call : JSON.stringify(call)).slice(0, 160)

describe.each([...waysOut, ...waysOutByTools])('content that would leave by $way', ({ asked, free }) => {
  it.each(asked.map((call) => [titleOf(call), call] as const))('is asked about: %s', async (_, call) => {
    expect(await stoppedBy(call)).not.toEqual([])
  })

  it.each(free.map((call) => [titleOf(call), call] as const))('is none of anybody else in %s', async (_, call) => {
    expect((await stoppedBy(call)).filter((rule) => !aboutReaders.has(rule))).toEqual([])
  })
})
