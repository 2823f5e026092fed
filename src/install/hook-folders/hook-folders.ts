import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { isAbsolute, join, resolve } from 'node:path'
import { entryNames } from '../../files/entry-names.ts'
import { eventSpellings } from '../../agents/event-names.ts'
import type { AgentName } from '../../model/event.ts'
import { HookgateError } from '../../model/errors.ts'
import { limits } from '../../model/limits.ts'
import { commandsIn, isLaunch, ownHookAgent, ownHookBytesMax } from '../../model/own-hook.ts'
import { isLink } from '../files/look-at.ts'
import { type WholeFile, wholeFileAt } from '../files/whole-file.ts'
import type { InstallContext } from '../install-context.ts'
import { onPath } from '../hook-command.ts'

/** A folder of hooks, and which of Cline's engines reads it. */
interface HookFolder {
  readonly folder: string
  readonly readBy: string
}

interface ReadFolders {
  readonly folders: readonly HookFolder[]
  /** The folder that Cline's extension would read, which is not installed. */
  readonly unread: string | undefined
}

/**
 * The folders that together every engine reads, each of them one: what stands in two that one engine reads is run twice.
 * `~/.cline/hooks` is among those that the SDK reads, as is `~/Documents`; so it is left alone.
 */
export async function hookFolders(context: InstallContext): Promise<ReadFolders> {
  const { scope, cwd, home } = context
  if (scope === 'project') return only(join(cwd, '.clinerules', 'hooks'), 'every Cline')
  if (!isAbsolute(home)) {
    throw new HookgateError('usage', `the home folder \`${home}\` is not an absolute path`, { remedy: 'set `HOME`' })
  }
  const usual = join(home, 'Documents', 'Cline', 'Hooks')
  const documents = await documentsFolder(context)
  const system = documents === undefined ? usual : join(documents, 'Cline', 'Hooks')
  if (resolve(system) === resolve(usual)) return only(usual, 'every Cline')
  const commandLine = 'the command line of Cline 3'
  // Without a folder of documents the extension takes the home itself, in which nothing is put that nobody reads.
  if (resolve(system) === resolve(join(home, 'Cline', 'Hooks')) && !hasExtension(home)) {
    return only(usual, commandLine, system)
  }
  const folders = [
    { folder: system, readBy: 'the extension of VS Code' },
    { folder: usual, readBy: commandLine },
  ]
  return { folders, unread: undefined }
}

const only = (folder: string, readBy: string, unread?: string): ReadFolders => ({
  folders: [{ folder, readBy }],
  unread,
})

/** Returns true if Cline's extension has made its folder in the home, or is installed in an editor that keeps it there. */
function hasExtension(home: string): boolean {
  if (existsSync(join(home, 'Cline'))) return true
  return entryNames(home)
    .filter((name) => name.startsWith('.'))
    .some((name) => entryNames(join(home, name, 'extensions')).some((one) => one.startsWith('saoudrizwan.claude-dev')))
}

/** The system's folder of documents, found as the extension finds it; `undefined` where the system does not say. */
function documentsFolder({ env, home, platform }: InstallContext): Promise<string | undefined> {
  if (platform === 'darwin') return Promise.resolve(undefined)
  const [program, ...args] =
    platform === 'win32'
      ? ['powershell.exe', '-NoProfile', '-Command', "[Environment]::GetFolderPath('MyDocuments')"]
      : ['xdg-user-dir', 'DOCUMENTS']
  const file = platform === 'win32' ? program : onPath(program ?? '', env['PATH'], platform)
  if (file === undefined) return Promise.resolve(undefined)
  const options = { env: { ...env, HOME: home }, timeout: limits.versionCommandMs, killSignal: 'SIGKILL' } as const
  return new Promise((answer) => {
    execFile(file, args, options, (_error, stdout) => {
      const said = stdout.trim()
      answer(isAbsolute(said) ? said : undefined)
    })
  })
}

/** The file for an event in a folder of hooks. */
export interface FolderHook extends WholeFile {
  readonly event: string
}

/** Looks at every hook that the agent could have in a folder. */
export const hooksIn = (agent: AgentName, folder: string, context: InstallContext): readonly FolderHook[] =>
  eventSpellings(agent).map((event) => {
    const file = join(folder, context.platform === 'win32' ? `${event}.ps1` : event)
    // One of Cline's engines passes over links, and what one leads to may be anybody's.
    if (isLink(file)) return { event, file, own: 'no', looked: { real: file, present: undefined } }
    const { looked, own } = wholeFileAt(file, context, (bytes) => ownerOf(agent, bytes))
    return { event, file, looked, own }
  })

function ownerOf(agent: AgentName, bytes: Buffer): WholeFile['own'] {
  if (bytes.length > ownHookBytesMax) return 'no'
  const text = bytes.toString()
  if (ownHookAgent(text) === agent) return 'yes'
  return isLaunch(commandsIn(text.replaceAll('\r\n', '\n'))) ? 'hand' : 'no'
}
