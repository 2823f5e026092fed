import { isOneOf } from './loose-line.ts'

const trials =
  'staging stage stg dev development preview previews test testing tests sandbox qa uat demo review emulator e2e'

/** Returns the words of a name, without the numbers of machines: `prod` and `web` of `prod1-web`. */
export const tokensOf = (text: string): readonly string[] =>
  text
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .map((token) => token.replace(/(?<=[a-z])\d+$/, ''))

/** True if one of these words is part of a name. */
export const namesOneOf = (text: string, words: readonly string[]): boolean =>
  tokensOf(text).some((token) => words.includes(token))

/** True for a word by which a name says that nobody depends on a place. */
export const isOfTrials = (token: string): boolean => isOneOf(token, trials)

/** True if a name says that it is of a place where nobody's work depends on it. */
export const namesTrial = (text: string): boolean =>
  tokensOf(text).some((token) => isOfTrials(token) || token === 'local' || token === 'localhost')
