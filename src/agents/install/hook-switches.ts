import { quoted } from '../../model/text.ts'
import { isAtOrBelow } from '../../words/machine-paths.ts'
import type { AgentDescriptor } from '../descriptor.ts'
import { type FoundCode, type InstallSite } from './install.ts'
import { switchingVariables } from './switch-variables.ts'

/**
 * Returns the settings and variables with which an agent runs no hook of hookgate in a project, and what it loads that
 * could overrule one, each with its remedy.
 */
export function hookSwitches(descriptor: AgentDescriptor, site: InstallSite): readonly string[] {
  const { title, install } = descriptor
  const isPinned = install.isPinned?.(site)
  const switches = (install.switchedOff?.(site) ?? []).map(({ file, setting, remedy = 'remove it' }) => {
    const settled =
      isAtOrBelow(file, site.cwd) && isPinned === false ? `; no project can do so once ${pinning(descriptor)}` : ''
    return `${file}: ${setting}, with which ${title} runs no hook of hookgate: ${remedy}${settled}`
  })
  const variables = switchingVariables(descriptor, site, isPinned === true ? 'managed' : 'own')
  return [
    ...switches,
    ...variables.map(({ what, remedy }) => `${what}: ${remedy}`),
    ...overrulingCode(descriptor, site),
  ]
}

/** Returns what an agent loads that could overrule hookgate, each with its remedy. */
export function overrulingCode(descriptor: AgentDescriptor, site: InstallSite): readonly string[] {
  const { innerCode } = descriptor
  const overruling = (innerCode?.found(site) ?? []).filter(({ heldBy }) => heldBy === undefined)
  const remedy = overruling.length === 0 ? '' : (innerCode?.remedy(site) ?? '')
  return overruling.map(
    (code) => `${used(descriptor, code)}, with which it can overrule hookgate: remove it if it is not yours; ${remedy}`,
  )
}

/** Returns what an agent loads that could overrule hookgate if an administrator's file did not keep it from that. */
export const heldCode = (descriptor: AgentDescriptor, site: InstallSite): readonly string[] =>
  (descriptor.innerCode?.found(site) ?? []).flatMap((code) =>
    code.heldBy === undefined ? [] : [`${used(descriptor, code)}; ${code.heldBy} keeps it from overruling hookgate`],
  )

const used = ({ innerCode }: AgentDescriptor, { folder, uses }: FoundCode) =>
  `${innerCode?.title ?? ''} ${folder} uses ${uses.map((use) => quoted(use)).join(', ')}`

/** Returns what an administrator can do so that no project switches an agent's hooks off; `undefined` where it is done. */
export function pinAdvice(descriptor: AgentDescriptor, site: InstallSite): string | undefined {
  if (descriptor.install.isPinned?.(site) !== false) return undefined
  const isLeft = descriptor.variables?.rows.some(
    ({ from, passes }) => from.includes('project') && passes.includes('managed'),
  )
  const left = isLeft === true ? ', though variables in its `.env` files still can' : ''
  return `a project's own settings can switch hooks off in ${descriptor.title}; they cannot once ${pinning(descriptor)}${left}`
}

const pinning = ({ name }: AgentDescriptor) => `an administrator has run \`hookgate enable --managed ${name}\``
