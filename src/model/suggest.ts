import { distance } from 'fastest-levenshtein'

/** The candidate a misspelt word most likely stands for; `undefined` where none is near enough to be worth naming. */
function suggestion(word: string, candidates: Iterable<string>): string | undefined {
  let best: string | undefined
  let least = Math.min(editsMax, Math.max(1, Math.floor(word.length / 3))) + 1
  const lower = word.toLowerCase()
  for (const candidate of candidates) {
    // Each character more or less is an edit.
    if (Math.abs(candidate.length - word.length) >= least) continue
    const other = candidate.toLowerCase()
    const edits = isSwapped(lower, other) ? 1 : distance(lower, other)
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

/** Two neighbouring letters in the wrong order are one mistake, though Levenshtein's distance counts two. */
function isSwapped(a: string, b: string): boolean {
  if (a.length !== b.length) return false
  let at = 0
  while (at < a.length && a[at] === b[at]) at++
  return at < a.length && a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2)
}
