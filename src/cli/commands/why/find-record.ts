import { realPath } from '../../../files/real-path.ts'
import { HookgateError } from '../../../model/errors.ts'
import { isAtOrBelow } from '../../../words/machine-paths.ts'
import { didYouMean } from '../../../words/suggest.ts'
import { printable, quoted } from '../../../model/text.ts'
import type { DecisionFilter } from '../../../record/filter.ts'
import type { DecisionReader, StoredDecision } from '../../../record/read.ts'
import { localTime } from '../../../model/local-time.ts'
import { quotedCall } from '../../text/refusal-text.ts'

/** Refusals and questions, the latest, among which `hookgate why` looks for those of a folder. */
const whyDecisionsMax = 2000

/** Refusals in a list: those that a person still remembers. */
const listed = 10

/** Returns the last refusal or question in a folder, in those below it and those above; `undefined` if there is none. */
export function lastRefusal(reader: DecisionReader, cwd: string): StoredDecision | undefined {
  const here = realPath(cwd)
  const isHere = ({ record: { project = '' } }: StoredDecision) => {
    const there = realPath(project)
    return isAtOrBelow(here, there) || isAtOrBelow(there, here)
  }
  // A person asks about the call: a refused end of the session came after it, and is seldom what they mean.
  return lastRefusals(reader, { event: 'PreToolUse' }).findLast(isHere) ?? lastRefusals(reader).findLast(isHere)
}

const lastRefusals = (reader: DecisionReader, filter: DecisionFilter = {}): readonly StoredDecision[] => [
  ...reader.rows({ ...filter, decisions: ['deny', 'ask', 'defer'] }, whyDecisionsMax),
]

/**
 * Finds a decision by the id of its refusal, or by the beginning of its own.
 *
 * @throws HookgateError `usage` if there is none
 */
export function decisionNamed(reader: DecisionReader, id: string): StoredDecision {
  const wanted = id.trim().toLowerCase()
  const found = reader.find(wanted)
  if (found !== undefined) return found
  const last = lastRefusals(reader).slice(-listed).toReversed()
  const near = didYouMean(
    wanted,
    last.flatMap(({ record }) => record.refusal ?? []),
  )
  const list = last.map(lineOf).join('\n')
  const remedy = list === '' ? 'the reason of a refusal ends with its id' : `take one of these:\n${list}`
  const message = `no decision that is recorded has the id ${quoted(id)}`
  throw new HookgateError('usage', message, { remedy: near === undefined ? remedy : `${near} ${remedy}` })
}

/** Formats a decision in one line: its id, when, what. */
function lineOf({ record }: StoredDecision): string {
  const { id, refusal, at, decision, toolName = record.event ?? '', subject = '', determining } = record
  const what = decision === 'deny' ? 'refused' : 'asked'
  const names = determining.slice(0, 3).join(', ')
  return printable(
    `${refusal ?? id}  ${localTime(Date.parse(at))}  ${what.padEnd(7)}  ${quotedCall({ toolName, subject })}  ${names}`,
  )
}
