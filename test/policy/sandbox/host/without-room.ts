/**
 * A program that embeds the policy runner and has no file descriptor left when it asks, run as a process of its own under
 * a small `ulimit -n`. Argument: `cold`, or `killed` for one whose sandboxes are ended when there is none left.
 *
 * Prints what it is told, a line of JSON each: twice while there is no room, and once there is again.
 */
/* oxlint-disable no-await-in-loop -- one after the other is what it is about */
import { closeSync, openSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { startPolicyRunner } from '../../../../src/policy/sandbox/index.ts'
import { callsTo, library, requestOf, sandboxPids, saysPrompt, toldBy } from '../written.ts'

const runner = startPolicyRunner({ placement: 'process', library, threads: 1 })
const taken: number[] = []
const say = (told: unknown) => process.stdout.write(`${JSON.stringify(told)}\n`)
// The first write to a pipe opens it.
say('ready')

const isKilled = process.argv[2] === 'killed'
if (!isKilled) takeAll()
const { id } = await runner.load([{ ...saysPrompt, definition: '{}' }])
const ask = async () => toldBy(await runner.evaluate(requestOf(callsTo(id, [0]))))
if (isKilled) {
  await ask()
  const pids = sandboxPids()
  takeAll()
  for (const pid of pids) process.kill(pid, 'SIGKILL')
  // What was a sandbox's is free again when it is gone.
  for (const before = taken.length; taken.length === before; takeAll()) await setTimeout(5)
}
say(await ask())
say(await ask())
for (const descriptor of taken) closeSync(descriptor)
let told = await ask()
for (; told[0] === 'exhausted'; told = await ask()) await setTimeout(100)
say(told)
await runner.close()

function takeAll(): void {
  try {
    for (;;) taken.push(openSync('/dev/null', 'r'))
  } catch {
    // There is none left.
  }
}
