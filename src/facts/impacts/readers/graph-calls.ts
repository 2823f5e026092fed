import type { Impact } from '../../../model/impact.ts'
import type { Call } from '../../../words/calls.ts'
import { deletedByGraph } from '../graphql.ts'
import { lineIn } from '../../../words/loose-line.ts'
import { makeImpact } from '../make-impact.ts'
import { objectIn } from '../naming.ts'

/** Returns what a GraphQL mutation deletes that a forge's own program sends: `gh api graphql -f query=…`. */
export function graphCalls(call: Call): readonly Impact[] {
  const { program, args } = call
  if ((program !== 'gh' && program !== 'glab') || !args.some(({ value }) => value === 'graphql')) return []
  const about = { thing: 'repository', area: 'code-hosting', names: [], words: 'api graphql' } as const
  for (const { value } of args) {
    const deleted = deletedByGraph(value)
    if (deleted !== undefined)
      return [makeImpact(call, lineIn(call, {}), { ...about, kind: 'delete', ...objectIn(deleted), undo: 'never' })]
  }
  return []
}
