import { z } from 'zod'
import type { HookEvent, ToolKind } from '../../model/event.ts'
import { type Advice, indeterminate, notApplicable, Obligation, type Outcome } from '../../model/evaluation.ts'
import { Decision, type OnFailure } from '../../model/effect.ts'
import type { Failure } from '../../model/failure.ts'
import type { JsonObject } from '../../model/json.ts'
import type { Unreachable } from '../../model/rule.ts'

/** The path at which `hookgate serve` decides an event for another gate. */
export const gatePath = '/v1/decide'

export const gateRequest = ({ agent, raw }: HookEvent): JsonObject => ({ agent, event: raw })

/** The parts of a verdict that count here. Not strict: the gate elsewhere may be newer. */
const Answer = z.object({
  decision: Decision,
  reason: z.string(),
  context: z.string().optional(),
  notices: z.array(z.string()).optional(),
  obligations: z.array(Obligation).optional(),
})

/** Reads the verdict of a gate elsewhere, which counts like the answer of any rule of the file that names it. */
export function gateOutcome(json: unknown, url: string): Outcome {
  const read = Answer.safeParse(json)
  if (!read.success) return indeterminate(noVerdict(url))
  const { decision, reason, context = '', notices = [], obligations = [] } = read.data
  const advice: Advice[] = notices.map((text) => ({ kind: 'notice', text }))
  if (context !== '') advice.push({ kind: 'addContext', text: context })
  const isOpinion = decision !== 'abstain'
  if (!isOpinion && advice.length === 0 && obligations.length === 0) return notApplicable
  return { kind: 'applicable', ...(isOpinion && { effect: decision, reason }), obligations, advice }
}

const noVerdict = (url: string): Failure => ({
  code: 'badOutput',
  message: `${url} answered with something that is no verdict`,
})

/**
 * Decides a call that the gate elsewhere has not: the rules here have, if there are any; else `unreachable` says.
 *
 * INVARIANT: never silence. If the call goes ahead, the failure is a notice, and is recorded.
 */
export function withoutGate(event: HookEvent, failure: Failure, unreachable: Unreachable | 'rules'): Outcome {
  if (unreachable === 'rules') {
    return indeterminate({ ...failure, message: `${failure.message}; the rules on this machine have decided` })
  }
  const { tool } = event
  const which = tool === undefined || readingTools.has(tool.kind) ? 'read' : 'write'
  const onFailure = unreachable[which]
  const effect = effectOf(onFailure)
  if (effect === undefined) return indeterminate(failure)
  const reason = `${failure.message}, the rules here are not enough without it, and \`onUnreachable.${which}\` is \`${onFailure}\``
  return { kind: 'applicable', effect, reason, obligations: [], advice: [] }
}

/**
 * Refuses a call that the gate elsewhere does not read. The agent has made it so large, and is not to choose by that
 * who decides.
 */
export const tooLarge = ({ message }: Failure): Outcome => ({
  kind: 'applicable',
  effect: 'deny',
  reason: `${message}: the call is too large for the gate that decides`,
  obligations: [],
  advice: [],
})

/** Tools that only read on this machine. A request to another one, also for a page, can carry data away. */
const readingTools: ReadonlySet<ToolKind> = new Set<ToolKind>(['read', 'search', 'list'])

function effectOf(onFailure: OnFailure): 'deny' | 'ask' | undefined {
  switch (onFailure) {
    case 'block':
      return 'deny'
    case 'ask':
      return 'ask'
    case 'continue':
      return undefined
  }
}
