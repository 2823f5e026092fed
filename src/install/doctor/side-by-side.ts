/** Some at once. @returns what they came to, in their order */
export async function sideBySide<R>(all: readonly (() => Promise<R>)[], atOnce: number): Promise<readonly R[]> {
  const results: R[] = []
  const waiting = all.entries()
  const work = async () => {
    for (const [index, one] of waiting) {
      // oxlint-disable-next-line no-await-in-loop -- that is how many there are at once
      results[index] = await one()
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return results
}
