import type { Candidate } from './candidate.ts'
import { cpuMs } from './process-tree.ts'
import { median, shuffled } from './statistics.ts'
import type { Subject } from './subject.ts'

export interface Throughput {
  readonly name: string
  readonly inFlight: number
  readonly perSecond: number
  /** CPU time of all processes per decision. */
  readonly cpuUs: number
}

/** Measures decisions per second at a constant concurrency: medians over alternating rounds. */
export async function throughputs(
  candidates: readonly Candidate[],
  subjects: readonly Subject[],
  inFlight: readonly number[],
  { seconds, rounds }: { readonly seconds: number; readonly rounds: number },
): Promise<readonly Throughput[]> {
  const cells = inFlight.flatMap((count) =>
    candidates.map((candidate) => ({ candidate, count, blocks: [] as Block[] })),
  )
  const blockMs = (seconds * 1000) / rounds
  for (let round = -1; round < rounds; round += 1) {
    for (const { candidate, count, blocks } of shuffled(cells)) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other is the measurement
      const block = await flood(candidate, subjects, count, blockMs)
      if (round >= 0) blocks.push(block)
    }
  }
  return cells.map(({ candidate: { name }, count, blocks }) => ({
    name,
    inFlight: count,
    perSecond: median(blocks.map(({ perSecond }) => perSecond)),
    cpuUs: median(blocks.map(({ cpuUs }) => cpuUs)),
  }))
}

type Block = Pick<Throughput, 'perSecond' | 'cpuUs'>

async function flood(
  candidate: Candidate,
  subjects: readonly Subject[],
  inFlight: number,
  blockMs: number,
): Promise<Block> {
  const cpuBefore = cpuMs()
  const startedAt = performance.now()
  const endAt = startedAt + blockMs
  let done = 0
  const askOn = async (first: number) => {
    for (let at = first; performance.now() < endAt; at += 1) {
      const subject = subjects[at % subjects.length]
      // oxlint-disable-next-line no-await-in-loop -- each sends its next event after an answer
      if (subject !== undefined) await candidate.decide(subject)
      done += 1
    }
  }
  await Promise.all(Array.from({ length: inFlight }, (_, first) => askOn(first)))
  const elapsedMs = performance.now() - startedAt
  return { perSecond: (done / elapsedMs) * 1000, cpuUs: ((cpuMs() - cpuBefore) / done) * 1000 }
}
