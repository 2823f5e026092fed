import { z } from 'zod'
import { HeaderValue, wrongHeaders, wrongUrl } from './export-settings.ts'
import { limits } from './limits.ts'

/** The shortest interval that can be configured. */
const bundlePollSecondsMin = 5

/** The name of a channel, which is also the name of a folder and of a role that signs. */
export const ChannelName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,39}$/, { error: 'must be lower-case letters, digits and `-`, at most 40' })

/** The file with the pinned root of trust, beside the managed hooks.json. */
export const pinnedRootName = 'root.json'

/** Says that no signature counts on a machine, and what an administrator can do; no look at the server helps. */
export const pinnedRootMissing = `the pinned root is missing; put the team’s \`1.root.json\` beside the managed hooks.json, as \`${pinnedRootName}\``
export const pinnedRootDamaged = pinnedRootMissing.replace('missing', 'damaged')

/** Returns whether the pinned root is what is wrong, so that no look at the server helps. */
export const isAboutRoot = (why: string | undefined) => why === pinnedRootMissing || why === pinnedRootDamaged

/** `bundle` in the managed hooks.json: where this machine's signed rules come from. */
export const BundleEntry = z
  .strictObject({
    url: z.string().describe('The URL of the folder that `hookgate bundle publish` writes, on any static server.'),
    channel: ChannelName.describe('The channel that this machine follows.'),
    root: z
      .string()
      .regex(/^[\w.-]+\.json$/, { error: 'must be the name of a JSON file beside this one' })
      .optional()
      .describe('The pinned root of trust, a file beside this one. Default: `root.json`.'),
    poll: z
      .int()
      .min(bundlePollSecondsMin)
      .max(86_400)
      .optional()
      .describe(`Seconds between two looks at the server. Default: ${limits.bundlePollSeconds}.`),
    onStale: z
      .enum(['continue', 'ask', 'block'])
      .optional()
      .describe('What becomes of calls once the rules are stale for `staleDays`. Default: `continue`.'),
    onMissing: z
      .enum(['continue', 'ask', 'block'])
      .optional()
      .describe('What becomes of calls while no signed rules were ever fetched. Default: what `onStale` says.'),
    staleDays: z
      .int()
      .min(0)
      .max(365)
      .optional()
      .describe(`Days for which stale rules count like fresh ones. Default: ${limits.bundleStaleDays}.`),
    insecure: z.boolean().optional().describe('Allow `http:` to another machine. The rules are signed all the same.'),
    headers: z.record(z.string(), HeaderValue).optional().describe('Headers of every request, such as a token.'),
  })
  .superRefine(({ url, insecure = false, headers = {} }, context) => {
    const wrong = wrongUrl(url, insecure)
    if (wrong !== undefined) context.addIssue({ code: 'custom', path: ['url'], ...wrong })
    for (const wrongName of wrongHeaders(headers)) context.addIssue({ code: 'custom', ...wrongName })
  })
export type BundleSettings = Readonly<z.infer<typeof BundleEntry>>

/** The state of a channel's rules on this machine. */
type BundleFreshness =
  /** Verified, and the server's word on it has not expired. */
  | 'fresh'
  /** Verified, but nothing newer has come for longer than the server's word holds. Still in force. */
  | 'stale'
  /** Nothing verified is kept. */
  | 'missing'

/** The bundle that a set of rules was read with. */
export interface BundleState {
  readonly channel: string
  readonly freshness: BundleFreshness
  /** Why nothing is in force, or what is kept is not; for a person. */
  readonly problem?: string
  /** Absent if no release is meant for this machine. */
  readonly release?: {
    readonly name: string
    readonly revision: string
    readonly mode: 'observe' | 'enforce'
    /** True if this machine has the newest release, and not the one before. */
    readonly isNewest: boolean
  }
  /** When the server's word expires, ms since the epoch. */
  readonly freshUntilMs?: number
  /** A sentence for each kill switch that holds. */
  readonly switched: readonly string[]
}

/** The bundle that a set of rules follows, and its state. */
export interface BundleInForce {
  readonly settings: BundleSettings
  /** The text of the pinned root; `undefined` if there is none. */
  readonly pinned: string | undefined
  readonly state: BundleState
}
