import type { HookEvent, ToolUse } from '../../../model/event.ts'
import { durationMs, type StepOutcome } from '../../../model/past.ts'
import type { ExampleBefore, ExampleGiven, PolicyDefinition, PolicyInput, PolicyPort } from '../../../model/policy.ts'
import type { ToolFacts } from '../../../model/tool-facts.ts'
import { Past, type PastView } from '../../../past/past.ts'
import { secretsOf, textsOfCall } from '../../../past/seen-values.ts'
import { happeningOf, showing, stepOf } from '../../../past/step.ts'
import { openMemoryStore } from '../../../past/store.ts'
import { exampleCall, exampleInput, exampleSurroundings } from '../../policy-input.ts'

/** Returns what happened before an example's event, by its `before`. */
export async function pastOf(
  definition: PolicyDefinition,
  given: ExampleGiven,
  { input, found }: { readonly input: PolicyInput; readonly found: ToolFacts | undefined },
  port: Pick<PolicyPort, 'toolFacts'>,
): Promise<PastView> {
  // Each evaluation of an example is one: there is no second for the steps behind the first hundreds.
  const past = new Past(openMemoryStore(), { reducedAtOnceMax: Infinity })
  const { atMs, session } = input.event
  const earlier = (given.before ?? []).flatMap((one) => Array.from({ length: one.times ?? 1 }, () => one))
  const times = timesOf(earlier, atMs)
  for (const [at, one] of earlier.entries()) {
    const { before: _, event: __, tool: ___, input: ____, prompt: _____, ...around } = given
    const isPrompt = one.input === undefined
    const made = exampleInput(definition, {
      ...around,
      ...(isPrompt
        ? { event: 'UserPromptSubmit' as const, prompt: one.prompt ?? '' }
        : { event: 'PreToolUse' as const, input: one.input }),
      ...(one.tool !== undefined && { tool: one.tool }),
      atMs: times[at] ?? atMs,
    })
    const call = isPrompt ? undefined : exampleCall(made)
    // oxlint-disable-next-line no-await-in-loop -- steps are in order
    const facts = call === undefined ? undefined : await port.toolFacts(call, exampleSurroundings(given))
    const own = {
      ...session,
      id: one.session ?? session.id,
      ...(one.agentId !== undefined && { agentId: one.agentId }),
    }
    const happening = happeningOf(eventOf(made, own, isPrompt), facts)
    const values = one.output === undefined ? [] : secretsOf(one.output)
    past.add(stepOf(showing(happening, values), outcomeOf(one)))
    past.keepValues(values, stepOf(happening, 'done'))
  }
  const event: HookEvent = eventOf(input, session, false)
  return past.viewFor(stepOf(happeningOf(event, found), 'allowed'), undefined, textsOfCall(event.tool))
}

const outcomeOf = ({ outcome, input, output }: ExampleBefore): StepOutcome =>
  outcome ?? (input === undefined ? 'prompted' : output === undefined ? 'allowed' : 'done')

/** Returns when each step happened: as its `ago` says, else a second before what comes next. */
function timesOf(earlier: readonly ExampleBefore[], atMs: number): readonly number[] {
  let nextMs = atMs
  const backwards = earlier.toReversed().map(({ ago }) => {
    nextMs = ago === undefined ? nextMs - 1000 : atMs - durationMs(ago)
    return nextMs
  })
  return backwards.toReversed()
}

/** Returns an example's input as an event. */
function eventOf({ event, tool, same = {} }: PolicyInput, session: PolicyInput['event']['session'], isPrompt: boolean) {
  const whole = { ...event, session, raw: {} }
  if (tool === undefined || isPrompt) return whole
  const text = (field: 'path' | 'command' | 'url' | 'content') => {
    const value = tool[field] ?? tool.input[same[field] ?? '']
    return typeof value === 'string' ? { [field]: value } : {}
  }
  const { kind, name, input, paths } = tool
  const use: ToolUse = {
    kind,
    name,
    input,
    paths,
    ...text('path'),
    ...text('command'),
    ...text('url'),
    ...text('content'),
  }
  return { ...whole, tool: use }
}
