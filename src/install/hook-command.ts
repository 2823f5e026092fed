import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chooseClient, type Client, hookScript } from '../service/client/index.ts'
import type { AgentName } from '../model/event.ts'
import { HookgateError } from '../model/errors.ts'
import { placesOf } from '../files/state/places.ts'
import { ensurePrivateFolder } from '../files/state/own-folder.ts'
import { version } from '../files/version.ts'
import { isBelow } from '../words/machine-paths.ts'
import type { InstallContext, Launcher, InstallScope } from './install-context.ts'

/** A program and its arguments, started without a shell. */
export interface HookCommand {
  readonly command: string
  readonly args: readonly string[]
}

/**
 * The fastest client of this machine, which asks the gate; `undefined` where there is none, and in a project's files,
 * where nothing of one machine may stand.
 */
export async function clientFor(context: InstallContext): Promise<Client | undefined> {
  const { scope, platform, places, launcher, dryRun } = context
  checkLasting(launcher)
  // Its files are for the shell of Unix.
  if (scope === 'project' || platform === 'win32') return undefined
  const folder = join(places.folder, 'clients')
  try {
    if (dryRun) return await clientTried(folder, launcher)
    ensurePrivateFolder(places.folder)
    return (await chooseClient({ folder, node: launcher.node })).client
  } catch (error) {
    if (error instanceof HookgateError && error.code === 'unavailable') return undefined
    throw error
  }
}

/** Finds the client that a folder would get, by trying it in a temporary one. */
async function clientTried(folder: string, { node }: Launcher): Promise<Client> {
  const tried = mkdtempSync(join(tmpdir(), 'hookgate-'))
  try {
    const { client } = await chooseClient({ folder: tried, node })
    return { ...client, command: client.command.map((word) => word.replace(tried, folder)) }
  } finally {
    rmSync(tried, { recursive: true, force: true })
  }
}

/** The text of the file that an agent runs at an event: a client, and the refusal for when that breaks. */
export function hookFileFor(
  agent: AgentName,
  event: string,
  client: Client,
  { places, launcher }: InstallContext,
  /** Default: Cline's time for hooks, which is the client's own. */
  answerMs?: number,
): string {
  const { folder, socket } = places
  return hookScript(client, {
    agent,
    event,
    folder,
    socket,
    version: version(),
    ...launcher,
    ...(answerMs !== undefined && { answerMs }),
  })
}

/** The command where there is no client: hookgate itself, which decides alone. A project finds it on the PATH. */
export function runCommandFor(agent: AgentName, scope: InstallScope, { node, bin }: Launcher): HookCommand {
  const words = ['run', '--agent', agent]
  return scope === 'project' ? { command: 'hookgate', args: words } : { command: node, args: [bin, ...words] }
}

/** The command that starts the gate, with HTTP at a port. It is quiet: the agent would read its output. */
export function upCommandFor(port: number, { launcher, places, platform, home }: InstallContext): HookCommand {
  const { node, bin } = launcher
  const words = [bin, 'up', '--quiet', '--http', `${port}`]
  const usual = placesOf({ env: {}, platform, uid: process.getuid?.(), home }).folder
  // An agent that was started from a desktop does not know of a folder that is named in a shell's environment.
  if (places.folder === usual || platform === 'win32') return { command: node, args: words }
  return { command: '/usr/bin/env', args: [`HOOKGATE_HOME=${places.folder}`, node, ...words] }
}

/** Warns where hookgate is installed in the project only. */
export function launcherNotes({ scope, launcher, cwd }: InstallContext): readonly string[] {
  if (scope === 'project' || !isBelow(launcher.bin, cwd)) return []
  return [`warning: this hookgate is installed only in ${cwd}; without that folder, every agent is refused everything`]
}

/** Refuses a hookgate that `npx` fetched: its removal would remove every guard. */
function checkLasting({ bin }: Launcher): void {
  if (!/[/\\]_npx[/\\]/.test(bin)) return
  throw new HookgateError('usage', '`npx` fetched hookgate for this run only, and it will be removed', {
    remedy: 'run `npm install --global hookgate`, then `hookgate enable` again',
  })
}

/** The file that a program's name leads to. Only absolute folders of the PATH count: others depend on where one stands. */
export function onPath(name: string, path: string | undefined, platform: NodeJS.Platform): string | undefined {
  const names = platform === 'win32' ? [`${name}.cmd`, `${name}.exe`, name] : [name]
  return (path ?? '')
    .split(platform === 'win32' ? ';' : ':')
    .filter((folder) => folder.startsWith('/') || /^[A-Za-z]:[/\\]/.test(folder))
    .flatMap((folder) => names.map((one) => join(folder, one)))
    .find((file) => existsSync(file))
}
