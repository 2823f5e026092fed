/** The candidate a misspelt word most likely stands for; `undefined` where none is near enough to be worth naming. */
export function suggestion(word: string, candidates: Iterable<string>): string | undefined {
  // The distance below takes time by the product of both lengths, and no name is this long.
  if (word.length > 64) return undefined
  let best: string | undefined
  let least = Math.max(1, Math.floor(word.length / 3)) + 1
  for (const candidate of candidates) {
    const edits = distance(word.toLowerCase(), candidate.toLowerCase())
    if (edits < least) [best, least] = [candidate, edits]
  }
  return best
}

/** ` did you mean …?` as a remedy. */
export function didYouMean(word: string, candidates: Iterable<string>): string | undefined {
  const meant = suggestion(word, candidates)
  return meant === undefined ? undefined : `did you mean \`${meant}\`?`
}

/** How many characters have to be put in, left out, changed or swapped with their neighbour (Damerau, Levenshtein). */
function distance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, column) => column)]
  const at = (row: number, column: number) => rows[row]?.[column] ?? Infinity
  for (let row = 1; row <= a.length; row++) {
    const line = [row]
    rows.push(line)
    for (let column = 1; column <= b.length; column++) {
      const changed = at(row - 1, column - 1) + (a[row - 1] === b[column - 1] ? 0 : 1)
      const swapped =
        a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1] ? at(row - 2, column - 2) + 1 : Infinity
      line.push(Math.min(changed, swapped, at(row - 1, column) + 1, at(row, column - 1) + 1))
    }
  }
  return at(a.length, b.length)
}
