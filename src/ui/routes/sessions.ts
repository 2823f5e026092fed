import { z } from 'zod'
import { knownHome } from '../../files/home-folder.ts'
import type { Approval } from '../../model/approval.ts'
import { limits } from '../../model/limits.ts'
import { openKeptSteps } from '../../past/open-past.ts'
import { scopeOf, type StepStore } from '../../past/store.ts'
import type { DecisionReader, StoredDecision } from '../../record/read.ts'
import { openStateReader, type SessionState, type SettingStep } from '../../review/state/session-report.ts'
import { placesFor } from '../../rules/places.ts'
import { answering, type PageContext } from '../route.ts'
import { firstOf, listed, type ListedDecision } from './decisions.ts'

/** Sessions of one list, and sub-agents of one session: more than a person looks through. */
const sessionsMax = 100

/** Calls of one session that the page can show: more than a day of a busy agent has, and 140 KB of their numbers. */
const sessionCallsMax = 20_000

const Name = z.string().max(limits.pageWordCharactersMax)
const OfSession = z.strictObject({ agent: Name, session: Name })

/** A state, of which the calls that have set it lead to their decisions. */
type StateWithRows = Omit<SessionState, 'setBy'> & { readonly setBy: readonly SettingRow[] }
type SettingRow = Omit<SettingStep, 'call'> & { readonly id?: string; readonly seq?: number }

/** Sessions: which there are, the calls of one in their order, and what rules have counted in it. */
export const sessionRoutes = ({ record, env, cwd, places: own, managedFolder }: PageContext) => ({
  /** The sessions with the latest decisions. */
  sessions: answering(z.strictObject({}), () => {
    const sessions = record.look().reader?.sessions(sessionsMax + 1) ?? []
    return { sessions: sessions.slice(0, sessionsMax), hasMore: sessions.length > sessionsMax }
  }),

  /** Which rows of the record are those of a session and of its sub-agents, by their numbers. */
  session: answering(OfSession, ({ agent, session }) => {
    const { reader } = record.look()
    const ids = idsOf(own.past, agent, session)
    const rows = reader?.outline({ agent, sessions: ids, listed: true, withPrompts: true }, sessionCallsMax) ?? []
    const of = (...outcomes: readonly string[]) =>
      rows.flatMap(({ seq, outcome }) => (outcomes.includes(outcome) ? [seq] : []))
    return { ids, all: rows.map(({ seq }) => seq), refused: of('deny'), asked: of('ask', 'defer') }
  }),

  /** Some rows of a session, in their order, from a row on. */
  sessionCalls: answering(
    z.strictObject({
      agent: Name,
      ids: z.array(Name).min(1).max(sessionsMax),
      fromSeq: z.int().positive(),
      outcome: z.enum(['refused', 'asked']).optional(),
      limit: z.int().positive().max(limits.pageRowsMax),
    }),
    ({ agent, ids: sessions, fromSeq, outcome, limit }) => {
      const { reader } = record.look()
      const outcomes =
        outcome === undefined ? [] : outcome === 'refused' ? (['deny'] as const) : (['ask', 'defer'] as const)
      const filter = { agent, sessions, outcomes, listed: true, withPrompts: true, afterSeq: fromSeq - 1 } as const
      return { rows: firstOf(reader?.rows(filter) ?? [], limit).map(calledRow) }
    },
  ),

  /** What rules have counted in a session, as `hookgate state SESSION` says it. It takes a second. */
  sessionStates: answering(OfSession, async ({ agent, session }) => {
    const store = openKeptSteps(own.past)
    const kept = store?.sessions().find(({ latest }) => latest.agent === agent && latest.session === session)
    if (store === undefined || kept === undefined) {
      store?.close()
      return { steps: 0, states: [] }
    }
    const rules = placesFor({ cwd, env, home: knownHome(env['HOME']), stateFolder: own.folder, managedFolder })
    const reader = openStateReader(store, rules, env)
    try {
      const { states, problem } = await reader.report(kept)
      const found = rowsOf(record.look().reader, agent, idsIn(store, agent, session))
      return {
        steps: kept.steps,
        states: states.map((state): StateWithRows => Object.assign({}, state, { setBy: state.setBy.map(found) })),
        ...(problem !== undefined && { problem }),
      }
    } finally {
      await reader.end()
      store.close()
    }
  }),
})

/** A row of a session: with what came of the question whether a person approves the call. */
export interface SessionCall extends ListedDecision {
  readonly approval?: Approval
}
const calledRow = (row: StoredDecision): SessionCall => {
  const { approval } = row.record
  return approval === undefined ? listed(row) : { ...listed(row), approval }
}

/** Returns the ids that a session and its sub-agents have in the record: those of sub-agents are known from the steps. */
function idsOf(file: string, agent: string, session: string): readonly string[] {
  const store = openKeptSteps(file)
  try {
    return store === undefined ? [session] : idsIn(store, agent, session)
  } finally {
    store?.close()
  }
}

function idsIn(store: StepStore, agent: string, session: string): readonly string[] {
  const steps = store.after(scopeOf({ agent, session, workspace: '' }, 'session'), 0)
  return [...new Set([session, ...steps.flatMap(({ agentId }) => agentId ?? [])])].slice(0, sessionsMax)
}

/** Adds the row of the call to a step: before a call the first at its time, after it the last. */
const rowsOf =
  (reader: DecisionReader | undefined, agent: string, sessions: readonly string[]) =>
  ({ call, ...step }: SettingStep): SettingRow => {
    const rows = [...(reader?.rows({ agent, sessions, call, event: 'PreToolUse' }) ?? [])]
    const isBefore = ['refused', 'asked', 'allowed'].includes(step.outcome)
    const row = isBefore
      ? rows.find(({ record }) => Date.parse(record.at) >= step.atMs)
      : rows.findLast(({ record }) => Date.parse(record.at) <= step.atMs)
    return { ...step, ...(row !== undefined && { id: row.record.id, seq: row.seq }) }
  }
