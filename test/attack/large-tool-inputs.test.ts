import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createGate } from '../../src/library/index.ts'
import type { JsonObject } from '../../src/model/json.ts'
import { carriedUse } from '../../src/tools/carried-use.ts'
import { limits } from '../../src/model/limits.ts'
import { claudeShell } from '../support/wire.ts'

const folder = mkdtempSync(join(tmpdir(), 'hookgate-large-'))
writeFileSync(join(folder, 'hooks.json'), JSON.stringify({ preset: 'recommended' }))
const gate = createGate({
  placement: 'caller',
  rules: [join(folder, 'hooks.json')],
  discover: false,
  home: '/home/u',
  env: { HOME: '/home/u' },
})
afterAll(async () => {
  await gate.close()
  rmSync(folder, { recursive: true })
})

const many = <One>(times: number, one: (at: number) => One): One[] => Array.from({ length: times }, (_, at) => one(at))
const steps = limits.callSearchStepsMax

const large: Readonly<Record<string, JsonObject>> = {
  'empty commands': { commands: many(steps, () => ({})) },
  'keys of its own': Object.fromEntries(many(steps, (at) => [`k${at}`, 1])),
  'keys in a wrapper': { params: Object.fromEntries(many(steps, (at) => [`k${at}`, 1])) },
  'wrapped calls': { calls: many(steps / 2, () => ({ a: 1 })) },
  files: { path: 'a', files: many(steps, () => 'a') },
  'commands that each get all arguments': {
    calls: [...many(steps / 8, () => ({ command: 'a' })), { args: many(steps / 8, () => 'abcdefgh') }],
  },
}

describe('a tool without known fields is refused if it is called with too many', () => {
  it.each(Object.entries(large))('%s', async (_, input) => {
    for (const name of ['mcp__any__run', 'AnyTool']) {
      const wire = claudeShell('', '/home/u/proj', { tool_name: name, tool_input: input })
      // oxlint-disable-next-line no-await-in-loop -- each alone
      const { stdout } = await gate.answer(wire, { agent: 'claude-code' })
      expect(stdout).toContain('"permissionDecision":"deny"')
      expect(stdout).toContain('more fields than can be judged')
    }
  })
})

it.each(['Read', 'Write', 'mcp__fs__read'])('%s is refused if it is called with too many files', async (name) => {
  const tool_input = { file_path: many(limits.callPathsMax + 1, (at) => `src/a${at}.ts`), content: 'a' }
  const wire = claudeShell('', '/home/u/proj', { tool_name: name, tool_input })
  const { stdout } = await gate.answer(wire, { agent: 'claude-code' })
  expect(stdout).toContain('"permissionDecision":"deny"')
  expect(stdout).toContain(`names ${limits.callPathsMax + 1} files, more than can be judged`)
})

it.each(['mcp__any__thing', 'AnyTool'])('%s is refused if its input has too many paths', async (name) => {
  const tool_input = { rows: many(limits.callPlacesMax + 1, (at) => ({ a: `~/a${at}.ts` })) }
  const { stdout } = await gate.answer(claudeShell('', '/home/u/proj', { tool_name: name, tool_input }), {
    agent: 'claude-code',
  })
  expect(stdout).toContain(`names ${limits.callPlacesMax + 1} files, more than can be judged`)
})

it('a list of numbers names no paths', async () => {
  const wire = claudeShell('', '/home/u/proj', {
    tool_name: 'mcp__any__plot',
    tool_input: { points: many(steps + 1, (at) => at) },
  })
  const { verdict } = await gate.answer(wire, { agent: 'claude-code' })
  expect(verdict?.decision).toBe('abstain')
})

it('a large input with few fields is searched', () => {
  const content = 'a'.repeat(8 * 1024 * 1024)
  expect(carriedUse('write_file', { path: 'a', content })?.content).toHaveLength(content.length)
})

it('what a list of numbers means is not searched for', () => {
  expect(carriedUse('plot', { path: 'a', points: many(steps, (at) => at) })?.paths).toEqual(['a'])
})
