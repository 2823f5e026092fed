import { dirname } from 'node:path'
import { isShipped } from '../../files/policy-files.ts'
import { isReallyBelow, realPath } from '../../files/real-path.ts'
import type { Disk } from '../../model/disk.ts'
import { placeText } from '../../model/errors.ts'
import {
  type CheckedPolicy,
  type CompileBudget,
  type CompiledPolicies,
  type HeldDomain,
  type PolicyLoader,
  SandboxLost,
} from '../../model/policy-loading.ts'
import { type Problem, problemText } from '../../model/problem.ts'
import type { Source } from '../../model/rule.ts'
import { sayable } from '../../model/text.ts'
import { bind } from './bind.ts'
import { type RulesDraft, type LoadedRules, type PolicyBinding, isBinding, isRule } from './draft.ts'
import { undeclaredParams } from './turned-on.ts'

/** Policies of a workspace whose examples run concurrently: other sessions share the sandbox. */
const workspacePoliciesCheckedAtOnce = 1

/** A draft with its policies loaded. */
export interface LoadedSource {
  readonly loaded: LoadedRules
  /** The sandbox domain of its policies, to be released when the rules are no longer used. */
  readonly domain: HeldDomain | undefined
  /** Whether the sandbox was unavailable, in which case a retry may succeed. */
  readonly lost: boolean
}

/**
 * Compiles the policies of a draft, and returns a function that loads them as one domain and makes rules of them.
 *
 * @throws nothing: later errors are thrown by the returned function
 */
export async function compilePolicies(
  draft: RulesDraft,
  disk: Disk,
  policies: PolicyLoader,
  budget: CompileBudget,
): Promise<() => Promise<LoadedSource>> {
  const { entries, claimed: _, ...rest } = draft
  const bindings = entries.filter(isBinding)
  if (bindings.length === 0) {
    const rules = entries.filter(isRule)
    return async () => ({ loaded: { ...rest, rules }, domain: undefined, lost: false })
  }
  const compiled = await policies.compile(bindings, disk, budget)
  return () => loadPolicies(draft, compiled, policies, mayBeOnCaller(draft.source, compiled, disk))
}

async function loadPolicies(
  draft: RulesDraft,
  compiled: CompiledPolicies,
  policies: PolicyLoader,
  isTrusted: boolean,
): Promise<LoadedSource> {
  const { entries, claimed: _, ...rest } = draft
  const { problems } = compiled
  const { source } = draft
  // However long a workspace's examples take, other users of the same sandbox wait for at most one of them.
  const pace = source.workspaceRoot === undefined ? {} : { atOnce: workspacePoliciesCheckedAtOnce }
  try {
    const isEmpty = compiled.compiled.size === 0
    const domain = isEmpty ? undefined : await policies.load(source.file, compiled, { ...pace, isTrusted })
    const bound = bindAll(draft, compiled, domain)
    return { loaded: { ...bound, problems: [...draft.problems, ...problems, ...bound.problems] }, domain, lost: false }
  } catch (error) {
    if (!(error instanceof SandboxLost)) throw error
    const lost: Problem = {
      severity: 'error',
      place: { file: source.file },
      message: `its policies cannot be loaded: ${sayable(error.message).replaceAll('\n', ' ')}`,
      remedy: 'nothing is wrong with them: loading is tried again at the next event',
    }
    const rules = entries.filter(isRule)
    const all = [...draft.problems, ...problems, lost]
    return { loaded: { ...rest, rules, problems: all }, domain: undefined, lost: true }
  }
}

/**
 * Tells whether the policies of a source may be evaluated on the calling thread, if the gate's options say so. Those of a
 * workspace never may, even of a trusted one, since an agent can write there; nor those that a rules file takes from
 * elsewhere.
 */
function mayBeOnCaller({ workspaceRoot, file }: Source, { compiled }: CompiledPolicies, disk: Disk): boolean {
  if (workspaceRoot !== undefined) return false
  const own = disk.see(file) === 'folder' ? file : dirname(file)
  const files = [...compiled.values()].flatMap(({ modules }) => modules.map((one) => one.file))
  return [...new Set(files)].every((one) => isShipped(one) || isReallyBelow(one, own))
}

function bindAll(
  draft: RulesDraft,
  { compiled, flawed }: CompiledPolicies,
  domain: HeldDomain | undefined,
): LoadedRules {
  const order = new Map([...compiled.keys()].map((file, index) => [file, index]))
  const policyOf = ({ file }: PolicyBinding) => domain?.policies[order.get(realPath(file)) ?? -1]
  const places = new Map(draft.places)
  const problems: Problem[] = (domain?.policies ?? []).flatMap((policy) => policy.problems)
  const rules = draft.entries.flatMap((entry) => {
    if (!isBinding(entry)) return [entry]
    const index = order.get(realPath(entry.file))
    const policy = policyOf(entry)
    if (index === undefined || policy === undefined || domain === undefined) return []
    const bound = bind(entry, policy, { domain: domain.id, index, onCaller: domain.onCaller === true }, (id) =>
      places.has(id),
    )
    problems.push(...bound.problems)
    if (bound.rule === undefined || entry.isRefused || flawed.has(policy.compiled)) return []
    const twice = places.get(bound.rule.id)
    // In a rules file the id is unique: its own, or the policy's with the position where that is necessary.
    if (entry.written === undefined && twice !== undefined) {
      const message = `the policy \`${bound.rule.handler.kind === 'policy' ? bound.rule.handler.policy : ''}\` is defined twice: ${placeText(twice)} has the same id`
      problems.push({ severity: 'error', place: bound.place, message, remedy: 'give one of them a different id' })
      return []
    }
    places.set(bound.rule.id, bound.place)
    return [bound.rule]
  })
  problems.push(...packProblems(draft, policyOf))
  const { entries: _, claimed: __, ...rest } = draft
  return { ...rest, rules, problems: once(problems), places }
}

/** Reports params that no rule of a pack declares, once all of its rules load and their params are known. */
function packProblems(
  { entries }: RulesDraft,
  policyOf: (entry: PolicyBinding) => CheckedPolicy | undefined,
): readonly Problem[] {
  const packs = Map.groupBy(entries.filter(isBinding), ({ pack }) => pack)
  return [...packs].flatMap(([pack, rules]) => {
    const definitions = rules.flatMap((rule) => policyOf(rule)?.definition ?? [])
    return pack === undefined || definitions.length < rules.length ? [] : undeclaredParams(pack, definitions)
  })
}

/** Removes duplicates, since several rules of a pack may refuse the same param. */
function once(problems: readonly Problem[]): readonly Problem[] {
  return [...new Map(problems.map((one) => [`${one.severity} ${problemText(one)}`, one])).values()]
}
