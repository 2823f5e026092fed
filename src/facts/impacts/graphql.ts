/** A field of a mutation that is called with arguments: `deleteUser(`. */
const called = /(?<!\w)\w{1,120}\s*\(/g

/**
 * Returns the fields of a GraphQL mutation that are called; none of a query. Names in a selection (`deletedAt`) and names
 * of operations are none.
 */
function fieldsOf(text: string): readonly string[] {
  if (!/\bmutation\b/.test(text)) return []
  // In JSON, a new line is written `\n`.
  const plain = text.replaceAll(String.raw`\n`, '  ')
  return [...plain.matchAll(called)].flatMap(({ 0: field, index }) =>
    /[{}\s,):]/.test(plain.charAt(index - 1)) ? field.slice(0, -1).trim() : [],
  )
}

const deletingFirst =
  /^(?:delete|remove(?!Labels|Assignees|Reaction|Star|Upvote)|destroy|purge|wipe|drop|terminate|revoke|truncate)(?!d(?:[A-Z_]|\b)|s\b)/
const deletingLast = /\w(?:Delete|_delete|Destroy|Remove|Purge)(?:_|[A-Z]|$)/
const merging =
  /^(?:merge(?!Request)[A-Z]|mergeRequest(?:Accept|Merge|SetAutoMerge)|enable\w*AutoMerge$|enqueuePullRequest$)/

/** Returns the field of a GraphQL mutation that deletes something: `deleteUser` of `mutation { deleteUser(id: 1) { id } }`. */
export const deletedByGraph = (text: string): string | undefined =>
  fieldsOf(text).find((field) => deletingFirst.test(field) || deletingLast.test(field))

/** Returns the field of a GraphQL mutation that merges a change, or has it merged as soon as its checks allow. */
export const mergedByGraph = (text: string): string | undefined => fieldsOf(text).find((field) => merging.test(field))
