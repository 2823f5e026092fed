import { openMemory } from '../../gate/gate-memory.ts'
import { type Gate, openGate } from '../../gate/gate.ts'
import type { HookEvent } from '../../model/event.ts'
import { limits } from '../../model/limits.ts'
import type { Environment } from '../../model/node-environment.ts'
import type { PastCall, PastItem } from '../../model/past-call.ts'
import type { KeptRefusal } from '../../model/refusal.ts'
import { sessionlessDigest } from '../../files/state/call-digest.ts'
import { openRefusals, type Refusals } from '../../files/state/refusals.ts'
import { eventOf } from '../replay/replay.ts'
import type { Question } from './questions.ts'

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
      if (item.kind === 'unreadable' || !accepts(item.call)) continue
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
