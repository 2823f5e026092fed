import { sessionlessDigest, openRefusals, type Refusals } from '../../files/state/refusals.ts'
import { openMemory } from '../../gate/gate-memory.ts'
import { type Gate, openGate } from '../../gate/gate.ts'
import type { HookEvent, PastCall, PastItem } from '../../model/event.ts'
import { limits } from '../../model/limits.ts'
import type { Environment } from '../../model/node-environment.ts'
import type { KeptRefusal } from '../../model/refusal.ts'
import type { StoredDecision } from '../../record/read.ts'
import type { DecisionRecord } from '../../record/record.ts'
import { recordedEvent } from '../replay/question.ts'
import { eventOf } from '../replay/replay.ts'

/** Different calls of the record that a suggestion is tried on, for what else it allows. The facts take 1 ms each. */
const suggestCallsMax = 2000

/** A call that led to a question to a person, and how often. */
export interface Question {
  readonly event: HookEvent
  /** The number of times that the person agreed: no setting is proposed for a question that was declined. */
  readonly times: number
  /** `agent`: its own prompt, which a permission can spare. `hookgate`: a rule asked, which an exception can spare. */
  readonly asker: 'agent' | 'hookgate'
  /** Ids under which `hookgate allow` may still know it. */
  readonly refusals: readonly string[]
}

/** The calls of a record, each once. */
export interface RecordedCalls {
  readonly questions: readonly Question[]
  /** Calls without a question that no rule refused. */
  readonly others: readonly HookEvent[]
  /** Questions about calls that did not run after it, as far as the record says. */
  readonly declined: number
  /** Questions about calls of which the record holds only a part of the command. */
  readonly unusable: number
  /** Questions of agents that the record has only counted. Default: none. */
  readonly countedOnly?: number
}

/** A question, with its number in each session. */
interface AskedCall extends Omit<Question, 'times'> {
  readonly bySession: Map<string, number>
  /** The times that a person approved and refused it when hookgate asked, so that nothing has to be guessed from what ran. */
  readonly approved: number
  readonly refused: number
}

/** Collects the calls of a record. A person has agreed to a call if it ran in the same session. */
export function callsIn(rows: Iterable<StoredDecision>): RecordedCalls {
  const asked = new Map<string, AskedCall>()
  const others = new Map<string, HookEvent>()
  const ran = new Map<string, number>()
  let unusable = 0
  for (const { record } of rows) {
    const inSession = JSON.stringify([record.agent, record.session, record.toolName, record.subject])
    if (record.event === 'PostToolUse' || record.event === 'PostToolUseFailure') {
      ran.set(inSession, (ran.get(inSession) ?? 0) + 1)
      continue
    }
    const asker = askerOf(record)
    const event = askedEventOf(record)
    // A question about what a rule made of a call is none about that call.
    if (event === undefined || record.rewritten !== undefined) {
      if (asker !== undefined) unusable += 1
      continue
    }
    const call = JSON.stringify([event.agent, event.workspaceRoots, event.tool?.name, record.subject])
    if (asker !== undefined) {
      const key = `${asker} ${call}`
      const before = asked.get(key)
      const { refusals = [], bySession = new Map<string, number>() } = before ?? {}
      const outcome = record.approval?.outcome
      const [approved, refused] = [Number(outcome === 'approved'), Number(outcome === 'denied')]
      if (approved + refused === 0) bySession.set(inSession, (bySession.get(inSession) ?? 0) + 1)
      asked.set(key, {
        event,
        asker,
        refusals: record.refusal === undefined ? refusals : [...refusals, record.refusal],
        bySession,
        approved: (before?.approved ?? 0) + approved,
        refused: (before?.refused ?? 0) + refused,
      })
    } else if (record.event === 'PreToolUse' && record.decision === 'abstain' && others.size < suggestCallsMax) {
      others.set(call, event)
    }
  }
  const questions = [...asked.values()].map((one): Question => {
    const { event, asker, refusals, bySession, approved } = one
    const agreed = [...bySession].map(([inSession, times]) => Math.min(times, ran.get(inSession) ?? 0))
    return { event, asker, refusals, times: sumOf(agreed) + approved }
  })
  const all = sumOf(
    [...asked.values()].map(({ bySession, approved, refused }) => sumOf([...bySession.values()]) + approved + refused),
  )
  return {
    questions: questions.filter(({ times }) => times > 0),
    others: [...others]
      .filter(([call]) => !asked.has(`agent ${call}`) && !asked.has(`hookgate ${call}`))
      .map(([, event]) => event),
    declined: all - sumOf(questions.map(({ times }) => times)),
    unusable,
  }
}

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0)

function askerOf({ event, decision, told, approval }: DecisionRecord): Question['asker'] | undefined {
  if (approval?.outcome === 'approved' || approval?.outcome === 'denied') return 'hookgate'
  // An agent that cannot ask refuses, without a question to anyone.
  if (decision === 'ask') return told === 'deny' ? undefined : 'hookgate'
  return event === 'PermissionRequest' && decision === 'abstain' ? 'agent' : undefined
}

/** Makes the event of a recorded call again; `undefined` if the record does not hold enough of it. */
function askedEventOf(record: DecisionRecord): HookEvent | undefined {
  const { event } = recordedEvent(record)
  const { agent, project, cwd = project, tool, toolName, event: name } = record
  if (event !== undefined || tool !== 'mcp') return event
  if (agent === undefined || cwd === undefined || toolName === undefined || name === undefined) return undefined
  // A permission is about an MCP tool, whatever its input.
  const session = { id: record.session ?? '', cwd }
  const use = { kind: tool, name: toolName, input: {} }
  return { name, agent, session, workspaceRoots: [project ?? cwd], atMs: Date.parse(record.at), tool: use, raw: {} }
}

/** Questions that today's rules would ask about past calls, and the refusals that say which exceptions spare them. */
interface PastQuestions {
  readonly questions: readonly Question[]
  readonly refusals: Pick<Refusals, 'find'>
}

/** Decides past calls by the rules in force, each once. Hooks are not run. */
export async function questionsAbout(
  items: AsyncIterable<PastItem>,
  accepts: (call: PastCall) => boolean,
  env: Environment,
): Promise<PastQuestions> {
  const refusals = openRefusals()
  const options = { env, runHooks: false }
  const gate = openGate(options, { ...openMemory(options), refusals })
  const kept = new Map<string, KeptRefusal>()
  const known = new Map<string, Question | undefined>()
  const nowMs = Date.now()
  try {
    for await (const item of items) {
      if (item.kind !== 'call' || !accepts(item.call)) continue
      const event = await eventOf(item.call, nowMs)
      if (typeof event === 'string') continue
      const digest = sessionlessDigest(event)
      const before = known.get(digest)
      if (before !== undefined) known.set(digest, { ...before, times: before.times + 1 })
      else if (!known.has(digest) && known.size < limits.replayVerdictsKeptMax) {
        known.set(digest, await questionOf(event, gate, refusals, kept))
      }
    }
  } finally {
    await gate.close()
  }
  const questions = [...known.values()].filter((one) => one !== undefined)
  return { questions, refusals: { find: (id) => kept.get(id) } }
}

async function questionOf(
  event: HookEvent,
  gate: Pick<Gate, 'decide'>,
  refusals: Pick<Refusals, 'find'>,
  kept: Map<string, KeptRefusal>,
): Promise<Question | undefined> {
  const { decision, id } = await gate.decide(event)
  if (decision !== 'ask') return undefined
  // Read at once: only so many are kept.
  const refusal = id === undefined ? undefined : refusals.find(id)
  if (refusal !== undefined) kept.set(refusal.id, refusal)
  return { event, times: 1, asker: 'hookgate', refusals: refusal === undefined ? [] : [refusal.id] }
}
