import { HookgateError } from './model/errors.ts'
import { openToolFacts } from './facts/tool-call.ts'
import type { FindToolFacts } from './model/tool-facts.ts'
import type { PolicyRunner } from './run/policy/index.ts'

/** Everything that loading and asking policies needs. */
export interface Sandbox extends PolicyRunner {
  readonly toolFacts: FindToolFacts
}

/**
 * The sandbox, begun with the first policies that are loaded: whoever has none pays nothing for it, not even for loading
 * its code.
 */
export function openSandbox(placement: 'process' | 'thread'): Sandbox {
  let started: Promise<PolicyRunner> | undefined
  let runner: PolicyRunner | undefined
  let closed = false

  async function start(): Promise<PolicyRunner> {
    const [{ startPolicyRunner }, { compileLibrary }] = await Promise.all([
      import('./run/policy/index.ts'),
      import('./rules/load/policy/compile-library.ts'),
    ])
    if (closed) throw closedError()
    runner = startPolicyRunner({ placement, library: compileLibrary() })
    return runner
  }

  return {
    async load(policies) {
      if (closed) throw closedError()
      started ??= start()
      return (await started).load(policies)
    },
    evaluate(request, signal) {
      if (runner === undefined) return Promise.reject(closed ? closedError() : unloaded())
      return runner.evaluate(request, signal)
    },
    toolFacts: openToolFacts(),
    warm: () => runner?.warm(),
    killAll() {
      closed = true
      runner?.killAll()
    },
    async close() {
      closed = true
      await started?.catch(() => {})
      await runner?.close()
    },
  }
}

const closedError = () => new HookgateError('closed', 'the sandbox is closed')
const unloaded = () => new HookgateError('internal', 'a policy was asked that has not been loaded')
