import { setOf, tableOf, type TouchedPath } from 'hookgate/policy'
import { isWild, meaning, nameCharactersMax, namesOf, readingsOf } from './names.ts'
import {
  isAllAmong,
  isAmong,
  isNear,
  mayBeAmong,
  nearnessOf,
  type PlacePatterns,
  patternsOf,
  triedOf,
} from './place-patterns.ts'
import { credentials, environments, folders, keys, likely, madeUp } from './places.ts'

export type SecretKind = 'key' | 'credentials' | 'environment' | 'likely'

/** The secret that a path may be. */
export interface Secret {
  readonly kind: SecretKind
  /** The path, as it is written. */
  readonly path: string
  /** Certain, and not only one of several possible matches. */
  readonly sure: boolean
}

const kinds: readonly (readonly [SecretKind, PlacePatterns])[] = [
  ['environment', tableOf(patternsOf, environments)],
  ['key', tableOf(patternsOf, keys)],
  ['credentials', tableOf(patternsOf, credentials)],
  ['likely', tableOf(patternsOf, likely)],
]

const anySecret = tableOf(nearnessOf, environments, keys, credentials, likely)

/** Folders that contain nothing but credentials. */
const aboutSecrets = setOf([
  '.aws',
  '.azure',
  '.kube',
  '.docker',
  '.gnupg',
  '.ssh',
  '.gem',
  '.password-store',
  'gcloud',
])

type SecretPath = Pick<TouchedPath, 'written' | 'absolute' | 'real' | 'inHome' | 'pattern' | 'unresolved'> & {
  readonly recursive?: boolean
  readonly inRoot?: string
}

/** Returns the secret at a path, by its location and its name. */
export function secretAt(path: SecretPath, allowed: readonly string[] = []): Secret | undefined {
  const called = path.unresolved === true ? path.written : (path.absolute ?? path.written)
  const ways =
    path.pattern === undefined ? [namesOf(called)] : readingsOf(path.pattern).map((one) => namesOf(one, true))
  const others = [path.real, isOddHome(path) ? `~/${path.inHome}` : undefined]
  for (const names of [...ways, ...others.flatMap((one) => (one === undefined ? [] : [namesOf(one)]))]) {
    if (allowed.some((one) => leadsThrough(names, namesOf(one)))) continue
    const kind = kindOf(names, path)
    if (kind === undefined) continue
    return { kind, path: path.written, sure: path.unresolved !== true || !/[*]$/.test(names.at(-1) ?? '*') }
  }
  return undefined
}

/** True below a home that lies where homes are not looked for. */
const isOddHome = ({ absolute = '', inHome }: SecretPath) =>
  inHome !== undefined && !/^(?:\/home|\/root|\/users|[a-z]:[\\/]users)[\\/]/i.test(absolute)

/** Folders of the system, and of a home, in which programs keep their settings. */
const systemSettings = setOf(['etc', 'dev', 'proc', 'run', 'windows', 'programdata'])
const homeSettings = /^(?:\..*|library|appdata)$/

const homes = /^(?:home|users|root)$/

/** True if a path leads through a folder of settings, or is all that is directly in a home. Folders around the workspace say nothing of what is in it. */
function isInSettings(names: readonly string[], { absolute = '', inRoot }: SecretPath): boolean {
  const around = inRoot === undefined ? 0 : namesOf(absolute).length - namesOf(inRoot).length
  return (
    (absolute !== '' && (systemSettings.has(names[0] ?? '') || (homes.test(names[0] ?? '') && names.length <= 3))) ||
    names.slice(around, -1).some((name) => homeSettings.test(name))
  )
}

function kindOf(names: readonly string[], path: SecretPath): SecretKind | undefined {
  const recursive = path.recursive === true
  if (names.some(({ length }) => length > nameCharactersMax)) return undefined
  const hasWildcards = names.some(isWild)
  const near = !hasWildcards && isNear(anySecret, names)
  if (!hasWildcards && !near && !recursive) return undefined
  const tried = hasWildcards ? triedOf(names) : []
  const inSettings = hasWildcards && isInSettings(names, path)
  const isIn = hasWildcards
    ? (places: PlacePatterns) => mayBeAmong(places, tried, inSettings)
    : (places: PlacePatterns) => (near && isAmong(places, names)) || (recursive && isAllAmong(places, names))
  const isWhole = recursive && aboutSecrets.has(names.at(-1) ?? '')
  const found = kinds.filter(([, places]) => isIn(places))
  if (found.length === 0) return isWhole ? 'credentials' : undefined
  const made = names.some((name) => madeUp.includes(name))
  // Invented keys and passwords are no secret, but an `.env` in an example's folder was filled in by a person.
  return found.find(([kind]) => kind === 'environment' || !made)?.[0]
}

/** True if the person allowed a path, by its end or by a folder in it. */
const leadsThrough = (names: readonly string[], parts: readonly string[]) =>
  parts.length > 0 &&
  names.some((_, at) =>
    parts.every((part, index) => {
      const name = names[at + index]
      return name !== undefined && (isWild(part) ? meaning(part).test(name) : part === name)
    }),
  )

/** Settings of a project in which tokens and passwords stand beside what everybody may read. */
const settings =
  /^(?:\.npmrc|\.yarnrc(?:\.yml)?|pip\.conf|\.?condarc|(?:gradle|local|key|keystore)\.properties|.*\.tfvars(?:\.json)?|\.?mcp\.json|database\.ya?ml|appsettings\..+\.json|local\.settings\.json|application(?:-\w+)?\.(?:properties|ya?ml)|settings\.xml|nuget\.config|auth\.json|\.envrc|.*\.ovpn)$/i

/** True if a file that may be read may hold what others must not have. */
export function mayHoldKeys({ written, absolute = written }: SecretPath, allowed: readonly string[]): boolean {
  const names = namesOf(absolute)
  if (allowed.some((one) => leadsThrough(names, namesOf(one)))) return false
  return settings.test(names.at(-1) ?? '') || secretAt({ written, absolute })?.kind === 'likely'
}

/** True if a whole folder with secrets in it may be meant, though none is named. */
export function holdsSecrets(path: SecretPath): 'home' | 'folder' | undefined {
  const names = namesOf(path.absolute ?? path.written)
  const last = names.at(-1) ?? ''
  if (names.some((name) => aboutSecrets.has(name)) && !/\.pub$|^known_hosts/.test(last)) return 'folder'
  if (path.recursive !== true && path.pattern === undefined) return undefined
  if (names.some((name) => madeUp.includes(name))) return undefined
  if (folders.includes(last)) return 'folder'
  const wide = names.length === 0 || (names.length === 1 && /^(?:home|root|users|etc|var|\*)$/.test(last))
  if (path.absolute !== undefined && path.recursive === true && (path.inHome === '' || wide)) return 'home'
  return undefined
}
