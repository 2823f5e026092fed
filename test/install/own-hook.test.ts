import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chooseClient, hookScript } from '../../src/service/client/index.ts'
import { hookText } from '../../src/install/hook-folders.ts'
import { eventSpellings } from '../../src/agents/registry.ts'
import { ownHookAgent } from '../../src/model/own-hook.ts'
import { folderWith } from '../support/workspace.ts'

const run = { command: "/home/o'neil/my node", args: ['/a b/bin.js', 'run', '--agent', 'cline'] }
const texts = eventSpellings('cline').flatMap((event) =>
  (['linux', 'win32'] as const).map((platform) => hookText('cline', event, 'project', platform, run)),
)

describe('the files that are written for Cline', () => {
  it('are recognised in all their forms', async () => {
    expect(texts.map(ownHookAgent)).toEqual(texts.map(() => 'cline'))
    for (const kind of ['native', 'node'] as const) {
      const folder = folderWith()
      // oxlint-disable-next-line no-await-in-loop -- a compiler and two probes
      const chosen = await chooseClient({ folder, node: process.execPath, kinds: [kind] }).catch(() => undefined)
      if (chosen === undefined) continue
      const call = { folder: "/home/o'neil/a b", socket: '/s', version: '1.2.3-beta.4', node: run.command, bin: '/b' }
      for (const event of eventSpellings('cline')) {
        expect(ownHookAgent(hookScript(chosen.client, { agent: 'cline', event, ...call }))).toBe('cline')
      }
    }
  })

  it('do not count as ours once they contain anything else', () => {
    const [text = ''] = texts
    const lines = text.split('\n')
    fc.assert(
      fc.property(
        fc.integer({ min: 3, max: lines.length }),
        fc.constantFrom('rm -rf x', 'true', 'exec sh'),
        (at, line) => {
          expect(ownHookAgent(lines.toSpliced(at, 0, line).join('\n'))).toBeUndefined()
        },
      ),
    )
    expect(ownHookAgent(text.replace('--agent cline', '--agent cline; rm x'))).toBeUndefined()
    expect(ownHookAgent(text.replace('--agent cline', '--agent $(rm x)'))).toBeUndefined()
    expect(ownHookAgent('#!/bin/sh\nexec hookgate run --agent cline\n')).toBeUndefined()
  })

  it('are recognised in bounded time, even if they are huge', () => {
    const [text = ''] = texts
    const long = text.replace("'run'", `'${"a'\\''".repeat(5000)}`)
    expect(ownHookAgent(`${long}!`)).toBeUndefined()
  })
})
