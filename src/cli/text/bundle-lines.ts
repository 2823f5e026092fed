import type { BundleState } from '../../model/bundle-settings.ts'

/** Says what is in force of a signed bundle, and how fresh it is. */
export function bundleLines({ channel, freshness, problem, release, freshUntilMs, switched }: BundleState): string[] {
  const until = freshUntilMs === undefined ? '' : new Date(freshUntilMs).toISOString().slice(0, 16)
  const word = { fresh: `fresh, until ${until}Z`, stale: `stale since ${until}Z`, missing: 'missing' }[freshness]
  const older = release?.isNewest === false ? ', the release before the newest one' : ''
  const what =
    release === undefined
      ? freshness === 'missing'
        ? 'nothing is in force'
        : 'no release is for this machine'
      : `${release.name} ${release.revision}, ${release.mode}${older}`
  return [
    `  bundle     ${what} (channel ${channel}, ${word})`,
    ...(problem === undefined ? [] : [`  problem    ${problem}`]),
    ...switched.map((line) => `  switch     ${line}`),
  ]
}
