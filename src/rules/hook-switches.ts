import { hookSwitches } from '../agents/install/hook-switches.ts'
import type { SettingsReader } from '../agents/install/install.ts'
import { descriptorOf } from '../agents/registry.ts'
import { settingsValues } from '../files/settings-values.ts'
import { type Disk, isUnreadable } from '../model/disk.ts'
import { limits } from '../model/limits.ts'
import type { RuleSet } from '../model/rule.ts'
import type { RulesPlaces } from './places.ts'

/**
 * Finds the enabled agents whose settings keep them from asking hookgate in some workspaces, each with the reasons.
 *
 * A session that runs may still ask: most agents read their settings at its start. Everything is read by `disk`, so
 * that a change of such a setting has the rules read again.
 */
export function switchedOffIn(
  workspaceRoots: readonly string[],
  agents: readonly string[],
  { env, home, platform }: RulesPlaces,
  disk: Disk,
): RuleSet['notAsking'] {
  const settings = readerBy(disk)
  const found = agents
    .flatMap((name) => descriptorOf(name) ?? [])
    .map((agent) => {
      const sites = workspaceRoots.map((cwd) => ({ scope: 'user', env, cwd, home, platform, settings }) as const)
      return [agent.name, [...new Set(sites.flatMap((site) => hookSwitches(agent, site)))]] as const
    })
  return Object.fromEntries(found.filter(([, reasons]) => reasons.length > 0))
}

function readerBy(disk: Disk): SettingsReader {
  const decoder = new TextDecoder()
  const textOf = (file: string) => {
    const bytes = disk.read(file, limits.settingsBytesMax)
    return isUnreadable(bytes) ? undefined : decoder.decode(bytes)
  }
  return {
    exists: (file) => disk.see(file) === 'file',
    text: textOf,
    list(folder) {
      const names = disk.list(folder)
      return isUnreadable(names) ? [] : names
    },
    ...settingsValues(textOf),
  }
}
