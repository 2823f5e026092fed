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

/** A policy that a rules file or a folder puts in force, before it is compiled. */
export interface PolicyBinding {
  readonly source: Source
  /** The policy's own. Absolute. */
  readonly file: string
  /** What it imports has to stay below. */
  readonly folder: string
  /** The pack that it is a rule of. */
  readonly pack: PackUse | undefined
  /** What a rules file says of it alone; `undefined` for one that is bound as it says itself. */
  readonly written: WrittenBinding | undefined
  /** It is loaded to be looked at, and no rule is made of it: what the rules file says of it is wrong. */
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
  /** Where a part of the hook stands. */
  place(part: Path, of: 'key' | 'value'): Place
}

/** Where a hook stands in a rules file, and what its group says. */
export interface Standing {
  readonly id: string
  readonly spelled: string
  readonly matcher: Matcher
  readonly path: Path
  readonly isRefused: boolean
}

/** @returns nothing where it is refused, which is told */
export function bindingOf(
  reading: Reading,
  { id, spelled, matcher, path, isRefused }: Standing,
  hook: PolicyHook,
  disk: Disk,
): readonly PolicyBinding[] {
  const heard = subscribedEvents('claude-code', spelled) ?? subscribedEvents('cline', spelled)
  if (heard === undefined) return []
  const { source, home } = reading
  const { events, triggers } = heard
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
