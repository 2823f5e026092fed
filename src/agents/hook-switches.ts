import type { AgentDescriptor } from './descriptor.ts'
import type { HookPin, InstallSite } from './install.ts'
import { isBelow } from './settings.ts'

/** Returns the settings with which an agent runs no hook of hookgate in a project, each with its remedy. */
export function hookSwitches({ title, install }: AgentDescriptor, site: InstallSite): readonly string[] {
  const pin = install.pin?.(site)
  return (install.switchedOff?.(site) ?? []).map(({ file, setting, remedy = 'remove it' }) => {
    const settled = isBelow(file, site.cwd) && pin !== undefined ? `; no project can do so once ${pinning(pin)}` : ''
    return `${file}: ${setting}, with which ${title} runs no hook of hookgate: ${remedy}${settled}`
  })
}

/** Returns what an administrator can do so that no project switches an agent's hooks off; `undefined` where it is done. */
export function pinAdvice({ title, install }: AgentDescriptor, site: InstallSite): string | undefined {
  const pin = install.pin?.(site)
  if (pin === undefined || pin.isSet) return undefined
  return `a project's own settings can switch hooks off in ${title}; they cannot once ${pinning(pin)}`
}

const pinning = ({ file, content }: HookPin) => `an administrator has put ${content} into ${file}`
