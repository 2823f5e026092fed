/** Maps a list sequentially: processes that start at once slow each other down. @returns the results, in order */
export async function inTurn<T, R>(all: readonly T[], one: (each: T) => Promise<R>): Promise<readonly R[]> {
  const results: R[] = []
  // oxlint-disable-next-line no-await-in-loop -- sequential on purpose
  for (const each of all) results.push(await one(each))
  return results
}
