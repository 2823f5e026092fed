import { failureOf } from '../../gate/combine/weigh.ts'
import { createGate, type GateOptions } from '../../gate/gate.ts'
import { errorText, HookgateError } from '../../model/errors.ts'
import type { HookEvent } from '../../model/event.ts'
import { replayOutcome, type ReplayOutcome, undecided } from './outcome.ts'

/** Decides past calls by one set of rules. */
export interface Decider {
  /** Never rejects: what cannot be decided is `undecided`. */
  decide(event: HookEvent, isFolderGone: boolean): Promise<ReplayOutcome>
  close(): Promise<void>
  kill(): void
}

/**
 * Opens a gate that decides past calls. It keeps no refusals and no record, and runs hooks only if its options say so.
 *
 * @param options of the gate: which rules, and whether hooks are run
 * @param named returns a text with the names that files have for a person
 * @throws HookgateError `rulesMalformed` if the rules that apply everywhere do not load
 */
export async function openDecider(options: GateOptions, named = (text: string) => text): Promise<Decider> {
  const hooksRun = options.runHooks === true
  const gate = createGate({ ...options, runHooks: hooksRun })
  try {
    await gate.rulesFor({ workspaceRoots: [] })
  } catch (error) {
    gate.kill()
    throw error instanceof HookgateError ? renamed(error, named) : error
  }

  /** Decides a call. `isDoubtful`: its sandbox ended, by this call or by something else. */
  async function decideOnce(event: HookEvent, isFolderGone: boolean) {
    try {
      const verdict = await gate.decide(event)
      const outcome = renamedOutcome(replayOutcome(verdict, await gate.rulesFor(event), isFolderGone, hooksRun), named)
      const isBlamed = verdict.evaluations.some((one) => failureOf(one)?.code === 'policyOutOfMemory')
      return { outcome, isDoubtful: isBlamed || outcome.answer === 'undecided' }
    } catch (error) {
      return { outcome: undecided(named(errorText(error))), isDoubtful: true }
    }
  }

  return {
    async decide(event, isFolderGone) {
      const { outcome, isDoubtful } = await decideOnce(event, isFolderGone)
      // A sandbox that died is replaced; the call that it took along is no finding.
      return isDoubtful ? (await decideOnce(event, isFolderGone)).outcome : outcome
    },
    close: () => gate.close(),
    kill: () => gate.kill(),
  }
}

function renamed(error: HookgateError, named: (text: string) => string): HookgateError {
  const { code, message, place, remedy } = error
  return new HookgateError(code, named(message), {
    cause: error,
    ...(place !== undefined && { place: { ...place, file: named(place.file) } }),
    ...(remedy !== undefined && { remedy: named(remedy) }),
  })
}

function renamedOutcome(outcome: ReplayOutcome, named: (text: string) => string): ReplayOutcome {
  if (outcome.rules.length === 0) return outcome
  const rules = outcome.rules.map(({ id, name, file, reason }) => ({
    id: named(id),
    name,
    file: named(file),
    reason: named(reason),
  }))
  return { ...outcome, rules }
}
