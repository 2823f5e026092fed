import type { Impact } from 'hookgate/policy'

/** True if a call opens this machine to others. Words that are not known may stand for anything. */
export const isOpened = ({ area, unsure }: Impact): boolean => area === 'opened-access' && unsure !== true

/** True if what it opens is a shell. */
export const isShellOpened = (impact: Impact): boolean =>
  isOpened(impact) && impact.object?.startsWith('shell') === true
