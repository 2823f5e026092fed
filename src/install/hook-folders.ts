import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { isAbsolute, join, resolve } from 'node:path'
import { eventSpellings, titleOf } from '../agents/registry.ts'
import type { OwnInstall } from '../agents/install/install.ts'
import { lastResortAt } from '../agents/last-resort.ts'
import { entryNames } from '../files/entries.ts'
import { HookgateError } from '../model/errors.ts'
import type { AgentName } from '../model/event.ts'
import { limits } from '../model/limits.ts'
import { commandsIn, isLaunch, ownHookAgent, ownHookBytesMax } from '../model/own-hook.ts'
import { choiceOf, quotedWord, shellWord } from '../model/text.ts'
import { sendCanary } from './canary.ts'
import { isAsWritten, removedFiles, type WholeFile, wholeFileAt, written } from './rules-file.ts'
import { isLink } from './files/settings-file.ts'
import {
  clientFor,
  type HookCommand,
  hookFileFor,
  installationGone,
  launcherNotes,
  onPath,
  slowHooks,
  runCommandFor,
} from './hook-files.ts'
import {
  type Canary,
  type Inspection,
  type InstallContext,
  type Installer,
  type InstallPlan,
  type InstallScope,
  notRegistered,
} from './install-context.ts'
import { untriedInProject } from './status.ts'

/** Installs hookgate for an agent that runs one file for each event, out of folders of its own. */
export const hookFolderInstaller = (agent: AgentName, install: OwnInstall): Installer => ({
  limits: install,
  onlyBy: install.onlyBy,
  enable: (context) => enable(agent, context),
  async disable(context) {
    return { changes: removedFiles(await allHooks(agent, context), context), notes: [] }
  },
  async registeredBy(context) {
    const owners = new Set((await allHooks(agent, context)).map(({ own }) => own))
    return owners.has('yes') ? 'enable' : owners.has('hand') ? 'hand' : undefined
  },
  look: () => ({
    obstacles: [],
    everyPlaceCounts: true,
    notes: [
      `${titleOf(agent)}’s own switch for hooks (its settings, Features, Hooks) cannot be checked from outside; it is on unless you switched it off`,
    ],
    async placesIn(context) {
      const { folders } = await hookFolders(context)
      return folders.map(({ folder }) => ({ place: folder, inspect: () => inspect(agent, folder, context) }))
    },
  }),
})

async function allHooks(agent: AgentName, context: InstallContext): Promise<readonly FolderHook[]> {
  return (await hookFolders(context)).folders.flatMap(({ folder }) => hooksIn(agent, folder, context))
}

async function enable(agent: AgentName, context: InstallContext): Promise<InstallPlan> {
  const client = await clientFor(context)
  const run = runCommandFor(agent, context.scope, context.launcher)
  const textFor = (event: string) =>
    client === undefined
      ? hookText(agent, event, context.scope, context.platform, run)
      : hookFileFor(agent, event, client, context)
  const { folders, unread } = await hookFolders(context)
  const hooks = await allHooks(agent, context)
  refuseOtherHooks(agent, filesOf(hooks, 'no'), context)
  if (context.replace !== true) refuseHandWritten(agent, filesOf(hooks, 'hand'), context)
  return {
    changes: hooks.map((hook) => written(hook, textFor(hook.event), 0o755, context)),
    summary: [`${hooks.length / folders.length} events, each with its own file that asks hookgate`],
    notes: [
      ...folders.map(({ folder, readBy }) => `${folder} is read by ${readBy}`),
      ...(unread === undefined
        ? []
        : [
            `${titleOf(agent)}’s extension would read ${unread}; it was not found: once you have installed it, run \`hookgate enable ${agent}\` again`,
          ]),
      ...launcherNotes(context),
    ],
  }
}

/** INVARIANT: a hook of the user's own is never written over. There is one file for each event and folder. */
function refuseOtherHooks(agent: AgentName, files: readonly string[], context: InstallContext): void {
  const [first] = files
  if (first === undefined) return
  const folder = context.scope === 'project' ? '.hookgate' : rulesFolder(context)
  const message = `this hook is not hookgate’s, and is in the way${andMore(files)}; nothing was registered`
  throw new HookgateError('settingsUnwritable', message, {
    place: { file: first },
    remedy: `move it to \`${join(folder, 'hooks')}\` and name it in \`${join(folder, 'hooks.json')}\` with \`"dialect": "${agent}"\`, so that hookgate runs it`,
  })
}

/** Hooks that a person set up by hand are replaced only where that is requested. */
function refuseHandWritten(agent: AgentName, files: readonly string[], { scope }: InstallContext): void {
  const [first] = files
  if (first === undefined) return
  const flags = scope === 'project' ? ' --scope project' : ''
  throw new HookgateError('settingsUnwritable', `this hook already asks hookgate, set up by hand${andMore(files)}`, {
    place: { file: first },
    remedy: `leave it (\`hookgate status ${agent}\` proves that it works), or replace it with \`hookgate enable ${agent}${flags} --replace\`, which keeps a copy`,
  })
}

const filesOf = (hooks: readonly FolderHook[], own: WholeFile['own']) =>
  hooks.filter((hook) => hook.own === own).map(({ file }) => file)

const andMore = (files: readonly string[]) =>
  files.length === 1 ? '' : ` (and ${files.length - 1} more: ${choiceOf(files.slice(1))})`

/** The folder in which hookgate looks for the user's rules. */
function rulesFolder({ env, home }: InstallContext): string {
  // The XDG specification says to ignore a relative one.
  const xdg = env['XDG_CONFIG_HOME']
  return join(xdg !== undefined && isAbsolute(xdg) ? xdg : join(home, '.config'), 'hookgate')
}

/** Inspects one of the folders in which the agent looks for hooks. */
function inspect(agent: AgentName, folder: string, context: InstallContext): Inspection {
  const hooks = hooksIn(agent, folder, context)
  const byEnable = hooks.filter(({ own }) => own === 'yes')
  const byHand = hooks.filter(({ own }) => own === 'hand')
  const asking = [...byEnable, ...byHand]
  if (asking.length === 0) return notRegistered
  const isKnown = asking.every((hook) => isAsWritten(hook, context))
  const texts = byEnable.map(({ looked }) => looked.present?.bytes.toString() ?? '')
  return {
    by: byEnable.length > 0 ? 'enable' : 'hand',
    events: hooks.filter((hook) => asking.includes(hook)).map(({ event }) => event),
    problems: [
      ...installationGone(agent, texts),
      // Events of a setup by hand are chosen by the person.
      ...(byEnable.length > 0 ? gapsIn(agent, hooks) : []),
      ...withoutExecuteBit(agent, asking, context),
    ],
    remarks: slowHooks(agent, texts),
    // A project's hooks may come from a foreign repository: they run only if `enable` registered them on this machine.
    untried: context.scope === 'project' && !isKnown ? untriedInProject(agent) : undefined,
    canaries: [byEnable, byHand].flatMap((kind) => {
      const hook = kind.find(({ event }) => event === 'PreToolUse') ?? kind[0]
      return hook === undefined ? [] : [() => canaryFrom(agent, hook.file, context)]
    }),
  }
}

function gapsIn(agent: AgentName, hooks: readonly FolderHook[]): readonly string[] {
  const missing = hooks.filter(({ own }) => own === 'absent').map(({ event }) => event)
  return [
    ...filesOf(hooks, 'no').map((file) => `${file} is a different hook, so hookgate is not called at this event`),
    ...(missing.length > 0
      ? [`hookgate is not called at ${missing.join(', ')}: run \`hookgate enable ${agent}\` again`]
      : []),
  ]
}

const withoutExecuteBit = (agent: AgentName, hooks: readonly FolderHook[], { platform }: InstallContext) =>
  hooks
    .filter(({ looked }) => platform !== 'win32' && ((looked.present?.mode ?? 0) & 0o111) === 0)
    .map(
      ({ file }) => `${file} has no execute bit, so ${titleOf(agent)}’s extension ignores it: run \`chmod +x\` on it`,
    )

/** Starts a hook as Cline's extension does: by a shell on Unix, by PowerShell on Windows. */
function canaryFrom(agent: AgentName, file: string, context: InstallContext): Promise<Canary> {
  const { cwd, env, platform } = context
  const powershell = ['-NoProfile', '-NonInteractive', '-ExecutionPolicy', 'Bypass', '-File', file]
  const start =
    platform === 'win32'
      ? { file: 'powershell.exe', args: powershell, cwd, env }
      : { file: '/bin/sh', args: ['-c', quotedWord(file)], cwd, env }
  return sendCanary(agent, context, { start })
}

const remedy = 'install hookgate, as the quick start in its README says, or remove this hook'

/**
 * The file for an event where no client of this machine can be named. Cline goes ahead where a hook fails, so the file
 * itself refuses where hookgate fails, or prints nothing: to Cline it always prints an answer.
 */
export function hookText(
  agent: AgentName,
  event: string,
  scope: InstallScope,
  platform: NodeJS.Platform,
  { command, args }: HookCommand,
): string {
  const { stdout, stderr } = lastResortAt(agent, event, remedy, false)
  const flags = scope === 'project' ? ' --scope project' : ''
  const head = `# hookgate asked at ${event} of ${agent}
# Written by \`hookgate enable ${agent}${flags}\`; \`hookgate disable ${agent}${flags}\` takes it away.
`
  const words = [command, ...args]
  if (platform === 'win32') {
    return `${head}& ${words.map(powershellWord).join(' ')}
if ($LASTEXITCODE -eq 0) { exit 0 }
${powershellWord(stdout.trimEnd())}
exit 0
`
  }
  return `#!/bin/sh
${head}if answer=$(${words.map(shellWord).join(' ')}) && [ -n "$answer" ]; then
  printf '%s\\n' "$answer"
  exit 0
fi
echo ${shellWord(stdout.trimEnd())}
echo ${shellWord(stderr.trimEnd())} >&2
exit 0
`
}

const powershellWord = (word: string) => `'${word.replaceAll("'", "''")}'`

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
interface FolderHook extends WholeFile {
  readonly event: string
}

/** Looks at every hook that the agent could have in a folder. */
const hooksIn = (agent: AgentName, folder: string, context: InstallContext): readonly FolderHook[] =>
  eventSpellings(agent).map((event) => {
    const file = join(folder, context.platform === 'win32' ? `${event}.ps1` : event)
    // One of Cline's engines passes over links, and what one leads to may be anybody's.
    if (isLink(file)) return { event, file, own: 'no', agent, looked: { real: file, present: undefined } }
    const { looked, own } = wholeFileAt(file, context, (bytes) => ownerOf(agent, bytes))
    return { event, file, agent, looked, own }
  })

function ownerOf(agent: AgentName, bytes: Buffer): WholeFile['own'] {
  if (bytes.length > ownHookBytesMax) return 'no'
  const text = bytes.toString()
  if (ownHookAgent(text) === agent) return 'yes'
  return isLaunch(commandsIn(text.replaceAll('\r\n', '\n'))) ? 'hand' : 'no'
}
