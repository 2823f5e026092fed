import { appendFileSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pins, programOf } from './pins.ts'
import { says } from './policy.ts'
import { type World, worldOf } from './world.ts'

/** A server of one tool, which makes a file of the name that it is given, in a folder of its own. */
const server = `
const [{ writeFileSync }, { join }, { createInterface }] = ['fs', 'path', 'readline'].map((name) => require('node:' + name))
const inputSchema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }
const answers = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'files', version: '1' } }),
  'tools/list': () => ({ tools: [{ name: 'make', description: 'Makes a file', inputSchema }] }),
  'tools/call'({ arguments: { name } }) {
    writeFileSync(join(process.argv[2], name), '')
    return { content: [{ type: 'text', text: 'made' }] }
  },
}
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: answers[method]?.(params) ?? {} }))
})
`

describe.runIf(programOf('grok-build') !== undefined)(`Grok Build ${pins['grok-build'].version}`, () => {
  let world: World
  beforeAll(async () => {
    world = await worldOf('grok-build', [])
    const file = join(world.home, 'server.cjs')
    writeFileSync(file, server)
    const settings = { command: process.execPath, args: [file, world.home] }
    const lines = Object.entries(settings).map(([key, value]) => `${key} = ${JSON.stringify(value)}`)
    appendFileSync(join(world.home, '.grok/config.toml'), `\n[mcp_servers.files]\n${lines.join('\n')}\n`)
  })
  afterAll(() => world.close())

  it('says to hookgate with what a tool of a server is called, also where that is in a file', async () => {
    const [allowed, refused] = ['allowed', 'refused'].map((word) => ['0', '1', '2'].map((at) => `${word}-${at}`))
    const names = [...(allowed ?? []), ...(refused ?? [])]
    const use = (input: object) => ({ calls: [{ tool: 'use_tool', input: { ...input } }] })
    const tool_name = 'files__make'
    const ran = await world.run(
      ({ project }) => ({
        main: names.map((name) => {
          if (name.endsWith('0')) return use({ tool_name, tool_input: { name } })
          const file = join(project, `${names.indexOf(name)}.json`)
          return use(name.endsWith('1') ? { tool_name, tool_input_file: file } : { file })
        }),
      }),
      Object.fromEntries(
        names.map((name, at) => [
          `${at}.json`,
          JSON.stringify(name.endsWith('1') ? { name } : { tool_name, tool_input: { name } }),
        ]),
      ),
    )
    const made = names.filter((name) => existsSync(join(world.home, name)))
    expect(made).toEqual(allowed)
    expect((ran.asked.at(-1) ?? '').split(says.no).length - 1).toBe(refused?.length)
  })
})
