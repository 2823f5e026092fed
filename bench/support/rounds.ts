import type { Candidate } from './candidate.ts'
import { median, shuffled, summary, type Summary } from './statistics.ts'
import type { Subject, Subjects } from './subject.ts'

/** Times of one candidate, µs. */
export interface Timed extends Summary {
  readonly name: string
  readonly kind: Candidate['kind']
  /** The p50 of each round. */
  readonly rounds: readonly number[]
}

/** Minimum samples per round for percentiles. With fewer, all rounds are merged. */
const enough = 100

/** Measures a block of each candidate in every round, one event after the other, in shuffled order. */
export async function measured(
  candidates: readonly Candidate[],
  subjects: Subjects,
  { seconds, rounds }: { readonly seconds: number; readonly rounds: number },
): Promise<readonly Timed[]> {
  const blockMs = (seconds * 1000) / rounds
  const blocks = new Map(candidates.map((candidate) => [candidate, [] as (readonly number[])[]]))
  // oxlint-disable no-await-in-loop -- one after the other is the measurement
  for (const candidate of candidates) await warm(candidate, subjects.benign)
  for (let round = 0; round < rounds; round += 1) {
    for (const candidate of shuffled(candidates)) {
      blocks.get(candidate)?.push(await block(candidate, subjects.benign, blockMs))
    }
  }
  // oxlint-enable no-await-in-loop
  return candidates.map((candidate) => timed(candidate, blocks.get(candidate) ?? []))
}

/** Warms a candidate up until its code is compiled, here or in another process. A slow one needs longer. */
async function warm(candidate: Candidate, subjects: readonly Subject[]): Promise<void> {
  let calls = 0
  const slices = candidate.kind === 'spawned' ? 1 : 10
  // oxlint-disable-next-line no-await-in-loop -- one after the other, as they are measured
  for (let at = 0; at < slices && calls < 3000; at += 1) calls += (await block(candidate, subjects, 100)).length
}

/** Returns the µs of each call until the time is over. The first calls after another candidate are not counted. */
async function block(candidate: Candidate, subjects: readonly Subject[], blockMs: number): Promise<readonly number[]> {
  const uncounted = candidate.kind === 'spawned' ? 0 : 10
  const taken: number[] = []
  const endAt = performance.now() + blockMs
  let at = 0
  for (let now = 0; now < endAt || taken.length === 0; at += 1) {
    const subject = subjects[at % subjects.length]
    if (subject === undefined) break
    const startedAt = performance.now()
    const answered = candidate.decide(subject)
    // A synchronous answer must not wait for a microtask.
    // oxlint-disable-next-line no-await-in-loop
    if (answered instanceof Promise) await answered
    now = performance.now()
    if (at >= uncounted) taken.push((now - startedAt) * 1000)
  }
  return taken
}

function timed({ name, kind }: Candidate, blocks: readonly (readonly number[])[]): Timed {
  const summaries = blocks.map(summary)
  const rounds = summaries.map(({ p50 }) => p50)
  if (blocks.some(({ length }) => length < enough)) return { name, kind, rounds, ...summary(blocks.flat()) }
  const middle = (key: keyof Summary) => median(summaries.map((one) => one[key]))
  return { name, kind, rounds, p50: middle('p50'), p95: middle('p95'), p99: middle('p99') }
}

/** Throws if a candidate answers wrongly. */
export async function verified(candidates: readonly Candidate[], { benign, malicious }: Subjects): Promise<void> {
  await Promise.all(
    candidates
      .filter(({ kind }) => kind !== 'floor')
      .map(async (candidate) => {
        const first = benign[0]
        const decisions = [first && (await candidate.decide(first)), await candidate.decide(malicious)].join(', ')
        if (decisions !== 'abstain, deny') throw new Error(`${candidate.name} decides ${decisions}`)
      }),
  )
}
