import type { Dialect } from '../../model/dialect.ts'
import { decodeAnswerBy } from './decode-answer.ts'
import { decodeEventBy } from './decode-event.ts'
import { encodeEventBy } from './encode-event.ts'
import { encodeVerdictBy } from './encode-verdict.ts'
import { environmentBy } from './environment.ts'
import { rowFor } from './row-for.ts'
import type { WireTable } from './table.ts'

/** The dialect that a table describes. */
export function dialectBy(table: WireTable): Dialect {
  return {
    agent: table.agent,
    events: [...new Set(table.rows.map(({ event }) => event))],
    namesProject: table.namesProject,
    recognises: table.recognises,
    decodeEvent: decodeEventBy(table),
    carries: (event) => rowFor(table, event).carries,
    encodeVerdict: encodeVerdictBy(table),
    encodeEvent: encodeEventBy(table),
    environment: environmentBy(table),
    decodeAnswer: decodeAnswerBy(table),
  }
}
