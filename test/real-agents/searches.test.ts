import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Call } from './model/script.ts'
import { type Pinned, programOf } from './pins.ts'
import { type Setup, setups } from './setups.ts'
import { type World, worldOf } from './world.ts'

/** The tool of each agent that searches a folder and shows the lines that it finds. */
const searches: { readonly [Agent in Pinned]?: (folder: string, pattern: string) => Call } = {
  'claude-code': (path, pattern) => ({ tool: 'Grep', input: { pattern, path, output_mode: 'content' } }),
  'gemini-cli': (path, pattern) => ({ tool: 'grep_search', input: { pattern, dir_path: path } }),
  'copilot-cli': (path, pattern) => ({ tool: 'grep', input: { pattern, paths: path, output_mode: 'content' } }),
  'qwen-code': (path, pattern) => ({ tool: 'grep_search', input: { pattern, path } }),
  droid: (path, pattern) => ({ tool: 'Grep', input: { pattern, path, output_mode: 'content' } }),
  opencode: (path, pattern) => ({ tool: 'grep', input: { pattern, path } }),
  kilo: (path, pattern) => ({ tool: 'grep', input: { pattern, path } }),
  'grok-build': (path, pattern) => ({ tool: 'grep', input: { pattern, path } }),
  'kimi-code': (path, pattern) => ({ tool: 'Grep', input: { pattern, path, output_mode: 'content' } }),
  pi: (path, pattern) => ({ tool: 'grep', input: { pattern, path } }),
}

/** Words without which it has no such tool, or stays in the project by itself. */
const argsOf: { readonly [Agent in Pinned]?: (folder: string) => readonly string[] } = {
  'claude-code': () => ['--tools', 'Bash,Grep'],
  pi: () => ['--tools', 'grep'],
  'gemini-cli': (folder) => ['--include-directories', folder],
}

/** They fetch the program that searches, for which there is no network here. */
const searchesNothing: ReadonlySet<Pinned> = new Set<Pinned>(['opencode', 'kilo', 'kimi-code', 'pi'])

const isHere = ({ agent, flags }: Setup) =>
  flags.length === 0 && searches[agent] !== undefined && programOf(agent) !== undefined

describe.each(setups.filter(isHere))('what $title searches', ({ agent, flags }) => {
  let world: World
  beforeAll(async () => {
    world = await worldOf(agent, flags)
  })
  afterAll(() => world.close())

  const searched = async (folder: string, pattern: string) => {
    const call = searches[agent]?.(folder, pattern)
    return world.run(
      () => ({ main: [{ calls: call === undefined ? [] : [call] }] }),
      { 'notes/a.txt': 'b7e1-line' },
      { args: argsOf[agent]?.(folder) ?? [] },
    )
  }

  it.runIf(!searchesNothing.has(agent))('is shown to the model', async () => {
    const { asked } = await searched('notes', 'b7e1')
    expect(asked.slice(1).some((body) => body.includes('b7e1-line'))).toBe(true)
  })

  it('is not the folder with the key of the gate', async () => {
    const state = join(world.home, '../state')
    const { asked } = await searched(state, '[0-9a-f]')
    const key = readFileSync(join(state, 'gate.key'), 'latin1').trim().slice(0, 16)
    expect(asked.some((body) => body.includes(key))).toBe(false)
    const isTold = asked.slice(1).some((body) => body.includes('what proves a person'))
    expect(isTold || world.launch.refusalEnds === true).toBe(true)
  })
})
