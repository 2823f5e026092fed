import { isShipped } from '../../files/policy-files.ts'
import { realPath } from '../../files/real-path.ts'
import { turn } from '../../files/turns.ts'
import { memoize } from '../../model/lazy.ts'
import { limits } from '../../model/limits.ts'
import type { CompiledPolicy, PolicyPort } from '../../model/policy.ts'
import type { CompiledPolicies, PolicyLoader } from '../../model/policy-loading.ts'
import type { Problem } from '../../model/errors.ts'
import { noBudget, openBudgets, overBudget } from './compile-budget.ts'
import type { CheckedDomain } from './definition/definition.ts'
import type { PolicyStore } from './policy-stores.ts'

/** All gates of a process share it, for it never changes. */
let shipped: PolicyStore | undefined

interface Entry {
  readonly loading: Promise<CheckedDomain>
  holders: number
}

interface LoaderOptions {
  /** Also compile shipped policies and run their examples, which was done before they were shipped. Default: false. */
  readonly proving?: boolean
  /** A folder that keeps compiled policies whose examples passed, for later processes. Default: none are kept. */
  readonly keptIn?: string | undefined
  /** Start the sandbox while the first policies are compiled, since one will be asked. Default: when one is asked. */
  readonly warm?: boolean
  /** Names the program that compiled them, for tests. Default: this build of hookgate. */
  readonly program?: string
}

export function openPolicyLoader(
  sandbox: PolicyPort,
  { proving = false, keptIn, warm = false, program }: LoaderOptions = {},
): PolicyLoader {
  const entries = new Map<string, Entry>()
  // The compiler's code is loaded lazily, with the first policy.
  const cache = memoize(async () => {
    if (warm) sandbox.warm()
    const { openCompileCache } = await import('./compile-cache.ts')
    if (proving) return openCompileCache()
    const { openKeptPolicies, openShippedPolicies } = await import('./policy-stores.ts')
    const kept = keptIn === undefined ? undefined : openKeptPolicies(keptIn, program)
    shipped ??= openShippedPolicies()
    return openCompileCache({ shipped, kept })
  })
  const isProven = ({ file, definition }: CompiledPolicy) => !proving && (definition !== undefined || isShipped(file))

  function release(key: string, entry: Entry): void {
    entry.holders -= 1
    if (entry.holders > 0) return
    if (entries.get(key) === entry) entries.delete(key)
    void entry.loading.then((domain) => domain.release()).catch(() => {})
  }

  return {
    openBudgets,
    async compile(policies, disk, budget = noBudget) {
      const compiled = new Map<string, CompiledPolicy>()
      const flawed = new Set<CompiledPolicy>()
      const problems = new Map<string, readonly Problem[]>()
      const together = { read: new Map(), budget }
      // Said before any is compiled: the first ones of ten thousand take a second.
      const tooMany =
        policies.length > limits.untrustedPoliciesMax ? budget.policies(policies.map(({ file }) => file)) : undefined
      if (tooMany !== undefined) return { ...nothing, problems: [overBudget(policies[0]?.file ?? '', tooMany)] }
      for (const { file, folder } of policies) {
        const key = realPath(file)
        if (problems.has(key)) continue
        // oxlint-disable no-await-in-loop -- compiling is synchronous but for its pauses and loading the compiler
        await turn()
        const result = await (await cache()).compile(file, folder, disk, together)
        // oxlint-enable no-await-in-loop
        if (result.over !== undefined) return { ...nothing, problems: [result.over] }
        problems.set(key, result.problems)
        if (result.policy === undefined) continue
        compiled.set(key, result.policy)
        if (result.problems.length > 0) flawed.add(result.policy)
      }
      return { compiled, flawed, problems: [...problems.values()].flat() }
    },
    async load(source, { compiled, flawed }, { atOnce, runExamples = true, isTrusted = false } = {}) {
      const policies = [...compiled.values()]
      const key = [source, `${isTrusted}`, ...policies.map(({ file, digest }) => `${file} ${digest}`)].join('\0')
      const entry = entries.get(key) ?? { loading: loading(), holders: 0 }
      entries.set(key, entry)
      entry.holders += 1
      try {
        const domain = await entry.loading
        return { ...domain, hold: () => void (entry.holders += 1), release: () => release(key, entry) }
      } catch (error) {
        release(key, entry)
        throw error
      }

      async function loading() {
        const { loadChecked } = await import('./definition/definition.ts')
        const proven = new Set(policies.filter((one) => !runExamples || isProven(one)))
        const known = { flawed, proven, isTrusted, ...(atOnce !== undefined && { atOnce }) }
        const domain = await loadChecked(policies, sandbox, known)
        const compiler = await cache()
        for (const one of domain.policies) {
          if (!flawed.has(one.compiled) && !proven.has(one.compiled)) compiler.keep(one)
        }
        return domain
      }
    },
  }
}

const nothing: CompiledPolicies = { compiled: new Map(), flawed: new Set(), problems: [] }
