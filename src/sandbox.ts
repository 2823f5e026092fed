import { HookgateError } from './model/errors.ts'
import { openToolFacts } from './facts/tool-call.ts'
import type { CompiledModule } from './model/policy.ts'
import type { FindToolFacts } from './model/tool-facts.ts'
import type { PolicyRunner } from './run/policy/index.ts'

/** Everything that loading and asking policies needs. */
export interface Sandbox extends PolicyRunner {
  readonly toolFacts: FindToolFacts
}

/**
 * The sandbox, begun with the first policies that are loaded: whoever has none pays nothing for it, not even for loading
 * its code.
 *
 * @param threads that evaluate; default: as many as there are cores, up to `limits.policyThreadsMax`
 */
export function openSandbox(placement: 'process' | 'thread', threads?: number): Sandbox {
  let started: Promise<PolicyRunner> | undefined
  let runner: PolicyRunner | undefined
  let closed = false

  async function start(): Promise<PolicyRunner> {
    const [{ startPolicyRunner }, library] = await Promise.all([import('./run/policy/index.ts'), policyLibrary()])
    if (closed) throw closedError()
    runner = startPolicyRunner({ placement, library, ...(threads !== undefined && { threads }) })
    return runner
  }

  const begun = () => (started ??= start())

  return {
    async load(policies) {
      if (closed) throw closedError()
      return (await begun()).load(policies)
    },
    evaluate(request, signal) {
      if (runner === undefined) return Promise.reject(closed ? closedError() : unloaded())
      return runner.evaluate(request, signal)
    },
    toolFacts: openToolFacts(),
    warm() {
      if (!closed) begun().then((one) => one.warm(), ignored)
    },
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

/** Its parsers take longer to load than all of the sandbox. */
async function policyLibrary(): Promise<CompiledModule> {
  const built = (await import('./rules/load/policy/built-library.ts')).builtLibrary()
  return built?.module ?? (await import('./rules/load/policy/compile-library.ts')).compileLibrary()
}

/** Whoever loads something is told. */
const ignored = () => {}
const closedError = () => new HookgateError('closed', 'the sandbox is closed')
const unloaded = () => new HookgateError('internal', 'a policy was asked that has not been loaded')
