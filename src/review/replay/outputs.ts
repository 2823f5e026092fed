import { isDeepStrictEqual } from 'node:util'
import { failureOf } from '../../gate/combine/weigh.ts'
import { spellingOf } from '../../agents/registry.ts'
import { deepFreeze } from '../../model/json.ts'
import type { Evaluation } from '../../model/evaluation.ts'
import type { HookEvent, PastItem } from '../../model/event.ts'
import { isPolicyRule, type RuleSet } from '../../model/rule.ts'
import type { Verdict } from '../../model/verdict.ts'
import { lostBy, shownText } from './outcome.ts'

/**
 * What rules make of a past output. `told`: the model gets a text beside it. `masked`: nothing, and a mask of hookgate
 * stands in it, so that what it was is not known.
 */
export const outputAnswers = ['changed', 'withheld', 'told', 'masked', 'noOpinion', 'undecided'] as const
export type OutputAnswer = (typeof outputAnswers)[number]

/** What rules make of one past output, and by which of them. */
export interface OutputOutcome {
  readonly answer: OutputAnswer
  /** What a rule says that it has done, secrets masked, or why it failed. */
  readonly by: readonly { readonly rule: string; readonly reason: string }[]
}

export type PastResult = Extract<PastItem, { kind: 'result' }>

/** Returns the event that says what became of a call, or what the person said after it. */
export function afterCall({ tool, ...event }: HookEvent, { became, said }: PastResult): HookEvent {
  if (became === 'prompted')
    return Object.freeze({ ...event, name: 'UserPromptSubmit', prompt: typeof said === 'string' ? said : 'a prompt' })
  const isOwnEvent = became === 'failed' && spellingOf(event.agent, 'PostToolUseFailure', undefined) !== undefined
  // Where a failure has an event of its own, that has a text and no output.
  const isError = isOwnEvent && typeof said === 'string'
  const result = {
    succeeded: became === 'done',
    ...(said !== undefined && said !== null && (isError ? { error: said } : { output: said })),
  }
  const name = isOwnEvent ? 'PostToolUseFailure' : 'PostToolUse'
  return Object.freeze({ ...event, name, ...(tool && { tool }), result: deepFreeze(result) })
}

/** Returns whether policies are about what calls return. Hooks are run for calls only, if at all. */
export const judgesOutputs = ({ rules }: RuleSet): boolean =>
  rules.some(
    (rule) =>
      isPolicyRule(rule) &&
      rule.match.events.some((event) => event === 'PostToolUse' || event === 'PostToolUseFailure'),
  )

/** Returns what a verdict makes of an output; `undefined` for an event without one. */
export function outputOutcome({ result }: HookEvent, verdict: Verdict): OutputOutcome | undefined {
  const { output, error } = result ?? {}
  if (output === undefined && error === undefined) return undefined
  const lost = verdict.evaluations.find((one) => lostBy(one) !== undefined)
  if (lost !== undefined) return { answer: 'undecided', by: [sayingOf(lost)] }
  const made = verdict.obligations.find(({ kind }) => kind === 'replaceOutput')
  if (made?.kind === 'replaceOutput') {
    const changing = verdict.evaluations.filter(changesOutput)
    const isMade = changing.some((one) => isDeepStrictEqual(madeBy(one), made.output))
    const isWithheld = verdict.decision === 'deny' && !isMade
    const by = isWithheld ? verdict.evaluations.filter(({ ruleId }) => verdict.determining.includes(ruleId)) : changing
    return { answer: isWithheld ? 'withheld' : 'changed', by: by.map(sayingOf) }
  }
  const telling = verdict.evaluations.filter(tells)
  if (telling.length > 0) return { answer: 'told', by: telling.map(sayingOf) }
  return mask.test(JSON.stringify(output ?? error)) ? { answer: 'masked', by: [] } : noOpinion
}

const noOpinion: OutputOutcome = Object.freeze({ answer: 'noOpinion', by: [] })

/** What hookgate writes in the place of a secret, or of a whole output. */
const mask = /\[(?:hidden|withheld) by hookgate: /

const madeBy = (one: Evaluation) =>
  one.kind === 'applicable' && one.observed !== true
    ? one.obligations.flatMap((demand) => (demand.kind === 'replaceOutput' ? [demand.output] : []))[0]
    : undefined

const changesOutput = (one: Evaluation): boolean => madeBy(one) !== undefined

const tells = (one: Evaluation): boolean =>
  one.kind === 'applicable' &&
  one.observed !== true &&
  (one.effect === 'deny' || one.effect === 'ask' || one.advice.some(({ kind }) => kind === 'addContext'))

function sayingOf(one: Evaluation): OutputOutcome['by'][number] {
  const { reason, advice = [] } = one.kind === 'applicable' ? one : {}
  const [text] = advice.flatMap((part) => (part.kind === 'addContext' ? [part.text] : []))
  return { rule: one.ruleId, reason: shownText(reason ?? failureOf(one)?.message ?? text ?? '') }
}

/** The place of an output in a session file. */
interface OutputPlace {
  readonly file: string
  readonly line: number | undefined
}

/** What rules make of past outputs, as it is reported. */
export interface OutputReport {
  readonly now: Readonly<Record<OutputAnswer, number>>
  /** Present if there are other rules to compare with. */
  readonly before?: Readonly<Record<OutputAnswer, number>>
  /** Outputs of calls that the rules let through, which are kept nowhere: what rules make of them is not known. */
  readonly notKept: number
  /** What the rules of `now` said, the most frequent first. */
  readonly said: readonly OutputFinding[]
}

/** What a rule said of outputs. */
interface OutputFinding {
  readonly answer: OutputAnswer
  readonly rule: string
  readonly reason: string
  readonly first: OutputPlace
  outputs: number
}

/** Different things that rules say of outputs, of which each is kept once; of further ones, only their outputs are counted. */
const findingsMax = 1000

const noAnswers = (): Record<OutputAnswer, number> => ({
  changed: 0,
  withheld: 0,
  told: 0,
  masked: 0,
  noOpinion: 0,
  undecided: 0,
})

const sum = (counts: Readonly<Record<OutputAnswer, number>>) => Object.values(counts).reduce((all, one) => all + one, 0)

/** Counts what rules make of past outputs, in bounded memory. */
export class OutputTally {
  readonly #now = noAnswers()
  readonly #before = noAnswers()
  readonly #findings = new Map<string, OutputFinding>()
  #due = 0

  /** Notes calls that the rules let through, whose outputs they are about. */
  noteDue(calls: number): void {
    this.#due += calls
  }

  count(now: OutputOutcome | undefined, before: OutputOutcome | undefined, place: OutputPlace): void {
    if (before !== undefined) this.#before[before.answer] += 1
    if (now === undefined) return
    this.#now[now.answer] += 1
    for (const { rule, reason } of now.by) {
      const key = JSON.stringify([now.answer, rule, reason])
      const known = this.#findings.get(key)
      if (known !== undefined) known.outputs += 1
      else if (this.#findings.size < findingsMax)
        this.#findings.set(key, { answer: now.answer, rule, reason, first: place, outputs: 1 })
    }
  }

  /** @returns `undefined` if no rule is about outputs */
  report(isCompared: boolean): OutputReport | undefined {
    const decided = sum(this.#now)
    if (this.#due + decided + sum(this.#before) === 0) return undefined
    return {
      now: this.#now,
      ...(isCompared && { before: this.#before }),
      notKept: Math.max(0, this.#due - decided),
      said: [...this.#findings.values()].toSorted((a, b) => b.outputs - a.outputs),
    }
  }
}
