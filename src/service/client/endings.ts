/**
 * Exit codes of a client, which the hook's file reads: `answered` plus the exit code of the answer. Without an answer:
 * `stoppedBefore` if the agent's stop was refused before, `tooLarge` for an oversized event, else `noAnswer`.
 * `hookgate run --answered` marks its answer in the same way.
 *
 * INVARIANT: a program without an answer never exits with a code of an answer. An empty script exits with 0; a missing
 * or broken program exits with 1, 2, 125 and above, or with an error number. The codes of an answer are error numbers
 * that no system has returned for decades. The other codes only select the text of a refusal.
 * INVARIANT: nor does it exit with `noAnswer`, at which the hook's file goes on refusing the end of a turn. It must not
 * be 126, with which a shell says that the client may not be executed, nor a code of `timeout` (124 to 127).
 */
export const endings = { tooLarge: 117, answered: 118, stoppedBefore: 121, noAnswer: 123 } as const
