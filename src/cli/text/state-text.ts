import type { SeenOfPast } from '../../model/verdict.ts'
import { isJsonObject } from '../../model/json.ts'
import { quoted } from '../../model/text.ts'
import type { ReadState } from '../../review/state/read-states.ts'
import { oneLine } from './layout.ts'
import { counted } from '../../words/counted.ts'

/** Characters of a value of a policy's own making: a few counters and names. */
const valueCharactersMax = 200

/** Names a state as `hookgate state --clear` takes it. */
export const stateName = ({ rule, name }: Pick<ReadState, 'rule' | 'name'>): string =>
  name === undefined ? rule : `${rule}.${name}`

/** Words the value of a state: `3 of 5`, `set by `printenv``. */
export function valueText({ kind, value, most, counts, unknown }: ReadState): string {
  if (unknown !== undefined) return `not known: ${unknown}`
  const said = isJsonObject(value) ? value : {}
  const wordAt = (key: string) => (typeof said[key] === 'string' ? oneLine(said[key]) : '')
  const text = quoted(wordAt('text'))
  switch (kind) {
    case 'limit':
      return `${Number(value)} of ${most}${counts === undefined ? '' : ` ${counts}`}`
    case 'tokens':
      return `${grouped(Number(value))} of ${grouped(most ?? 0)} tokens`
    case 'count':
      return counted(Number(value), 'time')
    case 'streak':
      return `${Number(value)} in a row`
    case 'since':
      return value === true ? 'yes' : 'no'
    case 'label':
      return value === undefined ? 'not set' : `set by ${text}`
    case 'budget':
      return `${Number(said['spent'])} spent, ${Number(said['left'])} left`
    case 'last':
      return value === undefined ? 'none yet' : `${text} (${wordAt('outcome')})`
    case 'reused':
      return value === undefined ? 'depends on the call' : `${wordAt('form')}${shownBy(said['step'])}`
    case 'custom': {
      const json = oneLine(JSON.stringify(value))
      return json.length > valueCharactersMax ? `${json.slice(0, valueCharactersMax).toWellFormed()}…` : json
    }
  }
}

/** Names the call that has shown a secret. */
const shownBy = (step: unknown): string =>
  isJsonObject(step) && typeof step['text'] === 'string' ? `, of what ${quoted(oneLine(step['text']))} has shown` : ''

/** Words what a decision has seen of the past that no step says. */
export const sawLines = ({ tokens, reused }: SeenOfPast): readonly string[] => [
  ...(tokens === undefined
    ? []
    : [`  tokens spent before it: ${grouped(tokens.session)} in this session, ${grouped(tokens.day)} in 24 hours`]),
  ...(reused === undefined
    ? []
    : [
        `  ${reusedWords[reused.form] ?? reused.form}${reused.text === undefined ? '' : `, which ${quoted(oneLine(reused.text))} has shown`}`,
      ]),
]

const reusedWords: Readonly<Record<string, string>> = {
  whole: 'the call holds a secret',
  part: 'the call holds a part of a secret',
  encoded: 'the call holds an encoded secret',
  unknown: 'the call may hold a secret: there was too much to look through',
}

const grouped = (number: number): string => number.toLocaleString('en-US')

/** Lists states with their values, one on each line. */
export const stateLines = (states: readonly ReadState[]): readonly string[] =>
  states.map((state) => `  ${stateName(state)}: ${valueText(state)}`)
