/**
 * A program that embeds the hook runner and has no file descriptor left when it asks for hooks, run as a process of its
 * own under a small `ulimit -n`. Arguments: where hooks are placed, and `warm` or `cold`; with `tight`
 * it leaves itself what it has.
 *
 * Prints a line of JSON for each hook: two at once, one for which nobody waits, and one when there is room again.
 */
import { closeSync, openSync } from 'node:fs'
import { loadHookRunner } from '../../src/hooks/runner.ts'
import { placementNamed, shellHook } from '../support/hooks.ts'

const [placement, warmth] = process.argv.slice(2)
const begin = await loadHookRunner({ placement: placementNamed(placement), concurrency: 8 })
const runner = begin()
const hook = shellHook('true')
const say = (told: unknown) => process.stdout.write(`${JSON.stringify(told ?? null)}\n`)
// The first write to a pipe opens it.
say('ready')
if (warmth === 'warm') await runner.run(hook)

const descriptors = warmth === 'tight' ? [] : takeAll()
if (warmth === 'cold') runner.warm()
const exits = await Promise.all([runner.run(hook), runner.run(hook)])
for (const { failure } of [...exits, await runner.run(hook)]) say(failure)
say(await runner.background(hook))
for (const descriptor of descriptors) closeSync(descriptor)
say((await runner.run(hook)).failure)
await runner.close()

function takeAll(): readonly number[] {
  const taken: number[] = []
  try {
    for (;;) taken.push(openSync('/dev/null', 'r'))
  } catch {
    return taken
  }
}
