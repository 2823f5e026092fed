import { resolve } from 'node:path'
import { withPolicies } from '../install/with-policies.ts'
import type { FileChanges } from '../model/file-changes.ts'
import type { PolicyLoader } from '../model/policy-loading.ts'
import type { Rule } from '../model/rule.ts'
import {
  placesFor,
  readRules,
  revokeTrust,
  type RulesOptions,
  trustWorkspace,
  type TrustedWorkspace,
  type TrustFileChange,
} from '../rules/index.ts'
import { programText, serverText } from '../rules/asked-text.ts'

/** The person who trusts, and the folder that relative paths start from. */
type TrustSite = Pick<RulesOptions, 'env' | 'cwd' | 'home'>

/** A workspace that a person trusts from now on. */
export interface TrustChange {
  readonly changes: FileChanges
  /** The pins of the workspace and of the repository around it; empty if there is nothing to pin. */
  readonly workspaces: readonly TrustedWorkspace[]
  /** A line for each hook: which program it runs, and when. */
  readonly runs: readonly string[]
  /** A line for each hook that still does not run: why. Empty in a dry run, in which nothing is pinned yet. */
  readonly left: readonly string[]
}

/** Pins the rules of a workspace as they are now. @throws HookgateError as `trustWorkspace` */
export function trustFolder(folder: string, { env, cwd, home }: TrustSite, isDry: boolean): Promise<TrustChange> {
  const root = resolve(cwd ?? '.', folder)
  return withPolicies(async (policies) => {
    const { options, changesWith } = watchTrustFile({ env, cwd, ...(home !== undefined && { home }) }, isDry)
    const workspaces = await trustWorkspace(folder, options, policies)
    const rules = workspaces.length === 0 ? [] : await rulesOf(root, options, policies)
    const left = isDry ? [] : leftOut(rules)
    const runs = rules.flatMap(runLines)
    return { changes: await changesWith([...left, ...runs]), workspaces, runs, left }
  })
}

/** Removes the pins of a workspace. `wasTrusted` is false if there were none. */
export async function revokeFolder(
  folder: string,
  { env, cwd, home }: TrustSite,
  isDry: boolean,
): Promise<{ readonly changes: FileChanges; readonly wasTrusted: boolean }> {
  const { options, changesWith } = watchTrustFile({ env, cwd, ...(home !== undefined && { home }) }, isDry)
  const wasTrusted = revokeTrust(folder, options)
  return { changes: await changesWith([]), wasTrusted }
}

/** Returns options that note how the file of pins changes, and a function that returns this change afterwards. */
function watchTrustFile(site: TrustSite, isDry: boolean) {
  let change: TrustFileChange | undefined
  const onChange = (one: TrustFileChange) => {
    change = one
  }
  return {
    options: { ...site, isDry, onChange },
    changesWith: (notes: readonly string[]) => changesOf(change, isDry, notes),
  }
}

async function changesOf(
  change: TrustFileChange | undefined,
  isDry: boolean,
  notes: readonly string[],
): Promise<FileChanges> {
  if (change === undefined) return { changed: false, files: [], copies: [], notes }
  const { diffText } = await import('../install/preview.ts')
  const { file, before, after } = change
  if (before !== undefined && after.equals(before)) return { changed: false, files: [], copies: [], notes }
  const present = before === undefined ? undefined : { bytes: before }
  return { changed: !isDry, files: [{ file, diff: diffText({ file, looked: { present }, after }) }], copies: [], notes }
}

async function rulesOf(root: string, options: RulesOptions, policies: PolicyLoader): Promise<readonly Rule[]> {
  return (await readRules(placesFor(options), [root], policies)).ruleSet.rules
}

/** Lists hooks that still do not run, so that a person who has just trusted the workspace does not rely on them. */
const leftOut = (rules: readonly Rule[]) =>
  rules.flatMap((rule) => {
    const why = untrustedText(rule)
    return why === undefined ? [] : [`${rule.id}: ${why}`]
  })

/** Says which program a hook of a workspace runs, and when. */
function runLines({ source, match, handler }: Rule): readonly string[] {
  if (source.workspaceRoot === undefined) return []
  if (handler.kind === 'remote') return [`at ${match.spelled}: ${serverText(handler)}`]
  if (handler.kind !== 'command') return []
  return [`runs at ${match.spelled}: ${programText(handler.program)}`]
}

/** Says how an untrusted rule is handled, and why; `undefined` for a trusted rule. */
export function untrustedText({ handler, untrustedReason }: Rule): string | undefined {
  if (untrustedReason === undefined) return undefined
  switch (handler.kind) {
    case 'command':
      return `this hook will not run: ${untrustedReason}`
    case 'remote':
      return `this server will not be asked: ${untrustedReason}`
    case 'policy':
      return `this policy can only tighten: ${untrustedReason}`
    case 'builtin':
      return `this rule can only tighten: ${untrustedReason}`
  }
}
