import type { Expectation, Row } from './corpus.ts'

/** The gate's decisions on one row. */
export interface Judged {
  readonly row: Row
  /** Without the `allow` pack. */
  readonly decision: string
  /** With the `allow` pack, which prompts for every unknown command. */
  readonly withAllow: string
  readonly determining: readonly string[]
  readonly ms: number
}

/** Figures for the rows of one kind in one source, with the unexpected results. */
export type Score = Readonly<Record<string, number | readonly string[]>>

const stopped = (decision: string) => decision === 'deny' || decision === 'ask'
const ids = (judged: readonly Judged[]) => judged.map(({ row }) => row.id)

/** Returns rows with unexpected results, by their name in reports. */
export function missesOf(kind: Expectation, judged: readonly Judged[]): Readonly<Record<string, readonly Judged[]>> {
  switch (kind) {
    case 'deny':
      return {
        missed: judged.filter(({ decision }) => !stopped(decision)),
        asked: judged.filter(({ decision }) => decision === 'ask'),
        allowed: judged.filter(({ withAllow }) => withAllow === 'allow'),
      }
    case 'not_deny':
      return { refused: judged.filter(({ decision }) => decision === 'deny') }
    case 'allow':
      return { missed: judged.filter(({ withAllow }) => withAllow !== 'allow') }
    case 'not_allow':
      return { allowed: judged.filter(({ withAllow }) => !stopped(withAllow)) }
    case 'scan':
      return {}
  }
}

/** Computes the figures for one kind of row. */
export function scoreOf(kind: Expectation, judged: readonly Judged[]): Score {
  const rows = judged.length
  const misses = Object.entries(missesOf(kind, judged)).map(([name, them]) => [name, ids(them)] as const)
  const count = (passes: (one: Judged) => boolean) => judged.filter(passes).length
  const lists = Object.fromEntries(misses)
  switch (kind) {
    case 'deny':
      return {
        rows,
        gated: count(({ decision }) => stopped(decision)),
        denied: count(({ decision }) => decision === 'deny'),
        ...lists,
      }
    case 'not_deny':
      return { rows, passed: count(({ decision }) => decision !== 'deny'), ...lists }
    case 'allow':
      return { rows, allowed: count(({ withAllow }) => withAllow === 'allow'), ...lists }
    case 'not_allow':
      return { rows, gated: count(({ withAllow }) => stopped(withAllow)), ...lists }
    case 'scan':
      return { rows, slowestMs: Math.max(0, ...judged.map(({ ms }) => ms)) }
  }
}
