/** The candidate a misspelt word most likely stands for; `undefined` where none is near enough to be worth naming. */
function suggestion(word: string, candidates: Iterable<string>): string | undefined {
  let best: string | undefined
  let least = Math.min(editsMax, Math.max(1, Math.floor(word.length / 3))) + 1
  const lower = word.toLowerCase()
  for (const candidate of candidates) {
    // Each character more or less is an edit.
    if (Math.abs(candidate.length - word.length) >= least) continue
    const edits = distance(lower, candidate.toLowerCase(), least)
    if (edits < least) [best, least] = [candidate, edits]
  }
  return best
}
/** Words that are further apart are different words. */
const editsMax = 2

/** What is no longer is next to too many other words without its last letter. */
const shortWord = 3

/** The candidate that a word is all but, if there is one. */
export function nearestTo(word: string, candidates: Iterable<string>): string | undefined {
  const names = [...candidates]
  // A plural that is misspelt is further from its word than one mistake takes it: `tols`, `tool`.
  const singular = word.length > shortWord && word.endsWith('s') ? word.slice(0, -1) : undefined
  return suggestion(word, names) ?? (singular === undefined ? undefined : suggestion(singular, names))
}

/** `did you mean …?`, as a remedy. */
export function didYouMean(word: string, candidates: Iterable<string>): string | undefined {
  const meant = nearestTo(word, candidates)
  return meant === undefined ? undefined : `did you mean \`${meant}\`?`
}

/**
 * How many characters have to be put in, left out, changed or swapped with their neighbour (Damerau, Levenshtein), as
 * far as it is less than `limit`. A file of nothing but misspelt words must not keep the gate busy, so it gives up early.
 */
function distance(a: string, b: string, limit: number): number {
  let before: number[] = []
  let above = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const line = [row]
    let nearest = row
    for (let column = 1; column <= b.length; column++) {
      const same = a.charCodeAt(row - 1) === b.charCodeAt(column - 1)
      const swapped =
        a.charCodeAt(row - 1) === b.charCodeAt(column - 2) && a.charCodeAt(row - 2) === b.charCodeAt(column - 1)
      const edits = Math.min(
        (above[column - 1] ?? limit) + (same ? 0 : 1),
        (above[column] ?? limit) + 1,
        (line[column - 1] ?? limit) + 1,
        swapped ? (before[column - 2] ?? limit) + 1 : limit,
      )
      line.push(edits)
      nearest = Math.min(nearest, edits)
    }
    if (nearest >= limit) return limit
    before = above
    above = line
  }
  return above[b.length] ?? limit
}
