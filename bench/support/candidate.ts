import type { Subject } from './subject.ts'

export type Answered = 'deny' | 'abstain'

/**
 * Something that takes an event and answers it. `floor`: carries the bytes and decides nothing. `sandboxed`: rules that
 * nobody vouches for may run in it. `spawned`: a program for each event. `open`: rules can do what the caller can.
 */
export interface Candidate {
  readonly name: string
  readonly kind: 'floor' | 'hookgate' | 'sandboxed' | 'spawned' | 'open'
  decide(subject: Subject): Answered | Promise<Answered>
  close(): void | Promise<void>
}
