/** What of a command is more than is looked at, as its uncertainties have it. */
export type LeftOut =
  | 'it starts more commands than are looked at'
  | 'it touches more paths than are looked at'
  | 'it makes more links to links than are followed'
  | 'it gives git more settings than are looked at'
  | 'its code is longer than is looked at'
  | 'its code is nested deeper, or does more, than is looked at'
  | 'its code has more values, or longer ones, than are looked at'

/** Takes note of what is left out: nothing that stands behind a bound may go without a word. */
export type SayLeftOut = (what: LeftOut) => void

/** At most so many of them; that there are more is said. */
export function bounded<T>(all: readonly T[], max: number, what: LeftOut, say: SayLeftOut): readonly T[] {
  if (all.length <= max) return all
  say(what)
  return all.slice(0, max)
}
