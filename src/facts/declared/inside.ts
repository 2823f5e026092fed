import { dirname, isAbsolute, resolve } from 'node:path'
import { type BigIntStats, constants } from 'node:fs'
import { type FileHandle, open, readlink } from 'node:fs/promises'
import { below } from '../paths/place.ts'
import { lstatOf, orAbsent, realPathOf } from '../timed-lookups.ts'
import { quoted } from '../../model/text.ts'
import { type Json, nestsDeeperThan } from '../../model/json.ts'
import { limits } from '../../model/limits.ts'

/** A path in the workspace, checked by its text alone; the disk has not been looked at yet. */
export interface WorkspacePath {
  /** Absolute. */
  readonly root: string
  /** The path as the policy wrote it, for messages. */
  readonly written: string
  /** Absolute. */
  readonly path: string
}

export function placeIn(root: string, written: string): WorkspacePath | Missing {
  if (!isAbsolute(root)) return missing(root, 'is not an absolute path of a workspace')
  if (written === '') return missing(written, 'is not a path')
  if (written.includes('\0')) return missing(written, 'is not a path: it contains a NUL character')
  if (isAbsolute(written)) return missing(written, 'is not a path relative to the workspace')
  const path = resolve(root, written)
  if (below(resolve(root), path) === undefined) return missing(written, 'leads outside the workspace')
  return { root: resolve(root), written, path }
}

/**
 * Resolves every symbolic link in a place's path; returns `undefined` if nothing exists there.
 *
 * INVARIANT: nothing about files outside the workspace is disclosed, not even whether they exist. That is why links that
 * lead outside, are dangling, form a cycle or lead to an unreadable folder all give the same message.
 */
export async function realPlace({ root, written, path }: WorkspacePath): Promise<string | Missing | undefined> {
  const realRoot = await orAbsent(realPathOf(root))
  if (realRoot === undefined) return undefined
  try {
    const real = await orAbsent(realPathOf(path))
    if (real !== undefined) return below(realRoot, real) !== undefined ? real : missing(written, unfollowable)
    const nearest = await nearestAbove(path, root)
    if (nearest === undefined) return undefined
    const there = await orAbsent(realPathOf(nearest))
    return there !== undefined && below(realRoot, there) !== undefined ? undefined : missing(written, unfollowable)
  } catch {
    return missing(written, unfollowable)
  }
}
const unfollowable = 'cannot be followed within the workspace'

/** Returns the deepest existing ancestor of a path: it decides whether the missing rest is inside the workspace. */
async function nearestAbove(path: string, root: string): Promise<string | undefined> {
  if (path === root || path === dirname(path)) return undefined
  return (await orAbsent(lstatOf(path))) === undefined ? nearestAbove(dirname(path), root) : path
}

/** The reason why a fact is unavailable: one line, safe to show. */
export interface Missing {
  readonly missing: string
}

/** Builds a `Missing`. INVARIANT: `what` is a path or name, shown quoted; no file content is ever included. */
export function missing(what: string, why: string): Missing {
  return { missing: `${quoted(what)} ${why}` }
}

export function isMissing(value: object): value is Missing {
  return 'missing' in value
}

/** Translates a system error into words that follow the name of the file. */
export function whyNot(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
  return reasons.get(code) ?? `cannot be read: the system says ${quoted(code)}`
}

const reasons: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'does not exist'],
  ['ENOTDIR', 'does not exist'],
  ['ENAMETOOLONG', 'is longer than a path can be'],
  ['EACCES', 'cannot be read: permission denied'],
  ['EPERM', 'cannot be read: permission denied'],
  // A regular file was seen a moment ago, and a link or a socket has taken its place.
  ['ELOOP', 'was replaced while it was being read'],
  ['ENXIO', 'was replaced while it was being read'],
])

/** The bytes read from a regular file. */
interface FileBytes {
  readonly bytes: Buffer
  /** True if `bytes` is the whole file. */
  readonly whole: boolean
  /** The file's status before the first byte was read. */
  readonly stat: BigIntStats
}

/** Open flags: don't wait for a named pipe's writer, don't acquire a controlling terminal, don't follow links. */
const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0) | (constants.O_NOFOLLOW ?? 0)

/**
 * Reads the first bytes of a regular file inside a folder, or returns a message saying why it cannot. The caller has
 * resolved symbolic links in both paths.
 *
 * INVARIANT: only a regular file is opened, since opening anything else has side effects: it wakes a pipe's writer, or
 * rewinds a tape. A file that is swapped between the check and the opening is detected before it is read.
 */
export async function readRegularFile(real: string, folder: string, bytesMax: number): Promise<FileBytes | string> {
  const seen = await lstatOf(real)
  if (!seen.isFile()) return seen.isDirectory() ? 'is a folder' : 'is not a regular file'
  const file = await open(real, flags)
  try {
    const stat = await file.stat({ bigint: true })
    if (!stat.isFile() || stat.dev !== seen.dev || stat.ino !== seen.ino) return swapped
    if (below(folder, await pathOf(file, real)) === undefined) return swapped
    const { bytes, whole } = await readUpTo(file, bytesMax, Number(stat.size))
    return { bytes, whole, stat }
  } finally {
    await file.close()
  }
}
const swapped = 'was replaced while it was being read'

/** Returns an open file's real path: from the kernel on Linux; elsewhere by resolving its path once more. */
async function pathOf(file: FileHandle, path: string): Promise<string> {
  if (process.platform !== 'linux') return realPathOf(path)
  try {
    return await readlink(`/proc/self/fd/${file.fd}`)
  } catch {
    return realPathOf(path)
  }
}

/** Reads up to `bytesMax` bytes. `size` is only a hint: files in `/proc` report size 0, and files grow. */
async function readUpTo(file: FileHandle, bytesMax: number, size: number): Promise<Pick<FileBytes, 'bytes' | 'whole'>> {
  const chunks: Buffer[] = []
  let total = 0
  // Reading one byte beyond the limit shows whether the file ends there.
  while (total <= bytesMax) {
    const length = Math.min(Math.max(size - total + 1, pageBytes), bytesMax - total + 1)
    // oxlint-disable-next-line no-await-in-loop -- a file is read from its beginning on
    const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, null)
    if (bytesRead === 0) return { bytes: Buffer.concat(chunks), whole: true }
    chunks.push(buffer.subarray(0, bytesRead))
    total += bytesRead
  }
  return { bytes: Buffer.concat(chunks).subarray(0, bytesMax), whole: false }
}
const pageBytes = 4096

/** The first bytes of a file, with its JSON parsed lazily and cached. */
export interface FileContent {
  readonly bytes: Buffer
  /** True if `bytes` is the whole file. */
  readonly whole: boolean
  /** Returns the file's JSON value, or a message saying why there is none. Parsed on the first call. */
  json(): { readonly value: Json } | string
}

export function fileContent(bytes: Buffer, whole: boolean): FileContent {
  let json: { readonly value: Json } | string | undefined
  return { bytes, whole, json: () => (json ??= whole ? jsonOf(bytes) : tooLarge) }
}
const tooLarge = `is larger than ${limits.factBytesMax} bytes`

function jsonOf(bytes: Buffer): { readonly value: Json } | string {
  const text = textOf(bytes, true)
  return text === undefined ? 'is not UTF-8' : jsonValue(text)
}

/**
 * Decodes UTF-8 without its byte order mark; `undefined` if the bytes are not valid UTF-8. If they are not the whole
 * file, an incomplete character at the end is dropped.
 */
export function textOf(bytes: Buffer, whole: boolean): string | undefined {
  try {
    // In stream mode, the decoder holds an incomplete character back instead of failing.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: !whole })
  } catch {
    return undefined
  }
}

/** Parses JSON, and returns its value, or a message saying why it is invalid or too deeply nested. */
export function jsonValue(text: string): { readonly value: Json } | string {
  let value: Json
  try {
    // oxlint-disable-next-line no-unsafe-assignment -- there is nothing else that it could be
    value = JSON.parse(text)
  } catch {
    return 'is not JSON'
  }
  if (!nestsDeeperThan(value, limits.jsonDepthMax)) return { value }
  return `holds JSON that nests deeper than ${limits.jsonDepthMax} levels`
}

/**
 * Evaluates an RFC 6901 JSON pointer; returns `undefined` if it finds nothing or is not a valid pointer.
 *
 * INVARIANT: only own properties are found, never inherited ones such as `constructor`.
 */
export function pointed(value: Json, pointer: string): Json | undefined {
  if (pointer === '') return value
  if (!isPointer(pointer)) return undefined
  let found: Json | undefined = value
  for (const token of pointer.slice(1).split('/')) {
    found = step(found, token.replaceAll('~1', '/').replaceAll('~0', '~'))
    if (found === undefined) return undefined
  }
  return found
}

export const isPointer = (text: string): boolean => text === '' || (text.startsWith('/') && !/~(?![01])/.test(text))

function step(value: Json, key: string): Json | undefined {
  if (isArray(value)) return /^(?:0|[1-9]\d*)$/.test(key) ? value[Number(key)] : undefined
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? value[key] : undefined
}

const isArray = (value: Json): value is readonly Json[] => Array.isArray(value)
