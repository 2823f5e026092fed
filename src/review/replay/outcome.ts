import { failureOf, ownReason } from '../../gate/combine/weigh.ts'
import { maskSecrets } from '../../mask/mask.ts'
import type { Decision } from '../../model/effect.ts'
import type { Evaluation } from '../../model/evaluation.ts'
import type { Failure } from '../../model/failure.ts'
import type { FactDeclaration } from '../../model/policy.ts'
import { asksOthers, isPolicyRule, type Rule, type RuleSet } from '../../model/rule.ts'
import type { Verdict } from '../../model/verdict.ts'
import { shortRuleId } from '../../rules/match/word-pattern.ts'

/** One command, path or reason of a finding, in UTF-16 units: enough to recognise it. */
export const replayTextCharactersMax = 500

/** The answer of rules to a past call. `undecided`: there is none, for example because the rules do not load. */
export const replayAnswers = ['refused', 'asked', 'allowed', 'noOpinion', 'undecided'] as const
export type ReplayAnswer = (typeof replayAnswers)[number]

/** The state of today's machine that an answer depends on: the call may have met another. */
export const circumstances = ['files', 'git', 'environment', 'folder gone'] as const
export type Circumstance = (typeof circumstances)[number]

/** One rule that made the decision. */
interface DecidingRule {
  readonly id: string
  /** The id without its source, which is the same in another copy of the rules. */
  readonly name: string
  readonly file: string
  /** Secrets masked. */
  readonly reason: string
}

/** The decision about one past call. */
export interface ReplayOutcome {
  readonly answer: ReplayAnswer
  readonly rules: readonly DecidingRule[]
  readonly asOfNow: readonly Circumstance[]
  /** The ids of hooks that match the call and were not run. */
  readonly hooksNotRun: readonly string[]
  /** The reason why the call was not decided. */
  readonly why?: string
}

const answers: Readonly<Record<Decision, ReplayAnswer>> = {
  deny: 'refused',
  defer: 'asked',
  ask: 'asked',
  allow: 'allowed',
  abstain: 'noOpinion',
}

/** The outcome of nearly all calls, as one object. */
const noOpinion: ReplayOutcome = Object.freeze({ answer: 'noOpinion', rules: [], asOfNow: [], hooksNotRun: [] })

export const undecided = (why: string): ReplayOutcome => ({
  answer: 'undecided',
  rules: [],
  asOfNow: [],
  hooksNotRun: [],
  why: shownText(why),
})

/** @param hooksRun whether hooks were run; if not, those that match are listed */
export function replayOutcome(
  verdict: Verdict,
  rules: RuleSet,
  isFolderGone: boolean,
  hooksRun: boolean,
): ReplayOutcome {
  const lost = verdict.evaluations.map(lostBy).find((failure) => failure !== undefined)
  if (lost !== undefined) return undecided(lost.message)
  const { decision, determining } = verdict
  // Where a rule decides, what others looked at changes nothing.
  const decides = (id: string) => determining.length === 0 || determining.includes(id)
  const marks = rules.prepared(marksOf)
  const asOfNow = new Set<Circumstance>(isFolderGone ? ['folder gone'] : [])
  const hooksNotRun: string[] = []
  for (const evaluation of verdict.evaluations) {
    const mark = marks.get(evaluation.ruleId)
    if (mark === undefined) continue
    if (mark === 'hook') {
      if (!hooksRun) hooksNotRun.push(evaluation.ruleId)
    } else if (decides(evaluation.ruleId) && wasEvaluated(evaluation)) for (const one of mark) asOfNow.add(one)
  }
  if (decision === 'abstain' && asOfNow.size === 0 && hooksNotRun.length === 0) return noOpinion
  return {
    answer: answers[decision],
    rules: determining.map((id) => decidingRule(id, verdict, rules)),
    asOfNow: [...asOfNow],
    hooksNotRun,
  }
}

function decidingRule(id: string, { decision, evaluations, reason }: Verdict, { rules }: RuleSet): DecidingRule {
  const rule = rules.find((one) => one.id === id)
  // A rule may have judged a call as it was sent and as it was rewritten.
  const own = evaluations.filter(({ ruleId }) => ruleId === id)
  const text = own.map((one) => ownReason(one, decision) ?? failureOf(one)?.message).find((one) => one !== undefined)
  return {
    id,
    name: rule === undefined ? id : shortRuleId(rule),
    file: rule?.source.file ?? '',
    reason: shownText(text ?? reason),
  }
}

/** Masks secrets before cutting: half a secret would not be recognized as one. */
export const shownText = (text: string): string => maskSecrets(text).slice(0, replayTextCharactersMax)

/** Returns a failure of the sandbox or the machine that kept a rule from being evaluated. */
export function lostBy(evaluation: Evaluation): Failure | undefined {
  const failure = failureOf(evaluation)
  return failure !== undefined && notAsked.has(failure.code) ? failure : undefined
}
const notAsked: ReadonlySet<Failure['code']> = new Set<Failure['code']>(['workerLost', 'exhausted', 'cancelled'])

/** A policy that takes no interest in a command is not evaluated, in no time. */
const wasEvaluated = ({ kind, durationMs, remarks }: Evaluation) =>
  kind !== 'notApplicable' || durationMs > 0 || remarks !== undefined

type RuleMark = 'hook' | readonly Circumstance[]

/** Returns the rules that make a difference between then and now, by their ids. */
function marksOf({ rules }: RuleSet): ReadonlyMap<string, RuleMark> {
  return new Map(
    rules.flatMap((rule): [string, RuleMark][] => {
      const mark = markOf(rule)
      return mark === undefined ? [] : [[rule.id, mark]]
    }),
  )
}

function markOf(rule: Rule): RuleMark | undefined {
  if (asksOthers(rule)) return 'hook'
  if (!isPolicyRule(rule)) return undefined
  const looksAt = Object.values(rule.handler.facts).map(circumstanceOf)
  return looksAt.length === 0 ? undefined : [...new Set(looksAt)]
}

function circumstanceOf(declaration: FactDeclaration): Circumstance {
  if ('env' in declaration || 'secretVariables' in declaration) return 'environment'
  if ('gitBranch' in declaration || 'gitRemote' in declaration) return 'git'
  if ('exists' in declaration || 'hiddenSecrets' in declaration || 'json' in declaration || 'text' in declaration)
    return 'files'
  // A kind of fact without its line above does not compile.
  return declaration satisfies never
}

/** Differences between two sets of rules on a call, the gravest first. `deny` that became `ask` is no longer refused. */
export const changeKinds = [
  'newlyRefused',
  'newlyAsked',
  'noLongerRefused',
  'noLongerAsked',
  'newlyAllowed',
  'noLongerAllowed',
  'changedReason',
] as const
export type Change = (typeof changeKinds)[number]

/** Returns how the answer has changed; `undefined` if it has not, or is not known on both sides. */
export function changeBetween(before: ReplayOutcome, now: ReplayOutcome): Change | undefined {
  if (before.answer === 'undecided' || now.answer === 'undecided') return undefined
  if (before.answer === now.answer) {
    const isObjection = now.answer === 'refused' || now.answer === 'asked'
    return isObjection && reasonsOf(before.rules) !== reasonsOf(now.rules) ? 'changedReason' : undefined
  }
  if (now.answer === 'refused') return 'newlyRefused'
  if (before.answer === 'refused') return 'noLongerRefused'
  if (now.answer === 'asked') return 'newlyAsked'
  if (before.answer === 'asked') return 'noLongerAsked'
  return now.answer === 'allowed' ? 'newlyAllowed' : 'noLongerAllowed'
}

/** Names the deciding rules without their sources, so that two copies of the same rules do not differ. */
const reasonsOf = (rules: readonly DecidingRule[]): string =>
  JSON.stringify(rules.map(({ name, reason }) => [name, reason]))
