import type { ImpactPlace } from '../../model/impact.ts'
import type { ShellAssignment } from '../../model/shell.ts'

/** Words by which a name says that users depend on a place. */
const ofProduction = new Set(['production', 'prod', 'prd', 'live', 'mainnet'])
/** Words by which a name says that nobody depends on it. */
const ofTrials = new Set(
  'staging stage stg dev development preview previews test testing tests sandbox qa uat demo review emulator e2e'.split(
    ' ',
  ),
)
const loopback = /^(?:[a-z][a-z0-9+.-]*:\/\/)?(?:[^@/]*@)?(?:localhost|127(?:\.\d+){1,3}|\[::1\]|::1)(?=[:/]|$)/i
/** Variables that say where a command acts. */
const sayingWhere = /(?:^|_)(?:ENV|ENVIRONMENT|STAGE|TARGET|CONTEXT|WORKSPACE|PROFILE|PROJECT|NAMESPACE|CLUSTER)$/

/** True if a name says that it is of a place where nobody's work depends on it. */
export const namesTrial = (text: string): boolean =>
  tokensOf(text).some((token) => ofTrials.has(token) || token === 'local' || token === 'localhost')

/** The words of a name, without the numbers of machines: `prod` and `web` of `prod1-web`. */
export const tokensOf = (text: string): readonly string[] =>
  text
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .map((token) => token.replace(/(?<=[a-z])\d+$/, ''))

/** Returns where a call acts, by the names in it. Production wins over a trial, and both over what is not known. */
export function placeOf(names: readonly string[], environment: readonly ShellAssignment[]): ImpactPlace {
  const all = [...names, ...environment.filter(({ name }) => sayingWhere.test(name)).map(({ value }) => value.value)]
  const tokens = all.flatMap(tokensOf)
  if (tokens.some((token) => ofProduction.has(token))) return 'production'
  if (all.some((name) => loopback.test(name))) return 'local'
  return tokens.some((token) => ofTrials.has(token)) ? 'trial' : 'unknown'
}

/** True if one of these words is part of a name. */
export const namesOneOf = (text: string, words: readonly string[]): boolean =>
  tokensOf(text).some((token) => words.includes(token))
