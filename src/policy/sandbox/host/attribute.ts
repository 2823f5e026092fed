import type { Domain } from './domain.ts'
import { type Job, unsettledOf } from './job.ts'
import type { Loss, Sandbox } from './sandbox.ts'
import type { Suspect } from './retry-alone.ts'

/** Over what a sandbox may have been lost. */
interface Attribution {
  /** Every question that a thread may have begun: answers are held back for a moment, so more than the first of each. */
  readonly suspects: readonly Suspect[]
  /** What no thread had begun. */
  readonly innocents: readonly Job[]
  /** What was being built. */
  readonly domains: readonly Domain[]
  /** Whether the one suspect was all that was under way, events that nobody waits for any more among it: it is not asked again. */
  readonly alone: boolean
}

export function attribute(sandbox: Sandbox, loss: Loss): Attribution {
  const suspects: Suspect[] =
    loss.kind === 'malformed' && loss.guilty?.kind === 'job' ? suspectsOf(loss.guilty.job) : []
  const innocents: Job[] = []
  const domains: Domain[] = []
  let underWay = 0
  for (const { owed, isReady } of sandbox.links) {
    const [first] = owed
    const isBuilding = first?.kind === 'load'
    if (isBuilding && isReady) domains.push(first.domain)
    for (const one of owed) {
      if (one.kind === 'load') continue
      const { job, members } = one
      underWay += members.length
      if (isBuilding) innocents.push(job)
      else suspects.push(...suspectsOf(job))
    }
  }
  const isCertain = loss.kind === 'hung' || loss.kind === 'aborted'
  const alone = isCertain && suspects.length === 1 && underWay === 1 && domains.length === 0
  return { suspects, innocents, domains, alone }
}

const suspectsOf = (job: Job): Suspect[] => unsettledOf(job).map((member) => ({ job, member, trials: 0 }))
