import { join } from 'node:path'
import { z } from 'zod'
import type { ApprovalSettings } from '../model/approval.ts'
import { agentNames } from '../agents/registry.ts'
import { managedRulesFile, parseJson } from '../files/parse-json.ts'
import { BundleEntry, type BundleSettings, isAboutRoot } from '../model/bundle-settings.ts'
import { type Disk, isUnreadable } from '../model/disk.ts'
import { authority } from '../model/effect.ts'
import type { Place, Problem } from '../model/errors.ts'
import { type ExportSettings, SecretPlace, wrongUrl } from '../model/export-settings.ts'
import { isJsonObject } from '../model/json.ts'
import { limits } from '../model/limits.ts'
import {
  type RecordEntry,
  type RecordSettings,
  strictestRecord,
  usualRecord,
  withRecordEntry,
} from '../model/record-settings.ts'
import type { RemoteSettings } from '../model/remote.ts'
import type { NamedRemote, Source } from '../model/rule.ts'
import type { RulesPlaces } from './places.ts'

/** The keys with which a user's file could take something from what an administrator counts on. */
export const loosenableKeys = ['selfProtection', 'record'] as const
type LoosenableKey = (typeof loosenableKeys)[number]

/** What a file says about the whole machine. Only managed and user files may. */
export interface MachineKeys {
  /** Switches self-protection on or off. */
  readonly selfProtection?: boolean | undefined
  readonly record?: RecordEntry | undefined
  /** Where the record is sent. */
  readonly export?: ExportSettings | undefined
  /** The gate elsewhere that decides too. */
  readonly remote?: RemoteSettings | undefined
  /** The settings by which hookgate asks a person; absent or `false`: it asks nobody. */
  readonly approvals?: ApprovalsEntry | undefined
  /** The keys with which users may loosen. Only in a managed file. */
  readonly userMaySet?: readonly LoosenableKey[] | undefined
  /** The signed bundle that this machine follows. Only in a managed file. */
  readonly bundle?: BundleSettings | undefined
  /** Whom to ask for an exception. Only in a managed file. */
  readonly contact?: string | undefined
  readonly keyPlaces?: Readonly<Partial<Record<LoosenableKey, Place>>> | undefined
}

/** The keys of one source, whichever stage of loading it is at. */
interface MachineSource extends MachineKeys {
  readonly source: Source
}

/** Settings of the whole machine, from all sources. */
interface MachineSettings<S extends MachineSource> {
  /** The source that switches self-protection off. */
  readonly unprotectedBy: S | undefined
  readonly record: RecordSettings
  readonly export: ExportSettings | undefined
  readonly remote: NamedRemote | undefined
  readonly approvals: ApprovalSettings | undefined
  readonly contact: string | undefined
}

/**
 * Decides the settings of the whole machine.
 *
 * INVARIANT: where there is a managed source of any kind, a user's file only tightens, unless a managed file allows more.
 */
export function machineSettings<S extends MachineSource>(sources: readonly S[]): MachineSettings<S> {
  const [strongest] = byAuthority(sources.filter(({ selfProtection }) => selfProtection !== undefined))
  const isOff = strongest?.selfProtection === false && !(isUsers(strongest) && isTightened('selfProtection', sources))
  return {
    unprotectedBy: isOff ? strongest : undefined,
    record: recordBy(sources),
    // One file decides it as a whole. A user's own export takes nothing from a managed file that has none.
    export: byAuthority(sources).find((one) => one.export !== undefined)?.export,
    // As a whole too: a user's server never replaces that of an administrator.
    remote: byAuthority(sources).flatMap(({ remote, source }) =>
      remote === undefined ? [] : [{ ...remote, namedBy: source.scope }],
    )[0],
    approvals: approvalsBy(byAuthority(sources).flatMap(({ approvals }) => approvals ?? [])),
    contact: sources.find((one) => one.contact !== undefined)?.contact,
  }
}

/** Merges all files key by key. Managed files come last, so that their keys count. */
function recordBy(sources: readonly MachineSource[]): RecordSettings {
  const tighten = isTightened('record', sources)
  return byAuthority(sources)
    .toReversed()
    .reduce((settings, one) => {
      if (one.record === undefined) return settings
      const entered = withRecordEntry(settings, one.record)
      return tighten && isUsers(one) ? strictestRecord(settings, entered) : entered
    }, usualRecord)
}

/** Warns of keys in a user's file that do not count, or only partly, since they would loosen what a managed file sets. */
export function loosenedProblems(sources: readonly MachineSource[]): readonly Problem[] {
  const tightened = loosenableKeys.filter((key) => isTightened(key, sources))
  return sources.filter(isUsers).flatMap((one) =>
    tightened.flatMap((key): readonly Problem[] => {
      const place = one.keyPlaces?.[key]
      if (place === undefined || !loosens(key, one)) return []
      const message = `\`${key}\` does not count here: there is a managed file, and this loosens it`
      const allowing = `\`"userMaySet": ["${key}"]\``
      const remedy = `remove it, or have an administrator put ${allowing} into the managed hooks.json`
      return [{ severity: 'warning', place, message, remedy }]
    }),
  )
}

function loosens(key: LoosenableKey, { selfProtection, record }: MachineKeys): boolean {
  switch (key) {
    case 'selfProtection':
      return selfProtection === false
    case 'record': {
      if (record === undefined) return false
      const entered = withRecordEntry(usualRecord, record)
      const counted = strictestRecord(usualRecord, entered)
      return (['level', 'days', 'megabytes'] as const).some((part) => entered[part] !== counted[part])
    }
  }
}

const isUsers = ({ source }: MachineSource) => source.scope !== 'managed'

/** Returns whether a managed file keeps users from loosening a key. */
export function isTightened(key: LoosenableKey, sources: readonly MachineSource[]): boolean {
  const managed = sources.filter((one) => !isUsers(one))
  return managed.length > 0 && !managed.some(({ userMaySet = [] }) => userMaySet.includes(key))
}

const byAuthority = <S extends MachineSource>(sources: readonly S[]): readonly S[] =>
  sources.toSorted((a, b) => authority[b.source.scope] - authority[a.source.scope])

const text = z.string().min(1).max(limits.exceptionCharactersMax)

/** `approvals` in a rules file. */
export const ApprovalsEntry = z.union([
  z.boolean(),
  z
    .strictObject({
      waitSeconds: z
        .number()
        .min(limits.approvalWaitMsMin / 1000)
        .max(limits.hookTimeoutMsMax / 1000)
        .optional()
        .describe(
          'How long a call waits for a person at most. Default: until a little before its agent stops waiting.',
        ),
      insteadOf: z
        .array(z.enum(agentNames))
        .optional()
        .describe('Agents whose own question is replaced. Default: where an agent can ask by itself, it does.'),
      terminalOnly: z
        .array(text)
        .optional()
        .describe('Rules, such as `secrets/*`, whose questions only a person at this machine may approve.'),
      desktop: z.boolean().optional().describe('true: a notification of the desktop says that a call waits.'),
      via: z.literal('ntfy').optional().describe('A push to a phone, by which a call can be approved and denied too.'),
      url: text.optional().describe('The ntfy server, such as `https://ntfy.sh`. The topic is hookgate’s own.'),
      token: SecretPlace.optional().describe('Where the server’s access token is, if it asks for one.'),
      insecure: z.boolean().optional().describe('Allow `http:` to another machine: everybody on the way can answer.'),
    })
    .superRefine(({ via, url, token, insecure = false }, context) => {
      const issue = (path: string, message: string, remedy: string) =>
        context.addIssue({ code: 'custom', path: [path], message, params: { remedy } })
      if (via === undefined) {
        if (url ?? token) issue('url', '`url` and `token` are those of a channel', 'add `"via": "ntfy"`')
      } else if (url === undefined) issue('via', 'the channel has no `url`', 'add one such as "https://ntfy.sh"')
      else {
        const wrong = wrongUrl(url, insecure, 'https://ntfy.sh')
        if (wrong !== undefined) issue('url', wrong.message, wrong.params.remedy)
      }
    }),
])
export type ApprovalsEntry = z.infer<typeof ApprovalsEntry>

/**
 * Joins what files say about approvals, of which each only tightens the others.
 *
 * @param entries those with more authority first
 *
 * @returns undefined if approvals are off, as they are by default
 */
function approvalsBy(entries: readonly ApprovalsEntry[]): ApprovalSettings | undefined {
  if (entries.length === 0 || entries.includes(false)) return undefined
  const parts = entries.filter((one) => typeof one === 'object')
  const waits = parts.flatMap(({ waitSeconds }) => waitSeconds ?? [])
  return {
    waitMs: waits.length === 0 ? undefined : Math.min(...waits) * 1000,
    insteadOf: unique(parts.flatMap(({ insteadOf = [] }) => insteadOf)),
    terminalOnly: unique(parts.flatMap(({ terminalOnly = [] }) => terminalOnly)),
    desktop: parts.some(({ desktop }) => desktop === true),
    // One file decides it as a whole.
    ntfy: parts.flatMap(({ url, token }) => (url === undefined ? [] : { url, token }))[0],
  }
}

const unique = (list: readonly string[]) => [...new Set(list)]

/** Returns what the managed hooks.json says about a bundle. A file that is wrong is reported where it is loaded. */
export function bundleSettingsIn({ managedFolder, discover }: RulesPlaces, disk: Disk): BundleSettings | undefined {
  const file = join(managedFolder, 'hooks.json')
  if (!discover || disk.see(file) !== 'file') return undefined
  const bytes = disk.read(file, limits.rulesFileBytesMax)
  // Most files name none, and need not be parsed twice.
  if (isUnreadable(bytes) || !new TextDecoder().decode(bytes).includes('"bundle"')) return undefined
  const { value } = parseJson(bytes, file, managedRulesFile)
  return isJsonObject(value) ? BundleEntry.safeParse(value['bundle']).data : undefined
}

/** Says that a machine is without the rules that an administrator ordered, and what a person can do. */
export const missingText = (channel: string, why = 'nothing has been fetched yet') =>
  `the signed rules of the channel ${channel} are not in force: ${why}${isAboutRoot(why) ? '' : '; run `hookgate bundle fetch`'}`
