import { agentNames } from '../../../agents/registry.ts'
import { type EventName, ToolKind } from '../../../model/event.ts'
import { subscribedEvents } from '../../../agents/event-names.ts'
import { FactDeclaration, PolicyDefinition } from '../../../model/policy.ts'
import { toolKind } from '../../../agents/tool-names.ts'
import { quoted } from '../../../model/text.ts'
import type { Problem, JsonPath, PlaceOf } from '../../../model/problem.ts'
import { schemaProblems } from '../../../words/schema-problems.ts'
import { didYouMean } from '../../../words/suggest.ts'
import { definitionMismatches } from './definition-mismatches.ts'

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
