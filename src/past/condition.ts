import type { StateDeclaration, Step, StepCondition, StepConditions, StepOutcome } from '../model/past.ts'
import { listOf } from '../model/text.ts'
import { isLike } from '../words/paths.ts'

/** Each call that may run is told by one of these, before it runs. */
const usualOutcomes: readonly StepOutcome[] = ['allowed', 'approved']

const outcomesOf = ({ outcome }: StepCondition): readonly StepOutcome[] =>
  outcome === undefined ? usualOutcomes : listOf(outcome)

/** Returns whether a step fits one of some conditions. */
export const fits = (step: Step, conditions: StepConditions): boolean =>
  allOf(conditions).some((condition) => fitsOne(step, condition))

const allOf = (conditions: StepConditions): readonly StepCondition[] => [conditions].flat()

function fitsOne(step: Step, condition: StepCondition): boolean {
  if (!outcomesOf(condition).includes(step.outcome)) return false
  const { tool, command, impact, access, path, host, agent } = condition
  return (
    (tool === undefined || listOf(tool).some((one) => one === step.tool || isLike(step.name ?? '', one))) &&
    (command === undefined || listOf(command).some((one) => step.commands.some((own) => isCommand(own, one)))) &&
    (impact === undefined || listOf(impact).some((one) => step.impacts.some((own) => isImpact(own, one)))) &&
    ((access ?? path) === undefined || touches(step, access, path)) &&
    (host === undefined || listOf(host).some((one) => step.hosts.some((own) => isLike(own, one)))) &&
    (agent === undefined || listOf(agent).includes(step.agent))
  )
}

/** `git` is each command of git, `git push` one of them. */
const isCommand = (own: string, wanted: string) =>
  isLike(own, wanted) || (!wanted.includes(' ') && isLike(own.split(' ')[0] ?? '', wanted))

function isImpact({ kind, thing, area }: Step['impacts'][number], wanted: string): boolean {
  const [first, second] = wanted.split(' ')
  if (second !== undefined) return kind === first && thing === second
  return kind === first || thing === first || area === first
}

const touches = ({ paths }: Step, access: StepCondition['access'], path: StepCondition['path']) =>
  paths.some(
    (own) =>
      (access === undefined || listOf(access).includes(own.access)) &&
      (path === undefined || listOf(path).some((one) => isLike(own.path, one))),
  )

/** When a step is told: before a call, after it, with a prompt, or by a person about a state. */
type Moment = 'before' | 'after' | 'prompt' | 'person'

const momentOf = (outcome: StepOutcome): Moment => {
  switch (outcome) {
    case 'refused':
    case 'asked':
    case 'allowed':
    case 'approved':
      return 'before'
    case 'done':
    case 'failed':
      return 'after'
    case 'prompted':
      return 'prompt'
    case 'cleared':
      return 'person'
  }
}

/** Returns whether a step is told at a moment that a condition is about. */
export const isOfMoment = ({ outcome }: Step, conditions: StepConditions): boolean =>
  allOf(conditions).some((one) => outcomesOf(one).some((told) => momentOf(told) === momentOf(outcome)))

/** The impact of a call whose output has shown a secret, whatever else the call did. */
export const shownSecret: Step['impacts'][number] = {
  kind: 'show',
  thing: 'secret',
  area: 'secret-searches',
  names: [],
}

/** Returns whether a state needs to know which outputs have shown a secret. */
export function asksAboutOutputs(declaration: StateDeclaration): boolean {
  switch (declaration.kind) {
    case 'reused':
      return true
    case 'custom':
      return declaration.of === undefined || countsShownSecrets(declaration.of)
    case 'label':
      return [declaration.of, declaration.clearedBy ?? []].some(countsShownSecrets)
    case 'count':
    case 'streak':
    case 'since':
      return [declaration.of, declaration.resetBy ?? []].some(countsShownSecrets)
    case 'budget':
    case 'last':
      return countsShownSecrets(declaration.of)
  }
}

const countsShownSecrets = (conditions: StepConditions): boolean =>
  allOf(conditions).some(
    (one) =>
      listOf(one.impact ?? []).some((impact) => isImpact(shownSecret, impact)) &&
      outcomesOf(one).some((told) => momentOf(told) === 'after'),
  )
