import { limits } from '../../model/limits.ts'
import type { ReceivedBeat } from './heartbeats.ts'

/** What is wrong with a machine, as a word for programs. */
export type MachineProblem = 'silent' | 'clock' | 'rules' | 'stale' | 'agents' | 'self-protection'

/** A machine as its last heartbeat describes it. */
export interface Machine {
  readonly beat: ReceivedBeat
  /** By how much the clock of the machine is ahead of this one; then it is not known when it was last seen. */
  readonly aheadMs: number | undefined
  readonly problems: readonly MachineProblem[]
}

/** The machines of heartbeats. */
export interface Fleet {
  /** @returns false if it belongs to one machine more than a list can have */
  add(beat: ReceivedBeat): boolean
  /** @param silentSinceMs a machine that was last seen before is silent; by default, one that left out two heartbeats */
  machines(nowMs: number, silentSinceMs: number | undefined): readonly Machine[]
}

/** Clocks of machines that are kept right differ by less. */
const clockToleranceMs = 120_000
/** Of three heartbeats, one may be late and one lost on the way. */
const beatsMissed = 3

/** @param nowMs what is later comes from a machine whose clock is ahead */
export function openFleet(nowMs: number): Fleet {
  const byMachine = new Map<string, { newest: ReceivedBeat; ahead: ReceivedBeat | undefined }>()
  const isAhead = ({ atMs }: ReceivedBeat) => atMs > nowMs + clockToleranceMs
  return {
    add(beat) {
      // Machines that were copied from one image may share an id.
      const key = JSON.stringify([beat.instance, beat.host])
      const known = byMachine.get(key)
      if (known === undefined) {
        if (byMachine.size >= limits.machinesMax) return false
        byMachine.set(key, { newest: beat, ahead: isAhead(beat) ? beat : undefined })
        return true
      }
      // A heartbeat may arrive twice and late; a clock that was ahead may be right by now.
      known.ahead = isAhead(beat) ? beat : undefined
      if (isAhead(known.newest) || (!isAhead(beat) && beat.atMs >= known.newest.atMs)) known.newest = beat
      return true
    },
    machines: (now, silentSinceMs) =>
      [...byMachine.values()]
        .map(({ newest, ahead }) => {
          const beat = ahead ?? newest
          const aheadMs = ahead && ahead.atMs - now
          return {
            beat,
            aheadMs,
            problems: problemsOf(beat, aheadMs, silentSinceMs ?? now - beatsMissed * beat.intervalMs),
          }
        })
        .toSorted((a, b) => Number(a.problems.length === 0) - Number(b.problems.length === 0) || byName(a, b)),
  }
}

const byName = (a: Machine, b: Machine) =>
  a.beat.host.localeCompare(b.beat.host) || (a.beat.user ?? '').localeCompare(b.beat.user ?? '')

function problemsOf(
  { atMs, stopping, rules, bundle, agents, agentsProblem, selfProtection }: ReceivedBeat,
  aheadMs: number | undefined,
  silentSinceMs: number,
): readonly MachineProblem[] {
  const is: Readonly<Record<MachineProblem, boolean>> = {
    clock: aheadMs !== undefined,
    silent: stopping === undefined && atMs < silentSinceMs,
    rules: rules.digest === undefined,
    stale: bundle !== undefined && (bundle.freshness !== 'fresh' || bundle.problem !== undefined),
    agents: agents.broken.length > 0 || agents.absent.length > 0 || agentsProblem !== undefined,
    'self-protection': selfProtection === false,
  }
  return machineProblems.filter((problem) => is[problem])
}

/** All problems, in the order in which they are shown. */
export const machineProblems: readonly MachineProblem[] = [
  'silent',
  'clock',
  'rules',
  'stale',
  'agents',
  'self-protection',
]
