import { lazyResource } from '../model/lazy.ts'
import { HookgateError } from '../model/errors.ts'
import { limits } from '../model/limits.ts'
import type { CompiledModule, PolicyPlacement } from '../model/policy.ts'
import type { FindToolFacts } from '../model/tool-facts.ts'
import type { PolicyRunner } from './sandbox/host/runner.ts'

/** Everything that loading and evaluating policies needs. */
export interface Sandbox extends PolicyRunner {
  readonly toolFacts: FindToolFacts
  /** As in `PolicyPort`. */
  readonly isHurried: boolean
}

interface SandboxOptions {
  /** Number of threads that evaluate policies. Default: the number of cores, at most `limits.policyThreadsMax`. */
  readonly threads?: number | undefined
  /** An agent's call waits for the answers. Default: false. */
  readonly isHurried?: boolean
}

/**
 * Opens the sandbox. It is started lazily, when the first policies are loaded.
 *
 * @param toolFacts finds what the tool call of an example would do
 */
export function openSandbox(
  placement: PolicyPlacement,
  toolFacts: FindToolFacts,
  { threads, isHurried = false }: SandboxOptions = {},
): Sandbox {
  const runner = lazyResource('the sandbox', async () => {
    const [{ startPolicyRunner }, library] = await Promise.all([import('./sandbox/host/runner.ts'), policyLibrary()])
    const waits = { waitMsMax: limits.policyLoadMs, answerMsMax: limits.policyLoadMs }
    const own = { ...(threads !== undefined && { threads }), ...(!isHurried && { waits }) }
    return () => startPolicyRunner({ placement, library, ...own })
  })
  return {
    isHurried,
    load: async (policies, options) => (await runner.start()).load(policies, options),
    async evaluate(request, signal) {
      const started = runner.current()
      if (started === undefined) throw new HookgateError('internal', 'a policy was evaluated before it was loaded')
      return started.evaluate(request, signal)
    },
    toolFacts,
    warm() {
      runner.start().then((one) => one.warm(), ignored)
    },
    killAll: () => runner.killAll(),
    close: () => runner.close(),
  }
}

/** Loads the prebuilt library if there is one: the compiler's parsers take longer to load than the whole sandbox. */
async function policyLibrary(): Promise<readonly CompiledModule[]> {
  const built = (await import('./compile/built.ts')).builtLibrary()
  return (built ?? (await import('./compile/compile-library.ts')).compiledLibrary()).modules
}

/** Ignores a failed start, which loading policies reports again. */
const ignored = () => {}
