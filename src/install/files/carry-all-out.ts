import type { GatePaths } from '../../files/state/places.ts'
import { carryOut, type Changed, changesNothing, type FileChange } from './change.ts'

/** Carries out all of the changes or, where one fails, none. */
export function carryAllOut(places: GatePaths, changes: readonly FileChange[]): readonly Changed[] {
  const undoes: (() => void)[] = []
  try {
    return changes
      .filter((change) => !changesNothing(change))
      .map((change) => {
        const { backup, undo } = carryOut(places, change)
        undoes.unshift(undo)
        return changedBy(change, backup)
      })
  } catch (error) {
    for (const undo of undoes) undoIfPossible(undo)
    throw error
  }
}

/** Undoes one of several changes. The first error is the one to report. */
export function undoIfPossible(undo: () => void): void {
  try {
    undo()
  } catch {
    // The next may still be undone.
  }
}

export function changedBy({ file, after, record }: FileChange, backup: string | undefined): Changed {
  return { file, what: after === undefined ? 'removed' : record === undefined ? 'restored' : 'wrote', backup }
}
