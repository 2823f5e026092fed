import type { BundleInForce } from '../model/bundle-settings.ts'
import { isError } from '../model/problem.ts'
import { isUsualRecord } from '../model/record-settings.ts'
import type { LoadedRules } from './load/draft.ts'

/**
 * Says what managed files leave to users, or to nobody: choices, not mistakes. Empty if there is no managed file.
 *
 * @param bundle the one that a managed file names
 */
export function leftOpen(loaded: readonly LoadedRules[], bundle: BundleInForce | undefined): readonly string[] {
  const managed = loaded.filter(({ source }) => source.scope === 'managed')
  if (managed.length === 0) return []
  const rules = managed.flatMap((one) => one.rules)
  const userMaySet = [...new Set(managed.flatMap((one) => one.userMaySet ?? []))]
  const exceptions = managed.flatMap((one) => one.exceptions)
  const records = managed.flatMap(({ record }) => record ?? [])
  const disabled = managed.flatMap((one) => one.disabled)
  const observing = rules.filter(({ mode }) => mode === 'observe')
  return [
    // Rules that did not load are a mistake, which is reported.
    ...(rules.length === 0 && !managed.some(({ problems }) => problems.some(isError))
      ? ['it has no rules: each user decides what is checked; add `"preset": "recommended"`']
      : []),
    ...(observing.length > 0 && observing.length === rules.length
      ? ['its rules only observe: they refuse nothing; remove `"mode": "observe"`, or name another preset']
      : []),
    ...(observing.length > 0 && observing.length < rules.length
      ? [`${observing.length} of its rules only observe`]
      : []),
    ...(bundle !== undefined && bundle.pinned === undefined
      ? ['its signed rules never count: their pinned root is missing beside it']
      : []),
    ...(bundle !== undefined && (bundle.settings.onStale ?? 'continue') === 'continue'
      ? ['where its signed rules are missing or stale, calls go on: `onStale` in `bundle` is `continue`']
      : []),
    ...(disabled.length > 0 ? [`${disabled.length} rules of its packs are left out`] : []),
    ...(exceptions.length > 0 ? [`${exceptions.length} exceptions take back what rules say`] : []),
    ...(managed.some(({ selfProtection }) => selfProtection === false)
      ? ['an agent may change hookgate itself: `selfProtection` is false']
      : []),
    ...(userMaySet.length > 0 ? [`users may loosen ${userMaySet.map((key) => `\`${key}\``).join(' and ')}`] : []),
    ...(records.every(isUsualRecord) ? [] : ['not every decision is recorded, or for less time than usual']),
    ...(managed.some((one) => one.export !== undefined)
      ? []
      : ['the record stays on each machine: there is no `export`']),
    ...(managed.some(({ contact }) => contact !== undefined)
      ? []
      : ['a refusal does not say whom to ask: there is no `contact`']),
  ]
}
