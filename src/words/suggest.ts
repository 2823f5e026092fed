import { distance } from 'fastest-levenshtein'

/** Returns the remedy `did you mean …?` for the only candidate that begins with a word, else for the nearest. */
export function didYouMean(word: string, candidates: Iterable<string>): string | undefined {
  const names = [...candidates]
  const meant = completion(word, names) ?? nearestTo(word, names)
  return meant === undefined ? undefined : `did you mean \`${meant}\`?`
}

/** Returns the only candidate that begins with a word: `claude-code` for `claude`. */
function completion(word: string, names: readonly string[]): string | undefined {
  if (word.length < shortWord) return undefined
  const [first, ...others] = names.filter((name) => name.toLowerCase().startsWith(word.toLowerCase()))
  return others.length === 0 ? first : undefined
}
/** Words of at most this many letters keep a final `s`, and shorter ones are not completed: they resemble too many others. */
const shortWord = 3

/** Returns the candidate nearest to a word or to its singular; `undefined` if none is near enough. */
export function nearestTo(word: string, candidates: Iterable<string>): string | undefined {
  const names = [...candidates]
  // A misspelt plural differs from the candidate by more than one mistake: `tols`, `tool`.
  const singular = word.length > shortWord && word.endsWith('s') ? word.slice(0, -1) : undefined
  return findNearest(word, names) ?? (singular === undefined ? undefined : findNearest(singular, names))
}

/** Returns the candidate nearest to a misspelt word; `undefined` if none is near enough. */
function findNearest(word: string, candidates: Iterable<string>): string | undefined {
  let best: string | undefined
  let least = Math.min(editsMax, Math.max(1, Math.floor(word.length / 3))) + 1
  const lower = word.toLowerCase()
  for (const candidate of candidates) {
    // A difference in length is a lower bound on the number of edits.
    if (Math.abs(candidate.length - word.length) >= least) continue
    const other = candidate.toLowerCase()
    const edits = isSwapped(lower, other) ? 1 : distance(lower, other)
    if (edits < least) [best, least] = [candidate, edits]
  }
  return best
}
/** Words that differ by more edits are taken to be different words. */
const editsMax = 2

/** Returns true if two neighbouring letters are swapped: one mistake, though Levenshtein's distance counts two. */
function isSwapped(a: string, b: string): boolean {
  if (a.length !== b.length) return false
  let at = 0
  while (at < a.length && a[at] === b[at]) at++
  return at < a.length && a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2)
}
