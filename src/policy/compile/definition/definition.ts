import { agentNames, subscribedEvents } from '../../../agents/registry.ts'
import { type EventName, ToolKind } from '../../../model/event.ts'
import {
  type CompiledPolicy,
  type Described,
  type ExampleGiven,
  FactDeclaration,
  type LoadedDomain,
  PolicyDefinition,
  type PolicyPort,
} from '../../../model/policy.ts'
import { toolKind } from '../../../agents/tool-names.ts'
import { listOf, quoted, sayable } from '../../../model/text.ts'
import {
  errorText,
  HookgateError,
  type JsonPath,
  type Place,
  type PlaceOf,
  type Problem,
} from '../../../model/errors.ts'
import { schemaProblems } from '../../../words/schema-problems.ts'
import { didYouMean } from '../../../words/suggest.ts'
import { paramProblems, paramSchema, paramsSchema } from '../../../words/policy-declarations.ts'
import type { Failure } from '../../../model/failure.ts'
import { limits } from '../../../model/limits.ts'
import { type CheckedPolicy, SandboxLost } from '../../../model/policy-loading.ts'
import { type LoadedPlace, runExamples } from './examples.ts'

/** A policy's definition, present only if it is valid, and its problems. */
interface ReadDefinition {
  readonly definition: PolicyDefinition | undefined
  readonly problems: readonly Problem[]
}

/**
 * Validates a policy's definition.
 *
 * @param json the untrusted text from the sandbox
 * @param isFit true if its parts are known to be consistent
 */
export function readDefinition(json: string, place: PlaceOf, isFit = false): ReadDefinition {
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch {
    const message = 'the argument of `definePolicy` must be plain data'
    return {
      definition: undefined,
      problems: [{ severity: 'error', place: place([], 'value'), message, remedy: undefined }],
    }
  }
  const parsed = KnownDefinition.safeParse(value)
  if (!parsed.success) {
    const problems = schemaProblems(parsed.error.issues, { value, place }, [], { keys: knownKeys })
    return { definition: undefined, problems: problems.map((one) => translated(one, parsed.error.issues, value)) }
  }
  const problems = isFit ? [] : definitionMismatches(parsed.data, place)
  return { definition: problems.length === 0 ? parsed.data : undefined, problems }
}

/** A definition whose examples name only agents that hookgate knows. */
const KnownDefinition = PolicyDefinition.superRefine(({ examples }, context) => {
  for (const [index, { given }] of examples.entries()) {
    const { agent } = given
    if (agent === undefined || agentNames.some((name) => name === agent)) continue
    context.addIssue({
      code: 'invalid_value',
      values: [...agentNames],
      input: agent,
      path: ['examples', index, 'given', 'agent'],
    })
  }
})

/** Known keys, to be suggested for misspelt ones, each with the place where it belongs. */
const knownKeys: ReadonlyMap<string, string> = new Map([
  ...['type', 'default', 'minimum', 'maximum', 'oneOf'].map((key) => [key, 'put it into one of the `params`'] as const),
  ...FactDeclaration.options
    .flatMap(({ shape }) => Object.keys(shape))
    .map((key) => [key, 'put it into one of the `facts`'] as const),
  ...['event', 'input', 'prompt', 'result', 'atMs', 'cwd', 'home'].map(
    (key) => [key, "put it into an example's `given`"] as const,
  ),
  ...['name', 'given', 'want'].map((key) => [key, 'put it into one of the `examples`'] as const),
  ...Object.keys(PolicyDefinition.shape).map((key) => [key, 'put it next to `id`'] as const),
])

/** Adds a remedy to a problem caused by an agent's own name of an event or tool: hookgate's name for it. */
function translated(problem: Problem, issues: readonly { readonly path: JsonPath }[], value: unknown): Problem {
  if (problem.remedy !== undefined) return problem
  const common = issues.flatMap(({ path }) => {
    const word = wordAt(value, path)
    const isName = path.some((step) => step === 'on' || step === 'event' || step === 'tool')
    if (word === undefined || !isName || !problem.message.includes(quoted(word))) return []
    const known = path[0] === 'on' ? commonEvent(word) : commonTool(word)
    return known === undefined ? (didYouMean(word, ToolKind.options) ?? []) : `write \`${known}\``
  })[0]
  return common === undefined ? problem : { ...problem, remedy: common }
}

function wordAt(value: unknown, path: JsonPath): string | undefined {
  const found = path.reduce<unknown>(
    (within, step) => (typeof within === 'object' && within !== null ? Reflect.get(within, step) : undefined),
    value,
  )
  return typeof found === 'string' ? found : undefined
}

const commonEvent = (word: string): EventName | undefined =>
  agentNames.map((agent) => subscribedEvents(agent, word)?.events[0]).find((event) => event !== undefined)

const commonTool = (word: string): ToolKind | undefined =>
  agentNames.map((agent) => toolKind(agent, word)).find((kind) => kind !== 'other')

/** Returns the inconsistencies between the parts of a definition, each of which is valid by itself. */
export function definitionMismatches(definition: PolicyDefinition, place: PlaceOf): readonly Problem[] {
  const { params, examples } = definition
  const defaults = Object.entries(params).flatMap(([name, declaration]) => {
    const checked = paramSchema(declaration).safeParse(declaration.default)
    if (checked.success) return []
    return schemaProblems(checked.error.issues, { value: definition, place }, ['params', name, 'default'])
  })
  if (examples.length > policyExamplesMax) {
    const message = `there are ${examples.length} examples, but at most ${policyExamplesMax} are run`
    return [...defaults, wrong(place(['examples'], 'value'), message, 'keep the most useful ones')]
  }
  return [
    ...defaults,
    ...interestMismatches(definition, place),
    ...examples.flatMap((_, index) => exampleMismatches(definition, index, place)),
  ]
}
/** Examples of one policy. They run whenever it is loaded. */
const policyExamplesMax = 200

/** Returns problems of `interest.params`, which may name only params that are lists of texts. */
function interestMismatches({ interest, params }: PolicyDefinition, place: PlaceOf): readonly Problem[] {
  const lists = Object.keys(params).filter((name) => params[name]?.type === 'strings')
  return (interest?.params ?? []).flatMap((name, index) => {
    if (lists.includes(name)) return []
    const remedy = didYouMean(name, lists) ?? 'name a param of the type `strings`'
    return [wrong(place(['interest', 'params', index], 'value'), `there is no such param ${quoted(name)}`, remedy)]
  })
}

function exampleMismatches(definition: PolicyDefinition, index: number, place: PlaceOf): readonly Problem[] {
  const at: JsonPath = ['examples', index, 'given']
  const given = definition.examples[index]?.given ?? {}
  const events = listOf(definition.on)
  const isSubscribed = given.event === undefined || events.includes(given.event)
  const notSubscribed = wrong(
    place([...at, 'event'], 'value'),
    `the policy is not for ${quoted(given.event ?? '')}`,
    `it is \`on\` ${events.join(', ')}`,
  )
  const facts = Object.keys(definition.facts)
  const undeclared = Object.keys(given.facts ?? {})
    .filter((name) => !facts.includes(name))
    .map((name) => {
      const remedy = didYouMean(name, facts) ?? 'declare it in `facts`'
      return wrong(place([...at, 'facts', name], 'key'), `there is no fact ${quoted(name)}`, remedy)
    })
  const params = paramsSchema(definition.params).safeParse(given.params ?? {})
  const wrongParams = params.success
    ? []
    : paramProblems(params.error, { value: definition, place }, [...at, 'params'], definition.params)
  return [
    ...(isSubscribed ? [] : [notSubscribed]),
    ...undeclared,
    ...wrongParams,
    ...unknownKeys(definition, given, (key) => place([...at, 'input', key], 'key')),
  ]
}

/** Returns problems of an example's `input`, unless it is that of a named agent, whose keys are its own. */
function unknownKeys(
  { tool }: PolicyDefinition,
  { agent, tool: given = listOf(tool ?? 'other')[0] ?? 'other', input = {} }: ExampleGiven,
  placeOf: (key: string) => Place,
): readonly Problem[] {
  const known = ToolKind.options.flatMap((kind) => (kind === given ? (exampleKeys[kind] ?? []) : []))
  if (agent !== undefined || known.length === 0) return []
  return Object.keys(input)
    .filter((key) => !known.includes(key))
    .map((key) => {
      const keys = known.map(quoted).join(', ')
      const remedy = didYouMean(key, known) ?? `there are ${keys}; to give an agent's own key, name the \`agent\``
      return wrong(placeOf(key), `the input of a tool \`${given}\` has no key ${quoted(key)}`, remedy)
    })
}

/** The keys of an example's `input`, by the kind of its tool. Of other kinds, each tool has its own. */
export const exampleKeys: Readonly<Partial<Record<ToolKind, readonly string[]>>> = {
  shell: ['command'],
  read: ['path'],
  write: ['path', 'content'],
  edit: ['path', 'old_string', 'content'],
  search: ['path', 'pattern', 'glob'],
  list: ['path', 'pattern'],
  fetch: ['url'],
}

const wrong = (place: Problem['place'], message: string, remedy: string): Problem => ({
  severity: 'error',
  place,
  message,
  remedy,
})

/**
 * Wall time for loading the policies of one source and running their examples, where an agent waits: half a minute for its
 * hook, and then it goes ahead.
 */
const policyLoadMsMax = 10_000
/** Additional time per policy: four times what loading 10,000 of them took on two busy cores. */
const policyLoadMsEach = 4

/** The policies of one source, loaded together and checked. */
export interface CheckedDomain {
  readonly id: number
  /** In the order of the compiled policies. */
  readonly policies: readonly CheckedPolicy[]
  readonly onCaller?: boolean
  release(): void
}

/** Policies whose examples need not be run. */
interface KnownResults {
  /** Policies known to have problems. */
  readonly flawed: ReadonlySet<CompiledPolicy>
  /** Policies whose examples are known to pass. */
  readonly proven: ReadonlySet<CompiledPolicy>
  /** How many policies are checked at once. Default: `limits.policiesCheckedAtOnce`. */
  readonly atOnce?: number
  /** They may be evaluated on the calling thread. Default: false. */
  readonly isTrusted?: boolean
}

/**
 * Loads policies into the sandbox, and checks the definition and the examples of each.
 *
 * @param known policies of which only the definition is checked
 * @throws SandboxLost
 */
export async function loadChecked(
  compiled: readonly CompiledPolicy[],
  sandbox: PolicyPort,
  known: KnownResults,
): Promise<CheckedDomain> {
  const loading = sandbox.load(compiled, { isTrusted: known.isTrusted === true })
  const msMax = sandbox.isHurried === true ? policyLoadMsMax + compiled.length * policyLoadMsEach : limits.policyLoadMs
  const domain = await inTime(loading, msMax).catch((error: unknown) => {
    // Loading may still succeed later, and the domain must then be released.
    void loading.then((late) => late.release()).catch(() => {})
    throw error
  })
  try {
    const policies = await inTime(checkAll(compiled, domain, sandbox, known), msMax)
    const { id, onCaller = false } = domain
    return { id, policies, onCaller, release: () => domain.release() }
  } catch (error) {
    domain.release()
    throw error
  }
}

async function checkAll(
  compiled: readonly CompiledPolicy[],
  domain: LoadedDomain,
  sandbox: PolicyPort,
  { flawed, proven, atOnce = limits.policiesCheckedAtOnce }: KnownResults,
): Promise<readonly CheckedPolicy[]> {
  const checked = new Map<number, CheckedPolicy>()
  const waiting = compiled.entries()
  const lane = async () => {
    for (const [index, policy] of waiting) {
      const described = domain.described[index]
      const at = { domain: domain.id, policy: index }
      const isKnown = flawed.has(policy) || proven.has(policy)
      const checking = check(policy, described, isKnown ? undefined : at, { sandbox, isFlawed: flawed.has(policy) })
      // oxlint-disable-next-line no-await-in-loop -- each lane checks its policies one after the other
      checked.set(index, await checking)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
  return compiled.flatMap((_, index) => checked.get(index) ?? [])
}

/** @param at where its examples are run; `undefined` if their outcome is known already */
async function check(
  compiled: CompiledPolicy,
  described: Described | undefined,
  at: LoadedPlace | undefined,
  { sandbox, isFlawed }: { readonly sandbox: PolicyPort; readonly isFlawed: boolean },
): Promise<CheckedPolicy> {
  const refused = (...problems: readonly Problem[]): CheckedPolicy => ({ compiled, definition: undefined, problems })
  if (described === undefined) throw new SandboxLost('the sandbox did not describe every policy')
  if ('failure' in described) {
    const failed = failureProblem(described.failure, compiled)
    // Its flaws have been reported already, and most likely caused this failure.
    return isFlawed ? refused() : refused(failed)
  }
  const isFit = compiled.definition !== undefined && at === undefined
  const { definition } = readDefinition(described.definition, () => ({ file: compiled.file }), isFit)
  if (definition !== undefined && at === undefined) return { compiled, definition, problems: compiled.warnings ?? [] }
  // Loaded lazily: finding places needs the parser, which is slow to load and not needed for a good proven policy.
  const { placesIn } = await import('../syntax/parse-module.ts')
  const place = placesIn(compiled.file)
  if (definition === undefined || at === undefined) {
    return refused(...readDefinition(described.definition, place).problems)
  }
  const results = await runExamples(definition, at, sandbox)
  const failed = results.flatMap((result, index): readonly Problem[] => {
    if (result.ok) return []
    if (result.failure !== undefined) throwIfInfrastructure(result.failure)
    const name = definition.examples[index]?.name ?? ''
    return [
      {
        severity: 'error',
        place: place(['examples', index], 'value'),
        message: sayable(`its example \`${name}\` wants ${result.wanted}, but got ${result.got}`).replaceAll('\n', ' '),
        remedy: 'fix the policy or the example',
      },
    ]
  })
  const unproven = definition.examples.length === 0 ? [withoutExamples(place([], 'value'))] : []
  return failed.length === 0 ? { compiled, definition, problems: unproven } : refused(...failed)
}

const withoutExamples = (place: Place): Problem => ({
  severity: 'warning',
  place,
  message: 'the policy has no examples, so nothing shows that it works',
  remedy: 'add one that it lets through and one that it does not',
})

function failureProblem(failure: Failure, compiled: CompiledPolicy): Problem {
  throwIfInfrastructure(failure)
  return definitionProblem(failure, compiled)
}

/** Returns the problem, with its place, that kept a policy from being described. */
export function definitionProblem(
  failure: Failure,
  { file, modules }: Pick<CompiledPolicy, 'file' | 'modules'>,
): Problem {
  const { place, said } = placedIn(failure.message, { file, modules })
  return {
    severity: 'error',
    place,
    message: `the policy cannot be defined: ${sayable(said).replaceAll('\n', ' ')}`,
    remedy: undefined,
  }
}

/** Splits a failure's message into the place that it begins with, if any, and the rest. */
function placedIn(message: string, { file, modules }: Pick<CompiledPolicy, 'file' | 'modules'>) {
  const start: Place = { file, line: 1, column: 1 }
  const named = modules.map((module) => module.file).find((one) => message.startsWith(`${one}:`))
  if (named === undefined) return { place: start, said: message }
  const rest = message.slice(named.length)
  const [lead = '', line, column] = /^:(\d+):(\d+): /.exec(rest) ?? []
  if (line !== undefined) {
    return { place: { file: named, line: Number(line), column: Number(column) }, said: rest.slice(lead.length) }
  }
  return rest.startsWith(': ') ? { place: start, said: rest.slice(2) } : { place: start, said: message }
}

/** @throws SandboxLost for an infrastructure failure, which is not the policy's fault */
function throwIfInfrastructure({ code, message }: Failure): void {
  if (code === 'workerLost' || code === 'exhausted' || code === 'cancelled' || code === 'spawnFailed') {
    throw new SandboxLost(message)
  }
}

/** Rejects with `SandboxLost` after `msMax`. Agents limit how long they wait for a hook: Cline waits half a minute. */
async function inTime<T>(work: Promise<T>, msMax: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const why = `they took more than ${msMax / 1000} s to load`
    timer = setTimeout(() => reject(new SandboxLost(why)), msMax)
  })
  try {
    return await Promise.race([work, late])
  } catch (error) {
    if (error instanceof SandboxLost || (error instanceof HookgateError && error.code === 'closed')) throw error
    throw new SandboxLost(errorText(error), { cause: error })
  } finally {
    clearTimeout(timer)
  }
}
