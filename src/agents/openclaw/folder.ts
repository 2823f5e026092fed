import { type InstallSite, ownFolder } from '../install/install.ts'

export type ClawSite = Pick<InstallSite, 'env' | 'cwd' | 'home'>

/** Returns the folder of a user's settings, plugins and sessions. */
export function clawFolder(site: ClawSite): string {
  const home = site.env['OPENCLAW_HOME']?.trim() ?? ''
  const hasHome = !['', 'undefined', 'null'].includes(home)
  return ownFolder(
    hasHome ? { ...site, home: home.replace(/^~(?=\/|$)/, () => site.home) } : site,
    'OPENCLAW_STATE_DIR',
    '.openclaw',
  )
}
