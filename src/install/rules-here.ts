import { existsSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { knownHome } from '../files/home-folder.ts'
import type { BundleInForce } from '../model/bundle-settings.ts'
import type { PolicyLoader } from '../model/policy-loading.ts'
import { problemText } from '../model/errors.ts'
import type { RecordSettings } from '../model/record-settings.ts'
import type { Rule } from '../model/rule.ts'
import { printable } from '../model/text.ts'
import type { Protection, RulesRead } from '../rules/index.ts'
import { missingText } from '../rules/machine-settings.ts'

/** The rules that apply in some folders, as a command reports on them. */
export interface RulesHere {
  readonly rules: readonly Rule[]
  readonly loaded: RulesRead['loaded']
  /** Why rules that were found are not in force: `disableAllHooks`. */
  readonly switchedOff: readonly string[]
  readonly selfProtectionOff: string | undefined
  /** The mistakes with which the rules do not load; empty if they do. */
  readonly wrong: readonly string[]
  /** Managed files that others than an administrator can change, each with its remedy. */
  readonly unmanaged: readonly string[]
  /** `undefined` if not all rules could be read: what does not load refuses every call. */
  readonly protection: Protection | undefined
  readonly record: RecordSettings
  /** True if calls can wait for a person. */
  readonly hasApprovals: boolean
  /** The signed bundle that a managed file names. */
  readonly bundle: BundleInForce | undefined
  /** The user's own rules file, whether or not there is one. */
  readonly file: string
  /** The managed rules file; `undefined` if there is none. */
  readonly managedFile: string | undefined
}

/** The folders in which rules are looked for. */
export interface RulesLocation {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly home?: string
  readonly managedFolder?: string | undefined
}

/** Loads the rules that apply in some workspace roots. */
export async function rulesAt(here: RulesLocation, roots: readonly string[]): Promise<RulesHere> {
  const { withPolicies } = await import('./with-policies.ts')
  return withPolicies((policies) => rulesBy(policies, here, roots))
}

/** Loads the rules with a loader that the caller has open. */
export async function rulesBy(
  policies: PolicyLoader,
  { env, cwd, home = knownHome(env['HOME']), managedFolder }: RulesLocation,
  roots: readonly string[],
): Promise<RulesHere> {
  const { managedFileHere, placesFor, protectionBy, readRules, userRulesFile } = await import('../rules/index.ts')
  const places = placesFor({ env, cwd, home, managedFolder })
  const { ruleSet, errors, loaded, ...read } = await readRules(places, roots, policies)
  const { rules, switchedOff, selfProtectionOff, record, bundle } = ruleSet
  const hasApprovals = ruleSet.approvals !== undefined
  const wrong = errors.map(problemText)
  const unmanaged = read.unmanaged.map(problemText)
  const protection = wrong.length === 0 ? protectionBy(rules) : undefined
  const file = userRulesFile(places)
  return {
    rules,
    loaded,
    switchedOff,
    selfProtectionOff,
    wrong,
    unmanaged,
    protection,
    record,
    hasApprovals,
    bundle,
    file,
    managedFile: managedFileHere(places),
  }
}

/** Says what a person can do where no rules are in force. @param file the user's rules file; `undefined`: none is searched */
export function noRulesRemedy({
  file,
  managedFile,
  bundle,
}: Pick<RulesHere, 'managedFile'> & {
  readonly file: string | undefined
  readonly bundle?: RulesHere['bundle']
}): string {
  const { state } = bundle ?? {}
  if (state?.freshness === 'missing') return missingText(state.channel, state.problem)
  if (state !== undefined)
    return `the channel ${state.channel} has no release for this machine: \`hookgate bundle status\` says more`
  if (file === undefined) return 'name a file with `--rules`'
  // Where rules come from an administrator, it is not the user's file in which they are missing.
  if (managedFile !== undefined) return `an administrator adds \`"preset": "recommended"\` to ${managedFile}`
  if (existsSync(file)) return `\`hookgate packs recommended --on\` adds a preset to ${file}`
  // A project's rules are written for all who work in it.
  return basename(dirname(file)) === '.hookgate'
    ? `write \`{"preset": "recommended"}\` to ${file}`
    : 'run `hookgate init`'
}

/** Names the hooks that do not run: those whose project nobody has trusted, and types that only agents run. */
export const notRunLines = (rules: readonly Rule[]): readonly string[] => [
  ...untrustedHooks(rules),
  ...unsupported(rules),
]

/** Names the hooks that do not run until a person trusts their project: a call that they would judge may be refused. */
export const untrustedHooks = (rules: readonly Rule[]): readonly string[] =>
  rules.flatMap(({ id, handler, untrustedReason }) =>
    (handler.kind === 'command' || handler.kind === 'remote') && untrustedReason !== undefined
      ? [printable(`${id} is not run: ${untrustedReason}`)]
      : [],
  )

const unsupported = (rules: readonly Rule[]): readonly string[] =>
  rules.flatMap(({ id, handler }) =>
    handler.kind === 'builtin' && handler.builtin.kind === 'unsupported'
      ? [printable(`${id} is not run: ${handler.builtin.why}`)]
      : [],
  )
