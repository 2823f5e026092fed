import type { CompiledPolicy } from '../../model/policy.ts'
import { nameOf } from './description-nodes.ts'
import { type Edit, edited } from './edits.ts'
import type { PolicySources, SourceModule } from './policy-sources.ts'

/** Creates copies of a policy without its examples, which may be most of its code. */
export interface Copies {
  /** The copy without a change. */
  readonly original: CompiledPolicy
  /** Returns a copy with one change of one file. If it is no longer valid JavaScript, loading it fails. */
  changed(file: string, change: Edit): CompiledPolicy
}

/** Edits the compiled code, whose offsets are those of the source: compiling each copy would take most of the time. */
export function copiesOf({ compiled, modules }: PolicySources): Copies {
  const codes = new Map(
    compiled.modules.map(({ file, code }) => {
      const module = modules.find((one) => one.file === file)
      return [file, module === undefined ? code : withoutExamples(code, module)] as const
    }),
  )
  const copy = (changedFile: string | undefined, change: (code: string) => string): CompiledPolicy => ({
    ...compiled,
    modules: compiled.modules.map((module) => {
      const { file, code } = module
      const bare = codes.get(file) ?? code
      return { ...module, code: file === changedFile ? change(bare) : bare }
    }),
  })
  return {
    original: copy(undefined, (code) => code),
    changed: (file, change) => copy(file, (code) => edited(code, change)),
  }
}

function withoutExamples(code: string, { description }: SourceModule): string {
  let bare = code
  for (const node of description) {
    if (node.type !== 'Property' || node.computed || nameOf(node.key) !== 'examples') continue
    if (node.value.type !== 'ArrayExpression') continue
    const { start, end } = node.value
    bare = edited(bare, { start, end, replacement: '[]'.padEnd(end - start) })
  }
  return bare
}
