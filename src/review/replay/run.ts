import { availableParallelism } from 'node:os'
import { HookgateError } from '../../model/errors.ts'
import { acceptedBy, openInput } from './inputs.ts'
import { checkRules, type ReplayQuestion, type ReplaySite } from './question.ts'
import { replay } from './replay.ts'
import { type ReplayProgress, type ReplayReport, reportOf } from './report.ts'
import { openRuleSets, type RulesNames } from './rule-sets.ts'
import { ReplayTally } from './tally.ts'

interface ReplayWatch {
  /** Ends the replay early, with a report of what was decided until then. */
  readonly signal: AbortSignal
  /** Is called once the replay begins, and may look at its progress until the function that it returns is called. */
  readonly watch: (progress: () => ReplayProgress) => () => void
}

interface Replayed {
  readonly report: ReplayReport
  readonly names: RulesNames
}

/**
 * Decides past calls, and removes whatever it wrote for that, also if it is ended early.
 *
 * @throws HookgateError if there is nothing to read, or rules do not load
 */
export async function runReplay(
  question: ReplayQuestion,
  site: ReplaySite,
  { signal, watch }: ReplayWatch,
): Promise<Replayed> {
  checkRules(question)
  const input = await openInput(question, site)
  const sets = await openRuleSets(question, site)
  const tally = new ReplayTally()
  const unwatch = watch(() => ({ calls: tally.calls, ...input.read }))
  const { promise: aborted, resolve: setAborted } = Promise.withResolvers<void>()
  signal.addEventListener('abort', () => setAborted())
  const startedAtMs = performance.now()
  try {
    const whole = replay(input.items, tally, {
      now: sets.now,
      before: sets.before,
      accepts: acceptedBy(question),
      atOnce: replayCallsAtOnce * availableParallelism(),
      signal,
    })
    if (!signal.aborted) await Promise.race([whole, aborted])
    const report = reportOf(tally, {
      isCompared: sets.before !== undefined,
      isPartial: signal.aborted,
      limit: question.limit,
      seconds: (performance.now() - startedAtMs) / 1000,
    })
    if (report.calls === 0 && !report.partial && report.unreadable.length === 0) throw noCalls(question)
    return { report, names: sets.names }
  } finally {
    unwatch()
    sets.end()
  }
}
/** Calls decided at once for each core: enough to keep the sandbox busy while facts are found here. */
export const replayCallsAtOnce = 4

function noCalls({ sources, from }: ReplayQuestion): HookgateError {
  const where = {
    stdin: 'on stdin',
    record: 'in the record that the options let through',
    sessions: `in ${sources.length === 0 ? 'the sessions that were found' : sources.join(', ')} that the options let through`,
  }[from]
  return new HookgateError('usage', `there is no tool call ${where}`, { remedy: 'see `hookgate replay --help`' })
}
