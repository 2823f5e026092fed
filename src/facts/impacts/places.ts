import type { ImpactPlace } from '../../model/impact.ts'
import { isOfTrials, tokensOf } from '../../words/names.ts'
import type { ShellAssignment } from '../../model/shell.ts'

/** Words by which a name says that users depend on a place. */
const ofProduction = new Set(['production', 'prod', 'prd', 'live', 'mainnet'])
const loopback = /^(?:[a-z][a-z0-9+.-]*:\/\/)?(?:[^@/]*@)?(?:localhost|127(?:\.\d+){1,3}|\[::1\]|::1)(?=[:/]|$)/i
/** Variables that say where a command acts. */
const sayingWhere = /(?:^|_)(?:ENV|ENVIRONMENT|STAGE|TARGET|CONTEXT|WORKSPACE|PROFILE|PROJECT|NAMESPACE|CLUSTER)$/

/** Returns where a call acts, by the names in it. Production wins over a trial, and both over what is not known. */
export function placeOf(names: readonly string[], environment: readonly ShellAssignment[]): ImpactPlace {
  const all = [...names, ...environment.filter(({ name }) => sayingWhere.test(name)).map(({ value }) => value.value)]
  const tokens = all.flatMap(tokensOf)
  if (tokens.some((token) => ofProduction.has(token))) return 'production'
  if (all.some((name) => loopback.test(name))) return 'local'
  return tokens.some((token) => isOfTrials(token)) ? 'trial' : 'unknown'
}
