import { isDeepStrictEqual } from 'node:util'
import { Effect } from '../../../model/effect.ts'
import { encodeInput } from '../../sandbox/encoded-input.ts'
import type { Failure } from '../../../model/failure.ts'
import type {
  ExampleGiven,
  ExampleWant,
  PolicyAnswer,
  PolicyDefinition,
  PolicyEvent,
  PolicyPort,
  PolicyRequest,
  PolicyResult,
} from '../../../model/policy.ts'
import type { ToolFacts } from '../../../model/tool-facts.ts'
import { asLater, exampleCall, exampleInput, exampleSurroundings, withFacts } from '../../policy-input.ts'
import { sentState } from '../../../past/past.ts'
import { quoted } from '../../../model/text.ts'
import { indexInterests, interestedIn } from '../../interest.ts'
import { paramsSchema } from '../../../words/policy-declarations.ts'
import { PolicyCalls } from '../../../model/policy-interest.ts'
import { z } from 'zod'
import { dangerExamplesFile } from '../../../files/policy-files.ts'
import { EventName, type HookEvent, ToolKind } from '../../../model/event.ts'
import { JsonObject, type Json } from '../../../model/json.ts'
import { readBuilt } from '../built.ts'

/** The result of an example; on a failure with texts of the wanted and the actual answer. */
type ExampleResult =
  | { readonly ok: true }
  | { readonly ok: false; readonly wanted: string; readonly got: string; readonly failure: Failure | undefined }

/** The address of a loaded policy in the sandbox. */
export interface LoadedPlace {
  readonly domain: number
  readonly policy: number
}

/** Runs all examples of a policy, each like an event. */
export async function runExamples(
  definition: PolicyDefinition,
  at: LoadedPlace,
  policies: PolicyPort,
): Promise<readonly ExampleResult[]> {
  return Promise.all(
    definition.examples.map(async ({ given, want }) => {
      const about = await exampleRequest(definition, at, given, policies)
      const [result] = await policies.evaluate(about.request)
      const compares = compared(want, result)
      return compares.ok && isOutside(definition, given, about, result) ? outside(definition) : compares
    }),
  )
}

/** True if a policy answers about a call that its declared interest would hide from it. */
function isOutside(
  { interest, params }: PolicyDefinition,
  given: ExampleGiven,
  { found, isShell }: ExampleRequest,
  result: PolicyResult | undefined,
): boolean {
  if (interest === undefined || found === undefined || result === undefined || 'failure' in result) return false
  const index = indexInterests([{ interest, params: paramsSchema(params).parse(given.params ?? {}) }])
  return result.answers.length > 0 && interestedIn(found, index, isShell)?.length === 0
}

const outside = ({ interest }: PolicyDefinition): ExampleResult => ({
  ok: false,
  wanted: `no answer outside the declared \`interest\` (${Object.keys(interest ?? {}).join(', ')})`,
  got: 'one: add what this command has to the `interest`',
  failure: undefined,
})

/** Builds the request that evaluates a policy on an example's event. */
export async function requestFor(
  definition: PolicyDefinition,
  at: LoadedPlace,
  given: ExampleGiven,
  port: Pick<PolicyPort, 'toolFacts'>,
): Promise<PolicyRequest> {
  return (await exampleRequest(definition, at, given, port)).request
}

/** An example's request, and the facts of its tool call; `undefined` for an event without one. */
interface ExampleRequest {
  readonly request: PolicyRequest
  readonly found: ToolFacts | undefined
  readonly isShell: boolean
}

async function exampleRequest(
  definition: PolicyDefinition,
  at: LoadedPlace,
  given: ExampleGiven,
  { toolFacts }: Pick<PolicyPort, 'toolFacts'>,
): Promise<ExampleRequest> {
  const bare = exampleInput(definition, given)
  const call = exampleCall(bare)
  const asked = definition.interest?.harmless === true ? ({ asksForHarmless: true } as const) : {}
  const direct = call === undefined ? undefined : await toolFacts({ ...call, ...asked }, exampleSurroundings(given))
  const found = direct === undefined || given.later === undefined ? direct : asLater(direct, given.later)
  const input = withFacts(bare, found)
  const values: Json[] = []
  const placeOf = (value: Json | undefined) => (value === undefined ? -1 : values.push(value) - 1)
  const isAboutOutput = Object.values(definition.facts).some((one) => 'hiddenSecrets' in one)
  const hidden = isAboutOutput ? await hiddenIn(bare.event, call?.command, found) : undefined
  const facts = Object.entries(definition.facts).map(([name, declaration]) => {
    const value = given.facts && Object.hasOwn(given.facts, name) ? given.facts[name] : undefined
    return placeOf('hiddenSecrets' in declaration ? (value ?? hidden) : value)
  })
  const states = Object.entries(definition.state)
  if (states.length > 0) {
    const { pastOf } = await import('./example-past.ts')
    const view = await pastOf(definition, given, { input: bare, found }, { toolFacts })
    for (const [name, declaration] of states)
      facts.push(placeOf(sentState(view.read({ rule: '', name, declaration, code: '' }))))
  }
  const params = JSON.stringify(paramsSchema(definition.params).parse(given.params ?? {}))
  const calls = new PolicyCalls([{ ...at, facts, params }])
  // Not trusted yet: examples run before the user is asked.
  const request = { calls, input: encodeInput(input), atMs: input.event.atMs, values, isTrusted: false }
  return { request, found, isShell: call?.kind === 'shell' }
}

/** Hides the secrets of an example's output. No file is read. */
async function hiddenIn({ result }: PolicyEvent, command: string | undefined, found: ToolFacts | undefined) {
  const { hiddenSecrets } = await import('../../hidden-secrets.ts')
  return hiddenSecrets(result, command, found, async () => [])
}

/** A policy's answers, combined. */
interface CombinedAnswer {
  readonly effect: Effect | undefined
  /** The reasons of its strongest effect, joined. */
  readonly reason: string
  readonly context: string
  readonly notice: string
  readonly rewrites: readonly Json[]
  readonly outputs: readonly Json[]
  readonly stop: string | undefined
}

function compared(want: ExampleWant, result: PolicyResult | undefined): ExampleResult {
  if (result === undefined || 'failure' in result) {
    const failure = result?.failure
    return { ok: false, wanted: wantText(want), got: failure?.message ?? 'no answer', failure }
  }
  const combined = combineAnswers(result.answers)
  if (isMet(want, combined, result.answers)) return { ok: true }
  return { ok: false, wanted: wantText(want), got: answersText(result.answers), failure: undefined }
}

function combineAnswers(answers: readonly PolicyAnswer[]): CombinedAnswer {
  const effect = Effect.options.find((one) => answers.some((answer) => 'effect' in answer && answer.effect === one))
  const texts = (pick: (answer: PolicyAnswer) => string | undefined) =>
    answers.flatMap((answer) => pick(answer) ?? []).join('\n')
  return {
    effect,
    reason: texts((answer) => ('effect' in answer && answer.effect === effect ? answer.reason : undefined)),
    context: texts((answer) => ('context' in answer ? answer.context : undefined)),
    notice: texts((answer) => ('notice' in answer ? answer.notice : undefined)),
    rewrites: answers.flatMap((answer) => ('rewrite' in answer ? [answer.rewrite] : [])),
    outputs: answers.flatMap((answer) => ('replaceOutput' in answer ? [answer.replaceOutput] : [])),
    stop: answers.flatMap((answer) => ('stop' in answer ? [answer.stop] : []))[0],
  }
}

function isMet(want: ExampleWant, combined: CombinedAnswer, answers: readonly PolicyAnswer[]): boolean {
  if (typeof want === 'object') return partsAreMet(want, combined)
  switch (want) {
    case 'abstain':
      return answers.length === 0
    case 'context':
    case 'notice':
    case 'replaceOutput':
    case 'rewrite':
    case 'stop':
      // An answer that also has an effect, such as a refusal, is not what was wanted.
      return combined.effect === undefined && answers.some((answer) => want in answer)
    case 'deny':
    case 'ask':
    case 'allow':
      return combined.effect === want
  }
}

function partsAreMet(want: Exclude<ExampleWant, string>, combined: CombinedAnswer): boolean {
  return (
    (want.effect === undefined || want.effect === combined.effect) &&
    combined.reason.includes(want.reason ?? '') &&
    combined.context.includes(want.context ?? '') &&
    combined.notice.includes(want.notice ?? '') &&
    (want.stop === undefined || (combined.stop?.includes(want.stop) ?? false)) &&
    (want.input === undefined || combined.rewrites.some((input) => isDeepStrictEqual(input, want.input))) &&
    (want.output === undefined || combined.outputs.some((output) => isDeepStrictEqual(output, want.output)))
  )
}

function wantText(want: ExampleWant): string {
  if (typeof want === 'string') return `\`${want}\``
  const parts = Object.entries(want).map(([key, value]) => `${key} ${quotedValue(value)}`)
  return parts.length === 0 ? 'anything' : parts.join(' and ')
}

function answersText(answers: readonly PolicyAnswer[]): string {
  if (answers.length === 0) return '`abstain`'
  return answers.map(answerText).join(' and ')
}

function answerText(answer: PolicyAnswer): string {
  if ('effect' in answer) {
    return answer.reason === undefined ? `\`${answer.effect}\`` : `\`${answer.effect}\`, ${quoted(answer.reason)}`
  }
  return Object.entries(answer)
    .map(([key, value]) => `${key} ${quotedValue(value)}`)
    .join()
}

const quotedValue = (value: unknown) => quoted(typeof value === 'string' ? value : JSON.stringify(value))

/** A tool call that an example of a shipped policy refuses or asks about. */
export const DangerExample = z.strictObject({
  /** The policy's id. */
  policy: z.string(),
  agent: z.string(),
  event: EventName,
  cwd: z.string(),
  kind: ToolKind,
  name: z.string(),
  input: JsonObject,
  paths: z.array(z.string()).readonly(),
  command: z.string().optional(),
  url: z.string().optional(),
})
export type DangerExample = Readonly<z.infer<typeof DangerExample>>

/** Returns the tool calls among a policy's examples that must not pass. */
export function dangersOf(definition: PolicyDefinition): readonly DangerExample[] {
  return definition.examples.flatMap(({ given, want }) => {
    const { event, tool, same = {} } = exampleInput(definition, given)
    if (tool === undefined || !isRestriction(want)) return []
    const text = (field: 'command' | 'url') => {
      const value = tool[field] ?? tool.input[same[field] ?? '']
      return typeof value === 'string' ? { [field]: value } : {}
    }
    const { kind, name, input, paths } = tool
    const { cwd } = event.session
    return [
      {
        policy: definition.id,
        agent: event.agent,
        event: event.name,
        cwd,
        kind,
        name,
        input,
        paths,
        ...text('command'),
        ...text('url'),
      },
    ]
  })
}

function isRestriction(want: ExampleWant): boolean {
  const effect = typeof want === 'string' ? want : want.effect
  return effect === 'deny' || effect === 'ask'
}

/** Reads the calls that the build has collected; `undefined` in a source checkout. */
export function readDangers(): readonly DangerExample[] | undefined {
  return readBuilt(dangerExamplesFile, z.array(DangerExample))
}

/** Makes the event of an example's call, in a project. */
export function eventOfDanger(danger: DangerExample, project = danger.cwd): HookEvent {
  const { kind, name, input, paths, command, url } = danger
  const [path] = paths
  return {
    name: danger.event,
    agent: danger.agent,
    session: { id: 'example', cwd: project },
    workspaceRoots: [project],
    atMs: 0,
    tool: {
      kind,
      name,
      input,
      paths,
      ...(path !== undefined && { path }),
      ...(command !== undefined && { command }),
      ...(url !== undefined && { url }),
    },
    raw: {},
  }
}
