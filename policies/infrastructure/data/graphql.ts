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

/** True for a GraphQL mutation that merges a change, or has it merged as soon as its checks allow. */
export const mergesByGraph = (text: string): boolean =>
  /\bmutation\b/.test(text) &&
  /(?:[{}\s,)]|\\n|:)\s*(?:merge(?!Request)[A-Z]\w*|mergeRequest(?:Accept|Merge|SetAutoMerge)\w*|enable\w*AutoMerge|enqueuePullRequest)\s*\(/.test(
    text,
  )
