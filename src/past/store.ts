import type { Json } from '../model/json.ts'
import { pastLimits } from '../model/past-limits.ts'
import type { KeptStep, SeenStep, StateScope, Step } from '../model/past.ts'
import { type KnownValue, newValueKey, seenValue, type ValueStore } from './seen-values.ts'

/** Some steps: those of a session, of a workspace, or all. */
export interface StepScope {
  readonly kind: StateScope
  /** The session with its agent, or the workspace; `''` for the user. */
  readonly id: string
}

/** Returns the steps that count together with one. */
export function scopeOf(
  { agent, session, workspace }: Pick<Step, 'agent' | 'session' | 'workspace'>,
  kind: StateScope,
): StepScope {
  switch (kind) {
    case 'session':
      // Two agents may give their sessions the same id.
      return { kind, id: `${agent}\n${session}` }
    case 'workspace':
      return { kind, id: workspace }
    case 'user':
      return { kind, id: '' }
  }
}

/** A fold as it was after a step. */
export interface SavedFold {
  readonly seq: number
  readonly state: Json
}

/** A session of which steps are kept. */
export interface KeptSession {
  readonly steps: number
  readonly latest: KeptStep
}

/** Keeps steps in the order in which they happened. */
export interface StepStore {
  /** Returns the place of a scope's latest step; 0 if it has none. */
  readonly head: (scope: StepScope) => number
  /**
   * Adds a step.
   *
   * @param after where the caller saw the scope's latest step
   * @returns its place; `undefined` if the scope has got others since, and nothing was added
   */
  readonly append: (step: Step, after?: { readonly scope: StepScope; readonly head: number }) => number | undefined
  /** Returns the steps of a scope behind a place, in order. */
  readonly after: (scope: StepScope, seq: number) => readonly KeptStep[]
  /** Returns the latest step of a call. */
  readonly ofCall: (scope: StepScope, call: string) => KeptStep | undefined
  /** Returns the sessions of which there are steps, the latest first. */
  readonly sessions: () => readonly KeptSession[]
  readonly savedFold: (key: string) => SavedFold | undefined
  /** Returns the states of all kept folds whose keys begin so. */
  readonly foldsUnder: (prefix: string) => readonly Json[]
  /** Keeps a fold, so that the next process begins there. */
  readonly saveFold: (key: string, fold: SavedFold) => void
  /** Returns the secrets that a session has seen; `undefined` if there are none. */
  readonly valuesOf: (session: StepScope) => ValueStore | undefined
  /** Keeps digests of secrets, of which the values are forgotten. @param step whose output has shown them */
  readonly keepValues: (session: StepScope, values: readonly string[], step: SeenStep) => void
  /** Forgets all secrets of a session, and their key. */
  readonly forgetValues: (session: StepScope) => void
  readonly close: () => void
}

/** Folds that are kept in memory when nobody has asked for them for long: those of some hundred sessions. */
const foldsInMemoryMax = 10_000

/** Steps that are kept in memory: some long sessions. */
const stepsInMemoryMax = 20_000

const isIn = (step: Step, scope: StepScope): boolean => scopeOf(step, scope.kind).id === scope.id

/** Sessions whose secrets are known in memory: a gate has a few at a time. */
const sessionsInMemoryMax = 100

interface ValuesInMemory {
  readonly key: string
  readonly digests: Map<string, KnownValue>
  overflow: SeenStep | undefined
  values: number
}

/** Keeps the latest steps in this process. */
export function openMemoryStore(): StepStore {
  const steps: KeptStep[] = []
  const folds = new Map<string, SavedFold>()
  let latest = 0
  const sessions = new Map<string, ValuesInMemory>()
  const head = (scope: StepScope) => steps.findLast((step) => isIn(step, scope))?.seq ?? 0
  return {
    head,
    append(step, after) {
      if (after !== undefined && head(after.scope) !== after.head) return undefined
      latest += 1
      steps.push({ ...step, seq: latest })
      if (steps.length > stepsInMemoryMax) steps.splice(0, stepsInMemoryMax / 2)
      return latest
    },
    after: (scope, seq) => {
      // Nearly always the last one: steps are in order, so the search is from the end.
      const from = steps.findLastIndex((step) => step.seq <= seq) + 1
      return steps.slice(from).filter((step) => isIn(step, scope))
    },
    ofCall: (scope, call) => steps.findLast((step) => step.call === call && isIn(step, scope)),
    sessions: () =>
      [...Map.groupBy(steps, (step) => scopeOf(step, 'session').id).values()]
        .flatMap((own) => own.slice(-1).map((last) => ({ steps: own.length, latest: last })))
        .toSorted((a, b) => b.latest.seq - a.latest.seq),
    savedFold: (key) => folds.get(key),
    foldsUnder: (prefix) => [...folds].flatMap(([key, { state }]) => (key.startsWith(prefix) ? [state] : [])),
    saveFold(key, fold) {
      folds.delete(key)
      folds.set(key, fold)
      const [oldest] = folds.keys()
      if (folds.size > foldsInMemoryMax && oldest !== undefined) folds.delete(oldest)
    },
    valuesOf({ id }) {
      const own = sessions.get(id)
      return own && { key: own.key, overflow: own.overflow, find: (digest) => own.digests.get(digest) }
    },
    keepValues({ id }, values, step) {
      if (values.length === 0) return
      const own = sessions.get(id) ?? { key: newValueKey(), digests: new Map(), overflow: undefined, values: 0 }
      for (const value of values) {
        const { digests } = seenValue(value, own.key)
        if (digests.every((digest) => own.digests.has(digest))) continue
        if ((own.values += 1) > pastLimits.valuesMax) own.overflow ??= step
        else for (const digest of digests) own.digests.set(digest, { id: own.values, windows: digests.length, step })
      }
      sessions.delete(id)
      sessions.set(id, own)
      const [oldest] = sessions.keys()
      if (sessions.size > sessionsInMemoryMax && oldest !== undefined) sessions.delete(oldest)
    },
    forgetValues: ({ id }) => void sessions.delete(id),
    close: () => {},
  }
}

/**
 * Returns the same steps to look at: nothing is added to them, and no fold is kept.
 *
 * @param place up to which step. Default: all, as they come
 */
export const lookedAt = (store: StepStore, place?: number): StepStore => ({
  ...store,
  append: () => 0,
  saveFold: () => {},
  ...(place !== undefined && {
    head: () => place,
    after: (scope, seq) => store.after(scope, seq).filter((step) => step.seq <= place),
    savedFold: () => undefined,
  }),
})
