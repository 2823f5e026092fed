import type { DatabaseSync } from 'node:sqlite'
import { answersOfTheDead } from './answer-count.ts'

/** Returns how many decisions are known to be lost, those of processes that were killed included. */
export function lostDecisions(database: DatabaseSync, file: string): number {
  const known = new Map(
    database
      .prepare('SELECT writer, written, lost FROM writers')
      .all()
      .map(({ writer, written, lost }) => [String(writer), { written: Number(written), lost: Number(lost) }]),
  )
  const counted = [...known.values()].reduce((sum, { lost }) => sum + lost, 0)
  return [...answersOfTheDead(file)].reduce((sum, [name, answers]) => {
    const { written, lost } = known.get(name) ?? { written: 0, lost: 0 }
    return sum + Math.max(0, answers - written - lost)
  }, counted)
}
