import type { KnownAgent } from '../agents/registry.ts'
import { openRefusals } from '../files/state/refusals.ts'
import { disable, type InstallContext } from '../install/index.ts'
import { HookgateError } from '../model/errors.ts'
import type { FileChanges } from '../model/file-changes.ts'
import { shellWord } from '../model/text.ts'
import { changesBy, enableAgent, noPreset } from './agents.ts'
import {
  carryOutAllowance,
  carryOutRemoval,
  type Extent,
  whyNotLiftable,
  planAllowance,
  planRemoval,
  findRefusal,
} from './allow.ts'
import { turnApprovals } from './user-rules-file.ts'
import { changePacks, type PacksChange } from './packs/change-packs.ts'
import { revokeFolder, trustFolder } from './trust.ts'

/** Something that a person changes of the rules, or of what applies them. */
export type SettingsChange =
  | PacksChange
  /** `id` is that of a refusal. */
  | { readonly kind: 'allow'; readonly id: string; readonly extent: Extent; readonly reason: string | undefined }
  /** `key` is that of an exception, or the id of a refusal that was allowed for a while. */
  | { readonly kind: 'removeException'; readonly key: string }
  | { readonly kind: 'approvals'; readonly to: 'on' | 'off' }
  | { readonly kind: 'trust' | 'revokeTrust'; readonly folder: string }
  | {
      readonly kind: 'enable'
      readonly agent: KnownAgent
      readonly preset: string | undefined
      readonly via: 'http' | 'command' | undefined
    }
  | { readonly kind: 'disable'; readonly agent: KnownAgent }

/** Makes a change; in a dry run, only says what it would do. @throws HookgateError if it cannot be made */
export async function makeChange(
  change: SettingsChange,
  context: InstallContext,
  isDry: boolean,
): Promise<FileChanges> {
  switch (change.kind) {
    case 'preset':
    case 'pack':
    case 'rule':
      return changePacks(change, context, isDry)
    case 'allow': {
      const refusals = openRefusals(context.places.refusals)
      const refusal = findRefusal(refusals, change.id, () => '`hookgate allow` lists those that are kept')
      const obstacle = whyNotLiftable(refusal)
      if (obstacle !== undefined) throw new HookgateError('usage', obstacle)
      const { extent, reason } = change
      return carryOutAllowance(planAllowance({ refusal, extent, reason }, context), refusals, isDry)
    }
    case 'removeException': {
      const refusals = openRefusals(context.places.refusals)
      return carryOutRemoval(planRemoval(change.key, refusals, context), refusals, isDry)
    }
    case 'approvals':
      return turnApprovals(change.to, context, isDry)
    case 'trust':
      return (await trustFolder(change.folder, context, isDry)).changes
    case 'revokeTrust':
      return (await revokeFolder(change.folder, context, isDry)).changes
    case 'enable': {
      const { agent, preset, via } = change
      const { done } = await enableAgent(agent, { ...context, via, dryRun: isDry }, preset)
      return changesBy(done, isDry)
    }
    case 'disable':
      return changesBy(await disable(change.agent, { ...context, dryRun: isDry }), isDry)
  }
}

/** Returns the change that undoes what another does outside of the person's own files; `undefined` if it does nothing there. */
export function oppositeOf(change: SettingsChange): SettingsChange | undefined {
  switch (change.kind) {
    case 'enable':
      return { kind: 'disable', agent: change.agent }
    case 'disable':
      // `disable` has left the person's rules as they are, so no preset is turned on again.
      return { kind: 'enable', agent: change.agent, preset: noPreset, via: undefined }
    case 'allow':
      return isKept(change.extent) ? { kind: 'removeException', key: change.id } : undefined
    case 'preset':
    case 'pack':
    case 'rule':
    case 'removeException':
    case 'approvals':
    case 'trust':
    case 'revokeTrust':
      return undefined
  }
}

/** Returns true for a permission that becomes a grant, not an exception in a file that a person reads. */
export const isKept = ({ kind }: Extent): boolean => kind !== 'until' && kind !== 'always'

/** Returns the words of the command that makes a change. A person reads or types them; no program does. */
export function wordsOf(change: SettingsChange): readonly string[] {
  switch (change.kind) {
    case 'preset':
      return ['packs', change.preset, ...flag(change.turn), ...flag(change.mode)]
    case 'pack':
      return [
        'packs',
        change.pack,
        ...flag(change.turn),
        ...flag(change.mode),
        ...Object.entries(change.params).map(([name, value]) => `--param=${name}=${JSON.stringify(value)}`),
        ...change.unset.map((name) => `--unset=${name}`),
      ]
    case 'rule':
      return ['packs', `${change.pack}/${change.rule}`, `--${change.turn}`]
    case 'allow':
      return ['allow', change.id, extentWord(change.extent), ...valued('reason', change.reason)]
    case 'removeException':
      return ['allow', `--remove=${change.key}`]
    case 'approvals':
      return ['approvals', change.to]
    case 'trust':
      return ['trust', change.folder]
    case 'revokeTrust':
      return ['trust', '--revoke', change.folder]
    case 'enable':
      return ['enable', change.agent, ...valued('preset', change.preset), ...valued('via', change.via)]
    case 'disable':
      return ['disable', change.agent]
  }
}

const flag = (name: string | undefined) => (name === undefined ? [] : [`--${name}`])
const valued = (name: string, value: string | undefined) => (value === undefined ? [] : [`--${name}=${value}`])

function extentWord(extent: Extent): string {
  switch (extent.kind) {
    case 'once':
    case 'session':
    case 'always':
      return `--${extent.kind}`
    case 'times':
      return `--times=${extent.times}`
    case 'for':
      return `--for=${Math.ceil(extent.ms / 1000)}s`
    case 'until':
      return `--until=${extent.day}`
  }
}

/** Formats a command line as a person types it. */
export const byHand = (words: readonly string[]): string => ['hookgate', ...words].map(shellWord).join(' ')
