import { z } from 'zod'
import { limits } from '../model/limits.ts'

/** Entries of the kill switch: each is thrown by hand. */
const bundleSwitchesMax = 50

/** The roles that the root of trust has keys for. */
export const topRoles = ['root', 'targets', 'snapshot', 'timestamp'] as const
export type TopRole = (typeof topRoles)[number]

/** The role of the kill switch, and its only target. */
export const switchRole = 'switch'
export const switchTarget = 'switch.json'

export const channelRole = (channel: string) => `channel-${channel}`
/** The target that every machine of a channel looks at. */
export const newestTarget = (channel: string) => `${channel}/bundle.json.gz`
/** The target of a release that is the one before. */
export const olderTarget = (channel: string, revision: string) => `${channel}/before-${revision}.json.gz`

/** Returns the name by which a server has a target: with its hash, so that old and new ones are there side by side. */
export function servedName(target: string, sha256: string): string {
  const at = target.lastIndexOf('/') + 1
  return `${target.slice(0, at)}${sha256}.${target.slice(at)}`
}

/** The signed facts of a release: `custom` of its target. */
export const Release = z.strictObject({
  name: z.string(),
  revision: z.string(),
  /** The share of machines that it is for, in percent. The others have `previous`. */
  percent: z.int().min(0).max(100),
  /** Another one for each release, so that it is not always the same machines that go first. */
  salt: z.string().min(8),
  /** The target of the release before; absent for the first one. */
  previous: z.string().optional(),
  mode: z.enum(['observe', 'enforce']),
})
export type Release = Readonly<z.infer<typeof Release>>

const hourMs = 3_600_000

/** The signed kill switches. Each loosens, so none holds for long. */
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
