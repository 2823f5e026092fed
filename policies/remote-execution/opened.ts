import type { Impact } from 'hookgate/policy'

/** True if an impact surely opens this machine to others. */
export const isOpened = ({ area, unsure }: Impact): boolean => area === 'opened-access' && unsure !== true

/** True if an impact surely opens a shell of this machine to others. */
export const isShellOpened = (impact: Impact): boolean =>
  isOpened(impact) && impact.object?.startsWith('shell') === true
