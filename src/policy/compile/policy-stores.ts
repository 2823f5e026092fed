import { statSync } from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { z } from 'zod'
import { entryName, sha256Of } from '../../files/digest.ts'
import { writeEntry } from '../../files/key-value-store.ts'
import { builtLibraryFile, shippedFolder, storedPoliciesFolder } from '../../files/policy-files.ts'
import { readPrivate } from '../../files/private-folder.ts'
import { version } from '../../files/program-files.ts'
import { isJsonObject, type JsonObject, parseJsonObject } from '../../model/json.ts'
import { isImports, isPlace, readBuilt } from './built.ts'
import type { CompiledModule, CompiledPolicy } from '../../model/policy.ts'
import type { CheckedPolicy } from '../../model/policy-loading.ts'
import { isError, type Problem } from '../../model/errors.ts'
import type { Compilation } from './compile-policy.ts'
import { realPath } from '../../files/real-path.ts'
import { type Disk, isUnreadable, type Unreadable } from '../../model/disk.ts'
import { limits } from '../../model/limits.ts'
import type { ReadText } from './syntax/parse-module.ts'

/** Policies kept on disk compiled, with those of hookgate's earlier builds. More than a person has in force. */
const keptPoliciesMax = 500

/** A folder of compiled policies, so that a cold start need not compile them. */
export interface PolicyStore {
  /**
   * Returns a policy with its definition. INVARIANT: not to be used unless the files that were read are the same still.
   *
   * @param folder the folder that its imports must stay below
   */
  find(file: string, folder: string): CompiledFiles | undefined
}

/** A store that later processes of this program read. */
export interface WritableStore extends PolicyStore {
  /** Keeps a policy that was described and checked. If that fails, it costs later processes only time. */
  keep(compiled: CompiledFiles, folder: string): void
}

/** Opens the policies that the build compiled: read-only, a file for each folder of shipped policies. */
export function openShippedPolicies(stored = storedPoliciesFolder): PolicyStore {
  const known = new Map<string, StoredPolicies | undefined>()
  return {
    find(file, folder) {
      // The build compiled them with their own folder as the root of their imports.
      if (dirname(folder) !== shippedFolder || dirname(file) !== folder) return undefined
      if (!known.has(folder)) known.set(folder, readBuilt(join(stored, storeFileName(folder)), Stored))
      const policies = known.get(folder)
      return policies && unpackPolicy(policies, file, folder)
    },
  }
}

/** Returns the name of the file of a folder's shipped policies. */
export const storeFileName = (folder: string) => `${basename(folder)}.json`

/**
 * Opens the policies that processes of this program keep, each in a file of its own.
 *
 * @param stored private to the user
 * @param program what else the result depends on, apart from Node. Default: this build of hookgate
 * @returns `undefined` in a source checkout, whose compiler may change at any time
 */
export function openKeptPolicies(stored: string, program = thisBuild()): WritableStore | undefined {
  if (program === undefined) return undefined
  const keyOfPolicy = (file: string, folder: string) => JSON.stringify([program, process.version, file, folder])
  let writes = 0
  return {
    find(file, folder) {
      const key = keyOfPolicy(file, folder)
      const text = privateTextAt(join(stored, entryName(key)))
      const [seal, json] = [text?.slice(0, sealLength), text?.slice(sealLength + 1)]
      // INVARIANT: an entry is used only whole, and only for the file that it was made for.
      if (json === undefined || seal !== sealOf(key, json)) return undefined
      const policies = Stored.safeParse(parseJsonObject(json)).data
      return policies && unpackPolicy(policies, file, folder)
    },
    keep(compiled, folder) {
      const { policy } = compiled.result
      // However many policies there are, one process replaces all that is kept at most once.
      if (policy === undefined || writes >= keptPoliciesMax) return
      const key = keyOfPolicy(policy.file, folder)
      const bounds = { entriesMax: keptPoliciesMax, msMax: Infinity }
      try {
        const json = JSON.stringify(packPolicies([compiled], folder))
        if (json.length > keptPolicyBytesMax / 2) return
        writes += 1
        writeEntry(stored, entryName(key), `${sealOf(key, json)}\n${json}`, bounds)
      } catch {
        // The disk is full, or the folder cannot be written.
      }
    },
  }
}
/** A policy that is kept compiled: most take 3 KB. A larger one is generated, and is compiled with each cold start. */
export const keptPolicyBytesMax = 256 * 1024

const sealOf = (key: string, json: string) => sha256Of(`${key}\n${json}`)
const sealLength = 64

function privateTextAt(file: string): string | undefined {
  try {
    return readPrivate(file, keptPolicyBytesMax)
  } catch {
    return undefined
  }
}

/** Names this build: a checkout that is built again has the same version. */
function thisBuild(): string | undefined {
  const built = statSync(builtLibraryFile, { throwIfNoEntry: false })
  return built && `${version()} ${built.mtimeMs}`
}

/** A policy as it was compiled, and the files that this depends on. */
export interface CompiledFiles {
  readonly reads: FilesRead
  readonly result: Compilation
}

/**
 * The content of a file of compiled policies: they share a folder, which all paths are relative to, with slashes. Each
 * compiled without problems, was described, and passed its examples.
 */
export interface StoredPolicies {
  /** The path and the fingerprint of each file that was read. */
  files: [path: string, print: string][]
  /** Compiled modules, with the index of each one's file and the size of that file. */
  modules: StoredModule[]
  /** Policies by the path of their file. */
  policies: Record<string, StoredPolicy>
}

interface StoredModule {
  readonly file: number
  readonly bytes: number
  readonly code: string
}

interface StoredPolicy {
  readonly digest: string
  readonly ignoresToolFacts: boolean
  readonly definition: string
  readonly warnings: readonly Problem[]
  /** Indices into `files`. */
  files: number[]
  /** Indices into `modules`, each with that module's imports. */
  modules: [place: number, imports: CompiledModule['imports']][]
}

/**
 * A schema of one function. Schemas of the parts, of which there are thousands, took as long as a bare Node takes to start
 * and end, in each short process (measured).
 */
const Stored = z.custom<StoredPolicies>(
  (value) =>
    hasOnly(value, { files: listOf(isFile), modules: listOf(isModule) }, ['policies']) &&
    isJsonObject(value['policies']) &&
    Object.values(value['policies']).every(isPolicy),
)

type Check = (value: unknown) => boolean

/** Tells whether a value is an object with these keys, which fit, and no others. @param others keys that are checked elsewhere */
function hasOnly(
  value: unknown,
  parts: Readonly<Record<string, Check>>,
  others: readonly string[] = [],
): value is JsonObject {
  if (!isJsonObject(value)) return false
  const names = Object.keys(parts)
  return (
    Object.keys(value).length === names.length + others.length &&
    names.every((name) => Object.hasOwn(value, name) && parts[name]?.(value[name]) === true)
  )
}

const listOf =
  (isPart: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(isPart)
const isText: Check = (value) => typeof value === 'string'
const isNumber: Check = (value) => Number.isSafeInteger(value)
const isFile: Check = (value) => Array.isArray(value) && value.length === 2 && value.every(isText)
const isModule: Check = (value) => hasOnly(value, { file: isPlace, bytes: isPlace, code: isText })
const isWarning: Check = (value) =>
  hasOnly(value, {
    severity: (one) => one === 'warning',
    place: (one) => hasOnly(one, { file: isText, line: isNumber, column: isNumber }),
    message: isText,
    remedy: isText,
  })
const isLinked: Check = (value) =>
  Array.isArray(value) && value.length === 2 && isPlace(value[0]) && isImports(value[1])
const isPolicy: Check = (value) =>
  hasOnly(value, {
    digest: (one) => typeof one === 'string' && /^[0-9a-f]{64}$/.test(one),
    ignoresToolFacts: (one) => typeof one === 'boolean',
    definition: isText,
    warnings: listOf(isWarning),
    files: listOf(isPlace),
    modules: (one) => Array.isArray(one) && one.length > 0 && one.every(isLinked),
  })

/** Returns a policy with the outcome of its checks, which then need not be repeated; `undefined` if it failed them. */
export function withChecks({ compiled, definition, problems }: CheckedPolicy): CompiledPolicy | undefined {
  if (definition === undefined || problems.some(isError)) return undefined
  return { ...compiled, definition: JSON.stringify({ ...definition, examples: undefined }), warnings: problems }
}

/** Packs policies that share a folder. What several of them are made of is there once. */
export function packPolicies(compiled: readonly CompiledFiles[], folder: string): StoredPolicies {
  const files = openTable<[string, string]>()
  const modules = openTable<StoredPolicies['modules'][number]>()
  const entries = compiled.flatMap(({ reads, result: { policy, cost } }) => {
    if (policy?.definition === undefined) return []
    const { file, digest, ignoresToolFacts = false, definition, warnings = [] } = policy
    const placeOfFile = (path: string) => files.placeOf([storedPath(folder, path), reads.get(path) ?? ''])
    const linked = policy.modules.map(({ file: path, code, imports }): [number, CompiledModule['imports']] => [
      modules.placeOf({ file: placeOfFile(path), bytes: cost.files.get(path) ?? 0, code }),
      imports,
    ])
    const rest = { warnings, files: [...reads.keys()].map(placeOfFile) }
    return [[storedPath(folder, file), { digest, ignoresToolFacts, definition, ...rest, modules: linked }] as const]
  })
  return { files: files.rows, modules: modules.rows, policies: Object.fromEntries(entries) }
}

/** Returns a policy out of a file of them, as if it were compiled now. */
function unpackPolicy(stored: StoredPolicies, file: string, folder: string): CompiledFiles | undefined {
  const path = storedPath(folder, file)
  const found = Object.hasOwn(stored.policies, path) ? stored.policies[path] : undefined
  if (found === undefined) return undefined
  const reads = new Map<string, string>()
  for (const place of found.files) {
    const [name, print] = stored.files[place] ?? []
    if (name === undefined || print === undefined) return undefined
    reads.set(resolve(folder, name), print)
  }
  const sizes = new Map<string, number>()
  const modules: CompiledModule[] = []
  for (const [place, imports] of found.modules) {
    const module = stored.modules[place]
    const name = module && stored.files[module.file]?.[0]
    if (module === undefined || name === undefined) return undefined
    const from = resolve(folder, name)
    // INVARIANT: no module is used whose file is not looked at.
    if (!reads.has(from)) return undefined
    sizes.set(from, module.bytes)
    modules.push({ file: from, code: module.code, imports })
  }
  const { digest, ignoresToolFacts, definition, warnings } = found
  const policy: CompiledPolicy = { file, modules, ignoresToolFacts, digest, definition, warnings }
  const codeUnits = modules.reduce((sum, { code }) => sum + code.length, 0)
  return { reads, result: { policy, problems: [], cost: { files: sizes, codeUnits } } }
}

/** Returns a path as files of compiled policies contain it: relative, with slashes. */
export const storedPath = (folder: string, file: string) => relative(folder, file).replaceAll(sep, '/')

/** A list of distinct rows, which are referred to by their index. */
function openTable<Row>() {
  const rows: Row[] = []
  const places = new Map<string, number>()
  const placeOf = (row: Row): number => {
    const key = JSON.stringify(row)
    const place = places.get(key) ?? rows.push(row) - 1
    places.set(key, place)
    return place
  }
  return { rows, placeOf }
}

/** Fingerprint of each file that was read, by path. */
export type FilesRead = ReadonlyMap<string, string>

/**
 * Reads the files of a policy, and notes a fingerprint of each.
 *
 * @param folder the folder that its imports must stay below
 */
export function openReads(folder: string, disk: Disk): { readonly readText: ReadText; readonly reads: FilesRead } {
  const texts = new Map<string, ReturnType<ReadText>>()
  const reads = new Map<string, string>()
  const readText = (path: string) => {
    if (!reads.has(path)) {
      texts.set(path, textOfFile(path, disk))
      reads.set(path, fingerprint(path, folder, disk))
    }
    return texts.get(path)
  }
  return { readText, reads }
}

/** Returns true if every file that was read is the same still. */
export function areUnchanged(reads: FilesRead, folder: string, disk: Disk): boolean {
  const known = fingerprintsOf(folder, disk)
  return [...reads].every(([path, was]) => {
    const now = known.get(path) ?? fingerprint(path, folder, disk)
    known.set(path, now)
    return now === was
  })
}

/** The policies of a pack are made of the same few files, and a look at each takes long: one is enough for a `Disk`. */
function fingerprintsOf(folder: string, disk: Disk): Map<string, string> {
  const folders = fingerprints.get(disk) ?? new Map<string, Map<string, string>>()
  fingerprints.set(disk, folders)
  const known = folders.get(folder) ?? new Map<string, string>()
  folders.set(folder, known)
  return known
}
const fingerprints = new WeakMap<Disk, Map<string, Map<string, string>>>()

/**
 * Identifies a file's content and its real path, which imports are relative to. The path is relative to the folder, so
 * that the fingerprints of shipped policies hold wherever hookgate is installed.
 */
function fingerprint(path: string, folder: string, disk: Disk): string {
  const hash = disk.sha256(path, limits.policyFileBytesMax)
  return typeof hash === 'string'
    ? `${relative(folder, realPath(path))} ${hash}`
    : JSON.stringify([hash, disk.see(path)])
}

/** @returns `undefined` if there is no such file */
function textOfFile(path: string, disk: Disk): string | Unreadable | undefined {
  if (disk.see(path) === 'absent') return undefined
  const bytes = disk.read(path, limits.policyFileBytesMax)
  if (isUnreadable(bytes)) return bytes
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return { kind: 'unreadable', why: 'it is not UTF-8' }
  }
}
