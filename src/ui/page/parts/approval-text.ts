import type { Approval } from '../../../model/approval.ts'
import { durationText } from './duration.ts'

/** Says what became of the question whether a person approves the call. */
export function approvalText({ outcome, waitedMs, channel, by, reason }: Approval): string {
  const who = `${by ?? 'a person'}${channel === undefined ? '' : channelWords[channel]} after ${durationText(waitedMs)}`
  const why = reason === undefined ? '' : `: ${reason}`
  switch (outcome) {
    case 'approved':
      return `Approved by ${who}${why}`
    case 'denied':
      return `Denied by ${who}${why}`
    case 'timedOut':
      return `Nobody answered within ${durationText(waitedMs)}`
    case 'gone':
      return `The agent stopped waiting after ${durationText(waitedMs)}; nobody had answered`
    case 'closed':
      return 'The gate ended while the call waited; nobody had answered'
    case 'full':
      return 'Too many calls were waiting already, so nobody was asked'
  }
}

const channelWords = { terminal: ' in a terminal', page: ' on the page', ntfy: ' by ntfy' } as const
