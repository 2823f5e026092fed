import type { AnswerShown, ChangeShown, FindingShown } from './run-state.ts'

/** The answers in the order in which they are shown, each in one word. */
export const answerWords: Readonly<Record<AnswerShown, string>> = {
  refused: 'refused',
  asked: 'asked',
  allowed: 'allowed',
  noOpinion: 'passed',
  undecided: 'not decided',
}
export const answers = [
  'refused',
  'asked',
  'allowed',
  'noOpinion',
  'undecided',
] as const satisfies readonly AnswerShown[]

/** The kinds of difference, the gravest first. */
export const changes = [
  'newlyRefused',
  'newlyAsked',
  'noLongerRefused',
  'noLongerAsked',
  'newlyAllowed',
  'noLongerAllowed',
  'changedReason',
] as const satisfies readonly ChangeShown[]

const changeWords: Readonly<Record<ChangeShown, string>> = {
  newlyRefused: 'newly refused',
  newlyAsked: 'newly asked',
  noLongerRefused: 'no longer refused',
  noLongerAsked: 'no longer asked',
  newlyAllowed: 'newly allowed',
  noLongerAllowed: 'no longer allowed',
  changedReason: 'for another reason',
}

/** The group of a finding: its difference or, if nothing is compared, its answer. */
export type FindingKind = ChangeShown | AnswerShown
export const kindOf = ({ change, now }: FindingShown): FindingKind => change ?? now.answer
export const kindWord = (kind: FindingKind): string => ({ ...changeWords, ...answerWords })[kind]

/** The color of a kind: that of what happens to a call by the rules of now. */
export function kindColor(kind: FindingKind): 'refused' | 'asked' | 'allowed' | '' {
  switch (kind) {
    case 'refused':
    case 'newlyRefused':
      return 'refused'
    case 'asked':
    case 'newlyAsked':
    case 'noLongerAllowed':
      return 'asked'
    case 'allowed':
    case 'newlyAllowed':
    case 'noLongerRefused':
    case 'noLongerAsked':
      return 'allowed'
    case 'noOpinion':
    case 'undecided':
    case 'changedReason':
      return ''
  }
}

export const numberText = (count: number): string => count.toLocaleString('en')
export const counted = (count: number, one: string): string => `${numberText(count)} ${count === 1 ? one : `${one}s`}`

/** Formats a size with a unit of 1,000: `12 MB`. */
export function bytesText(bytes: number): string {
  const [unit = 'B', size = 1] = sizes.find(([, least]) => bytes >= least) ?? []
  return `${(bytes / size).toLocaleString('en', { maximumFractionDigits: size === 1 ? 0 : 1 })} ${unit}`
}
const sizes = [
  ['GB', 1e9],
  ['MB', 1e6],
  ['kB', 1e3],
] as const

/** Returns a place in a session as editors take it. */
export const placeOf = ({ file, line }: { readonly file: string; readonly line?: number | undefined }): string =>
  line === undefined ? file : `${file}:${line}`
