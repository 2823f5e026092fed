/**
 * Embeds the policy runner and has no file descriptor left when it evaluates; it is run as a process of its own under a
 * small `ulimit -n`. Argument: `cold`, or `killed` to have its sandboxes killed when there is none left.
 *
 * Prints each outcome as a line of JSON: two while there is no descriptor, and one when there is again.
 */
/* oxlint-disable no-await-in-loop -- one at a time is the point */
import { closeSync, openSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { startPolicyRunner } from '../../../../src/policy/sandbox/host/runner.ts'
import { callsTo, library, requestOf, sandboxPids, echoesPrompt, outcomesOf } from '../written.ts'

const runner = startPolicyRunner({ placement: 'process', library, threads: 1 })
const taken: number[] = []
const print = (outcome: unknown) => process.stdout.write(`${JSON.stringify(outcome)}\n`)
// The first write to a pipe opens it.
print('ready')

const isKilled = process.argv[2] === 'killed'
if (!isKilled) takeAll()
const { id } = await runner.load([{ ...echoesPrompt, definition: '{}' }])
const ask = async () => outcomesOf(await runner.evaluate(requestOf(callsTo(id, [0]))))
if (isKilled) {
  await ask()
  const pids = sandboxPids()
  takeAll()
  for (const pid of pids) process.kill(pid, 'SIGKILL')
  // A killed sandbox's descriptors are free again, and are taken too.
  for (const before = taken.length; taken.length === before; takeAll()) await setTimeout(5)
}
print(await ask())
print(await ask())
for (const descriptor of taken) closeSync(descriptor)
let outcome = await ask()
for (; outcome[0] === 'exhausted'; outcome = await ask()) await setTimeout(100)
print(outcome)
await runner.close()

function takeAll(): void {
  try {
    for (;;) taken.push(openSync('/dev/null', 'r'))
  } catch {
    // No descriptor is left.
  }
}
