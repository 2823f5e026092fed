/** The analysis limits that a command can exceed, in the words of its `uncertain` list. */
export type LeftOut =
  | 'it starts more commands than are analyzed'
  | 'it touches more paths than are analyzed'
  | 'it makes more links to links than are followed'
  | 'it gives git more settings than are analyzed'
  | 'its code is longer than is analyzed'
  | 'its code is nested deeper, or does more, than is analyzed'
  | 'its code has more values, or longer ones, than are analyzed'

/** Records that a limit cut the analysis short. INVARIANT: nothing beyond a limit is dropped without such a record. */
export type ReportLeftOut = (what: LeftOut) => void

/** Returns the first `max` items, and reports through `report` if there are more. */
export function bounded<T>(all: readonly T[], max: number, what: LeftOut, report: ReportLeftOut): readonly T[] {
  if (all.length <= max) return all
  report(what)
  return all.slice(0, max)
}
