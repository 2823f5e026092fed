import { z } from 'zod'
import { rulesAt } from '../../install/rules-here.ts'
import { limits } from '../../model/limits.ts'
import { addFigures, type FiguresFilter, noFigures, type RecordFigures } from '../../record/figures.ts'
import type { DecisionReader } from '../../record/read.ts'
import { byHand } from '../../changes/change.ts'
import { answering, type PageContext } from '../route.ts'

/** Spans of time in one chart of the page: a week has 169 hours where the clock is set back. */
const pageSpansMax = 200

/** Different rules of whose failures the page shows the last: each costs a look into the record. */
const pageFailuresMax = 50

/** A moment that the page names: the year 9999, so that it has four digits. */
const pageMomentMsMax = 253_402_300_799_999

const Moment = z.int().nonnegative().max(pageMomentMsMax)

const Asked = z.strictObject({
  /** The start of each span of time, ms since the epoch: the hours and days are those of the person's clock. */
  startsMs: z
    .tuple([Moment], Moment)
    .refine((starts) => starts.length <= pageSpansMax, `at most ${pageSpansMax} spans`)
    .refine((starts) => starts.every((start, index) => start > (starts[index - 1] ?? -1)), 'in ascending order'),
  agent: z.string().optional(),
  project: z.string().optional(),
})

/** Decisions over time. */
export const historyRoutes = ({ record, env, cwd }: PageContext) => ({
  history: answering(Asked, (asked) => {
    const { startsMs, agent, project } = asked
    const argv = [
      'stats',
      '--since',
      localMoment(new Date(startsMs[0])),
      ...(agent === undefined ? [] : ['--agent', agent]),
      ...(project === undefined ? [] : ['--project', project]),
    ]
    const { reader } = record.look()
    return {
      byHand: byHand(argv),
      lost: reader?.lost() ?? 0,
      history: reader === undefined ? undefined : shownHistory(reader, asked),
    }
  }),

  /** The decisions since the beginning of the person's day. */
  today: answering(z.strictObject({ sinceMs: Moment }), ({ sinceMs }) => {
    const found = record.look().reader?.figures({ startsMs: [sinceMs] })
    return found === undefined ? noFigures : allOf(found)
  }),

  /** The level at which decisions are recorded from now on. */
  recordLevel: answering(z.strictObject({}), async () => {
    const here = await rulesAt({ env, cwd }, [cwd])
    return { level: here.record.level }
  }),
})

/** Lists what the page shows, each list as long as an answer may be. */
function shownHistory(reader: Pick<DecisionReader, 'find' | 'figures' | 'durations'>, asked: FiguresFilter) {
  const found = reader.figures(asked)
  const { spans, counted, allAgents, allProjects, rules, failures, unreadable } = found
  const durations = reader.durations(asked.startsMs[0])
  const countedOnly = [...counted.values()].reduce((sum, number) => sum + number, 0)
  return {
    all: allOf(found),
    spans,
    counted: [...counted].map(([day, number]) => ({ day, number })),
    countedOnly,
    agents: allAgents.slice(0, limits.pageRowsMax),
    projects: allProjects.slice(0, limits.pageRowsMax),
    rules: [...rules].slice(0, limits.pageRowsMax).map(([rule, figures]) => Object.assign({ rule }, figures)),
    failures: [...failures].slice(0, pageFailuresMax).map(([rule, { number, message, id }]) => ({
      rule,
      number,
      message,
      id,
      at: reader.find(id)?.record.at,
    })),
    gate: durations.gate,
    times: [...durations.rules]
      .slice(0, limits.pageRowsMax)
      .map(([rule, distribution]) => Object.assign({ rule }, distribution)),
    unreadable,
  }
}

/** Adds up all spans, with the decisions that were only counted. */
function allOf({ spans, counted }: Pick<RecordFigures, 'spans' | 'counted'>) {
  const decided = [...counted.values()].reduce((sum, number) => sum + number, 0)
  return spans.reduce(addFigures, { ...noFigures, decided })
}

/** Returns a moment as a person types it for `--since`: a day, if it is its first moment. */
function localMoment(date: Date): string {
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  if (date.getSeconds() !== 0 || date.getMilliseconds() !== 0) return date.toISOString()
  const time = `${two(date.getHours())}:${two(date.getMinutes())}`
  return time === '00:00' ? day : `${day}T${time}`
}

const two = (number: number) => String(number).padStart(2, '0')
