import { pastLimits } from '../model/past-limits.ts'
import { sha256Of } from '../files/digest.ts'
import { type Json, parseJsonObject } from '../model/json.ts'
import { HookgateError } from '../model/errors.ts'
import type { KeptStep, StateDeclaration, StateScope, Step } from '../model/past.ts'
import { fits } from './condition.ts'
import { type Fold, type FoldedDeclaration, openFold, seenOf, type StateValue } from './fold.ts'
import { reusedIn } from './seen-values.ts'
import { scopeOf, type StepScope, type StepStore } from './store.ts'
import type { DatabaseSource } from './database-tokens.ts'
import { countedTokens, countTokens, countTokensIn, type TokenSource } from './tokens.ts'
import type { TokenCount, UncountedTokens } from '../model/tokens.ts'

/** A state that a rule declares. */
export interface StateRequest {
  /** The rule's id, and the state's name: what a person clears is this one. */
  readonly rule: string
  readonly name: string
  readonly declaration: StateDeclaration
  /** Digest of the code with the policy's own `reduce`: another one folds from the beginning. */
  readonly code: string
}

/** The value of a state for one call. */
export type StateReading =
  | { readonly kind: 'value'; readonly value: StateValue }
  /** A policy's own `reduce` has to fold these steps into this state. */
  | {
      readonly kind: 'pending'
      readonly state: Json
      readonly steps: readonly KeptStep[]
      readonly keep: (state: Json) => void
    }

/** Returns what crosses into the sandbox for a state; `undefined` for none. */
export const sentState = (reading: StateReading): Json | undefined =>
  reading.kind === 'value'
    ? reading.value
    : { state: reading.state, steps: reading.steps.map((step) => parseJsonObject(JSON.stringify(step)) ?? null) }

/** What happened before a call, as rules see it. */
export interface PastView {
  /** The call that is decided. */
  readonly about: Step
  /** The place of the last step that it may have seen. */
  readonly place: number
  readonly read: (request: StateRequest) => StateReading
  /** The tokens that were spent before; absent if no rule asks for them. */
  readonly tokens?: TokenCount | UncountedTokens | undefined
}

/** Words why something cannot count. @param view why the past cannot be read, as far as that is known */
export const uncounted = (who: string, view: PastView | string | undefined): string =>
  typeof view === 'string' ? `${who} failed: ${view}` : `${who} counts what happened before, which cannot be read`

/** Folds in memory: those of some dozens of sessions. */
const foldsMax = 1000

/** Steps after which a fold is kept for other processes: to fold so many takes less than a millisecond. */
const stepsUnsavedMax = 64

/** Times that a call is decided because another process has added a step meanwhile: more than there are processes. */
const decidedMax = 64

type CustomDeclaration = Extract<StateDeclaration, { kind: 'custom' }>

/** A fold, and the last step that it has seen. */
interface Cached {
  fold: Fold | undefined
  /** The state of a policy's own `reduce`. */
  state: Json
  seq: number
  savedSeq: number
}

interface PastOptions {
  /** Steps that a policy's own `reduce` is given at once. */
  readonly reducedAtOnceMax?: number
  /** Nothing is kept: tokens are those that were counted up to the session's latest call. */
  readonly onlyLooks?: boolean
}

/**
 * What happened before, for the gates of one user: `state = fold(reduce, initial, earlier steps of the scope)`. All that
 * is kept in memory can be folded again from the steps.
 */
export class Past {
  readonly #store: StepStore
  readonly #onlyLooks: boolean
  readonly #reducedAtOnceMax: number
  readonly #folds = new Map<string, Cached>()
  /** The keys of folds by their declarations, each with whose it is. */
  readonly #keys = new WeakMap<StateDeclaration, Map<string, string>>()
  /** The decisions that others of the same scope wait for. */
  readonly #turns = new Map<string, Promise<unknown>>()

  constructor(
    store: StepStore,
    { reducedAtOnceMax = pastLimits.stepsReducedAtOnceMax, onlyLooks = false }: PastOptions = {},
  ) {
    this.#store = store
    this.#onlyLooks = onlyLooks
    this.#reducedAtOnceMax = reducedAtOnceMax
  }

  /**
   * Decides a call by what happened before, and adds what becomes of it. Calls of one scope are decided one after the
   * other, in all processes: each sees what became of those before it.
   *
   * @param widest the widest scope that a rule asks about
   * @param judge may be called again, where another process has added a step meanwhile
   * @param texts what the call says, for secrets in it
   * @returns what `judge` returned last
   * @throws HookgateError `unavailable`, and SQLite's errors
   */
  async decide<Judged extends { readonly step: Step | undefined }>(
    about: Step,
    widest: StateScope,
    judge: (view: PastView) => Promise<Judged>,
    texts: readonly string[] = [],
  ): Promise<Judged> {
    const scope = scopeOf(about, widest)
    return this.#inTurn(scope, async () => {
      for (let tries = 0; tries < decidedMax; tries += 1) {
        const head = this.#store.head(scope)
        // oxlint-disable-next-line no-await-in-loop -- tried again only where another process was faster
        const judged = await judge(this.viewFor(about, head, texts))
        const isTold = judged.step === undefined || this.#store.append(judged.step, { scope, head }) !== undefined
        if (isTold) return judged
      }
      throw new HookgateError('unavailable', 'others add to what happened before faster than a call is decided')
    })
  }

  /** Returns what happened before a call. */
  viewFor(about: Step, place = this.#store.head(scopeOf(about, 'user')), texts: readonly string[] = []): PastView {
    const known = new Map<string, readonly KeptStep[]>()
    /** States of one scope have mostly seen the same steps: the others are read once for all of them. */
    const after = (scope: StepScope, seq: number) => {
      const key = `${seq} ${scope.kind}`
      const steps = known.get(key) ?? this.#store.after(scope, seq)
      known.set(key, steps)
      return steps
    }
    return { about, place, read: (request) => this.#read(request, about, texts, after) }
  }

  add(step: Step): void {
    this.#store.append(step)
  }

  /** Returns the latest step of a call. */
  stepOfCall(about: Pick<Step, 'agent' | 'session' | 'workspace'>, call: string): KeptStep | undefined {
    return this.#store.ofCall(scopeOf(about, 'session'), call)
  }

  /**
   * Counts the tokens that were spent before a call.
   *
   * @param source `undefined` if the call's event names no session file
   * @throws Error that says why they cannot be counted
   */
  async countTokens(
    about: Pick<TokenSource, 'agent' | 'session'>,
    source: TokenSource | DatabaseSource | undefined,
    atMs: number,
  ): Promise<TokenCount> {
    if (this.#onlyLooks) return countedTokens(this.#store, about, atMs)
    if (source === undefined) throw new Error('its event names no session file')
    return 'query' in source ? countTokensIn(this.#store, source, atMs) : countTokens(this.#store, source, atMs)
  }

  close(): void {
    this.#store.close()
  }

  async #inTurn<Result>({ kind, id }: StepScope, work: () => Promise<Result>): Promise<Result> {
    const key = `${kind}\n${id}`
    const before = this.#turns.get(key)
    const mine = (before ?? Promise.resolve()).then(work)
    const settled = Promise.allSettled([mine])
    this.#turns.set(key, settled)
    try {
      return await mine
    } finally {
      if (this.#turns.get(key) === settled) this.#turns.delete(key)
    }
  }

  /** Keeps the secrets of an output so that calls with them are recognized, and nothing else of them. */
  keepValues(values: readonly string[], step: Step): void {
    this.#store.keepValues(scopeOf(step, 'session'), values, seenOf(step))
  }

  /** Forgets the secrets that a session has seen. */
  forgetValues(about: Pick<Step, 'agent' | 'session' | 'workspace'>): void {
    this.#store.forgetValues(scopeOf(about, 'session'))
  }

  #read(
    { rule, name, declaration, code }: StateRequest,
    about: Step,
    texts: readonly string[],
    after: StepStore['after'],
  ): StateReading {
    if (declaration.kind === 'reused') {
      const values = this.#store.valuesOf(scopeOf(about, 'session'))
      const found = values && reusedIn(texts, values)
      return { kind: 'value', value: found && (parseJsonObject(JSON.stringify(found)) ?? undefined) }
    }
    const scope = scopeOf(about, declaration.scope ?? 'session')
    const own = declaration.kind === 'custom' ? code : ''
    const key = this.#keyOf(declaration, [rule, name, own, scope.kind, scope.id])
    const cached = this.#cached(key, declaration)
    const all = after(scope, cached.seq)
    const cleared = all.findLast((step) => step.cleared?.rule === rule && step.cleared.state === name)
    // Kept at once: the step that says so may go before the next is kept.
    if (cleared !== undefined)
      Object.assign(cached, begun(declaration, undefined), { seq: cleared.seq, savedSeq: -Infinity })
    const steps = all.filter(({ seq, outcome }) => seq > cached.seq && outcome !== 'cleared')
    if (declaration.kind === 'custom') {
      const { of } = declaration
      const fitting = of === undefined ? steps : steps.filter((step) => fits(step, of))
      const some = fitting.slice(0, this.#reducedAtOnceMax)
      const seenTo = fitting.length > some.length ? some.at(-1)?.seq : steps.at(-1)?.seq
      const keep = (state: Json) => {
        cached.state = state
        cached.seq = seenTo ?? cached.seq
        this.#save(key, cached)
      }
      return { kind: 'pending', state: cached.state, steps: some, keep }
    }
    for (const step of steps) {
      cached.fold?.add(step)
      cached.seq = step.seq
    }
    this.#save(key, cached)
    return { kind: 'value', value: cached.fold?.valueFor(about, about.atMs) }
  }

  /** Returns the key of a fold. Each decision asks for those of the same few declarations. */
  #keyOf(declaration: StateDeclaration, about: readonly string[]): string {
    const keys = this.#keys.get(declaration) ?? new Map<string, string>()
    this.#keys.set(declaration, keys)
    const text = JSON.stringify(about)
    const known = keys.get(text)
    if (known !== undefined) return known
    const [rule, name, ...rest] = about
    const key = sha256Of(JSON.stringify([rule, name, declaration, ...rest]))
    if (keys.size >= foldsMax) keys.clear()
    keys.set(text, key)
    return key
  }

  #cached(key: string, declaration: FoldedDeclaration | CustomDeclaration): Cached {
    const known = this.#folds.get(key)
    this.#folds.delete(key)
    const cached = known ?? this.#begun(key, declaration)
    this.#folds.set(key, cached)
    const [oldest] = this.#folds.keys()
    if (this.#folds.size > foldsMax && oldest !== undefined) {
      this.#keep(oldest)
      this.#folds.delete(oldest)
    }
    return cached
  }

  #begun(key: string, declaration: FoldedDeclaration | CustomDeclaration): Cached {
    const saved = this.#store.savedFold(key)
    const seq = saved?.seq ?? 0
    return { ...begun(declaration, saved?.state), seq, savedSeq: seq }
  }

  #save(key: string, cached: Cached): void {
    if (cached.seq - cached.savedSeq >= stepsUnsavedMax) this.#keep(key)
  }

  #keep(key: string): void {
    const cached = this.#folds.get(key)
    if (cached === undefined) return
    cached.savedSeq = cached.seq
    this.#store.saveFold(key, { seq: cached.seq, state: cached.fold?.saved() ?? cached.state })
  }
}

/** Begins a state, or continues one. */
const begun = (
  declaration: FoldedDeclaration | CustomDeclaration,
  saved: Json | undefined,
): Pick<Cached, 'fold' | 'state'> =>
  declaration.kind === 'custom'
    ? { fold: undefined, state: saved ?? declaration.initial }
    : { fold: openFold(declaration, saved), state: null }
