import { agentNames } from '../../../agents/registry.ts'
import { type EventName, ToolKind } from '../../../model/event.ts'
import { subscribedEvents } from '../../../agents/event-names.ts'
import { PolicyDefinition } from '../../../model/policy.ts'
import { toolKind } from '../../../agents/tool-names.ts'
import { quoted } from '../../../model/text.ts'
import type { Problem } from '../../../model/problem.ts'
import type { Path, PlaceOf } from '../../../model/problem.ts'
import { schemaProblems } from '../../../model/schema-problems.ts'
import { didYouMean } from '../../../model/suggest.ts'
import { definitionMismatches } from './definition-mismatches.ts'

/** What a policy says of itself, if it is understood, and everything that is wrong with it. */
export interface ReadDefinition {
  readonly definition: PolicyDefinition | undefined
  readonly problems: readonly Problem[]
}

/**
 * @param json as it came out of the sandbox, which is not believed to be anything
 * @param isFit whether its parts are known to fit together
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

/** A definition whose examples are of agents that have a descriptor. */
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

/** The keys that a misspelt one may have been meant to be, and where each belongs. */
const knownKeys: ReadonlyMap<string, string> = new Map([
  ...['type', 'default', 'minimum', 'maximum', 'oneOf'].map((key) => [key, 'put it into one of the `params`'] as const),
  ...['exists', 'json', 'pointer', 'text', 'bytes', 'gitBranch', 'env'].map(
    (key) => [key, 'put it into one of the `facts`'] as const,
  ),
  ...['event', 'input', 'prompt', 'result', 'atMs', 'cwd', 'home'].map(
    (key) => [key, "put it into an example's `given`"] as const,
  ),
  ...['name', 'given', 'want'].map((key) => [key, 'put it into one of the `examples`'] as const),
  ...Object.keys(PolicyDefinition.shape).map((key) => [key, 'put it next to `id`'] as const),
])

/** Whoever writes an agent's own word for an event or a tool is told the common one. */
function translated(problem: Problem, issues: readonly { readonly path: Path }[], value: unknown): Problem {
  if (problem.remedy !== undefined) return problem
  const common = issues.flatMap(({ path }) => {
    const word = wordAt(value, path)
    if (word === undefined || !problem.message.includes(quoted(word))) return []
    const known = path[0] === 'on' ? commonEvent(word) : commonTool(word)
    return known === undefined ? (didYouMean(word, ToolKind.options) ?? []) : `write \`${known}\``
  })[0]
  return common === undefined ? problem : { ...problem, remedy: common }
}

function wordAt(value: unknown, path: Path): string | undefined {
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
