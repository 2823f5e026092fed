import { dirname, extname } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { isReallyBelow, realPath } from '../../files/real-path.ts'
import { turn } from '../../files/turns.ts'
import type { Disk } from '../../model/disk.ts'
import {
  type CheckedPolicy,
  type CompileBudget,
  type CompiledPolicies,
  type HeldDomain,
  type IsTrusted,
  type PolicyLoader,
  SandboxLost,
} from '../../model/policy-loading.ts'
import { type RuleSource, workspaceDisk } from '../find/search.ts'
import {
  hookRuleId,
  idOf,
  isBinding,
  isRule,
  type LoadedRules,
  type PolicyBinding,
  type RulesDraft,
  type WrittenBinding,
} from './draft.ts'
import { load } from './load.ts'
import { openRulesBudgets } from './reading.ts'
import { isDraftName, isShipped } from '../../files/policy-files.ts'
import { type Place, placeText, type Problem, problemText } from '../../model/errors.ts'
import type { Matcher, PolicyHandler, Rule, Source } from '../../model/rule.ts'
import { choiceOf, listOf, quoted, sayable } from '../../model/text.ts'
import { ownParams, undeclaredParams } from './turned-on.ts'
import type { EventName } from '../../model/event.ts'
import type { JsonObject } from '../../model/json.ts'
import { givenParams, paramProblems, paramsSchema } from '../../words/policy-declarations.ts'
import type { PolicyDefinition } from '../../model/policy.ts'
import { approvingOf } from './wire.ts'
import { neverBoth, takesTool } from '../match/matcher.ts'

/** The dependencies of loading, apart from the files. */
interface Loading {
  readonly home: string
  readonly policies: PolicyLoader
  /** Whether drafts of policies are loaded too. */
  readonly drafts: boolean
  /** Returns whether a file of a workspace's source is unchanged since the workspace was trusted. */
  readonly isTrusted: IsTrusted
}

/** Reads everything that was found, and loads its policies, those with the most authority first. */
export async function loadAll(
  found: readonly RuleSource[],
  disk: Disk,
  loading: Loading,
): Promise<readonly LoadedSource[]> {
  const { home, policies, drafts: isWithDrafts, isTrusted } = loading
  const rulesBudgets = openRulesBudgets(isTrusted)
  const compileBudgets = policies.openBudgets(isTrusted)
  const disks = ({ source }: RulesDraft) => workspaceDisk(source.workspaceRoot, home, disk)
  const read: { readonly draft: RulesDraft; readonly budget: CompileBudget }[] = []
  for (const one of found) {
    // oxlint-disable-next-line no-await-in-loop -- so that others have their turn between two files
    await turn()
    const whole = load(one, disk, home, rulesBudgets(one.source))
    const draft = isWithDrafts ? whole : withoutDrafts(whole)
    read.push({ draft, budget: compileBudgets(one.source) })
  }
  const drafts = read.map(({ draft }) => draft)
  const loaded: Promise<LoadedSource>[] = []
  for (const { draft, budget } of read) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other, by their authority
    const start = await compilePolicies(withoutConfigured(draft, drafts), disks(draft), policies, budget)
    const one = start()
    // `Promise.all` below reports it.
    one.catch(() => {})
    loaded.push(one)
  }
  return Promise.all(loaded)
}

/** Leaves out the policies that their authors still work on. */
function withoutDrafts(rules: RulesDraft): RulesDraft {
  return { ...rules, entries: rules.entries.filter((entry) => !isBinding(entry) || !isDraftName(entry.file)) }
}

/** What is wrong with a draft stops nothing. */
const problemsOf = (problems: readonly Problem[]): readonly Problem[] =>
  problems.map((one) => (isDraftName(one.place.file) ? { ...one, severity: 'warning' } : one))

/**
 * Drops the policies of a `policies/` folder that the hooks.json beside it names.
 *
 * They are in force as that file says, with its params and matcher, and must not apply a second time by their own
 * definitions.
 *
 * @param all every draft, including this one
 */
function withoutConfigured(draft: RulesDraft, all: readonly RulesDraft[]): RulesDraft {
  const beside = all.filter((other) => other !== draft && isBeside(other, draft))
  const configured = new Set(beside.flatMap(configuredIn))
  if (configured.size === 0) return draft
  const entries = draft.entries.filter(
    (entry) => !isBinding(entry) || entry.written !== undefined || !configured.has(realPath(entry.file)),
  )
  return { ...draft, entries }
}

/** Returns the policies that a rules file names, and all those of its packs, so that disabled rules stay disabled. */
function configuredIn({ entries, claimed }: RulesDraft): readonly string[] {
  const named = entries.filter(isBinding).filter(({ written }) => written !== undefined)
  return [...named.map(({ file }) => file), ...claimed].map(realPath)
}

/** Returns whether a rules file and a folder of policies belong together: same owner, same parent folder. */
function isBeside({ source: rules }: RulesDraft, { source: folder }: RulesDraft): boolean {
  return (
    rules.scope === folder.scope &&
    rules.workspaceRoot === folder.workspaceRoot &&
    dirname(rules.file) === dirname(folder.file)
  )
}

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
    const loadDomain = () => policies.load(source.file, compiled, { ...pace, isTrusted })
    const domain = isEmpty ? undefined : await loadDomain().catch((error: unknown) => onceMore(error, loadDomain))
    const bound = bindAll(draft, compiled, domain)
    return {
      loaded: { ...bound, problems: problemsOf([...draft.problems, ...problems, ...bound.problems]) },
      domain,
      lost: false,
    }
  } catch (error) {
    if (!(error instanceof SandboxLost)) throw error
    const lost: Problem = {
      severity: 'error',
      place: { file: source.file },
      message: `its policies cannot be loaded: ${sayable(error.message).replaceAll('\n', ' ')}`,
      remedy: 'nothing is wrong with them: the next event loads them again, or this command once more',
    }
    const rules = entries.filter(isRule)
    const all = [...draft.problems, ...problems, lost]
    return { loaded: { ...rest, rules, problems: all }, domain: undefined, lost: true }
  }
}

/** Returns whether a policy may answer with another output. What ships is compiled, and its facts say so. */
const mayReplaceOutput = (
  { facts }: PolicyDefinition,
  { modules }: { readonly modules: readonly { readonly code: string }[] },
): boolean =>
  Object.values(facts).some((fact) => 'hiddenSecrets' in fact) ||
  modules.some(({ code }) => code.includes('replaceOutput'))

/** A busy machine may give a sandbox no time to answer in, and a new one is at hand. */
function onceMore<T>(error: unknown, again: () => Promise<T>): Promise<T> {
  if (error instanceof SandboxLost) return again()
  throw error
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

/** The rule made of a policy and its binding, or the problems that prevent it. */
interface BoundRule {
  readonly rule: Rule | undefined
  readonly place: Place
  readonly problems: readonly Problem[]
}

const any: Matcher = { kind: 'any' }

/**
 * Makes a rule of a loaded policy and its binding.
 *
 * @param domain the sandbox domain that holds the policy, the policy's `index` in it, and whether it is `onCaller`
 * @param isTaken whether another rule of the same source has an id
 */
function bind(
  binding: PolicyBinding,
  { compiled, definition }: CheckedPolicy,
  { domain, index, onCaller }: Pick<PolicyHandler, 'domain' | 'index' | 'onCaller'>,
  isTaken: (id: string) => boolean,
): BoundRule {
  const { source, written, pack } = binding
  const place = written?.place([], 'value') ?? { file: binding.file }
  if (definition === undefined) return { rule: undefined, place, problems: [] }
  const params = paramsOf(definition, binding)
  const subject = subjectOf(definition)
  const problems = [
    ...params.problems,
    ...(written === undefined ? [] : neverApplies(definition, subject, written)),
    ...(pack === undefined ? [] : misnamed(definition, binding.file)),
  ]
  if (problems.some(({ severity }) => severity === 'error')) return { rule: undefined, place, problems }
  const rule: Rule = {
    id:
      written === undefined
        ? `${pack?.prefix ?? `${source.id}#`}${definition.id}${isDraftName(binding.file) ? '.draft' : ''}`
        : writtenId(source, written, definition, isTaken),
    source,
    match: { ...matchOf(definition, written), subject },
    handler: {
      kind: 'policy',
      policy: definition.id,
      severity: definition.severity,
      // One file is one policy, whichever link it was found by.
      file: realPath(compiled.file),
      files: compiled.modules.map(({ file }) => file),
      digest: compiled.digest,
      domain,
      index,
      onCaller,
      ignoresToolFacts: compiled.ignoresToolFacts === true,
      ...(mayReplaceOutput(definition, compiled) && { replacesOutput: true }),
      interest: definition.interest,
      carried: definition.carried ?? [],
      facts: definition.facts,
      state: definition.state,
      params: params.value,
      changedParams: changedOf(definition, params.value),
    },
    onFailure: (written ?? pack)?.onFailure ?? definition.onFailure ?? 'block',
    mode: isDraftName(binding.file) ? 'observe' : ((written ?? pack)?.mode ?? 'enforce'),
    ...approvingOf((written ?? pack)?.approving ?? {}, definition),
    timeoutMs: undefined,
    sequence: undefined,
    untrustedReason: undefined,
  }
  return { rule, place, problems }
}

/** Returns the hook's own id, else that of its policy, with the hook's position if another rule has that id. */
function writtenId(
  source: Source,
  written: WrittenBinding,
  definition: PolicyDefinition,
  isTaken: (id: string) => boolean,
): string {
  if (written.isNamed) return written.id
  const id = hookRuleId(source, definition.id)
  return isTaken(id) ? `${id}${written.id.slice(source.id.length)}` : id
}

function matchOf({ on }: PolicyDefinition, written: WrittenBinding | undefined): Omit<Rule['match'], 'subject'> {
  const own = listOf(on)
  if (written === undefined) {
    return { spelled: own.join(', '), events: own, triggers: undefined, matcher: any, condition: undefined }
  }
  const { spelled, triggers, matcher, condition } = written
  return { spelled, events: written.events.filter((event) => own.includes(event)), triggers, matcher, condition }
}

function subjectOf({ tool }: PolicyDefinition): Matcher {
  return tool === undefined ? any : { kind: 'names', names: listOf(tool) }
}

function paramsOf(definition: PolicyDefinition, { written, pack }: PolicyBinding) {
  const { params } = definition
  const given: JsonObject = written?.params ?? (pack === undefined ? {} : ownParams(pack, definition))
  const value = givenParams(params, given)
  if (value !== undefined) return { value, problems: [] }
  const checked = paramsSchema(params).safeParse(given)
  if (checked.success) return { value: checked.data, problems: [] }
  const place = (path: readonly PropertyKey[], part: 'key' | 'value') =>
    (written ?? pack)?.place(path, part) ?? { file: '' }
  const problems = paramProblems(checked.error, { value: { params: given }, place }, ['params'], params)
  return { value: {}, problems }
}

function changedOf({ params }: PolicyDefinition, value: JsonObject): readonly string[] {
  return Object.keys(params).filter((name) => !isDeepStrictEqual(value[name], params[name]?.default))
}

/** Requires a pack's rule to be named like its file, since `disable` refers to the file name. */
function misnamed({ id }: PolicyDefinition, file: string): readonly Problem[] {
  if (idOf(file) === id) return []
  const message = `a rule of a pack must be in a file of the same name, and this rule is ${quoted(id)}`
  const remedy = `rename the file to \`${id}.policy${extname(file)}\``
  return [{ severity: 'error', place: { file, line: 1, column: 1 }, message, remedy }]
}

/** Reports a group and a policy that have no event, or no tool, in common. */
function neverApplies(definition: PolicyDefinition, subject: Matcher, written: WrittenBinding): readonly Problem[] {
  const { id, on } = definition
  const events = written.events.filter((event) => listOf<EventName>(on).includes(event))
  if (events.length === 0) {
    const message = `the policy \`${id}\` is not for ${written.spelled}: it is for ${listOf(on).join(', ')}`
    const remedy = `put it under ${choiceOf(listOf(on))}`
    return [{ severity: 'error', place: written.place(['policy'], 'value'), message, remedy }]
  }
  if (!events.some(takesTool) || !neverBoth(written.matcher, subject)) return []
  const tools = subject.kind === 'names' ? subject.names.map(quoted).join(', ') : ''
  const message = `the policy \`${id}\` is for ${tools}, which the matcher of its group never matches`
  return [{ severity: 'warning', place: written.place(['policy'], 'value'), message, remedy: 'remove the matcher' }]
}
