/**
 * Every limit of the gate, each with its reason. A limit without a number here does not exist, and each number has a
 * test that reaches it.
 */
export const limits = {
  /** An event on stdin. Tool inputs carry whole files; 16 MiB is far above the largest file an agent writes in one call. */
  eventBytesMax: 16 * 1024 * 1024,
  /** One hook's stdout, and one hook's stderr. An answer is a few kilobytes; a megabyte is a hook gone wrong. */
  hookOutputBytesMax: 1024 * 1024,
  /** The contexts of all rules of one event, together, in bytes of UTF-8. Cline's published limit of 50 KB. */
  contextBytesMax: 51_200,
  /** How long a hook may run when neither it nor the caller says otherwise: Cline's constant. */
  hookTimeoutMs: 30_000,
  /** The longest timeout that can be asked for: a day, far below the 2^31 ms at which Node's timers wrap to 1 ms. */
  hookTimeoutMsMax: 86_400_000,
  /** From SIGTERM to SIGKILL, and from a hook's exit to the end of waiting for its stdout. Claude Code's own figure. */
  graceMs: 500,
  /** Steps that looking for JSON objects in a hook's stdout may take, for each character of it. Linear work is 1 to 3. */
  jsonScanStepsPerCharacter: 16,
  /** How old the gate's knowledge of its rules files may be, so that an event nothing matches costs no file access. */
  rulesFreshMs: 100,
  /** A rules file. The largest published ones are some tens of kilobytes. */
  rulesFileBytesMax: 1024 * 1024,
  /** A matcher's pattern: longer ones are generated, and better written as several groups. */
  matcherCharactersMax: 4096,
  /** One reason or notice, in UTF-16 units: what a person or a model can still read. */
  reasonCharactersMax: 25_000,
} as const
