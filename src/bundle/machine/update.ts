import { randomUUID } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { join } from 'node:path'
import { type Fetcher, Updater } from 'tuf-js'
import { DownloadHTTPError, DownloadLengthMismatchError } from 'tuf-js/dist/error.js'
import { z } from 'zod'
import { entryNames, makeFolders } from '../../files/entries.ts'
import { replaceFile } from '../../files/replace-file.ts'
import { codeOf, errorText } from '../../model/errors.ts'
import { limits } from '../../model/limits.ts'
import { withoutEnd } from '../../model/text.ts'
import { type Evidence, lastRoot, rootOf, type SignedTarget } from '../metadata.ts'
import { inWords } from '../client-errors.ts'
import { bundleError, channelRole, newestTarget, switchRole, switchTarget } from '../names.ts'
import { lastEvidence } from './kept.ts'

export interface UpdateOptions {
  /** The folder in which the gate keeps bundles. */
  readonly folder: string
  /** The text of the pinned root. */
  readonly pinned: string
  readonly url: string
  readonly channel: string
  readonly headers: Readonly<Record<string, string>>
  readonly signal: AbortSignal
  readonly requestMs?: number | undefined
}

/** A server's newest metadata, verified. */
interface ServerNews {
  readonly evidence: Evidence
  /** Why the kill switch is not known; absent if it is. */
  readonly switchProblem: string | undefined
  /** Downloads a target, and verifies its length and hash. */
  download(target: SignedTarget): Promise<Uint8Array>
}

/**
 * Asks a server what is new in a channel, as a TUF client: what is older, expired, mixed, too long or not signed is
 * refused. What was verified before is in the folder, and is what the answer must not be older than.
 *
 * @throws HookgateError `bundleUnverified`, with what was wrong
 */
export async function askServer({ folder, pinned, url, channel, ...request }: UpdateOptions): Promise<ServerNews> {
  const cache = join(folder, 'metadata')
  makeFolders(cache, 0o700)
  const roots = knownRoots(folder, pinned)
  replaceFile(join(cache, 'root.json'), Buffer.from(roots.at(-1) ?? pinned))
  restore(cache, lastEvidence(folder, channel), channel)
  const base = withoutEnd(url, '/')
  const received: string[] = []
  const onBytes = (from: string, bytes: Buffer) => {
    if (from.startsWith(`${base}/metadata/`) && from.endsWith('.root.json')) received.push(bytes.toString('utf8'))
  }
  const updater = new Updater({
    metadataDir: cache,
    metadataBaseUrl: `${base}/metadata/`,
    targetDir: folder,
    targetBaseUrl: `${base}/targets/`,
    fetcher: openFetcher({ ...request, folder, onBytes }),
    config: {
      maxRootRotations: limits.bundleRootsMax,
      rootMaxLength: limits.bundleMetadataBytesMax,
      timestampMaxLength: timestampBytesMax,
      snapshotMaxLength: limits.bundleMetadataBytesMax,
      targetsMaxLength: limits.bundleMetadataBytesMax,
    },
  })
  const text = (name: string) => readFileSync(join(cache, `${name}.json`), 'utf8')
  try {
    await updater.refresh()
    checkChannel(text('snapshot'), channel)
    await updater.getTargetInfo(newestTarget(channel))
  } catch (error) {
    throw failed(error, url)
  } finally {
    // Also if something else is wrong: a root that takes a stolen key away must not be forgotten.
    keepRoots(folder, pinned, [...roots, ...received])
  }
  const switchProblem = await switchProblemOf(updater)
  return {
    evidence: {
      roots: [...roots, ...received],
      timestamp: text('timestamp'),
      snapshot: text('snapshot'),
      targets: text('targets'),
      channel: text(channelRole(channel)),
      ...(switchProblem === undefined && { switch: text(switchRole) }),
    },
    switchProblem,
    async download(target) {
      try {
        const info = await updater.getTargetInfo(target.path)
        if (info === undefined) throw new Error(`the server has no \`${target.path}\``)
        const file = await updater.downloadTarget(info)
        try {
          return readFileSync(file)
        } finally {
          rmSync(file, { force: true })
        }
      } catch (error) {
        throw failed(error, url)
      }
    },
  }
}

/**
 * Gives the client what was verified last, where its own file is older or damaged: it takes no file for none, and would
 * then believe a server that has put back an older release. A full disk or a power failure damages files.
 */
function restore(cache: string, evidence: Evidence | undefined, channel: string): void {
  if (evidence === undefined) return
  const { timestamp, snapshot, targets, channel: ofChannel } = evidence
  for (const [name, text] of Object.entries({ timestamp, snapshot, targets, [channelRole(channel)]: ofChannel })) {
    const file = join(cache, `${name}.json`)
    if (versionIn(textAt(file)) < versionIn(text)) replaceFile(file, Buffer.from(text))
  }
}

/** Returns the version of metadata; 0 for what is none. */
function versionIn(text: string): number {
  try {
    return Versioned.parse(JSON.parse(text)).signed.version
  } catch {
    return 0
  }
}
const Versioned = z.looseObject({ signed: z.looseObject({ version: z.int() }) })

export function textAt(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** A timestamp names one file. */
const timestampBytesMax = 16 * 1024

async function switchProblemOf(updater: Updater): Promise<string | undefined> {
  try {
    await updater.getTargetInfo(switchTarget)
    return undefined
  } catch (error) {
    return `the kill switch is not known: ${errorText(error)}`
  }
}

function checkChannel(snapshot: string, channel: string): void {
  if (snapshot.includes(`"${channelRole(channel)}.json"`)) return
  throw bundleError('bundleUnverified', `the server has no channel \`${channel}\``, 'check `channel` in `bundle`')
}

function failed(error: unknown, url: string): Error {
  // Errors of a connection to a name with several addresses have no text of their own.
  const text = errorText(error) || codeOf(error) || String(error)
  return bundleError('bundleUnverified', `${url}: ${inWords(text)}`, 'until then, nothing changes on this machine')
}

const rootsFolder = (folder: string) => join(folder, 'roots')

/** Returns the roots that have followed the pinned one, as far as they are kept and verified. */
function knownRoots(folder: string, pinned: string): readonly string[] {
  let { version } = rootOf(pinned).signed
  const kept: string[] = []
  for (const name of entryNames(rootsFolder(folder))) {
    if (name !== `${String(version + 1).padStart(8, '0')}.json`) continue
    const text = readFileSync(join(rootsFolder(folder), name), 'utf8')
    if (!isChain(pinned, [...kept, text])) break
    kept.push(text)
    version += 1
  }
  return kept
}

function keepRoots(folder: string, pinned: string, roots: readonly string[]): void {
  if (roots.length === 0 || !isChain(pinned, roots)) return
  makeFolders(rootsFolder(folder), 0o700)
  const there = entryNames(rootsFolder(folder))
  for (const text of roots) {
    const name = `${String(rootOf(text).signed.version).padStart(8, '0')}.json`
    if (!there.includes(name)) replaceFile(join(rootsFolder(folder), name), Buffer.from(text))
  }
}

function isChain(pinned: string, roots: readonly string[]): boolean {
  try {
    lastRoot(pinned, roots)
    return true
  } catch {
    return false
  }
}

/** Options of each request. */
interface FetchOptions {
  /** A folder for files that are not verified yet. */
  readonly folder: string
  readonly headers: Readonly<Record<string, string>>
  /** Aborts every request: the time for all of them is over, or the gate ends. */
  readonly signal: AbortSignal
  /** Time for one request, ms. */
  readonly requestMs?: number | undefined
  /** Called with each file that was received, for what the client does not keep itself. */
  readonly onBytes?: (url: string, bytes: Buffer) => void
}

/**
 * Makes the fetcher of the TUF client. It reads no more than is signed for, or than its limit, and waits for no server that
 * sends byte by byte. A redirect, which would take the headers to another place, is not followed.
 */
function openFetcher({ folder, headers, signal, requestMs, onBytes }: FetchOptions): Fetcher {
  async function downloadBytes(url: string, maxLength: number): Promise<Buffer> {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(requestMs ?? bundleRequestMs)])
    const response = await get(url, headers, limit)
    try {
      const { statusCode = 0 } = response
      if (statusCode !== 200) throw new DownloadHTTPError(`it answered ${statusCode}`, statusCode)
      const bytes = await bodyOf(response, maxLength)
      onBytes?.(url, bytes)
      return bytes
    } finally {
      response.destroy()
    }
  }

  return {
    downloadBytes,
    async downloadFile(url, maxLength, handler) {
      const bytes = await downloadBytes(url, maxLength)
      const file = join(folder, `.${randomUUID()}`)
      try {
        writeFileSync(file, bytes, { mode: 0o600, flag: 'wx' })
        return await handler(file)
      } finally {
        rmSync(file, { force: true })
      }
    },
  }
}
/** One request for a file. A server that sends byte by byte has no longer than one that sends at once. */
const bundleRequestMs = 30_000

async function bodyOf(response: AsyncIterable<Buffer>, maxLength: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of response) {
    length += chunk.length
    if (length > maxLength) throw new DownloadLengthMismatchError(`it sends more than ${maxLength} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function get(url: string, headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<IncomingMessage> {
  const send = url.startsWith('https:') ? httpsRequest : httpRequest
  return new Promise((resolve, reject) => {
    const request = send(url, { headers, signal }, resolve)
    request.on('error', (error) => {
      // A connection that was kept from an earlier request may have been closed by the server in the meantime.
      if (request.reusedSocket && codeOf(error) === 'ECONNRESET') resolve(get(url, headers, signal))
      else reject(error)
    })
    request.end()
  })
}
