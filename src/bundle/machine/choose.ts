import { createHash } from 'node:crypto'
import { quoted } from '../../model/text.ts'
import type { SignedChannel, SignedTarget } from '../metadata.ts'
import type { Release, Switch } from '../names.ts'

/** Which release is for this machine now, and how it counts. */
export interface Choice {
  /** Absent if none is. */
  readonly target: SignedTarget | undefined
  readonly isNewest: boolean
  readonly mode: Release['mode']
  /** Names of rules that only observe, since the kill switch says so. */
  readonly observed: readonly string[]
  /** A sentence for each kill switch that holds. */
  readonly switched: readonly string[]
}

/** Returns whether a release is for a machine: for the same one in every release would never try the others first. */
export function isInCohort({ percent, salt }: Pick<Release, 'percent' | 'salt'>, machineId: string): boolean {
  const digest = createHash('sha256').update(`${salt}\0${machineId}`).digest()
  return digest.readUInt32BE(0) % 10_000 < percent * 100
}

/** Chooses by what is signed, and by nothing else. A switch only loosens, so one that does not arrive changes nothing. */
export function chooseFor({ newest, previous, switches }: SignedChannel, machineId: string, nowMs: number): Choice {
  const thrown = switches.filter(({ from, until }) => from * 1000 <= nowMs && nowMs < until * 1000)
  const isFor = newest !== undefined && isInCohort(newest.release, machineId)
  const goesBack = thrown.some(({ action }) => action.kind === 'previous') && previous !== undefined
  const isNewest = isFor && !goesBack
  const target = isNewest ? newest : previous
  const isObserved = thrown.some(({ action }) => action.kind === 'observe' && action.rule === undefined)
  return {
    target,
    isNewest,
    mode: isObserved ? 'observe' : (target?.release.mode ?? 'observe'),
    observed: thrown.flatMap(({ action }) => (action.kind === 'observe' ? (action.rule ?? []) : [])),
    switched: thrown.map(switchText),
  }
}

/** Returns the releases that this machine needs now, or as soon as a switch is thrown or expires. */
export function neededOf({ newest, previous }: SignedChannel, machineId: string): readonly SignedTarget[] {
  const isFor = newest !== undefined && isInCohort(newest.release, machineId)
  return [...(isFor ? [newest] : []), ...(previous === undefined ? [] : [previous])]
}

/** Returns when a choice may be another one, ms since the epoch: a switch begins or ends, or the time runs out. */
export function changesAt({ switches, freshUntilMs }: SignedChannel, staleMs: number, nowMs: number): number {
  const moments = [
    ...switches.flatMap(({ from, until }) => [from * 1000, until * 1000]),
    freshUntilMs,
    freshUntilMs + staleMs,
  ]
  return Math.min(...moments.filter((one) => one > nowMs), Infinity)
}

function switchText({ action, until, reason }: Switch): string {
  const ends = `until ${new Date(until * 1000).toISOString().slice(0, 16)}Z`
  const why = reason === '' ? '' : `: ${reason}`
  switch (action.kind) {
    case 'previous':
      return `the kill switch puts the release before in force ${ends}${why}`
    case 'observe': {
      const what = action.rule === undefined ? 'all rules of the bundle' : quoted(action.rule)
      return `the kill switch lets ${what} only observe ${ends}${why}`
    }
  }
}
