import type { PolicyPort, PolicyRequest, PolicyResult } from '../../../model/policy.ts'

/** Evaluates policies in a sandbox, where they have no side effects and cannot keep each other from answering. */
export interface PolicyRunner {
  /** Resolves when the policies can be evaluated. A policy that cannot be described does not affect the others. */
  readonly load: PolicyPort['load']
  /**
   * Resolves with one result for each call, in the same order. Never rejects because of a policy, and settles within
   * `limits.policyAnswerMsMax` or little more.
   *
   * @param signal settles the request as `cancelled`
   * @throws HookgateError `closed` after `close()` or `killAll()`
   */
  readonly evaluate: (request: PolicyRequest, signal?: AbortSignal) => Promise<readonly PolicyResult[]>
  /** Starts the sandbox ahead of its first use, in the background: that takes a tenth of a second. */
  warm(): void
  /** Kills every sandbox synchronously, and cancels all pending requests. For signal handlers. */
  killAll(): void
  /** Cancels all pending requests, and leaves no process, thread, handle or listener. */
  close(): Promise<void>
}
