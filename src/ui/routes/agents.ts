import { z } from 'zod'
import { agentNames, type KnownAgent } from '../../agents/registry.ts'
import { presetNames } from '../../files/policy-files.ts'
import { type AgentReport, agentReports, gateReport, gateReportJson } from '../../install/gate-report.ts'
import { examine } from '../../install/doctor/examine.ts'
import { agentsHere } from '../../install/index.ts'
import { rulesAt, type RulesHere } from '../../install/rules-here.ts'
import { errorText } from '../../model/errors.ts'
import { shippedPreset } from '../../rules/index.ts'
import { answering, OfProject, type PageContext, streaming } from '../route.ts'
import { makeChange } from '../../changes/change.ts'
import { userName } from '../../files/home-folder.ts'
import { version } from '../../files/program-files.ts'
import { type AnswerResult, RequestAnswer } from '../../model/approval.ts'
import { toolTitle } from '../../words/call-words.ts'
import { answerRequest, openRequests } from '../../service/server/ask-approvals.ts'
import { ensureGateRunning } from '../../service/server/ensure-gate.ts'

/** How far back the page counts what an agent asked. */
const agentDecisionsMs = 30 * 24 * 60 * 60_000

/** Agents that the page has checked at once: each starts processes, which slow each other down. */
const agentChecksMax = 2

const KnownAgentName = z.enum(agentNames)

/** The result of checking an agent, or why there is none. */
type CheckPart =
  | { readonly agent: KnownAgent; readonly check: AgentReport['status'] }
  | { readonly agent: KnownAgent; readonly problem: string }

/** Returns whether an administrator's file turns approvals off for everybody. */
const isForbidden = ({ loaded }: Pick<RulesHere, 'loaded'>) =>
  loaded.some(({ source, approvals }) => source.scope === 'managed' && approvals === false)

/** The resident gate and the agents that ask it. */
export const agentRoutes = ({ places, env, record, managedFolder, installingIn }: PageContext) => ({
  gate: answering(OfProject, async ({ project }) => {
    const here = await rulesAt({ env, cwd: project, managedFolder }, [project])
    const report = gateReportJson(await gateReport(places, here, () => installingIn(project)))
    return { ...report, hasApprovals: here.hasApprovals, mayTurnApprovalsOn: !isForbidden(here) }
  }),

  /** Every agent, as far as reading tells, with what is recorded of it; and the presets to begin with. */
  agents: answering(OfProject, async ({ project }) => {
    const agents = await agentsHere(installingIn(project))
    const { reader } = record.look()
    const figures = reader?.figures({ startsMs: [Date.now() - agentDecisionsMs] }).agents
    const lastAt = reader?.lastOfAgents()
    const presets = presetNames().map((name) => ({ name, description: shippedPreset(name).description }))
    return {
      presets,
      agents: agents.map((here) => {
        return Object.assign({}, here, { figures: figures?.get(here.agent), lastAt: lastAt?.get(here.agent) })
      }),
    }
  }),

  /** Has agents checked by a harmless event each, sent as they would send it. They come as they are done. */
  checkAgents: streaming(OfProject.extend({ agents: z.array(KnownAgentName) }), ({ project, agents }, signal) =>
    eachOf(agents, agentChecksMax, signal, async (agent): Promise<CheckPart> => {
      try {
        const { reports } = await agentReports([agent], installingIn(project))
        const check = reports[0]?.status
        return check === undefined ? { agent, problem: 'it was not checked' } : { agent, check }
      } catch (error) {
        return { agent, problem: errorText(error) }
      }
    }),
  ),

  /** Tries on the files of one agent what it sees when something fails. */
  tryFaults: answering(OfProject.extend({ agent: KnownAgentName }), ({ project, agent }) =>
    examine(installingIn(project), agent),
  ),
})

/** Yields the results as they come, with so many under way at most. */
async function* eachOf<T, R>(
  all: readonly T[],
  atOnce: number,
  signal: AbortSignal,
  work: (one: T) => Promise<R>,
): AsyncIterable<R> {
  const left = all.values()
  const running = new Map<number, Promise<readonly [number, R]>>()
  const begin = (key: number) => {
    const next = left.next()
    if (next.done === true || signal.aborted) running.delete(key)
    else
      running.set(
        key,
        work(next.value).then((result) => [key, result]),
      )
  }
  for (let key = 0; key < atOnce; key += 1) begin(key)
  while (running.size > 0) {
    // oxlint-disable-next-line no-await-in-loop -- one result after the other
    const [key, result] = await Promise.race(running.values())
    begin(key)
    yield result
  }
}

/** The calls that wait for a person, and a person's answer to one of them. */
export const approvalRoutes = ({ places, env, cwd, installingIn }: PageContext) => ({
  /** `requests` is null if no gate runs, so that no call can wait. */
  approvals: answering(z.strictObject({}), async () => ({
    requests:
      (await openRequests(places))?.map((one) =>
        Object.assign({ words: one.subject === '' ? toolTitle(one.toolName) : one.subject }, one),
      ) ?? null,
    nowMs: Date.now(),
  })),

  /** Starts the gate, in which calls wait. */
  startGate: answering(z.strictObject({}), async () => {
    await ensureGateRunning({ places, version: version(), httpPort: undefined, env })
    return {}
  }),

  answerApproval: answering(PageAnswer, async ({ again, ...given }) => {
    const by = userName()
    const answer = { ...given, channel: 'page' as const, ...(by !== undefined && { by }) }
    const result: AnswerResult = (await answerRequest(places, answer)) ?? { kind: 'unknown' }
    if (again === undefined || result.kind !== 'taken' || result.outcome === 'denied') return { result }
    try {
      await makeChange(
        { kind: 'allow', id: given.id, extent: repeats[again], reason: undefined },
        installingIn(cwd),
        false,
      )
      return { result, again }
    } catch (error) {
      return { result, onlyThis: errorText(error) }
    }
  }),
})

/** A person's answer on the page, and for how long the same call of the same session is let through with it. */
const PageAnswer = RequestAnswer.omit({ channel: true, by: true }).extend({
  again: z.enum(['thrice', 'halfHour']).optional(),
})
/** What follows the approved call itself. */
const repeats = { thrice: { kind: 'times', times: 2 }, halfHour: { kind: 'for', ms: 30 * 60_000 } } as const
