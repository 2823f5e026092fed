import { globsIn } from '../../../agents/tool-names.ts'
import { isDeepStrictEqual } from 'node:util'
import { Effect } from '../../../model/effect.ts'
import type { Failure } from '../../../model/failure.ts'
import type { Json } from '../../../model/json.ts'
import type { ExampleGiven, ExampleWant, PolicyAnswer, PolicyDefinition, PolicyPort } from '../../../model/policy.ts'
import type { PolicyInput, PolicyRequest, PolicyResult } from '../../../model/policy.ts'
import type { ToolCall } from '../../../model/tool-facts.ts'
import { exampleInput, exampleSurroundings, withFacts } from '../../../model/policy-input.ts'
import { quoted } from '../../../model/text.ts'
import { paramsSchema } from '../../../model/policy-params.ts'

/** Whether an example came out as it should; both sides in words where it did not. */
export type ExampleResult =
  | { readonly ok: true }
  | { readonly ok: false; readonly wanted: string; readonly got: string; readonly failure: Failure | undefined }

/** Where the sandbox has a policy. */
export interface LoadedPlace {
  readonly domain: number
  readonly policy: number
}

/** Runs every example of a policy, each asked as an event would be. */
export async function runExamples(
  definition: PolicyDefinition,
  at: LoadedPlace,
  policies: PolicyPort,
): Promise<readonly ExampleResult[]> {
  return Promise.all(
    definition.examples.map(async ({ given, want }) => {
      const [result] = await policies.evaluate(await requestFor(definition, at, given, policies))
      return compared(want, result)
    }),
  )
}

/** What asks it as an event like that of an example would. */
export async function requestFor(
  definition: PolicyDefinition,
  at: LoadedPlace,
  given: ExampleGiven,
  { toolFacts }: Pick<PolicyPort, 'toolFacts'>,
): Promise<PolicyRequest> {
  const bare = exampleInput(definition, given)
  const call = exampleCall(bare)
  const input = call === undefined ? bare : withFacts(bare, await toolFacts(call, exampleSurroundings(given)))
  const values: Json[] = []
  const facts = Object.keys(definition.facts).map((name) => {
    const value = given.facts && Object.hasOwn(given.facts, name) ? given.facts[name] : undefined
    return value === undefined ? -1 : values.push(value) - 1
  })
  const params = JSON.stringify(paramsSchema(definition.params).parse(given.params ?? {}))
  const calls = [{ ...at, facts, params }]
  // Nobody has been asked yet whether he trusts it.
  return { calls, input: JSON.stringify(input), atMs: input.event.atMs, values, isTrusted: false }
}

/** What a policy's answers come to. */
interface Said {
  readonly effect: Effect | undefined
  /** Those of its effect. */
  readonly reason: string
  readonly context: string
  readonly notice: string
  readonly rewrites: readonly Json[]
  readonly stop: string | undefined
}

function compared(want: ExampleWant, result: PolicyResult | undefined): ExampleResult {
  if (result === undefined || 'failure' in result) {
    const failure = result?.failure
    return { ok: false, wanted: wantText(want), got: failure?.message ?? 'no answer', failure }
  }
  const said = saidBy(result.answers)
  if (isMet(want, said, result.answers)) return { ok: true }
  return { ok: false, wanted: wantText(want), got: saidText(result.answers), failure: undefined }
}

function saidBy(answers: readonly PolicyAnswer[]): Said {
  const effect = Effect.options.find((one) => answers.some((answer) => 'effect' in answer && answer.effect === one))
  const texts = (pick: (answer: PolicyAnswer) => string | undefined) =>
    answers.flatMap((answer) => pick(answer) ?? []).join('\n')
  return {
    effect,
    reason: texts((answer) => ('effect' in answer && answer.effect === effect ? answer.reason : undefined)),
    context: texts((answer) => ('context' in answer ? answer.context : undefined)),
    notice: texts((answer) => ('notice' in answer ? answer.notice : undefined)),
    rewrites: answers.flatMap((answer) => ('rewrite' in answer ? [answer.rewrite] : [])),
    stop: answers.flatMap((answer) => ('stop' in answer ? [answer.stop] : []))[0],
  }
}

function isMet(want: ExampleWant, said: Said, answers: readonly PolicyAnswer[]): boolean {
  if (typeof want === 'object') return partsAreMet(want, said)
  switch (want) {
    case 'abstain':
      return answers.length === 0
    case 'context':
    case 'notice':
    case 'rewrite':
    case 'stop':
      // That it now refuses as well is not what was wanted.
      return said.effect === undefined && answers.some((answer) => want in answer)
    case 'deny':
    case 'ask':
    case 'allow':
      return said.effect === want
  }
}

function partsAreMet(want: Exclude<ExampleWant, string>, said: Said): boolean {
  return (
    (want.effect === undefined || want.effect === said.effect) &&
    said.reason.includes(want.reason ?? '') &&
    said.context.includes(want.context ?? '') &&
    said.notice.includes(want.notice ?? '') &&
    (want.stop === undefined || (said.stop?.includes(want.stop) ?? false)) &&
    (want.input === undefined || said.rewrites.some((input) => isDeepStrictEqual(input, want.input)))
  )
}

function wantText(want: ExampleWant): string {
  if (typeof want === 'string') return `\`${want}\``
  const parts = Object.entries(want).map(([key, value]) => `${key} ${textOf(value)}`)
  return parts.length === 0 ? 'anything' : parts.join(' and ')
}

function saidText(answers: readonly PolicyAnswer[]): string {
  if (answers.length === 0) return '`abstain`'
  return answers.map(answerText).join(' and ')
}

function answerText(answer: PolicyAnswer): string {
  if ('effect' in answer) {
    return answer.reason === undefined ? `\`${answer.effect}\`` : `\`${answer.effect}\`, ${quoted(answer.reason)}`
  }
  return Object.entries(answer)
    .map(([key, value]) => `${key} ${textOf(value)}`)
    .join()
}

const textOf = (value: unknown) => quoted(typeof value === 'string' ? value : JSON.stringify(value))

/** An example's tool call, as far as it says what it would do. */
function exampleCall({ event, tool, same = {} }: PolicyInput): ToolCall | undefined {
  if (tool === undefined) return undefined
  const { kind, name, paths, input } = tool
  const command = same['command'] === undefined ? undefined : input[same['command']]
  const globs = globsIn(event.agent, name, kind, input)
  return { kind, paths, globs, ...(typeof command === 'string' && { command }) }
}
