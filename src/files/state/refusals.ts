import { randomInt } from 'node:crypto'
import type { z } from 'zod'
import { checkPrivateFolder, ensurePrivateFolder, type FolderRemedies } from '../private-folder.ts'
import { restricts } from '../../model/effect.ts'
import { HookgateError } from '../../model/errors.ts'
import type { HookEvent } from '../../model/event.ts'
import { limits } from '../../model/limits.ts'
import { Grant, KeptRefusal, type RefusingRule } from '../../model/refusal.ts'
import { printable, visible } from '../../model/text.ts'
import type { Verdict } from '../../model/verdict.ts'
import { openSealedStore, sealCharacters, sealKeyName } from './sealed-store.ts'
import { maskSecrets } from '../../mask/mask.ts'

/** Characters of an id that a person types: 800 million of them, of which 200 are in use. */
const refusalIdCharacters = 6

/** Refusals and questions that are kept for `hookgate allow`, and what a person has granted. */
export interface Refusals {
  /**
   * Keeps a refusal.
   *
   * @param call the digest that a grant for this call will have
   * @param subject the command, path or URL, masked; by default no mask reaches over a word
   * @returns its id; `undefined` if it cannot be kept, for example on a full disk
   */
  keep(
    event: HookEvent,
    decision: KeptRefusal['decision'],
    rules: readonly RefusingRule[],
    call: string,
    subject?: string,
  ): string | undefined
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

/** Returns whether a verdict refuses a call or asks about one. Only what has not happened yet can be let through. */
export const isOfRefusedCall = ({ name, tool }: HookEvent, { decision }: Verdict) =>
  tool !== undefined && (name === 'PreToolUse' || name === 'PermissionRequest') && restricts(decision)

/** @param folder private to the user, created with the first refusal. Default: in memory */
export function openRefusals(folder?: string): Refusals {
  const kept = openSealedStore({
    folder,
    name: 'kept',
    entriesMax: limits.refusalsKeptMax,
    msMax: limits.refusalMsMax,
  })
  const granted = openSealedStore({
    folder,
    name: 'granted',
    entriesMax: limits.grantsMax,
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
    keep(event, decision, rules, call, subject = maskSecrets(subjectOf(event), 'word')) {
      const refusal = refusalOf(event, decision, rules, call, subject)
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

function refusalOf(
  event: HookEvent,
  decision: KeptRefusal['decision'],
  rules: readonly RefusingRule[],
  call: string,
  subject: string,
): KeptRefusal {
  const { tool, session, workspaceRoots } = event
  return {
    version: 1,
    id: newId(),
    atMs: Date.now(),
    agent: event.agent,
    session: session.id,
    event: event.name,
    toolName: shownText(tool?.name ?? ''),
    subject: cutText(visible(subject)),
    project: workspaceRoots[0] ?? session.cwd,
    decision,
    rules: rules.map(shownRule),
    call,
  }
}

/** Returns the command, path or URL of a call. */
export const subjectOf = ({ tool }: HookEvent): string => tool?.command ?? tool?.path ?? tool?.url ?? ''

const shownRule = (rule: RefusingRule): RefusingRule => ({
  ...rule,
  reason: shownText(rule.reason),
  ...(rule.obstacle !== undefined && { obstacle: shownText(rule.obstacle) }),
})

/** Masks secrets before cutting: half a secret would not be recognised as one. */
const shownText = (text: string): string => cutText(printable(maskSecrets(text)))

/** Cuts a text, and says how much of it is left out: nobody should allow what they do not see, unaware of that. */
export function cutText(text: string): string {
  const more = text.length - limits.refusalTextCharactersMax
  return more <= 0 ? text : `${text.slice(0, -more).toWellFormed()}… (${more} more characters)`
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

/** Without `i`, `l`, `o`, `0` and `1`, which look alike. */
const letters = 'abcdefghjkmnpqrstuvwxyz23456789'

const newId = () => Array.from({ length: refusalIdCharacters }, () => letters[randomInt(letters.length)]).join('')
