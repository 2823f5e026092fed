/** With `npm test -- --all`, all cases; else the first of each so many, always the same ones. */
export function sampleOf<Case>(cases: readonly Case[], oneOf: number): readonly Case[] {
  return process.env['HOOKGATE_TEST_ALL'] === undefined ? cases.filter((_, index) => index % oneOf === 0) : cases
}
