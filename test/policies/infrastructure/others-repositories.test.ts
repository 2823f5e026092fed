import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { openPresetGate } from '../../support/shipped-gate.ts'

const rows = readFileSync(new URL('../../fixtures/repositories/others.txt', import.meta.url), 'utf8').split('\n')
const callsOf = (mark: string) => rows.filter((row) => row.startsWith(`${mark} `)).map((row) => row.slice(2))

const remotes = `[remote "origin"]
\turl = https://github.com/acme/shop.git
[remote "upstream"]
\turl = git@github.com:upstream-org/shop.git
`
// Two workspaces for all rows: what a gate has read of one is remembered.
const [workspace, bare] = [remotes, ''].map((config) => {
  const folder = mkdtempSync(join(tmpdir(), 'hookgate-remotes-'))
  mkdirSync(join(folder, '.git'))
  writeFileSync(join(folder, '.git/HEAD'), 'ref: refs/heads/main\n')
  writeFileSync(join(folder, '.git/config'), config)
  return folder
})
const gate = openPresetGate('/home/u', 'recommended')
afterAll(async () => {
  await gate.close()
  for (const folder of [workspace, bare]) rmSync(folder ?? '', { recursive: true })
})

async function answerTo(call: string, folder = workspace) {
  const [, tool = '', input = ''] = /^(mcp__\w+) (.*)$/.exec(call) ?? []
  return tool === '' ? gate.judge(call, folder) : gate.judgeTool(tool, JSON.parse(input) as object, folder)
}

describe('a call that writes to somebody else’s repository', () => {
  it.each(callsOf('W'))('is asked about: %s', async (call) => {
    const { denied, asked } = await answerTo(call)
    expect([...denied, ...asked]).toContain('others-repositories')
  })

  it.each(callsOf('W').slice(0, 12))('is no question of whose it is where there is no remote: %s', async (call) => {
    const { denied, asked } = await answerTo(call, bare)
    expect([...denied, ...asked]).not.toContain('others-repositories')
  })
})

describe('a call that only reads there, or writes to the workspace’s own', () => {
  it.each(callsOf('-'))('passes: %s', async (call) => {
    expect(await answerTo(call)).toEqual({ denied: [], asked: [] })
  })
})
