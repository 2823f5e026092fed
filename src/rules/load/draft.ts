import { basename, dirname, resolve } from 'node:path'
import { subscribedEvents } from '../../agents/registry.ts'
import { type Disk, isUnreadable } from '../../model/disk.ts'
import type { OnFailure, RuleMode } from '../../model/effect.ts'
import { type JsonPath, type Place, type Problem, type Refusal, refused } from '../../model/errors.ts'
import type { EventName } from '../../model/event.ts'
import type { Exception } from '../../model/exception.ts'
import type { JsonObject } from '../../model/json.ts'
import type { Condition, Matcher, Rule, Source } from '../../model/rule.ts'
import type { MachineKeys } from '../machine-settings.ts'
import { refuse, type RulesFileState } from './reading.ts'
import type { ApprovingKeys, PolicyHook } from './wire.ts'
import { parseCondition } from '../match/condition.ts'
import { isModuleName, shippedPolicies, shippedPolicy } from '../../files/policy-files.ts'
import { isReallyWithin } from '../../files/real-path.ts'
import type { PolicyFile } from '../../model/policy-loading.ts'
import { didYouMean } from '../../words/suggest.ts'
import { quoted } from '../../model/text.ts'
import { notShipped } from './pack.ts'

/** The rules of one file or folder. They count as trusted until `trust.ts` has checked them. */
export interface LoadedRules extends MachineKeys {
  readonly source: Source
  readonly rules: readonly Rule[]
  readonly problems: readonly Problem[]
  readonly notes: readonly string[]
  /** Ids of the hooks that are left out because they only call hookgate itself. */
  readonly asking: readonly string[]
  readonly disableAllHooks: boolean
  /** The preset that the file turns on. */
  readonly preset: string | undefined
  /** Rules of packs that the file leaves out, such as `git-safety/force-push`. */
  readonly disabled: readonly { readonly rule: string; readonly place: Place }[]
  readonly exceptions: readonly Exception[]
  /** The position of each rule, by its id. */
  readonly places: ReadonlyMap<string, Place>
}

/** The content of one file or folder before its policies are loaded. */
export interface RulesDraft extends Omit<LoadedRules, 'rules'> {
  /** In the order in which they are written. */
  readonly entries: readonly (Rule | PolicyBinding)[]
  /** The files of all rules of the packs turned on, including disabled ones. */
  readonly claimed: readonly string[]
}

export const isRule = (entry: Rule | PolicyBinding): entry is Rule => !isBinding(entry)
export const isBinding = (entry: Rule | PolicyBinding): entry is PolicyBinding => 'folder' in entry

/** A policy that a rules file or a folder binds, before it is compiled. */
export interface PolicyBinding {
  readonly source: Source
  /** The policy's own file, absolute. */
  readonly file: string
  /** The folder that its imports must stay below. */
  readonly folder: string
  /** The pack that the policy belongs to. */
  readonly pack: PackUse | undefined
  /** The hook of a rules file that binds it; `undefined` if it is bound by its own definition. */
  readonly written: WrittenBinding | undefined
  /** Whether the hook is invalid: the policy is then loaded only to be checked, and no rule is made of it. */
  readonly isRefused: boolean
}

export interface WrittenBinding {
  /** The id of its rule; if it is not named, the position in the file, which only stands in for the policy's own id. */
  readonly id: string
  readonly isNamed: boolean
  /** The event as the file spells it. */
  readonly spelled: string
  readonly events: readonly EventName[]
  readonly triggers: readonly string[] | undefined
  readonly matcher: Matcher
  readonly condition: Condition | undefined
  readonly params: JsonObject
  readonly onFailure: OnFailure | undefined
  readonly mode: RuleMode
  readonly approving: ApprovingKeys
  /** Returns the position of a part of the hook. */
  place(part: JsonPath, of: 'key' | 'value'): Place
}

/** A hook's position in a rules file, and the settings of its group. */
export interface HookPosition {
  /** The id of its rule. */
  readonly id: string
  /** Whether the id is the hook's own, and not its position. */
  readonly isNamed: boolean
  readonly spelled: string
  readonly matcher: Matcher
  readonly path: JsonPath
  readonly isRefused: boolean
  /** The sequence that it belongs to. */
  readonly sequence: string | undefined
}

/**
 * Reads a policy hook.
 *
 * @returns nothing if the hook is refused, which is reported
 */
export function bindingOf(
  reading: RulesFileState,
  { id, isNamed, spelled, matcher, path, isRefused }: HookPosition,
  hook: PolicyHook,
  disk: Disk,
): readonly PolicyBinding[] {
  const subscribed = subscribedEvents('claude-code', spelled) ?? subscribedEvents('cline', spelled)
  if (subscribed === undefined) return []
  const { source, home } = reading
  const { events, triggers } = subscribed
  const condition = hook.if === undefined ? undefined : parseCondition(hook.if, events, home)
  const found = policyFile(hook.policy, source, disk)
  if ('kind' in found) refuse(reading, found, [...path, 'policy'])
  if (condition !== undefined && 'kind' in condition) refuse(reading, condition, [...path, 'if'])
  if ('kind' in found || (condition !== undefined && 'kind' in condition)) return []
  return [
    {
      source,
      file: found.file,
      folder: found.folder,
      pack: undefined,
      isRefused,
      written: {
        id,
        isNamed,
        spelled,
        events,
        triggers,
        matcher,
        condition,
        params: hook.params ?? {},
        onFailure: hook.onFailure,
        mode: hook.mode ?? reading.mode,
        approving: hook,
        place: (part, of) => reading.parsed.place([...path, ...part], of),
      },
    },
  ]
}

/** Returns the id of the rule of a hook that has a name. */
export const hookRuleId = (source: Pick<Source, 'id'>, name: string): string => `${source.id}/${name}`

/** Returns the id of a pack's rule, from the name of its file. */
export const idOf = (file: string) => basename(file).replace(/(?:\.draft)?\.policy\.m?[jt]s$/, '')

/** A pack that is turned on, with its settings. Its rules apply to the events that they declare themselves. */
export interface PackUse {
  readonly name: string
  /** The prefix of its rules' ids: `user:hooks.json/git-safety/`. */
  readonly prefix: string
  /** Params for every rule that declares them. */
  readonly params: JsonObject
  readonly onFailure: OnFailure | undefined
  readonly mode: RuleMode
  readonly approving: ApprovingKeys
  /** Returns the position of a part of the entry that turns the pack on. */
  place(part: JsonPath, of: 'key' | 'value'): Place
}

const shippedPrefix = 'hookgate/'

/** Resolves `policy` of a rules file: `hookgate/<name>`, or a path relative to the file. */
function policyFile(text: string, source: Source, disk: Disk): PolicyFile | Refusal {
  if (text.startsWith(shippedPrefix)) return builtIn(text, disk)
  const file = resolve(dirname(source.file), text)
  const { workspaceRoot } = source
  // Any message about the file would disclose something of a file of the user's.
  if (workspaceRoot !== undefined && !isReallyWithin(file, workspaceRoot)) {
    return refused(`the policy ${quoted(text)} is outside the workspace`, 'copy it into the workspace')
  }
  const seen = disk.see(file)
  if (seen === 'absent') return refused(`there is no policy at ${quoted(text)}`, nearName(text, file, disk))
  if (seen === 'folder') return refused(`${quoted(text)} is a folder`, 'name the file of one policy')
  if (isUnreadable(seen)) return refused(`the policy ${quoted(text)} cannot be read: ${seen.why}`, 'fix it')
  if (!isModuleName(file)) {
    return refused(`${quoted(text)} is not named like a policy`, 'name a file such as `./no-force-push.policy.ts`')
  }
  return { file, folder: dirname(file) }
}

function builtIn(text: string, disk: Disk): PolicyFile | Refusal {
  const name = text.slice(shippedPrefix.length)
  const known = shippedPolicies()
  if (!known.includes(name)) {
    const list = known.map((one) => `\`${shippedPrefix}${one}\``)
    const remedy = didYouMean(name, known) ?? `there are ${list.join(', ')}`
    return notShipped(`hookgate has no built-in policy ${quoted(text)}`, remedy)
  }
  const shipped = shippedPolicy(name)
  disk.see(shipped.file)
  return shipped
}

function nearName(text: string, file: string, disk: Disk): string | undefined {
  const names = disk.names(dirname(file)).filter(isModuleName)
  const near = didYouMean(basename(file), names)
  return near ?? (text.startsWith('.') ? undefined : `write \`./${text}\` for a file beside this one`)
}
