import { z } from 'zod'
import { type ErrorCode, HookgateError } from '../model/errors.ts'
import { limits } from '../model/limits.ts'

/** Entries of the kill switch. A person makes each by hand. */
const bundleSwitchesMax = 50

/** The roles that the root of trust has keys for. */
export const topRoles = ['root', 'targets', 'snapshot', 'timestamp'] as const
export type TopRole = (typeof topRoles)[number]

/** The role of the kill switch, and its only target. */
export const switchRole = 'switch'
export const switchTarget = 'switch.json'

export const channelRole = (channel: string) => `channel-${channel}`
/** Returns the target of a channel's newest release, which every machine of the channel reads. */
export const newestTarget = (channel: string) => `${channel}/bundle.json.gz`
/** Returns the target of a channel's previous release. */
export const olderTarget = (channel: string, revision: string) => `${channel}/before-${revision}.json.gz`

/** Returns the name of a target's file on a server. It contains the hash, so that old and new files exist side by side. */
export function servedName(target: string, sha256: string): string {
  const at = target.lastIndexOf('/') + 1
  return `${target.slice(0, at)}${sha256}.${target.slice(at)}`
}

/** The signed facts of a release: `custom` of its target. */
export const Release = z.strictObject({
  name: z.string(),
  revision: z.string(),
  /** The share of machines that get this release, in percent. The others have `previous`. */
  percent: z.int().min(0).max(100),
  /** Differs from release to release, so that not always the same machines are the first to get one. */
  salt: z.string().min(8),
  /** The target of the release before; absent for the first one. */
  previous: z.string().optional(),
  mode: z.enum(['observe', 'enforce']),
})
export type Release = Readonly<z.infer<typeof Release>>

const hourMs = 3_600_000

/** The signed kill switches. Each loosens rules, so its time is limited. */
export const Switches = z.strictObject({
  switches: z
    .array(
      z
        .strictObject({
          channel: z.string(),
          /** `observe`: the rule or, without one, the bundle only observes. `previous`: the release before is in force. */
          action: z.discriminatedUnion('kind', [
            z.strictObject({ kind: z.literal('observe'), rule: z.string().optional() }),
            z.strictObject({ kind: z.literal('previous') }),
          ]),
          /** Seconds since the epoch: canonical JSON has whole numbers only. */
          from: z.int(),
          until: z.int(),
          reason: z.string().max(500),
        })
        .refine(({ from, until }) => until > from && (until - from) * 1000 <= limits.bundleSwitchHoursMax * hourMs, {
          error: `holds for longer than ${limits.bundleSwitchHoursMax} hours`,
        }),
    )
    .max(bundleSwitchesMax),
})
export type Switches = Readonly<z.infer<typeof Switches>>
export type Switch = Switches['switches'][number]

/** Creates an error about a bundle, its keys or its repository. */
export function bundleError(code: ErrorCode, message: string, remedy: string, file?: string): HookgateError {
  return new HookgateError(code, message, { remedy, ...(file !== undefined && { place: { file } }) })
}
