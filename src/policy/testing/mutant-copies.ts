import type { Afresh, CompiledPolicy } from '../../model/policy.ts'
import { nameOf } from './description-nodes.ts'
import { type Edit, edited } from './edits.ts'
import type { PolicySources, SourceModule } from './policy-sources.ts'

/** Makes copies of a policy that have no examples: every evaluation runs all of its source, and they may be most of it. */
export interface Copies {
  /** Unchanged. */
  readonly original: CompiledPolicy
  /** With one change of one file. It may be no JavaScript any more, which the sandbox finds out. */
  changed(file: string, change: Edit): CompiledPolicy
}

/**
 * Changes what has been compiled, not the source: a compiler leaves every offset as it was, below the line that it puts
 * before it, and compiling anew would take most of the time.
 */
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
      return { ...module, code: file === changedFile ? change(bare) : bare, runs: asChanged }
    }),
  })
  return {
    original: copy(undefined, (code) => code),
    changed: (file, change) => copy(file, (code) => edited(code, moved(change, code))),
  }
}

/** Nobody has looked at whether what a change makes of it can still hold no state. */
const asChanged: Afresh = { line: 1, column: 1, why: 'it is a changed copy' }

/** INVARIANT: the first line is the compiler's own, and everything behind it is where it was in the source. */
function moved({ start, end, replacement }: Edit, code: string): Edit {
  const head = code.indexOf('\n') + 1
  return { start: start + head, end: end + head, replacement }
}

function withoutExamples(code: string, { description }: SourceModule): string {
  let bare = code
  for (const node of description) {
    if (node.type !== 'Property' || node.computed || nameOf(node.key) !== 'examples') continue
    if (node.value.type !== 'ArrayExpression') continue
    const { start, end } = node.value
    bare = edited(bare, moved({ start, end, replacement: '[]'.padEnd(end - start) }, code))
  }
  return bare
}
