/**
 * True for a GraphQL mutation whose field deletes something: `mutation { deleteUser(id: 1) { id } }`.
 * Names in a selection (`deletedAt`) and names of operations are none.
 */
export function destroysByGraph(text: string): boolean {
  if (!/\bmutation\b/.test(text)) return false
  return (
    /(?:[{}\s,)]|\\n|:)\s*(?:delete|remove(?!Labels|Assignees|Reaction|Star|Upvote)|destroy|purge|wipe|drop|terminate|revoke|truncate)(?!d\b|s\b)[A-Z_]?\w*\s*\(/.test(
      text,
    ) || /(?:[{}\s,)]|\\n|:)\s*\w+(?:Delete|_delete|Destroy|Remove|Purge)(?:_\w+|[A-Z]\w*)?\s*\(/.test(text)
  )
}
