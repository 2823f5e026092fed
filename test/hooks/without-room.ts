/**
 * Embeds the hook runner and runs hooks without a free file descriptor, in its own process under a small `ulimit -n`.
 * Arguments: which process starts hooks, and `warm`, `cold` or `tight`, which keeps the descriptors that are free.
 *
 * Prints a line of JSON for each hook: two concurrent ones, one in the background, and one with free descriptors again.
 */
import { closeSync, openSync } from 'node:fs'
import { loadHookRunner } from '../../src/hooks/runner.ts'
import { starterNamed, shellHook } from '../support/hooks.ts'

const [starter, warmth] = process.argv.slice(2)
const begin = await loadHookRunner({ starter: starterNamed(starter), concurrency: 8 })
const runner = begin()
const hook = shellHook('true')
const print = (value: unknown) => process.stdout.write(`${JSON.stringify(value ?? null)}\n`)
// Opens stdout's pipe while descriptors are free.
print('ready')
if (warmth === 'warm') await runner.run(hook)

const descriptors = warmth === 'tight' ? [] : takeAll()
if (warmth === 'cold') runner.warm()
const exits = await Promise.all([runner.run(hook), runner.run(hook)])
for (const { failure } of [...exits, await runner.run(hook)]) print(failure)
print(await runner.background(hook))
for (const descriptor of descriptors) closeSync(descriptor)
print((await runner.run(hook)).failure)
await runner.close()

function takeAll(): readonly number[] {
  const taken: number[] = []
  try {
    for (;;) taken.push(openSync('/dev/null', 'r'))
  } catch {
    return taken
  }
}
