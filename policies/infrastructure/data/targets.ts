import { isOneOf } from 'hookgate/policy'

/** The words of a name, without the numbers of machines: `prod` and `web` of `prod1-web`. */
export const tokensOf = (text: string): readonly string[] =>
  text
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .map((token) => token.replace(/(?<=[a-z])\d+$/, ''))

/** True if a name says that production is meant, whatever it names: an environment, a machine, a task, a function, a variable. */
export const namesTarget = (text: string, targets: readonly string[]): boolean =>
  tokensOf(text).some((token) => targets.includes(token))

const trials =
  'staging stage stg dev development preview previews test testing tests sandbox qa uat local localhost demo review emulator e2e'

/** True if a name says that it is of a place where nobody's work depends on it. */
export const namesTrial = (text: string): boolean => tokensOf(text).some((token) => isOneOf(token, trials))
