/** Returns all cases with `npm test -- --all`, otherwise every nth one, always the same ones. */
export function sampleOf<Case>(cases: readonly Case[], oneOf: number): readonly Case[] {
  return process.env['HOOKGATE_TEST_ALL'] === undefined ? cases.filter((_, index) => index % oneOf === 0) : cases
}

/** Returns the number of runs of a property: all with `npm test -- --all`, otherwise a quarter, of other values each time. */
export const runsOf = (all: number): number =>
  process.env['HOOKGATE_TEST_ALL'] === undefined ? Math.ceil(all / 4) : all
