import type { CompiledModule, CompiledPolicy } from '../../../model/policy.ts'

/** What an isolate is made with. The policies of a pack are made of the same few modules, which stand here once. */
export interface PolicyLoad {
  /** `hookgate/policy` is the last of them. */
  readonly library: readonly CompiledModule[]
  /** A module imports only from those before it. */
  readonly modules: readonly CompiledModule[]
  readonly policies: readonly PolicyEntry[]
}

interface PolicyEntry {
  readonly file: string
  /** The place of its own module. */
  readonly module: number
}

export function policyLoad(library: readonly CompiledModule[], compiled: readonly CompiledPolicy[]): PolicyLoad {
  const modules: CompiledModule[] = []
  /** By file: there is hardly more than one text of each. */
  const places = new Map<string, number[]>()
  const placeOf = (one: CompiledModule): number => {
    const ofFile = places.get(one.file) ?? []
    const known = ofFile.find((place) => isSame(modules[place], one))
    if (known !== undefined) return known
    const place = modules.push(one) - 1
    places.set(one.file, [...ofFile, place])
    return place
  }
  const policies = compiled.map(({ file, modules: own }) => {
    const placed: number[] = []
    for (const { imports, ...rest } of own) {
      const named = Object.entries(imports).map(([specifier, at]) => [specifier, placed[at] ?? -1] as const)
      placed.push(placeOf({ ...rest, imports: Object.fromEntries(named) }))
    }
    return { file, module: placed.at(-1) ?? -1 }
  })
  return { library, modules, policies }
}

function isSame(a: CompiledModule | undefined, b: CompiledModule): boolean {
  if (a?.code !== b.code) return false
  const [ours, theirs] = [Object.entries(a.imports), Object.entries(b.imports)]
  return ours.length === theirs.length && ours.every(([specifier, place]) => b.imports[specifier] === place)
}
