import { descriptorOf } from '../agents/registry.ts'
import type { AgentName } from '../model/agents.ts'
import { claudeCode } from './claude-code/listed.ts'
import { clineInstaller } from './cline/installer.ts'
import { listedAgent } from './hooks-file/described.ts'
import { listedInstaller } from './hooks-file/installer.ts'
import type { Installer } from './install-context.ts'
import { opencodeInstaller } from './opencode/installer.ts'

/** Builds the installer that an agent's descriptor names. */
export function installerOf(name: AgentName): Installer {
  const agent = descriptorOf(name)
  if (agent === undefined) throw new Error(`${name} has no descriptor`)
  const { install } = agent
  switch (install.kind) {
    case 'hooks-file':
      return listedInstaller(listedAgent(agent, install))
    case 'http-groups':
      return listedInstaller(claudeCode(install))
    case 'hook-folders':
      return clineInstaller(install)
    case 'plugin':
      return opencodeInstaller(install)
  }
}
