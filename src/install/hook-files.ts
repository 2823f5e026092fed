import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { isExecutable } from '../files/entries.ts'
import { ensurePrivateFolder } from '../files/state/own-folder.ts'
import { placesOf } from '../files/state/places.ts'
import { version } from '../files/program-files.ts'
import { HookgateError } from '../model/errors.ts'
import type { AgentName } from '../model/event.ts'
import { chooseClient, type Client, hookScript, installationMark } from '../service/client/index.ts'
import { isBelow } from '../words/machine-paths.ts'
import type { FileChange } from './files/change.ts'
import { lookAt } from './files/settings-file.ts'
import type { InstallContext, InstallScope, Launcher } from './install-context.ts'

/** The folder of the files that an agent's hooks run: in hookgate's own. */
export const hookFolderOf = (agent: AgentName, { places }: Pick<InstallContext, 'places'>) =>
  join(places.folder, 'hooks', agent)

export const hookFilesOf = (agent: AgentName, context: InstallContext, events: readonly string[]): readonly string[] =>
  events.map((event) => join(hookFolderOf(agent, context), event))

/** The hook files of an agent, and the commands that run them. */
export interface HookFiles {
  readonly changes: readonly FileChange[]
  /** The commands run a thin client, which asks the gate within milliseconds. */
  readonly byClient: boolean
  /** Asks the gate, or decides by itself where there is no client. */
  commandFor(event: string): HookCommand
}

/**
 * Plans what an agent runs: a file for each event, since each is refused in its own way, or hookgate itself.
 *
 * @param timesOf the time that a client may take to answer before the file gives up on it
 */
export async function hookFiles<Event extends string>(
  agent: AgentName,
  context: InstallContext,
  events: readonly Event[],
  timesOf: (event: Event) => { readonly answerMs: number },
): Promise<HookFiles> {
  const client = await clientFor(context)
  if (client === undefined) {
    return { changes: [], byClient: false, commandFor: () => runCommandFor(agent, context.scope, context.launcher) }
  }
  const [shell = '/bin/sh', ...options] = client.shell
  const fileOf = (event: string) => join(hookFolderOf(agent, context), event)
  return {
    changes: events.map((event) =>
      ownFile(fileOf(event), Buffer.from(hookFileFor(agent, event, client, context, timesOf(event).answerMs)), []),
    ),
    byClient: true,
    commandFor: (event) => ({ command: shell, args: [...options, fileOf(event)] }),
  }
}

export function hookFilesGone(
  agent: AgentName,
  context: InstallContext,
  events: readonly string[],
): readonly FileChange[] {
  const folder = hookFolderOf(agent, context)
  const files = hookFilesOf(agent, context, events).filter((file) => existsSync(file))
  const last = files.at(-1)
  return files.map((file) => ownFile(file, undefined, file === last ? [dirname(folder), folder] : []))
}

/** Reads those of the files that are there. */
export const textsOf = (files: readonly string[]): readonly string[] =>
  files.filter((file) => existsSync(file)).map((file) => readFileSync(file, 'utf8'))

/** Reports hook files whose client is gone: they refuse; or whose installation is: they work as long as the present gate. */
export function installationGone(agent: AgentName, texts: readonly string[]): readonly string[] {
  const goneOf = (filesIn: (text: string) => readonly string[]) =>
    [...new Set(texts.flatMap(filesIn))].filter((file) => !existsSync(file)).join(' and ')
  const [client, installation] = [goneOf(clientIn), goneOf(installationIn)]
  return [
    ...(client === '' ? [] : [`its hooks run ${client}, which is gone, and refuse everything: ${enableAgain(agent)}`]),
    ...(installation === ''
      ? []
      : [`if no gate runs, its hooks start ${installation}, which is gone: ${enableAgain(agent)}`]),
  ]
}

const enableAgain = (agent: AgentName) => `run \`hookgate enable ${agent}\` again`

/** Reports hook files that work, but past the gate, and slowly: of another version of hookgate, or with a client that may not run. */
export function slowHooks(agent: AgentName, texts: readonly string[]): readonly string[] {
  const versions = texts.flatMap((text) => /^(?:#|\/\/) hookgate (\d\S*):/m.exec(text)?.[1] ?? [])
  const others = [...new Set(versions)].filter((one) => one !== version()).join(', ')
  const run = new Set(texts.flatMap((text) => clientIn(text).slice(0, 1)))
  const held = [...run].filter((file) => existsSync(file) && !isExecutable(file)).join(' and ')
  return [
    ...(others === ''
      ? []
      : [`its hooks were written by hookgate ${others}, and this is ${version()}: ${enableAgain(agent)}`]),
    ...(held === ''
      ? []
      : [`its hooks may not execute ${held}, so each event starts a process and asks no gate: ${enableAgain(agent)}`]),
  ]
}

/** Reads from a hook's file the programs that it runs without a gate; none from any other file. */
function installationIn(text: string): readonly string[] {
  const [, programs = '[]'] = text.split('\n', 2)[1]?.split(installationMark) ?? []
  try {
    return Programs.parse(JSON.parse(programs))
  } catch {
    return []
  }
}

/** Reads from a hook's file the files of its client: the first command has each checked before it runs them. */
function clientIn(text: string): readonly string[] {
  const [checks = ''] = /^(?:\[ -e (?:'(?:[^']|'\\'')*'|\S+) \] && )+/m.exec(text) ?? []
  return [...checks.matchAll(/\[ -e (?:'((?:[^']|'\\'')*)'|(\S+)) \]/g)].map(
    ([, quoted, plain = '']) => quoted?.replaceAll(String.raw`'\''`, "'") ?? plain,
  )
}

const Programs = z.array(z.string())

function ownFile(file: string, after: Buffer | undefined, foldersToRemove: readonly string[]): FileChange {
  const looked = lookAt(file, undefined)
  return {
    file,
    looked,
    within: undefined,
    after,
    format: 'own',
    mode: 0o700,
    record: undefined,
    foldersToRemove,
    worthKeeping: false,
  }
}

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

/** Warns where hookgate is installed in the project only: a home folder is none, and stays. */
export function launcherNotes({ scope, launcher, cwd, home }: InstallContext): readonly string[] {
  if (scope === 'project' || !isBelow(launcher.bin, cwd) || cwd === home || isBelow(home, cwd)) return []
  return [`warning: this hookgate is installed only in ${cwd}; without that folder, every agent is refused everything`]
}

/** Refuses a hookgate that `npx` fetched: its removal would remove every guard. */
function checkLasting({ bin }: Launcher): void {
  if (!/[/\\]_npx[/\\]/.test(bin)) return
  throw new HookgateError('usage', '`npx` fetched hookgate for this run only, and it will be removed', {
    remedy: 'install hookgate for all folders, as the quick start in its README says, then run `hookgate enable` again',
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
