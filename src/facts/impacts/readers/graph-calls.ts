import type { Impact } from '../../../model/impact.ts'
import type { Call } from '../../../model/calls.ts'
import { deletedByGraph } from '../graphql.ts'
import { lineIn } from '../../../model/loose-line.ts'
import { makeImpact } from '../make-impact.ts'
import { objectIn } from '../naming.ts'

/** Returns the deletion by a GraphQL mutation that a forge's own program sends: `gh api graphql -f query=…`. */
export function graphCalls(call: Call): readonly Impact[] {
  const { program, args } = call
  if ((program !== 'gh' && program !== 'glab') || !args.some(({ value }) => value === 'graphql')) return []
  for (const { value } of args) {
    const field = deletedByGraph(value)
    if (field === undefined) continue
    const found = { kind: 'delete', thing: 'repository', area: 'code-hosting', names: [], undo: 'never' } as const
    return [makeImpact(call, lineIn(call, {}), { ...found, ...objectIn(field), words: 'api graphql' })]
  }
  return []
}
