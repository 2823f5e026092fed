import type { PlannedRulesFile } from '../../../install/rules-file.ts'
import type { Suggestions } from '../../../review/suggest/index.ts'

export type { Suggestions } from '../../../review/suggest/index.ts'

/** Calls that a line is shown with. */
const samplesMax = 3
const sampleCharactersMax = 60

export function suggestionsText(suggested: Suggestions, planned: PlannedRulesFile | undefined): string {
  const { permissions, exceptions, rejected, questions } = suggested
  const lines = [
    questionsLine(questions),
    ...titled(
      'permissions.allow',
      permissions.map(({ text, spares, alsoAllows }) => {
        const also = alsoAllows.length === 0 ? '' : `\n         also allows ${samples(alsoAllows)}`
        return `  ${times(spares)}  ${text}${also}`
      }),
    ),
    ...titled(
      'exceptions',
      exceptions.map(({ exception: { rule, command, path, project }, spares }) => {
        return `  ${times(spares)}  ${rule}: ${command ?? path ?? ''}  (${project})`
      }),
    ),
    ...titled(
      'left out, since it would let a danger pass',
      rejected.map(({ text, danger }) => `  ${text}  (${shortenLine(danger)})`),
    ),
    ...notSuggested(suggested),
  ]
  const diff = planned === undefined || planned.diff === '' ? '' : `\n${planned.diff}`
  const has = planned?.diff === '' ? `\n${planned.file} has all of it already\n` : ''
  return `${lines.join('\n')}\n${diff}${has}`
}

function questionsLine({ byAgents, byRules, declined, countedOnly }: Suggestions['questions']): string {
  const left = declined === 0 ? '' : `${declined} questions about calls that did not run then are left out`
  if (byAgents + byRules === 0) {
    if (declined > 0) return left
    return countedOnly === 0 ? 'nobody was asked anything in this time' : 'no question of this time is recorded'
  }
  const all = `a person was asked, and agreed, ${byAgents + byRules} times: ${byAgents} by agents, ${byRules} by rules of hookgate`
  return left === '' ? all : `${all}\n${left}`
}

function notSuggested({ permissions, exceptions, questions }: Suggestions): readonly string[] {
  const { countedOnly } = questions
  const counted =
    countedOnly === 0
      ? []
      : [`${countedOnly} questions of agents were only counted: the level \`all\` of \`record\` keeps their calls`]
  if (questions.byAgents + questions.byRules === 0) return counted
  const none = permissions.length + exceptions.length === 0 ? ['nothing was asked often enough to suggest it'] : []
  const { unusable, unknown } = questions
  return [
    ...none,
    ...counted,
    ...(unusable === 0 ? [] : [`${unusable} questions were about calls that the record does not hold whole`]),
    ...(unknown === 0 ? [] : [`of ${unknown} questions of rules no exception is known, or no longer`]),
  ]
}

const titled = (title: string, lines: readonly string[]) => (lines.length === 0 ? [] : ['', `${title}:`, ...lines])
const times = (count: number) => `${count} ×`.padStart(6)

function samples(texts: readonly string[]): string {
  const shown = texts.slice(0, samplesMax).map(shortenLine).join(', ')
  return texts.length > samplesMax ? `${shown} and ${texts.length - samplesMax} more` : shown
}

function shortenLine(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ')
  return line.length > sampleCharactersMax ? `${line.slice(0, sampleCharactersMax).toWellFormed()}…` : line
}
