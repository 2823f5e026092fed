import { pastLimits } from '../model/past-limits.ts'
import type { Json } from '../model/json.ts'
import {
  type BudgetState,
  durationMs,
  type KeptStep,
  type SeenStep,
  type StateDeclaration,
  type StateGroup,
  type Step,
  StepOutcome,
} from '../model/past.ts'
import { fits, isOfMoment } from './condition.ts'
import { z } from 'zod'

/** The value of a state, for the call that is decided. `undefined` is a value: nothing has set the label. */
export type StateValue = Json | undefined

/** One state as it is folded from steps. Its result depends on its declaration and the steps alone. */
export interface Fold {
  readonly add: (step: KeptStep) => void
  /** @param current the call that is decided, by whose groups it is counted @param nowMs the event's time */
  readonly valueFor: (current: Step | undefined, nowMs: number) => StateValue
  /** Returns what `openFold` continues from. */
  readonly saved: () => Json
}

/** The states that are folds here; those of a policy's own `reduce` are folded in the sandbox. */
export type FoldedDeclaration = Exclude<StateDeclaration, { kind: 'custom' | 'reused' }>

/**
 * Begins a fold, or continues one.
 *
 * @param saved what `Fold.saved` returned for an equal declaration; anything else begins anew
 */
export function openFold(declared: FoldedDeclaration, saved?: Json): Fold {
  switch (declared.kind) {
    case 'count':
      return countFold(declared, declared.within, saved)
    case 'budget':
      return budgetFold(declared, saved)
    case 'streak':
      return streakFold(declared, saved)
    case 'since':
      return sinceFold(declared, saved)
    case 'label':
      return seenFold(saved, (seen, step) =>
        declared.clearedBy !== undefined && fits(step, declared.clearedBy)
          ? null
          : (seen ?? (fits(step, declared.of) ? jsonOf(seenOf(step)) : null)),
      )
    case 'last':
      return seenFold(saved, (seen, step) => (fits(step, declared.of) ? jsonOf(seenOf(step)) : seen))
  }
}

type Of<Kind extends StateDeclaration['kind']> = Extract<StateDeclaration, { kind: Kind }>

/** Counts by group. Without a window, a group has one part. */
const SavedGroups = z.array(z.tuple([z.string(), z.array(z.tuple([z.number(), z.number()]))]))

/** How often something happened, by group and part of a window, in the order in which groups were last seen. */
class Counts {
  readonly #groups: Map<string, Map<number, number>>
  readonly #partMs: number | undefined

  constructor(window: string | undefined, saved: Json | undefined) {
    this.#partMs = window === undefined ? undefined : durationMs(window) / pastLimits.stateWindowParts
    const read = SavedGroups.safeParse(saved).data ?? []
    this.#groups = new Map(read.map(([name, parts]) => [name, new Map(parts)]))
  }

  add(name: string, atMs: number): void {
    const parts = this.#groups.get(name) ?? new Map<number, number>()
    const part = this.#partOf(atMs)
    parts.set(part, (parts.get(part) ?? 0) + 1)
    // Steps may come out of order by some ms, never by a whole window.
    for (const old of parts.keys()) if (old <= part - pastLimits.stateWindowParts) parts.delete(old)
    this.#groups.delete(name)
    this.#groups.set(name, parts)
    const [oldest] = this.#groups.keys()
    if (this.#groups.size > pastLimits.stateGroupsMax && oldest !== undefined) this.#groups.delete(oldest)
  }

  clear(name?: string): void {
    if (name === undefined) this.#groups.clear()
    else this.#groups.delete(name)
  }

  of(name: string, nowMs: number): number {
    const oldest = this.#partOf(nowMs) - pastLimits.stateWindowParts
    let sum = 0
    for (const [part, number] of this.#groups.get(name) ?? [])
      if (this.#partMs === undefined || part > oldest) sum += number
    return sum
  }

  saved(): Json {
    return [...this.#groups].map(([name, parts]) => [name, [...parts].map(([part, number]) => [part, number])])
  }

  #partOf(atMs: number): number {
    return this.#partMs === undefined ? 0 : Math.floor(atMs / this.#partMs)
  }
}

const ungrouped: readonly string[] = ['']

/** Returns the groups that a step counts in. */
export function groupsOf({ key, name = '', hosts, agentId = '' }: Step, by: StateGroup | undefined): readonly string[] {
  switch (by) {
    case undefined:
      return ungrouped
    case 'call':
      return [key]
    case 'tool':
      return [name]
    case 'host':
      return hosts
    case 'agent':
      return [agentId]
  }
}

/** Returns the largest count of the groups that a call is in. */
function countFor(counts: Counts, current: Step | undefined, by: StateGroup | undefined, nowMs: number): number {
  const groups = by === undefined ? ungrouped : current === undefined ? [] : groupsOf(current, by)
  return Math.max(0, ...groups.map((group) => counts.of(group, nowMs)))
}

function countFold(
  { of, by, resetBy }: Pick<Of<'count'>, 'of' | 'by' | 'resetBy'>,
  window: string | undefined,
  saved: Json | undefined,
): Fold {
  const counts = new Counts(window, saved)
  return {
    add(step) {
      if (resetBy !== undefined && fits(step, resetBy)) counts.clear()
      if (fits(step, of)) for (const group of groupsOf(step, by)) counts.add(group, step.atMs)
    },
    valueFor: (current, nowMs) => countFor(counts, current, by, nowMs),
    saved: () => counts.saved(),
  }
}

function budgetFold(declared: Of<'budget'>, saved: Json | undefined): Fold {
  const counted = countFold({ of: declared.of, by: declared.by }, declared.window, saved)
  return {
    ...counted,
    valueFor(current, nowMs) {
      const spent = Number(counted.valueFor(current, nowMs))
      const left = Math.max(0, declared.cap - spent)
      return { spent, left, exhausted: left === 0 } satisfies BudgetState
    },
  }
}

function streakFold({ of, by, resetBy }: Of<'streak'>, saved: Json | undefined): Fold {
  const counts = new Counts(undefined, saved)
  return {
    add(step) {
      const isOne = fits(step, of)
      if (resetBy !== undefined && fits(step, resetBy)) counts.clear()
      if (!isOne && isOfMoment(step, of)) for (const group of groupsOf(step, by)) counts.clear(group)
      if (isOne) for (const group of groupsOf(step, by)) counts.add(group, step.atMs)
    },
    valueFor: (current, nowMs) => countFor(counts, current, by, nowMs),
    saved: () => counts.saved(),
  }
}

function sinceFold({ of, resetBy, within }: Of<'since'>, saved: Json | undefined): Fold {
  let atMs = typeof saved === 'number' ? saved : undefined
  return {
    add(step) {
      if (fits(step, resetBy)) atMs = undefined
      if (fits(step, of)) atMs = step.atMs
    },
    valueFor: (_, nowMs) => atMs !== undefined && (within === undefined || nowMs - atMs <= durationMs(within)),
    saved: () => atMs ?? null,
  }
}

export const SavedStep = z.object({
  atMs: z.number(),
  text: z.string(),
  outcome: StepOutcome,
  names: z.array(z.string()),
  hosts: z.array(z.string()),
  paths: z.array(z.string()),
})

function seenFold(saved: Json | undefined, next: (seen: Json, step: KeptStep) => Json): Fold {
  let seen: Json = SavedStep.safeParse(saved).data ?? null
  return {
    add(step) {
      seen = next(seen, step)
    },
    valueFor: () => seen ?? undefined,
    saved: () => seen,
  }
}

export function seenOf({ atMs, text, outcome, impacts, hosts, paths }: Step): SeenStep {
  const names = [...new Set(impacts.flatMap((one) => one.names))]
  return { atMs, text, outcome, names, hosts: [...hosts], paths: paths.map(({ path }) => path) }
}

const jsonOf = (seen: SeenStep): Json => ({
  ...seen,
  names: [...seen.names],
  hosts: [...seen.hosts],
  paths: [...seen.paths],
})
