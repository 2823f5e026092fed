import { agentNames, type KnownAgent } from '../../agents/registry.ts'
import { existingHome, namedHome } from '../../files/home-folder.ts'
import { entryFile } from '../../files/program-files.ts'
import type { InstallContext } from '../../install/index.ts'
import { choiceOf } from '../../model/text.ts'
import { type Invocation, usage } from '../command.ts'
import { agentOf } from './flags.ts'
import { ownPlaces } from './own-places.ts'

/** Returns the agent that a command line names. @throws HookgateError `usage` */
export function agentNamed(command: string, named: KnownAgent | undefined, positionals: readonly string[]): KnownAgent {
  const [word, ...surplus] = named === undefined ? positionals : [named, ...positionals]
  if (surplus.length > 0) throw usage(`${command} takes one agent`, command)
  const agent = agentOf(word)
  if (agent !== undefined) return agent
  throw usage(`${command} needs an agent: ${choiceOf(agentNames)}`, command)
}

/** Returns what the installers need, as it is without any flag. */
export function installContextFor({ env, cwd }: Pick<Invocation, 'env' | 'cwd'>): InstallContext {
  const home = existingHome(namedHome(env['HOME']))
  return {
    scope: 'user',
    env,
    cwd,
    home,
    platform: process.platform,
    places: ownPlaces(env),
    launcher: {
      node: process.execPath,
      bin: entryFile('cli/bin'),
    },
    via: undefined,
    port: undefined,
    dryRun: false,
  }
}
