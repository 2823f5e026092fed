import type { CompiledPolicy } from '../../model/policy.ts'
import { nameOf } from './description-nodes.ts'
import { type Edit, edited } from './edits.ts'
import type { PolicySources, SourceModule } from './policy-sources.ts'

/** Makes copies of a policy that have no examples, which may be most of it. */
export interface Copies {
  /** Unchanged. */
  readonly original: CompiledPolicy
  /** With one change of one file. It may be no JavaScript any more, which the sandbox finds out. */
  changed(file: string, change: Edit): CompiledPolicy
}

/** Changes the compiled code, in which every offset is that of the source: compiling each copy would take most of the time. */
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
