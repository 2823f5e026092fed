import { z } from 'zod'

/**
 * How a rule can fail to answer. Failures are data: they are counted by the rule's `onFailure`, told in the verdict,
 * and never thrown.
 */
export const FailureCode = z.enum([
  /** It did not finish in its time. */
  'timeout',
  /** It was killed by a signal that was not ours. */
  'signalled',
  /** It exited with a code that is neither success nor an answer. */
  'nonzeroExit',
  /** It failed, and had closed its stdin before it had read the event. */
  'stdinClosed',
  /** Its stdout looks like an answer and is none. */
  'badOutput',
  /** It printed more than `limits.hookOutputBytesMax` and was killed. */
  'outputTooLarge',
  /** Its stdout is not UTF-8. */
  'outputNotUtf8',
  /** Its file or program does not exist. */
  'commandNotFound',
  /** Its file has no execute bit. */
  'notExecutable',
  /** The interpreter that its first line names does not exist. */
  'interpreterMissing',
  /** The operating system refused to start it for another cause. */
  'spawnFailed',
  /** The machine had no room for it: no more processes, files or memory, or others had used up all the time there is. */
  'exhausted',
  /** What ran it died under it. */
  'workerLost',
  /** The caller gave the event up. */
  'cancelled',
  /** It came with a workspace that nobody has trusted; it was not run. */
  'untrusted',
  /** It is written for an event or tool that cannot be put into its agent's words. */
  'notTranslatable',
  /** It threw an error, or what it answered is no answer. */
  'policyThrew',
  /** It was not asked: what the tool call would do could not be told, which is a defect of hookgate's. */
  'factsFailed',
  /** It took more CPU time than `limits.policyCpuMs`, or could only be ended with its process. */
  'policyTimeout',
  /** It took more memory than `limits.policyMemoryMb`, or brought its process down. */
  'policyOutOfMemory',
])
export type FailureCode = z.infer<typeof FailureCode>

export const Failure = z.strictObject({
  code: FailureCode,
  /** One line that a hook's author can act on. */
  message: z.string(),
})
export type Failure = Readonly<z.infer<typeof Failure>>
