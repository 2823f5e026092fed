import { z } from 'zod'
import { titleOf } from '../../agents/registry.ts'
import { homeFolder } from '../../files/home-folder.ts'
import { presetNames } from '../../files/policy-files.ts'
import { HookgateError } from '../../model/errors.ts'
import type { DecisionFilter } from '../../record/filter.ts'
import { findSessions, sessionFolders } from '../../review/replay/session-files.ts'
import { byHand } from '../../changes/change.ts'
import type { PageContext } from '../page-context.ts'
import { questionOf, ReplayAsked, replayLine } from '../replay-asked.ts'
import { runOnThread } from '../replay-run.ts'
import type { ReplayPart } from '../replay-thread.ts'
import { answering, streaming } from '../route.ts'

/** A call that a replay has found, which may be in the record. */
const FoundCall = z.strictObject({
  agent: z.string(),
  subject: z.string(),
  /** The row, if the record was replayed. */
  seq: z.int().positive().optional(),
})

/** Lists what can be replayed and by which rules, and runs one replay at a time. */
export function replayRoutes({ env, places, record }: PageContext) {
  const home = () => homeFolder(env['HOME'])
  let running: { readonly signal: AbortSignal; readonly ended: Promise<void> } | undefined

  async function* runAlone(asked: ReplayAsked, signal: AbortSignal): AsyncIterable<ReplayPart> {
    // One that was stopped has to remove what it wrote.
    if (running?.signal.aborted === true) await running.ended
    if (running !== undefined) throw isRunning()
    const { promise: ended, resolve: setEnded } = Promise.withResolvers<void>()
    running = { signal, ended }
    try {
      const question = questionOf(asked, home(), Date.now())
      yield* runOnThread({ question, site: { cwd: asked.cwd, env, places } }, signal)
    } finally {
      running = undefined
      setEnded()
    }
  }

  return {
    replaySources: answering(z.strictObject({}), async () => {
      const site = { home: home(), env, platform: process.platform }
      const sources = await findSessions(site)
      const files = sources.filter((one) => one.kind === 'session')
      const folders = await sessionFolders(site)
      return {
        agents: [...Map.groupBy(files, ({ agent }) => agent ?? '')].map(([agent, own]) => ({
          agent,
          title: titleOf(agent),
          files: own.length,
          bytes: own.reduce((total, { bytes }) => total + bytes, 0),
        })),
        /** The folders in which sessions are looked for. */
        folders: [
          ...new Map(
            folders.map(({ agent, folder }) => [`${agent} ${folder}`, { title: titleOf(agent), folder }]),
          ).values(),
        ],
        isRecorded: record.look().reader !== undefined,
        presets: presetNames(),
      }
    }),

    /** The same by hand. */
    replayLine: answering(ReplayAsked, (asked) => ({ line: byHand(replayLine(asked, home())) })),

    replay: streaming(ReplayAsked, runAlone),

    /** The newest recorded decision about the same. */
    recordedCall: answering(FoundCall, ({ agent, subject, seq }) => {
      const { reader } = record.look()
      const filter: DecisionFilter =
        seq === undefined ? { agent, text: subject } : { afterSeq: seq - 1, beforeSeq: seq + 1 }
      const rows = reader === undefined ? [] : [...reader.rows(filter, rowsLookedAt)].toReversed()
      const found = rows.find((row) => seq !== undefined || row.record.subject === subject)
      return { id: found?.record.id ?? null }
    }),
  }
}

/** A command that is part of others may have many newer rows; then the decision is not found. */
const rowsLookedAt = 200

const isRunning = () =>
  new HookgateError('unavailable', 'another replay is running', {
    remedy: 'wait for it, or stop it in the tab that began it',
  })
