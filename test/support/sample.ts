/** Returns all cases with `npm test -- --all`, otherwise every nth one, always the same ones. */
export function sampleOf<Case>(cases: readonly Case[], oneOf: number): readonly Case[] {
  return process.env['HOOKGATE_TEST_ALL'] === undefined ? cases.filter((_, index) => index % oneOf === 0) : cases
}
