/**
 * Something that is begun when it is first needed, and once for all who need it at the same time. A failure is not kept: a
 * machine that had no descriptor left for a moment is no reason to fail from then on.
 */
export function begunOnce<Thing>(begin: () => Promise<Thing>): () => Promise<Thing> {
  let begun: Promise<Thing> | undefined
  return () =>
    (begun ??= begin().catch((error: unknown) => {
      begun = undefined
      throw error
    }))
}
