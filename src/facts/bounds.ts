/** The analysis limits that a command can exceed, in the words of its `uncertain` list. */
export type LeftOut =
  | 'it starts more commands than are looked at'
  | 'it touches more paths than are looked at'
  | 'it makes more links to links than are followed'
  | 'it gives git more settings than are looked at'
  | 'its code is longer than is looked at'
  | 'its code is nested deeper, or does more, than is looked at'
  | 'its code has more values, or longer ones, than are looked at'

/** Records that a limit cut the analysis short. INVARIANT: nothing beyond a limit is dropped without such a record. */
export type ReportLeftOut = (what: LeftOut) => void

/** Returns the first `max` items, and reports through `report` if there are more. */
export function bounded<T>(all: readonly T[], max: number, what: LeftOut, report: ReportLeftOut): readonly T[] {
  if (all.length <= max) return all
  report(what)
  return all.slice(0, max)
}
