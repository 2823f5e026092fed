import type { Place } from '../../../model/errors.ts'
import type { OnFailure } from '../../../model/effect.ts'
import type { EventName } from '../../../model/event.ts'
import { subscribedEvents } from '../../../agents/event-names.ts'
import type { JsonObject } from '../../../model/json.ts'
import type { Condition, Matcher, Source } from '../../../model/rule.ts'
import { parseCondition } from '../../match/condition.ts'
import type { Disk } from '../../../model/disk.ts'
import type { PackUse } from './pack.ts'
import type { Path } from '../../../model/problem.ts'
import { type Reading, refuse } from '../reading.ts'
import type { PolicyHook } from '../wire.ts'
import { policyFile } from './policy-file.ts'

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
  readonly id: string
  /** The event as the file spells it. */
  readonly spelled: string
  readonly events: readonly EventName[]
  readonly triggers: readonly string[] | undefined
  readonly matcher: Matcher
  readonly condition: Condition | undefined
  readonly params: JsonObject
  readonly onFailure: OnFailure | undefined
  /** Returns the position of a part of the hook. */
  place(part: Path, of: 'key' | 'value'): Place
}

/** A hook's position in a rules file, and the settings of its group. */
export interface Standing {
  readonly id: string
  readonly spelled: string
  readonly matcher: Matcher
  readonly path: Path
  readonly isRefused: boolean
}

/**
 * Reads a policy hook.
 *
 * @returns nothing if the hook is refused, which is reported
 */
export function bindingOf(
  reading: Reading,
  { id, spelled, matcher, path, isRefused }: Standing,
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
        spelled,
        events,
        triggers,
        matcher,
        condition,
        params: hook.params ?? {},
        onFailure: hook.onFailure,
        place: (part, of) => reading.parsed.place([...path, ...part], of),
      },
    },
  ]
}
