import type { z } from 'zod'
import { createHmac } from 'node:crypto'
import { join } from 'node:path'
import { checkPrivateFolder, ensurePrivateFolder, type FolderRemedies } from '../private-folder.ts'
import { HookgateError } from '../../model/errors.ts'
import { limits } from '../../model/limits.ts'
import { Grant, KeptRefusal } from '../../model/refusal.ts'
import { type KeyValueStore, openKeyValueStore } from '../key-value-store.ts'
import { isSameSecret, renewedKey } from './keys.ts'
import type { HookEvent } from '../../model/event.ts'
import type { Json, JsonObject } from '../../model/json.ts'
import { sha256Of } from '../digest.ts'

/** Refusals and questions that are kept for `hookgate allow`, and what a person has granted. */
export interface Refusals {
  /** Keeps a refusal. @returns its id; `undefined` if it cannot be kept, for example on a full disk */
  keep(refusal: KeptRefusal): string | undefined
  find(id: string): KeptRefusal | undefined
  /** Returns all that are kept, the latest first. */
  all(): readonly KeptRefusal[]
  /** Returns all grants that are in force. */
  grants(): readonly Grant[]
  /** Uses a grant up, or takes it back. @returns false if another call has used it */
  use(grant: Grant): boolean
  /** @throws HookgateError `unavailable` if it cannot be kept */
  grant(grant: Grant): void
}

/** @param folder private to the user, created with the first refusal. Default: in memory */
export function openRefusals(folder?: string): Refusals {
  const kept = openSealedStore({
    folder,
    name: 'kept',
    entriesMax: refusalsKeptMax,
    msMax: limits.refusalMsMax,
  })
  const granted = openSealedStore({
    folder,
    name: 'granted',
    entriesMax: grantsMax,
    msMax: limits.grantSessionMs,
  })

  function inForce(): readonly Grant[] {
    const nowMs = Date.now()
    return granted
      .values()
      .flatMap((text) => parsed(Grant, text) ?? [])
      .filter((grant) => nowMs < grant.endsAtMs && grant.endsAtMs <= nowMs + longestMs(grant))
  }

  return {
    keep(refusal) {
      try {
        ensureFolder(folder)
        const text = withinFile(refusal)
        if (text === undefined) return undefined
        if (kept.set(refusal.id, text)) return refusal.id
        // An id that only this process knows would be of no use.
        kept.take(refusal.id)
        return undefined
      } catch {
        return undefined
      }
    },
    find(id) {
      const text = isPrivate(folder) ? kept.get(id) : undefined
      const refusal = text === undefined ? undefined : parsed(KeptRefusal, text)
      return refusal !== undefined && isRecent(refusal) ? refusal : undefined
    },
    all: () =>
      isPrivate(folder)
        ? kept
            .values()
            .flatMap((text) => parsed(KeptRefusal, text) ?? [])
            .filter(isRecent)
            .toSorted((a, b) => b.atMs - a.atMs)
        : [],
    grants: () => (isPrivate(folder) ? inForce() : []),
    use: (grant) => granted.take(grantKey(grant)),
    grant(grant) {
      ensureFolder(folder)
      if (granted.set(grantKey(grant), JSON.stringify(grant))) return
      granted.take(grantKey(grant))
      throw new HookgateError('unavailable', 'it cannot be kept', {
        ...(folder !== undefined && { place: { file: folder } }),
        remedy: 'check that the disk is not full and that you can write there',
      })
    },
  }
}
/** Kept refusals and questions, over all projects: those of some days. */
export const refusalsKeptMax = 200
/** Grants in force, over all sessions. Each is given by hand. */
export const grantsMax = 200

/** The longest time that any grant of a kind is given for: no other end counts, whoever wrote it. */
const longestMs = ({ kind }: Grant) => (kind === 'session' ? limits.grantSessionMs : limits.grantRepeatMsMax)

/** The store removes what is older only from time to time. */
const isRecent = ({ atMs }: KeptRefusal) => Date.now() - atMs < limits.refusalMsMax

const grantKey = (grant: Grant) =>
  grant.kind === 'once' && grant.nth !== undefined ? `once ${grant.id} ${grant.nth}` : `${grant.kind} ${grant.id}`

const remedies: FolderRemedies = {
  elsewhere: 'set HOOKGATE_HOME to a folder of your own',
  isOurs: (name) => name === 'kept' || name === 'granted' || name === sealKeyName,
}

function ensureFolder(folder: string | undefined): void {
  if (folder !== undefined) ensurePrivateFolder(folder, remedies)
}

/** INVARIANT: nothing is read from a folder that a link leads to, or that another user can write to. */
function isPrivate(folder: string | undefined): boolean {
  if (folder === undefined) return true
  try {
    checkPrivateFolder(folder, remedies)
    return true
  } catch {
    return false
  }
}

/** Parses a stored text. Other versions of hookgate may have written it. */
function parsed<Schema extends z.ZodType>(schema: Schema, text: string): z.output<Schema> | undefined {
  try {
    return schema.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

/**
 * Encodes a refusal, without its exceptions if the file would be too large to be read: then only the call itself can be
 * allowed. Returns `undefined` if it is too large even so.
 */
function withinFile(refusal: KeptRefusal): string | undefined {
  const rules = refusal.rules.map((one) => Object.assign({}, one, { exceptions: undefined }))
  const texts = [refusal, { ...refusal, rules }].map((one) => JSON.stringify(one))
  return texts.find((text) => Buffer.byteLength(text) <= limits.gateFileBytesMax - sealCharacters)
}

/** The file, beside the stores, with the key of their seals. */
const sealKeyName = 'seal.key'

/** A seal, and the line end behind it, by which a text in the store is longer. */
const sealCharacters = 65

interface SealedOptions {
  /** Private to the user, and there before anything is set; `undefined`: memory only. */
  readonly folder: string | undefined
  readonly name: string
  readonly entriesMax: number
  readonly msMax: number
}

/**
 * Opens a store whose texts are sealed with a key of the folder, each with its name in the store.
 *
 * INVARIANT: a text that was written without the key, or under another name, is not there.
 */
export function openSealedStore({ folder, name, entriesMax, msMax }: SealedOptions): KeyValueStore {
  if (folder === undefined) return openKeyValueStore(undefined, entriesMax, msMax)
  const store = openKeyValueStore(join(folder, name), entriesMax, msMax)
  const sealOf = (text: string) =>
    createHmac('sha256', renewedKey(join(folder, sealKeyName)))
      .update(`${name}\n${text}`)
      .digest('hex')

  function opened(sealed: string): string | undefined {
    const end = sealed.indexOf('\n')
    const text = sealed.slice(end + 1)
    try {
      return end !== -1 && isSameSecret(sealed.slice(0, end), sealOf(text)) ? text : undefined
    } catch {
      // Without its key no seal can be true.
      return undefined
    }
  }

  return {
    get: (key) => mapped(store.get(key), opened),
    set: (key, value) =>
      store.set(
        key,
        mapped(value, (text) => `${sealOf(text)}\n${text}`),
      ),
    take: (key) => store.take(key),
    values: () => store.values().flatMap((sealed) => opened(sealed) ?? []),
  }
}

const mapped = (text: string | undefined, by: (text: string) => string | undefined) =>
  text === undefined ? undefined : by(text)

/**
 * Returns a digest of a call: equal only for the same call of the same session, in the same project and folder.
 *
 * A shell call's description is left out: models word it anew each time, and it changes nothing.
 */
export const callDigest = (event: HookEvent): string => digestOf(event, event.session.id)

/** Returns the digest of a call whose session does not matter. */
export const sessionlessDigest = (event: HookEvent): string => digestOf(event, '')

function digestOf({ name, agent, session, workspaceRoots, tool }: HookEvent, sessionId: string): string {
  const { description: _, ...input }: JsonObject = tool?.input ?? {}
  const known = tool?.kind === 'shell' ? input : (tool?.input ?? {})
  const parts = [agent, sessionId, session.cwd, workspaceRoots, name, tool?.kind, tool?.name, sorted(known)]
  return sha256Of(JSON.stringify(parts))
}

/** Returns a value with the keys of its objects in order, in which agents differ. No two values become the same. */
function sorted(value: Json): Json {
  if (Array.isArray(value)) return ['list', ...value.map(sorted)]
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  // Pairs instead of an object, in which number-like keys would come first and `__proto__` would be lost.
  return ['object', ...entries.map(([key, one]) => [key, sorted(one)])]
}
