import { homedir } from 'node:os'
import { dirname, isAbsolute } from 'node:path'
import { limits } from '../../model/limits.ts'
import type { Environment } from '../../model/node-environment.ts'
import type { FactRequest, FactValue } from '../../model/policy.ts'
import { type FileReader, rememberFiles } from './remembered-files.ts'
import { lookUpInTime, stuckRoots, type TimedLookup, lstatOf, orAbsent } from '../timed-lookups.ts'
import { quoted } from '../../model/text.ts'
import {
  type FileContent,
  isMissing,
  isPointer,
  type Missing,
  missing,
  placeIn,
  pointed,
  realPlace,
  textOf,
  whyNot,
  type WorkspacePath,
} from './inside.ts'
import { gitBranch, gitRemote } from './git-remote.ts'
import { isSecretField, maskSecrets } from '../../mask/mask.ts'

/** The facts that the host looks up for policies, which have no I/O of their own. */
export interface Facts {
  /**
   * Looks up facts, and returns them in the order of the requests. Never rejects, and takes no longer than
   * `limits.factsMs`. JSON values are shared with later results, so callers must not change them.
   *
   * @param env the event's environment; the gate's own by default
   */
  readonly gather: (requests: readonly FactRequest[], env?: Environment) => Promise<readonly FactValue[]>
}

export function openFacts({ env: own }: { env: Environment }): Facts {
  const remembered = rememberFiles()
  const stuck = stuckRoots()
  return {
    async gather(requests, env = own) {
      const sources = { env, home: homeOf(env), files: remembered.snapshot() }
      const keys = requests.map((request) => JSON.stringify(request))
      const lookups = new Map(requests.map((request, at) => [keys[at] ?? '', lookupOf(request, sources)]))
      const found = await lookUpInTime(lookups, { ms: limits.factsMs, stuck, skipped: dead })
      return keys.map((key) => found.get(key) ?? late)
    },
  }
}

const lookupOf = (request: FactRequest, sources: FactSources): TimedLookup<FactValue> => ({
  ...(!('env' in request.declaration || 'secretVariables' in request.declaration) && { root: request.root }),
  run: async () => lookUp(request, sources),
})

const late: FactValue = { missing: `took longer than ${limits.factsMs} ms` }
const dead: FactValue = { missing: 'was not looked up: an earlier lookup in the workspace has not finished' }

function homeOf(env: Environment): string {
  const home = env['HOME'] ?? env['USERPROFILE'] ?? ''
  return isAbsolute(home) ? home : homedir()
}

/** The sources that facts are looked up in. */
export interface FactSources {
  readonly files: FileReader
  readonly env: Readonly<Record<string, string | undefined>>
  /** Absolute. */
  readonly home: string
}

/** Looks up one fact. Never rejects: errors become a `missing` value. */
export async function lookUp({ declaration, root, trusted }: FactRequest, sources: FactSources): Promise<FactValue> {
  try {
    if ('env' in declaration) return envFact(declaration.env, trusted, sources.env)
    if ('secretVariables' in declaration) return trusted ? { value: secretVariables(sources.env) } : untrusted
    if ('exists' in declaration) return await existsFact(placeIn(root, declaration.exists))
    if ('gitBranch' in declaration) return await gitBranch(root, sources.home, sources.files)
    if ('gitRemote' in declaration) return await gitRemote(declaration.gitRemote, root, sources.home, sources.files)
    if ('text' in declaration) return await textFact(placeIn(root, declaration.text), declaration.bytes, sources.files)
    if ('json' in declaration)
      return await jsonFact(placeIn(root, declaration.json), declaration.pointer ?? '', sources.files)
    // About the event, and not the machine: see `policy/hidden-secrets.ts`.
    if ('hiddenSecrets' in declaration) return { missing: 'is known after a call only' }
    // A kind of fact without its line above does not compile.
    declaration satisfies never
    return missing(root, 'cannot be looked up: there is no such kind of fact')
  } catch (error) {
    return missing(root, whyNot(error))
  }
}

const untrusted: FactValue = { missing: 'only trusted rules can read the environment' }

function envFact(name: string, trusted: boolean, env: FactSources['env']): FactValue {
  if (!trusted) return untrusted
  const value = Object.hasOwn(env, name) ? env[name] : undefined
  return value === undefined ? missing(name, 'is not set in the environment') : { value }
}

async function existsFact(place: WorkspacePath | Missing): Promise<FactValue> {
  if (isMissing(place)) return place
  try {
    if (dirname(place.path) === place.root) {
      const stat = await orAbsent(lstatOf(place.path))
      // A direct child of the root that is no link is certainly inside the root.
      if (!stat?.isSymbolicLink()) return { value: stat !== undefined }
    }
    const real = await realPlace(place)
    return typeof real === 'object' ? real : { value: real !== undefined }
  } catch (error) {
    return missing(place.written, whyNot(error))
  }
}

async function textFact(
  place: WorkspacePath | Missing,
  bytesMax: number | undefined,
  files: FileReader,
): Promise<FactValue> {
  if (isMissing(place)) return place
  const content = await contentAt(place, files)
  if (isMissing(content)) return content
  const bytes = content.bytes.subarray(0, bytesMax)
  const value = textOf(bytes, content.whole && bytes.length === content.bytes.length)
  return value === undefined ? missing(place.written, 'is not UTF-8') : { value }
}

async function jsonFact(place: WorkspacePath | Missing, pointer: string, files: FileReader): Promise<FactValue> {
  if (isMissing(place)) return place
  if (!isPointer(pointer)) return missing(pointer, 'is not a JSON pointer: it must begin with `/`, with `~0` for `~`')
  const content = await contentAt(place, files)
  if (isMissing(content)) return content
  const json = content.json()
  if (typeof json === 'string') return missing(place.written, json)
  const value = pointed(json.value, pointer)
  return value === undefined ? missing(pointer, `finds nothing in ${quoted(place.written)}`) : { value }
}

async function contentAt(place: WorkspacePath, files: FileReader): Promise<FileContent | Missing> {
  return (await files.read(place)) ?? missing(place.written, 'does not exist')
}

/**
 * Lists the names of an environment's variables that hold a secret, as far as the name or the value says so, in the order
 * of the alphabet. No value is returned, nor a part of one.
 */
const secretVariables = (env: Environment): readonly string[] =>
  Object.entries(env)
    .flatMap(([name, value]) => (/^\w+$/.test(name) && value !== undefined && isSecret(name, value) ? [name] : []))
    .toSorted()

function isSecret(name: string, value: string): boolean {
  if (isPlainName.test(name) || isSwitch.test(value)) return false
  const beginning = value.slice(0, lookedAtCharacters)
  return isSecretField(name, beginning) || maskSecrets(beginning) !== beginning
}
/** Names of variables that hold a program, whatever else they say, and the key of an editor's own socket. */
const isPlainName = /askpass$|^vscode_/i
/** Values of variables that switch something on or off. */
const isSwitch = /^(?:true|false|yes|no|on|off|null|none|\d{1,3})?$/i
/** Characters of a value that are checked, UTF-16 units: forms of secrets show at the beginning. */
const lookedAtCharacters = 2000
