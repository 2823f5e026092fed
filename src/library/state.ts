/**
 * What a policy may count of what happened before. Each function returns a declaration, which is plain data; hookgate
 * folds the earlier steps of the scope by it. Pure, since policies import it inside of their sandbox.
 */
import type { Json } from '../model/json.ts'
import type {
  BudgetState,
  ReusedValue,
  SeenStep,
  StateDeclaration,
  StateKind,
  StateScope,
  Step,
  StepConditions,
} from '../model/past.ts'

type Declared<Kind extends StateKind> = Extract<StateDeclaration, { kind: Kind }>
type StateOptions<Kind extends StateKind> = Omit<Declared<Kind>, 'kind' | 'of'>

/** How many steps there were: `number`. With `by`, those like the call that is decided. */
export const count = (of: StepConditions, options: StateOptions<'count'> = {}): Declared<'count'> => ({
  kind: 'count',
  of,
  ...options,
})
/** How many there were in a row, up to now: `number`. Any other outcome ends the row, and `resetBy` ends all. */
export const streak = (of: StepConditions, options: StateOptions<'streak'> = {}): Declared<'streak'> => ({
  kind: 'streak',
  of,
  ...options,
})
/** Whether one happened after the last step of `resetBy`: `boolean`. */
export const since = (of: StepConditions, options: StateOptions<'since'>): Declared<'since'> => ({
  kind: 'since',
  of,
  ...options,
})
/** The first step that set the label, which stays until `clearedBy`: `SeenStep`, or `undefined`. */
export const label = (of: StepConditions, options: StateOptions<'label'> = {}): Declared<'label'> => ({
  kind: 'label',
  of,
  ...options,
})
/** What is spent and left of `cap` steps: `{ spent, left, exhausted }`. With a `window`, of the latest time only. */
export const budget = (of: StepConditions, options: StateOptions<'budget'>): Declared<'budget'> => ({
  kind: 'budget',
  of,
  ...options,
})
/** The latest step: `SeenStep`, or `undefined`. */
export const last = (of: StepConditions, options: StateOptions<'last'> = {}): Declared<'last'> => ({
  kind: 'last',
  of,
  ...options,
})

/** Whether the call holds a secret that an output of the session has shown: `ReusedValue`, or `undefined`. */
export const reused = (options: StateOptions<'reused'> = {}): Declared<'reused'> => ({ kind: 'reused', ...options })

/** A state of a policy's own making: `reduce` gets the state so far and the next step, and returns the next state. */
export interface CustomState<State extends Json = Json> {
  readonly initial: State
  /** Pure: it sees each step once, in order, and must depend on nothing else. A method, so that each state has its own type. */
  reduce(state: State, step: Step): State
  /** The steps that it sees. Default: all. */
  readonly of?: StepConditions
  readonly scope?: StateScope
  /** Says for people what the state keeps, as in `'a secret was shown'`. */
  readonly description?: string
}

/** Declares a state of a policy's own making, whose type is that of `initial`. */
export const custom = <State extends Json>(declared: CustomState<State>): CustomState<State> => declared

export type DeclaredState = Exclude<StateDeclaration, { kind: 'custom' }> | CustomState
export type StateDeclarations = Readonly<Record<string, DeclaredState>>

interface StateValues {
  count: number
  streak: number
  since: boolean
  label: SeenStep | undefined
  budget: BudgetState
  last: SeenStep | undefined
  reused: ReusedValue | undefined
}

type StateOf<One> = One extends { readonly kind: infer Kind extends keyof StateValues }
  ? StateValues[Kind]
  : One extends { readonly initial: infer State }
    ? State
    : never

/** The values of a policy's states, for the call that is decided. */
export type StatesOf<States> = { readonly [Name in keyof States]: StateOf<States[Name]> }
