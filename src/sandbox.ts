import { atFirstUse } from './at-first-use.ts'
import { HookgateError } from './model/errors.ts'
import { openToolFacts } from './facts/tool-call.ts'
import type { CompiledModule } from './model/policy.ts'
import type { FindToolFacts } from './model/tool-facts.ts'
import type { PolicyRunner } from './policy/sandbox/index.ts'

/** Everything that loading and asking policies needs. */
export interface Sandbox extends PolicyRunner {
  readonly toolFacts: FindToolFacts
}

/**
 * The sandbox, begun with the first policies that are loaded.
 *
 * @param threads that evaluate; default: as many as there are cores, up to `limits.policyThreadsMax`
 */
export function openSandbox(placement: 'process' | 'thread', threads?: number): Sandbox {
  const runner = atFirstUse('the sandbox', async () => {
    const [{ startPolicyRunner }, library] = await Promise.all([import('./policy/sandbox/index.ts'), policyLibrary()])
    return () => startPolicyRunner({ placement, library, ...(threads !== undefined && { threads }) })
  })
  return {
    load: async (policies) => (await runner.begin()).load(policies),
    async evaluate(request, signal) {
      const begun = runner.begun()
      if (begun === undefined) throw new HookgateError('internal', 'a policy was asked before it was loaded')
      return begun.evaluate(request, signal)
    },
    toolFacts: openToolFacts(),
    warm() {
      runner.begin().then((one) => one.warm(), ignored)
    },
    killAll: () => runner.killAll(),
    close: () => runner.close(),
  }
}

/** Its parsers take longer to load than all of the sandbox. */
async function policyLibrary(): Promise<CompiledModule> {
  const built = (await import('./policy/compile/library/built-library.ts')).builtLibrary()
  return built?.module ?? (await import('./policy/compile/library/compile-library.ts')).compileLibrary()
}

/** Whoever loads something is told. */
const ignored = () => {}
