/** Limits on what is kept of what happened before, and on what rules may count of it. Each with its reason, as in `limits.ts`. */
export const pastLimits = {
  /** Largest count that a rule may wait for: a session has some thousands of calls. */
  stateCountMax: 1_000_000,
  /** States of one policy. Each is a fold over every step of its scope. Attack: `past-flood`. */
  statesMax: 16,
  /** Groups that one state counts separately; of more, the one that was not seen for longest begins anew. Attack: `past-flood`. */
  stateGroupsMax: 200,
  /** Parts that the time of a count is divided into: a count is exact to one of them. */
  stateWindowParts: 60,
  /** Steps that are kept, of all sessions together, some 100 MB: months of a busy person. */
  stepsKeptMax: 200_000,
  /** Steps that a policy's own `reduce` folds in one evaluation: some 100 KB of JSON. */
  stepsReducedAtOnceMax: 200,
  /** Bytes of session files that are read for one decision, hours of work; the next call reads on. Test: `token-limits`. */
  tokenBytesMax: 16 * 1024 * 1024,
  /** Messages of a session whose tokens are summed for one decision, the latest: some weeks, in tens of milliseconds. */
  tokenMessagesMax: 20_000,
  /** Times that one entry of an example's `before` may stand for. */
  exampleTimesMax: 1000,
  /** JSON of a state of a policy's own `reduce`, in UTF-16 units: a few counters and names. Attack: `past-flood`. */
  stateCharactersMax: 8192,
  /** Commands, impacts, paths and hosts of one step, each: more than all but generated commands have. Attack: `past-flood`. */
  stepEntriesMax: 24,
  /** A name, path or host of a step, in UTF-16 units. */
  stepTextCharactersMax: 200,
  /** An output that is looked through for secrets, in UTF-16 units: agents cut theirs far earlier. Attack: `seen-values`. */
  outputCharactersMax: 1_000_000,
  /** Secrets of a session. With more, every call that sends is asked about. Attack: `seen-values`. */
  valuesMax: 1000,
  /** How long values are known, if nobody says that the session has ended. */
  valuesAgeMs: 7 * 86_400_000,
  /** Windows of a call that are looked up, and characters of it with all decoded forms: a second of work. Attack: `seen-values`. */
  windowsLookedUpMax: 100_000,
  decodedCharactersMax: 4_000_000,
} as const
