import { Preparing } from './lazy.ts'

/** The call of one policy for an event. */
export interface PolicyCall {
  readonly domain: number
  /** Index of the policy in its domain. */
  readonly policy: number
  /** For each declared fact, in order, its index in the request's `values`; -1 for an unavailable fact. */
  readonly facts: readonly number[]
  /** All params of the policy, as JSON. */
  readonly params: string
}

/** The policies that are asked about one event; events of one kind share the object. */
export class PolicyCalls extends Preparing {
  readonly all: readonly PolicyCall[]
  constructor(all: readonly PolicyCall[]) {
    super()
    this.all = all
  }
}
