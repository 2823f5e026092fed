import { existsSync, rmSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { KnownAgent } from '../agents/registry.ts'
import { entryNames } from '../files/entries.ts'
import { isOwnName } from '../files/state/own-folder.ts'
import { agentsHere, disable, type Done, type InstallContext } from '../install/index.ts'
import { allRecords } from '../install/files/own-state.ts'
import { removeEmptyFolders } from '../install/files/settings-file.ts'
import { rulesFileOf, rulesFileState } from '../install/rules-file.ts'
import { endGate } from '../service/server/end-gate.ts'

/** All that `uninstall` would change or remove, as it is before. */
export interface UninstallPlan {
  readonly agents: readonly KnownAgent[]
  /** The changes of the agents' files; of the rules file only if it is still as `enable` wrote it. */
  readonly done: readonly Done[]
  /** The user's rules file, if there is one, and whether it is as `enable` wrote it. */
  readonly rulesFile: { readonly file: string; readonly state: 'ours' | 'theirs' } | undefined
  /** The folder of the user's own rules, if all of it is to be removed. */
  readonly rules: string | undefined
  /** hookgate's own folder, if there is one. */
  readonly state: string | undefined
  /** Files of projects that still ask hookgate: nobody knows whose they are by now. */
  readonly projects: readonly string[]
  /** Agents that an administrator has registered, with the file: they go on to ask. */
  readonly administered: readonly { readonly agent: KnownAgent; readonly file: string }[]
}

/** Looks at what there is to undo, and changes nothing. @param withRules also the user's own rules */
export async function planUninstall(context: InstallContext, withRules: boolean): Promise<UninstallPlan> {
  const here = await agentsHere(context)
  const isOurs = ({ places }: (typeof here)[number]) =>
    places.some(({ scope, by }) => scope === 'user' && by === 'enable')
  const agents = here.filter(isOurs).map(({ agent }) => agent)
  const { folder } = context.places
  const file = rulesFileOf(context)
  const rules = dirname(file)
  const rulesState = rulesFileState(context)
  return {
    agents,
    done: await disableEach(agents, { ...context, dryRun: true }),
    rulesFile: rulesState === 'absent' ? undefined : { file, state: rulesState },
    rules: withRules && existsSync(rules) ? rules : undefined,
    state: existsSync(folder) ? folder : undefined,
    projects: projectsOf(context, here),
    administered: here.flatMap(({ agent, administeredIn: by }) => (by === null ? [] : [{ agent, file: by }])),
  }
}

/** Returns the files, other than those of the user's agents and rules, in which `enable` has registered hookgate. */
function projectsOf(context: InstallContext, here: Awaited<ReturnType<typeof agentsHere>>): readonly string[] {
  const places = here.flatMap((one) => one.places).filter(({ scope }) => scope === 'user')
  const own = [...places.map(({ place }) => place), rulesFileOf(context)]
  const isOwn = (file: string) => own.some((place) => !relative(place, file).startsWith('..'))
  return allRecords(context.places)
    .map(({ file }) => file)
    .filter((file) => existsSync(file) && !isOwn(file))
}

async function disableEach(agents: readonly KnownAgent[], context: InstallContext): Promise<readonly Done[]> {
  const done: Done[] = []
  // oxlint-disable-next-line no-await-in-loop -- the last one also removes the preset
  for (const agent of agents) done.push(await disable(agent, context))
  return done
}

/**
 * Undoes `init`: agents first, so that none asks a hookgate that is gone; its own folder last.
 *
 * @throws HookgateError as `disable` and `endGate`
 */
export async function uninstall(
  { agents, rules, projects }: UninstallPlan,
  context: InstallContext,
): Promise<readonly Done[]> {
  const done = await disableEach(agents, { ...context, dryRun: false })
  await endGate(context.places)
  if (rules !== undefined) {
    rmSync(rules, { recursive: true, force: true })
    removeEmptyFolders(foldersBetween(context.home, rules))
  }
  const { folder, socketFolder } = context.places
  // A project's hooks are undone by what is kept there.
  if (projects.length > 0) return done
  for (const name of entryNames(folder))
    if (isOwnName(name)) rmSync(join(folder, name), { recursive: true, force: true })
  removeEmptyFolders([...foldersBetween(context.home, folder), ...(socketFolder === undefined ? [] : [socketFolder])])
  return done
}

/** Returns a folder and those above it, below the home folder, the outermost first; only itself outside of that. */
function foldersBetween(home: string, folder: string): readonly string[] {
  const above = dirname(folder)
  return relative(home, above).startsWith('..') || above === home || above === folder
    ? [folder]
    : [...foldersBetween(home, above), folder]
}
