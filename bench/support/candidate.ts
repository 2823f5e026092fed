import type { Subject } from './subject.ts'

export type Answered = 'deny' | 'abstain'

/**
 * An engine that takes an event and answers it. `floor`: transfers the bytes and decides nothing. `sandboxed`: can run
 * untrusted rules. `spawned`: one process for each event. `open`: rules can do whatever the caller can.
 */
export interface Candidate {
  readonly name: string
  readonly kind: 'floor' | 'hookgate' | 'sandboxed' | 'spawned' | 'open'
  decide(subject: Subject): Answered | Promise<Answered>
  close(): void | Promise<void>
}
