// One process of `bench/scale.ts`: a gate with the given policies, which measures a block of events on each message.
// Arguments: the folder of the policies, how many there are. Messages: `Loaded` once, a `Block` for each number of ms.
import { setTimeout as pause } from 'node:timers/promises'
import { createGate } from '../../src/library/index.ts'
import { descendants, rssKb } from './process-tree.ts'
import { summary } from './statistics.ts'
import { subjectsOf } from './subject.ts'

export type Loaded =
  | {
      readonly loadMs: number
      /** Resident memory before the gate was created. */
      readonly beforeKb: number
      readonly gateKb: number
      /** Resident memory of all sandbox processes together. */
      readonly sandboxKb: number
    }
  /** The reason why this many policies are not loaded. */
  | { readonly refused: string; readonly afterMs: number }

export interface Block {
  readonly p50: number
}

const [, , folder = '', policies = ''] = process.argv
const { benign, malicious } = await subjectsOf(Number(policies), 1024, folder)
const beforeKb = rssKb(process.pid)
const gate = createGate({ rules: [folder], discover: false })

const startedAt = performance.now()
const verdict = await gate.decide(malicious.event).catch(async (error: unknown) => {
  process.send?.({ refused: String(error), afterMs: performance.now() - startedAt } satisfies Loaded)
  await gate.close()
  process.exit()
})
const loadMs = performance.now() - startedAt
if (verdict.evaluations.length !== 10) throw new Error(`${verdict.evaluations.length} policies apply, not 10`)
if (verdict.determining.length !== 1) throw new Error(`the malicious event is answered by ${verdict.decision}`)

async function block(blockMs: number): Promise<Block> {
  const taken: number[] = []
  const endAt = performance.now() + blockMs
  for (let at = 0; performance.now() < endAt || taken.length === 0; at += 1) {
    const subject = benign[at % benign.length]
    if (subject === undefined) break
    const askedAt = performance.now()
    // oxlint-disable-next-line no-await-in-loop -- one after the other is the measurement
    await gate.decide(subject.event)
    if (at >= 10) taken.push((performance.now() - askedAt) * 1000)
  }
  return { p50: summary(taken).p50 }
}

process.on('disconnect', () => void gate.close())
process.on('message', (blockMs: number) => void block(blockMs).then((one) => process.send?.(one)))

// A spare sandbox is loaded after the first answer and counts towards the memory.
await block(500)
await pause(2000)
const sandboxKb = descendants().reduce((sum, pid) => sum + rssKb(pid), 0)
process.send?.({ loadMs, beforeKb, gateKb: rssKb(process.pid), sandboxKb } satisfies Loaded)
