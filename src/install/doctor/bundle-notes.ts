import type { BundleState } from '../../model/bundle-settings.ts'

/** Says how fresh the signed rules are, if a managed file names some. */
export function bundleNotes(
  state: BundleState | undefined,
): readonly { readonly isFine: boolean; readonly what: string }[] {
  if (state === undefined) return []
  const { channel, freshness, release, problem, switched } = state
  const what = release === undefined ? 'no bundle' : `the bundle ${release.name} ${release.revision} (${release.mode})`
  const why = problem === undefined ? '' : `: ${problem}`
  const isFine = freshness === 'fresh' && problem === undefined
  return [
    { isFine, what: `${what} of the channel ${channel} is ${freshness}${why}` },
    ...switched.map((line) => ({ isFine: false, what: line })),
  ]
}
