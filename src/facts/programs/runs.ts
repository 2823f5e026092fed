import { unwrapLimits } from '../../model/limits.ts'
import { bounded } from '../bounds.ts'
import type { Starts } from './starts.ts'

/** Limits the runs of a command to `unwrapLimits.runsMax`, and reports if there are more. */
export const fewRuns = <T>(all: readonly T[], { leftOut }: Starts): readonly T[] =>
  bounded(all, unwrapLimits.runsMax, 'it starts more commands than are looked at', leftOut)
