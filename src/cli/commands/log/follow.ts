import { setTimeout as sleep } from 'node:timers/promises'
import type { DecisionFilter } from '../../../record/filter.ts'
import { openLatestReader } from '../../../record/latest-reader.ts'
import type { StoredDecision } from '../../../record/read.ts'
import type { CommandOutput } from '../../command.ts'
import { readingNotes } from '../../text/record-notes.ts'

/** Time between two looks: a person does not notice it, and it costs a look into a cache. */
const pollMs = 500

/**
 * Prints the last rows and then each new one, until Ctrl-C or until the reader is gone.
 *
 * @param print returns false once the reader has gone
 */
export async function follow(
  file: string,
  filter: DecisionFilter,
  last: number | undefined,
  print: (one: StoredDecision) => boolean,
): Promise<CommandOutput> {
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
  const latest = openLatestReader(file)
  let afterSeq = 0
  let lastOnly = last
  let notes = ''
  while (!stop.signal.aborted) {
    const { reader, isOther } = latest.look()
    // All of another database is new.
    if (isOther) [afterSeq, lastOnly] = [0, undefined]
    if (reader !== undefined) {
      // Read before: rows that are no match need not be looked at again.
      const head = reader.head()
      for (const one of reader.rows({ ...filter, afterSeq }, lastOnly)) {
        afterSeq = one.seq
        if (print(one)) continue
        latest.close()
        return { stdout: '', stderr: '', exitCode: 0 }
      }
      afterSeq = Math.max(afterSeq, head)
      notes = readingNotes(reader)
    }
    // The first rows of an empty record are new ones.
    lastOnly = undefined
    // oxlint-disable-next-line no-await-in-loop -- waiting is the point
    await sleep(pollMs, undefined, { signal: stop.signal }).catch(() => {})
  }
  latest.close()
  return { stdout: '', stderr: notes, exitCode: 0 }
}
