import { type Approval, channelTexts } from '../../model/approval.ts'

/** Says who answered, where, and why: `refused by alice in a terminal: use a branch`. */
export function answeredText({ outcome, channel, by = 'a person', reason }: Approval): string {
  const where = channel === undefined ? '' : ` ${channelTexts[channel]}`
  const why = reason === undefined ? '' : `: ${reason}`
  return `${outcome === 'approved' ? 'approved' : 'refused'} by ${by}${where}${why}`
}
