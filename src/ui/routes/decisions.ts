import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { Decision } from '../../model/effect.ts'
import { limits } from '../../model/limits.ts'
import type { DecisionFilter } from '../../record/filter.ts'
import type { RecordChoices } from '../../record/choices.ts'
import { openLatestReader } from '../../record/latest-reader.ts'
import type { RanCall, StoredDecision } from '../../record/read.ts'
import { foundDecision } from '../found-decision.ts'
import { type ListedDecision, listed } from '../listed-decision.ts'
import type { PageContext } from '../page-context.ts'
import { answering, streaming } from '../route.ts'

/** Time between two looks for new decisions: a person takes it for immediate, and it costs a look into a cache. */
const pagePollMs = 250

/** Selects decisions. */
const Filter = z.strictObject({
  agent: z.string().optional(),
  session: z.string().optional(),
  project: z.string().optional(),
  rule: z.string().optional(),
  text: z.string().optional(),
  /** The answer that reached the agent or, if no agent was answered, the decision. */
  outcomes: z.array(Decision).optional(),
  marks: z.array(z.enum(['observed', 'approved', 'failed'])).optional(),
  /** Set for every event; otherwise calls are listed, and other events at which a rule answered or failed. */
  everyEvent: z.literal(true).optional(),
})

const Page = Filter.extend({
  /** Rows before this one; default: the newest. */
  beforeSeq: z.int().positive().optional(),
  limit: z.int().positive().max(limits.pageRowsMax),
})

const Feed = Filter.extend({
  /** Rows after this one. */
  afterSeq: z.int().nonnegative(),
})

/** New rows that match. `isOther`: another database has taken the record's place, and these are its rows. */
export interface FeedPart {
  readonly rows: readonly ListedDecision[]
  /** Earlier rows whose calls have run meanwhile. */
  readonly ran: readonly RanCall[]
  readonly isOther: boolean
}

const filterOf = ({ everyEvent, ...filter }: z.infer<typeof Filter>): DecisionFilter => ({
  ...filter,
  ...(everyEvent === undefined && { listed: true }),
})

/** The decisions as they are recorded: some of them, the new ones as they come, and one. */
export const decisionRoutes = ({ record, places }: PageContext) => ({
  /** Rows, the newest first, and the number of the newest row of all. */
  decisions: answering(Page, ({ limit, beforeSeq, ...filter }) => {
    const { reader } = record.look()
    if (reader === undefined) return { rows: [] as readonly ListedDecision[], headSeq: 0 }
    // Read before: a row that is written meanwhile then comes with the feed.
    const headSeq = reader.head()
    const rows = [...reader.rows({ ...filterOf(filter), beforeSeq: beforeSeq ?? headSeq + 1 }, limit)].toReversed()
    return { rows: rows.map(listed), headSeq }
  }),

  /** Values that decisions can be filtered by. */
  choices: answering(
    z.strictObject({}),
    (): RecordChoices => record.look().reader?.choices() ?? { agents: [], projects: [], rules: [] },
  ),

  /** One row, by its id or the id of its refusal. */
  decision: answering(z.strictObject({ id: z.string() }), ({ id }) => foundDecision(record, id)),

  /** The rows to come. */
  feed: streaming(Feed, ({ afterSeq, ...filter }, signal) =>
    followRows(places.decisions, filterOf(filter), afterSeq, signal),
  ),
})

async function* followRows(
  file: string,
  filter: DecisionFilter,
  fromSeq: number,
  signal: AbortSignal,
): AsyncIterable<FeedPart> {
  // A reader of its own: what one tab has seen is not what another has.
  const latest = openLatestReader(file)
  let afterSeq = fromSeq
  try {
    while (!signal.aborted) {
      const { reader, isOther: isReplaced } = latest.look()
      const head = reader?.head() ?? afterSeq
      // One that is shorter than what was read of it is another one as well: it was replaced before this began.
      const isOther = isReplaced || head < afterSeq
      if (isOther) afterSeq = 0
      const isNew = reader !== undefined && head !== afterSeq
      const rows = isNew ? firstOf(reader.rows({ ...filter, afterSeq })) : []
      const ran = isNew ? reader.ranSince(afterSeq) : []
      // With as many rows as fit there may be more; with fewer, all up to the head have been looked at.
      const isAll = rows.length < limits.pageRowsMax
      afterSeq = isAll ? Math.max(head, rows.at(-1)?.seq ?? 0) : (rows.at(-1)?.seq ?? head)
      if (rows.length + ran.length > 0 || isOther) yield { rows: rows.map(listed), ran, isOther }
      if (!isAll) continue
      // oxlint-disable-next-line no-await-in-loop -- waiting is the point
      await sleep(pagePollMs, undefined, { signal }).catch(() => {})
    }
  } finally {
    latest.close()
  }
}

/** Returns at most as many rows as one answer may have. */
function firstOf(rows: Iterable<StoredDecision>): readonly StoredDecision[] {
  const first: StoredDecision[] = []
  for (const row of rows) {
    first.push(row)
    if (first.length === limits.pageRowsMax) break
  }
  return first
}
