import { unwrapLimits } from '../../model/limits.ts'
import { bounded } from '../bounds.ts'
import type { Starts } from './starts.ts'

/** At most as many runs of a command as people write by hand; that there are more is said. */
export const fewRuns = <T>(all: readonly T[], { leftOut }: Starts): readonly T[] =>
  bounded(all, unwrapLimits.runsMax, 'it starts more commands than are looked at', leftOut)
