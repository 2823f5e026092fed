import type { CompiledModule, CompiledPolicy } from '../../../model/policy.ts'
import type { Linkage } from '../realm/evaluate.ts'

/** What an isolate is made with. The policies of a pack are made of the same few modules, which stand here once. */
export interface PolicyLoad {
  readonly library: ModuleSource
  readonly modules: readonly ModuleSource[]
  readonly policies: readonly LinkedPolicy[]
}

type ModuleSource = Pick<CompiledModule, 'file' | 'code'>

/** A policy's file, and which of the modules it is made of. */
interface LinkedPolicy {
  readonly file: string
  readonly modules: readonly Linkage[]
}

export function policyLoad(library: CompiledModule, compiled: readonly CompiledPolicy[]): PolicyLoad {
  const sources: ModuleSource[] = []
  /** By file: there is hardly more than one text of each. */
  const places = new Map<string, number[]>()
  const placeOf = ({ file, code }: CompiledModule): number => {
    const ofFile = places.get(file) ?? []
    const known = ofFile.find((place) => sources[place]?.code === code)
    if (known !== undefined) return known
    const place = sources.push({ file, code }) - 1
    places.set(file, [...ofFile, place])
    return place
  }
  const policies = compiled.map(({ file, modules }) => ({
    file,
    modules: modules.map((one) => ({ module: placeOf(one), imports: one.imports, isConstant: one.runs === 'once' })),
  }))
  return { library: { file: library.file, code: library.code }, modules: sources, policies }
}
