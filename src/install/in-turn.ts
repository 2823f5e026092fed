/** One after the other: processes that start at once slow each other down. @returns what they came to, in their order */
export async function inTurn<T, R>(all: readonly T[], one: (each: T) => Promise<R>): Promise<readonly R[]> {
  const results: R[] = []
  // oxlint-disable-next-line no-await-in-loop -- that is the point
  for (const each of all) results.push(await one(each))
  return results
}
