import { z } from 'zod'

/**
 * Ways in which a rule can fail to answer. Failures are data: they are handled according to the rule's `onFailure`,
 * reported in the verdict, and never thrown.
 */
export const FailureCode = z.enum([
  /** It did not finish before its timeout. */
  'timeout',
  /** It was killed by a signal that hookgate did not send. */
  'signalled',
  /** It exited with a code that means neither success nor an answer. */
  'nonzeroExit',
  /** It failed after closing its stdin without reading the whole event. */
  'stdinClosed',
  /** Its stdout looks like an answer but is not a valid one. */
  'badOutput',
  /** It printed more than `limits.hookOutputBytesMax` and was killed. */
  'outputTooLarge',
  /** The same, by a hook that has decided before: a decision may stand in what was not read. */
  'decisionLost',
  /** Its stdout is not UTF-8. */
  'outputNotUtf8',
  /** Its file or program does not exist. */
  'commandNotFound',
  /** Its file has no execute bit. */
  'notExecutable',
  /** The interpreter that its first line names does not exist. */
  'interpreterMissing',
  /** The operating system refused to start it for another reason. */
  'spawnFailed',
  /** A resource was exhausted: processes, open files, memory, or a budget shared with other rules. */
  'exhausted',
  /** The worker or process that ran it died. */
  'workerLost',
  /** The caller cancelled the event. */
  'cancelled',
  /** It belongs to an untrusted workspace and was not run. */
  'untrusted',
  /** The event or tool can't be expressed in the protocol of the hook's agent. */
  'notTranslatable',
  /** It rewrites a call that another rule has rewritten, or makes a call of it that cannot be judged. */
  'rewriteRefused',
  /** It is a hook of a kind that hookgate does not run. */
  'unsupported',
  /** It threw an error or returned an invalid answer. */
  'policyThrew',
  /** It was not evaluated: the facts of the tool call could not be determined, which is a defect of hookgate. */
  'factsFailed',
  /** It was not evaluated: what happened before, which it declares as its state, could not be read. */
  'pastUnreadable',
  /** It used more CPU time than `limits.policyCpuMs`, or had to be killed together with its process. */
  'policyTimeout',
  /** It used more memory than `limits.policyMemoryMb`, or crashed its process. */
  'policyOutOfMemory',
  /** The server that decides did not answer, or is not asked for now because it did not before. */
  'unreachable',
])
export type FailureCode = z.infer<typeof FailureCode>

/**
 * Whose failure it is. `rule`: the rule's own. `costly`: the rule's own, and other rules paid for it with time or with
 * their sandbox. `lost`: what ran the rule is gone, or the caller is. `noFacts`: the call could not be understood.
 * `notStarted`: the system did not start it.
 */
type FailureClass = 'rule' | 'costly' | 'lost' | 'noFacts' | 'notStarted'

const failureClasses: Readonly<Record<FailureCode, FailureClass>> = {
  timeout: 'rule',
  signalled: 'rule',
  nonzeroExit: 'rule',
  stdinClosed: 'rule',
  badOutput: 'costly',
  outputTooLarge: 'rule',
  decisionLost: 'rule',
  outputNotUtf8: 'rule',
  commandNotFound: 'rule',
  notExecutable: 'rule',
  interpreterMissing: 'rule',
  spawnFailed: 'notStarted',
  exhausted: 'lost',
  workerLost: 'lost',
  cancelled: 'lost',
  untrusted: 'rule',
  notTranslatable: 'rule',
  rewriteRefused: 'rule',
  unsupported: 'rule',
  policyThrew: 'rule',
  factsFailed: 'noFacts',
  pastUnreadable: 'rule',
  policyTimeout: 'costly',
  policyOutOfMemory: 'costly',
  unreachable: 'rule',
}

/**
 * Returns true for a failure that is not the rule's: it had no chance to answer. Its opinion is unknown, which is no
 * consent, and nothing is proved against it.
 */
export const hadNoChance = (code: FailureCode): boolean =>
  failureClasses[code] === 'lost' || failureClasses[code] === 'noFacts'

/** Returns true if the sandbox is gone or was never there, so that another try may succeed. */
export const lacksSandbox = (code: FailureCode): boolean =>
  failureClasses[code] === 'lost' || failureClasses[code] === 'notStarted'

/** Returns true for a failure that cost other policies time, or their sandbox. */
export const isCostly = (code: FailureCode): boolean => failureClasses[code] === 'costly'

export const Failure = z.strictObject({
  code: FailureCode,
  /** One line that a hook's author can act on. */
  message: z.string(),
})
export type Failure = Readonly<z.infer<typeof Failure>>
