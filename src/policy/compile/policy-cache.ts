import { begunOnce } from '../../model/begun-once.ts'
import type { CompiledPolicy, PolicyPort } from '../../model/policy.ts'
import type { CheckedDomain, Known } from './definition/checked.ts'
import { isShipped } from '../../rules/load/shipped.ts'
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
   * @param asked of whom their examples are asked: `flawed` are those that are not to decide, whatever they say of themselves
   */
  load(source: string, compiled: readonly CompiledPolicy[], asked?: Asked): Promise<HeldDomain>
}

type Asked = Partial<Pick<Known, 'flawed' | 'atOnce'>>

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
  let isNeeded = false
  const cache = begunOnce(async () =>
    (await import('./compile-cache.ts')).openCompileCache(proving ? undefined : built),
  )
  const checked = async (compiled: readonly CompiledPolicy[], { flawed = new Set(), ...asked }: Asked) =>
    (await import('./definition/checked.ts')).loadChecked(compiled, sandbox, {
      ...asked,
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
    async compile(file, folder, disk, together) {
      if (!isNeeded) sandbox.warm()
      isNeeded = true
      return (await cache()).compile(file, folder, disk, together)
    },
    async load(source, compiled, asked = {}) {
      const key = [source, ...compiled.map(({ file, digest }) => `${file} ${digest}`)].join('\0')
      const entry = entries.get(key) ?? { loading: checked(compiled, asked), holders: 0 }
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
