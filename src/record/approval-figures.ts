import type { Approval } from '../model/approval.ts'

/** The number of calls that waited for a person, and how long those waited that were answered. */
export interface ApprovalFigures {
  readonly asked: number
  readonly approved: number
  readonly refused: number
  /** Requests without an answer, for whatever reason. */
  readonly unanswered: number
  /** Absent without an answer. */
  readonly p50WaitMs?: number
  readonly maxWaitMs?: number
}

/** Counts what became of questions that hookgate put to a person. */
export function approvalFigures(all: readonly Approval[]): ApprovalFigures {
  const answered = all.filter(({ outcome }) => outcome === 'approved' || outcome === 'denied')
  const approved = answered.filter(({ outcome }) => outcome === 'approved').length
  const waits = answered.map(({ waitedMs }) => waitedMs).toSorted((a, b) => a - b)
  const [p50WaitMs, maxWaitMs] = [waits[Math.ceil(waits.length / 2) - 1], waits.at(-1)]
  return {
    asked: all.length,
    approved,
    refused: answered.length - approved,
    unanswered: all.length - answered.length,
    ...(p50WaitMs !== undefined && { p50WaitMs }),
    ...(maxWaitMs !== undefined && { maxWaitMs }),
  }
}
