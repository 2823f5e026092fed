import type { Failure } from '../../../model/failure.ts'
import { limits } from '../../../model/limits.ts'
import { cpuMsHere } from '../wire/thread-cpu.ts'

/** A call into an isolate that ended without a value. */
export type CallFailure =
  | { readonly code: 'policyTimeout' }
  /** The call never got the CPU time that it is allowed, which is not the policy's fault. */
  | { readonly code: 'exhausted' }
  | { readonly code: 'policyOutOfMemory' }
  | { readonly code: 'policyThrew'; readonly why: string }

export type CallOutcome<Value> = { readonly value: Value } | { readonly failed: CallFailure }

interface CallLimits {
  /** CPU time, ms. */
  readonly cpuMs: number
  /** On the clock of `performance.now()`. */
  readonly deadlineMs: number
  isDisposed(): boolean
  messageOf(thrown: unknown): string
}

/**
 * Calls into an isolate within a limit of CPU time. isolated-vm's timeout limits wall time, which a call may reach on a
 * loaded machine having done little. As long as a call has used less CPU time than allowed, it is repeated with twice
 * the timeout.
 */
export function limitedCall<Value>(call: (timeoutMs: number) => Value, within: CallLimits): CallOutcome<Value> {
  const { cpuMs, deadlineMs } = within
  for (let timeoutMs = cpuMs; ; timeoutMs *= 2) {
    const nowMs = performance.now()
    const before = cpuMsLately(nowMs)
    try {
      return { value: call(Math.max(1, Math.ceil(Math.min(alignedTimeout(timeoutMs, nowMs), deadlineMs - nowMs)))) }
    } catch (error) {
      if (within.isDisposed()) return { failed: { code: 'policyOutOfMemory' } }
      if (!isTimeout(error)) return { failed: { code: 'policyThrew', why: within.messageOf(error) } }
      if (cpuMsHere() - before >= cpuMs * cpuShare) return { failed: { code: 'policyTimeout' } }
      if (performance.now() >= deadlineMs) return { failed: { code: 'exhausted' } }
    }
  }
}

/**
 * Extends a timeout by up to `timerStepMs` so that it expires together with others. A thread of isolated-vm wakes at
 * every moment at which a timeout would expire, needed or not; at thousands of calls a second that is a third of the
 * work.
 */
function alignedTimeout(timeoutMs: number, nowMs: number): number {
  return timeoutMs + timerStepMs - (nowMs % timerStepMs)
}
const timerStepMs = 50

/** Reads the CPU time of the thread at most once a millisecond, as each reading costs a tenth of most calls. */
function cpuMsLately(nowMs: number): number {
  if (nowMs - cpuReadAtMs > 1) {
    cpuReadMs = cpuMsHere()
    cpuReadAtMs = nowMs
  }
  return cpuReadMs
}
let cpuReadMs = 0
let cpuReadAtMs = -Infinity

/** The share of the limit that counts as used up: starting and ending a call take wall time but no CPU time. */
const cpuShare = 0.8

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.message.includes('timed out')
}

/** @param limitMs the CPU time that the call was allowed */
export function failureOf(file: string, failed: CallFailure, limitMs: number): Failure {
  const message = `${file}: ${messageOf(failed, limitMs)}`
  return { code: failed.code, message: message.slice(0, limits.policyErrorCharactersMax) }
}

function messageOf(failed: CallFailure, limitMs: number): string {
  switch (failed.code) {
    case 'policyTimeout':
      return `took more than ${Math.floor(limitMs)} ms of CPU time: look for a loop, or a slow regular expression`
    case 'exhausted':
      return 'did not get the CPU time that it is allowed: the machine, or an earlier policy, is too busy'
    case 'policyOutOfMemory':
      return `took more than ${limits.policyMemoryMb} MB of memory: look for a list or string that keeps growing`
    case 'policyThrew':
      return failed.why
  }
}
