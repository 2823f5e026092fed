import type { TouchedPath } from 'hookgate/policy'
import { isTelling, meet, namesLike, namesOf, readingsOf } from './names.ts'
import { credentials, environments, folders, keys, likely, madeUp, type Place } from './places.ts'

export type SecretKind = 'key' | 'credentials' | 'environment' | 'likely'

/** What of a path is secret. */
export interface Secret {
  readonly kind: SecretKind
  /** The path, as it is written. */
  readonly path: string
  /** Whether it is the secret for sure, and not only one of the things that the path may be. */
  readonly sure: boolean
}

const kinds: readonly (readonly [SecretKind, readonly Place[]])[] = [
  ['environment', environments],
  ['key', keys],
  ['credentials', credentials],
  ['likely', likely],
]

type SecretPath = Pick<TouchedPath, 'written' | 'absolute' | 'real' | 'pattern' | 'unresolved'> & {
  readonly recursive?: boolean
}

/** What a path has of secrets, by where it leads and by what it is called. */
export function secretAt(path: SecretPath, allowed: readonly string[] = []): Secret | undefined {
  const called = path.unresolved === true ? path.written : (path.absolute ?? path.written)
  const ways =
    path.pattern === undefined ? [namesOf(called)] : readingsOf(path.pattern).map((one) => namesOf(one, true))
  for (const names of path.real === undefined ? ways : [...ways, namesOf(path.real)]) {
    if (allowed.some((one) => endsLike(names, namesOf(one)))) continue
    const kind = kindOf(names, path.recursive === true)
    if (kind === undefined) continue
    return { kind, path: path.written, sure: path.unresolved !== true || !/[*]$/.test(names.at(-1) ?? '*') }
  }
  return undefined
}

function kindOf(names: readonly string[], recursive: boolean): SecretKind | undefined {
  const made = names.some((name) => madeUp.includes(name))
  for (const [kind, places] of kinds) {
    // Made-up keys and passwords are no secret, but an `.env` in an example's folder is one that somebody filled in.
    if (made && kind !== 'environment') continue
    if (places.some((place) => isAt(names, place, recursive))) return kind
  }
  return undefined
}

function isAt(names: readonly string[], { at, but = [] }: Place, recursive: boolean): boolean {
  const parts = at.split('/')
  if (parts.at(-1) === '**') {
    const folder = parts.slice(0, -1)
    for (let start = names.length - folder.length; start >= 0; start--) {
      const below = names.slice(start + folder.length)
      if (!isFolder(names.slice(start), folder)) continue
      if (below.length === 0) return recursive
      return !below.some((name) => but.some((pattern) => meets(name, pattern)))
    }
    return recursive && parts.length > 2 && endsInside(names, folder)
  }
  const tail = names.slice(-parts.length)
  if (tail.length === parts.length && parts.every((part, index) => isCalled(tail[index] ?? '', part))) {
    const last = tail.at(-1) ?? ''
    return tail.some(tells) && !but.some((pattern) => meets(last, pattern))
  }
  return recursive && parts.length > 1 && endsInside(names, parts.slice(0, -1))
}

/** Whether a name is what the place means; of a pattern, whether it means what is likely to be there. */
const isCalled = (name: string, part: string) =>
  /[*?[]/.test(name) ? namesLike(part).some((one) => meet(name, one)) : meet(name, part)

/** Whether what follows is the folder: by its name, for `*` is any. */
const isFolder = (names: readonly string[], folder: readonly string[]) =>
  folder.every((part, index) => meet(names[index] ?? '', part)) &&
  names.slice(0, folder.length).some((name) => tells(name))

/** Whether the path is one of the folders that lead to the place, and one that is about little else. */
function endsInside(names: readonly string[], folder: readonly string[]): boolean {
  const first = folder[0]
  const at = first === undefined || !aboutSecrets.has(first) ? -1 : names.lastIndexOf(first)
  return at !== -1 && names.slice(at).every((name, index) => name === folder[index])
}

const aboutSecrets = new Set([
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

/** `*` alone has a name only by what stands before it. */
const tells = (name: string) => name.replaceAll('*', '').length > 1 && isTelling(name)

/** Whether everything that a name may mean is like the pattern. */
const meets = (name: string, pattern: string) => meet(name.replaceAll(/[*?]/g, '\\$&'), pattern)

/** Whether a path is what a person allowed: the end of it, or a folder on the way. */
const endsLike = (names: readonly string[], parts: readonly string[]) =>
  parts.length > 0 &&
  names.some((_, at) => parts.every((part, index) => at + index < names.length && meet(names[at + index] ?? '', part)))

/** Whether a whole folder of things may be meant among which secrets stand, though none is named. */
export function holdsSecrets(path: SecretPath & Pick<TouchedPath, 'inHome' | 'inRoot'>): 'home' | 'folder' | undefined {
  const names = namesOf(path.absolute ?? path.written)
  const last = names.at(-1)
  if (names.some((name) => aboutSecrets.has(name)) && !/\.pub$|^known_hosts/.test(last ?? '')) return 'folder'
  if (path.recursive !== true && path.pattern === undefined) return undefined
  if (names.some((name) => madeUp.includes(name))) return undefined
  if (last !== undefined && folders.includes(last)) return 'folder'
  const wide = names.length === 0 || (names.length === 1 && /^(home|root|users|etc|var|\*)$/.test(last ?? ''))
  if (path.absolute !== undefined && path.recursive === true && (path.inHome === '' || wide)) return 'home'
  return undefined
}
