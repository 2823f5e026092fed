import type { KnownAgent } from '../agents/registry.ts'
import { ensurePlaces } from '../files/state/own-folder.ts'
import { checkFlags, type Done, enable, type InstallContext } from '../install/index.ts'
import type { FileChanges } from '../model/file-changes.ts'
import { keepEnvironment } from '../service/server/gate-environment.ts'
import { choosePreset, type PresetChoice } from './preset-choice.ts'

/** An agent that was enabled, and the rules that it meets. */
export interface Enabled {
  readonly done: Done
  readonly choice: PresetChoice
}

/**
 * Registers hookgate with an agent, and turns a preset on where no rules are in force.
 *
 * @param ask asks the person for a preset; absent where no person can answer
 * @throws HookgateError as `enable` and `choosePreset`
 */
export async function enableAgent(
  agent: KnownAgent,
  context: InstallContext,
  preset: string | undefined,
  ask?: () => Promise<string>,
): Promise<Enabled> {
  checkFlags(agent, context)
  const choice = await choosePreset(preset, context, ask)
  const done = await enable(agent, { ...context, preset: choice.preset })
  if (!context.dryRun) keepEnvironmentFor(context)
  return { done, choice }
}

/** Stores this environment for gates that are started by a session: they use it instead of the session's. */
function keepEnvironmentFor({ places, env }: InstallContext): void {
  ensurePlaces(places)
  keepEnvironment(places, env)
}

/** Returns what was done to files, as every command reports it. */
export const changesBy = ({ changed, files, notes }: Done, isDry: boolean): FileChanges => ({
  changed: !isDry && changed.length > 0,
  files,
  copies: changed.flatMap(({ backup }) => backup ?? []),
  notes,
})
