/**
 * A program that embeds the hook runner. Tests run it as a process, to see what happens to its hooks when it ends.
 *
 * Arguments: which process starts hooks, what it does once they have been started, and the hooks' shell commands. Prints
 * `ready` when its first hook, which warms it up, has answered, and a line of JSON for the exit of each hook.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { loadHookRunner } from '../../src/hooks/runner.ts'
import { starterNamed, shellHook } from './hooks.ts'

const [starter, then = 'end', ...commands] = process.argv.slice(2)
const { PATH = '', HOOKGATE_TEST_TAG = '' } = process.env
const env = { PATH, HOOKGATE_TEST_TAG }
const begin = await loadHookRunner({ starter: starterNamed(starter), concurrency: 8 })
const runner = begin()

const [what = 'end', afterMs = '0'] = then.split(':')
/** Installed before a hook runs: a test sends the signal as soon as it sees one. */
const listeners: Readonly<Record<string, () => void>> = {
  'kill-all'() {
    process.on('SIGTERM', () => {
      runner.killAll()
      process.exit(0)
    })
  },
  'ignore-sigint'() {
    process.on('SIGINT', () => {})
  },
}
listeners[what]?.()

await runner.run(shellHook('true', { env }))
process.stdout.write('ready\n')
const exits = commands.map(async (command) => {
  process.stdout.write(`${JSON.stringify(await runner.run(shellHook(command, { env })))}\n`)
})

const endings: Readonly<Record<string, () => void | Promise<void>>> = {
  end() {},
  exit() {
    setTimeout(() => process.exit(0), Number(afterMs))
  },
  throw() {
    setTimeout(() => {
      throw new Error('thrown on purpose')
    }, Number(afterMs))
  },
  async close() {
    await sleep(Number(afterMs))
    await runner.close()
    await Promise.all(exits)
  },
}
await endings[what]?.()
