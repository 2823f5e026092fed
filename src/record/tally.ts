import { dayOf } from '../model/local-time.ts'
import type { DecisionCount, TimeCount } from './append.ts'
import type { DecisionRecord } from './record.ts'
import { bucketOf } from './duration-buckets.ts'

/** Counts decisions that are not recorded one by one, and how long rules take. */
interface Tally {
  count(record: DecisionRecord): void
  time(day: string, rule: string, ms: number): void
  /** Returns what was counted since the last call. */
  take(): { readonly counts: readonly DecisionCount[]; readonly times: readonly TimeCount[] }
}

export function openTally(): Tally {
  let counts = new Map<string, DecisionCount>()
  let times = new Map<string, TimeCount>()
  return {
    count({ at, agent = '', project = '', event = '', tool = '', decision }) {
      const one = { day: dayOf(Date.parse(at)), agent, project, event, tool, decision }
      const key = Object.values(one).join('\0')
      counts.set(key, { ...one, number: (counts.get(key)?.number ?? 0) + 1 })
    },
    time(day, rule, ms) {
      const bucket = bucketOf(ms)
      const key = `${day}\0${rule}\0${bucket}`
      times.set(key, { day, rule, bucket, number: (times.get(key)?.number ?? 0) + 1 })
    },
    take() {
      const taken = { counts: [...counts.values()], times: [...times.values()] }
      counts = new Map()
      times = new Map()
      return taken
    },
  }
}
