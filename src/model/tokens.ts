/** What a record of an agent's session file says was spent. */
export interface TokenUse {
  /** Without those that the provider has read from its cache. */
  readonly tokens: number
  /** The message that it is about: of several records of one message, the one that says most counts. */
  readonly id?: string | undefined
  /** Set if `tokens` are all of the session until then. */
  readonly isTotal?: true
  /** Ms since the epoch; `undefined` if the record does not say. */
  readonly atMs: number | undefined
}

/** How many tokens were spent before a call. */
export interface TokenCount {
  /** By the session with its sub-agents. */
  readonly session: number
  /** By all sessions of the user in the 24 hours before, exact to an hour. */
  readonly day: number
}

/** Why the tokens before a call are not known. `isNeverSaid`: the agent keeps no session file that says them. */
export interface UncountedTokens {
  readonly why: string
  readonly isNeverSaid: boolean
}
