import type { CompiledPolicy, PolicyPort } from '../../../model/policy.ts'
import type { CheckedDomain } from './checked.ts'
import { isShipped } from '../shipped.ts'
import type { CompileCache } from './compile-cache.ts'

/** A source's policies in the sandbox. They stay until everybody who holds them has let go. */
export interface HeldDomain extends Omit<CheckedDomain, 'release'> {
  /** One more that uses them. */
  hold(): void
  release(): void
}

/** What policies have been compiled and loaded, so that a change of one file costs the work for that file. */
export interface PolicyCache extends CompileCache {
  /**
   * A source's policies, held once; loaded only where they are not as they were.
   *
   * @param source what tells it from every other
   * @param flawed those of them that are not to decide, whatever they say of themselves
   */
  load(source: string, compiled: readonly CompiledPolicy[], flawed?: ReadonlySet<CompiledPolicy>): Promise<HeldDomain>
}

const built = async () => (await import('./built-policies.ts')).builtPolicies()

interface Entry {
  readonly loading: Promise<CheckedDomain>
  holders: number
}

/** @param proving whether to compile what hookgate ships and to run its examples, too: that was done before it was shipped */
export function openPolicyCache(
  sandbox: PolicyPort,
  { proving = false }: { readonly proving?: boolean } = {},
): PolicyCache {
  const entries = new Map<string, Entry>()

  // What only policies need is loaded with the first of them.
  let cache: Promise<CompileCache> | undefined
  const opened = async () => (await import('./compile-cache.ts')).openCompileCache(proving ? undefined : built)
  const checked = async (compiled: readonly CompiledPolicy[], flawed: ReadonlySet<CompiledPolicy>) =>
    (await import('./checked.ts')).loadChecked(compiled, sandbox, {
      flawed,
      proven: proving ? new Set() : new Set(compiled.filter(({ file }) => isShipped(file))),
    })

  function release(key: string, entry: Entry): void {
    entry.holders -= 1
    if (entry.holders > 0) return
    if (entries.get(key) === entry) entries.delete(key)
    void entry.loading.then((domain) => domain.release()).catch(() => {})
  }

  return {
    async compile(file, folder, disk, read) {
      if (cache === undefined) sandbox.warm()
      return (await (cache ??= opened())).compile(file, folder, disk, read)
    },
    async load(source, compiled, flawed = new Set()) {
      const key = [source, ...compiled.map(({ file, digest }) => `${file} ${digest}`)].join('\0')
      const entry = entries.get(key) ?? { loading: checked(compiled, flawed), holders: 0 }
      entries.set(key, entry)
      entry.holders += 1
      try {
        const { id, policies } = await entry.loading
        return { id, policies, hold: () => void (entry.holders += 1), release: () => release(key, entry) }
      } catch (error) {
        release(key, entry)
        throw error
      }
    },
  }
}
