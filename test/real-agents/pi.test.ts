import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Call, mark } from './model/script.ts'
import { pins, programOf } from './pins.ts'
import { says } from './policy.ts'
import type { Ran, Started, World } from './world.ts'
import { worldOf } from './world.ts'

const { version } = pins.pi
const isHere = programOf('pi') !== undefined

/** A program that drives another Pi, and answers its questions as its argument says. */
const driver = `
import { spawn } from 'node:child_process'
const words = ['--mode', 'rpc', '--no-session', '--provider', 'scripted', '--model', 'scripted']
const child = spawn('pi', words, { stdio: ['pipe', 'pipe', 'inherit'] })
const send = (message) => child.stdin.write(JSON.stringify(message) + '\\n')
let text = ''
child.stdout.setEncoding('utf8').on('data', (piece) => {
  const lines = (text + piece).split('\\n')
  text = lines.pop()
  for (const { type, method, id } of lines.filter(Boolean).map((line) => JSON.parse(line))) {
    if (method === 'confirm') send({ type: 'extension_ui_response', id, confirmed: process.argv[2] === 'yes' })
    if (type === 'agent_settled') child.kill()
  }
})
send({ id: '1', type: 'prompt', message: '${mark.sub}: do as the test says' })
`

const blocking = (reason: string) =>
  `export default (pi) => pi.on('tool_call', async () => ({ block: true, reason: '${reason}' }))\n`

describe.runIf(isHere)(`Pi ${version}`, () => {
  let world: World
  beforeAll(async () => {
    world = await worldOf('pi', [])
  })
  afterAll(() => world.close())

  const calling = (calls: readonly Call[], files: Readonly<Record<string, string>> = {}, started: Started = {}) =>
    world.run(() => ({ main: [{ calls }] }), files, started)
  const bash = (command: string): Call => ({ tool: 'bash', input: { command } })
  const told = ({ asked }: Ran, text: string) => asked.slice(1).some((body) => body.includes(text))

  it.each(['yes', 'no'])('asks whoever drives it by RPC, and heeds the answer: %s', async (answer) => {
    const ran = await world.run(
      () => ({ main: [{ calls: [bash(`node driver.mjs ${answer}`)] }], sub: [{ calls: [bash('touch asked-about')] }] }),
      { 'driver.mjs': driver },
    )
    expect(ran.made('asked-about')).toBe(answer === 'yes')
    if (answer === 'no') expect(told(ran, says.ask)).toBe(true)
  })

  it('asks about each call that a script of its codemode makes', async () => {
    // The script itself is a call as well, and does not have the word that is refused.
    const code = `await tools.bash({ command: 'touch allowed' })
      try { await tools.bash({ command: 'touch re' + 'fused' }) } catch (error) { text(error.message) }`
    const ran = await calling([{ tool: 'codemode', input: { code } }], {}, { args: ['--tools', '+codemode'] })
    expect([ran.made('allowed'), ran.made('refused')]).toEqual([true, false])
    expect(told(ran, says.no)).toBe(true)
  })

  it('reads the path of a mention, and of an address, as hookgate does', async () => {
    const key = `${world.home}/../state/gate.key`
    for (const path of [`@${key}`, `file://${key}`]) {
      // oxlint-disable-next-line no-await-in-loop -- one program at a time
      const ran = await calling([{ tool: 'read', input: { path } }])
      expect(told(ran, 'what proves')).toBe(true)
    }
    const written = await calling([{ tool: 'write', input: { path: '@allowed', content: 'x' } }])
    expect(written.made('allowed')).toBe(true)
  })

  it('edits a file as it was decided', async () => {
    const edit = (newText: string): Call => ({
      tool: 'edit',
      input: { path: 'a.txt', edits: [{ oldText: 'a', newText }] },
    })
    expect((await calling([edit('b')], { 'a.txt': 'a\n' })).text('a.txt')).toBe('b\n')
  })

  it('hands hookgate a call as the extensions before it have changed it', async () => {
    const changing = `export default (pi) => pi.on('tool_call', async ({ input }) => void (input.command = 'touch refused'))\n`
    const ran = await calling([bash('touch allowed')], { '.pi/extensions/own.js': changing })
    expect([ran.made('allowed'), ran.made('refused')]).toEqual([false, false])
    expect(told(ran, says.no)).toBe(true)
  })

  it('loads no extension of a project that is not trusted', async () => {
    const files = { '.pi/extensions/own.js': blocking('of-the-project') }
    expect(told(await calling([bash('touch made')], files), 'of-the-project')).toBe(true)
    expect((await calling([bash('touch made')], files, { args: ['--no-approve'] })).made('made')).toBe(true)
  })

  it('does nothing at all where an extension cannot be loaded', async () => {
    const ran = await calling([bash('touch made')], { '.pi/extensions/own.js': 'export default (pi) => {{' })
    expect([ran.exitCode, ran.asked.length]).toEqual([1, 0])
  })

  it('asks nobody with `-ne`', async () => {
    expect((await calling([bash('touch refused')], {}, { args: ['-ne'] })).made('refused')).toBe(true)
  })
})
