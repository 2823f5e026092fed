import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { AgentDescriptor } from '../../agents/descriptor.ts'
import { managedFileOf, managedFolderOf, type ManagedInstall, type Pin } from '../../agents/install/managed.ts'
import type { AgentName } from '../../model/event.ts'
import { nodeVariables } from '../../model/node-environment.ts'
import { orExit, unlessGone } from '../../model/own-hook.ts'
import { shellWord, windowsWord } from '../../model/text.ts'
import { askedEvents } from '../hooks-file/described.ts'
import type { InstallContext, Launcher } from '../install-context.ts'
import { isOwnPlugin, pluginText } from '../plugin-text.ts'
import { startedBy, starterAt, starterFor } from './starter.ts'

/** The file of an administrator in which an agent is registered, and the content that it should have. */
export interface ManagedFile {
  readonly agent: AgentDescriptor
  readonly managed: ManagedInstall
  readonly file: string
  /** The events that are registered: those at which hookgate can refuse something, or tell the model something. */
  readonly events: readonly string[]
  /** The entry that is added to each list. */
  readonly entries: Readonly<Record<string, unknown>>
  readonly pins: readonly Pin[]
  /** Keys that the file must have beside the hooks. */
  readonly beside: Readonly<Record<string, number>>
  readonly comments: 'allowed' | 'none'
  /** The end of a list at which the agent's answer counts. */
  readonly position: 'first' | 'last'
  /** Recognises a handler of ours, and returns the program that it runs, or that it runs the script. */
  readonly own: (handler: unknown) => Launcher | 'script' | undefined
  /** The script that each event runs; absent on Windows, and for a server that delivers settings. */
  readonly script?: WholeManagedFile | undefined
  /** The file with the plugin that this one names, of an agent that has plugins in place of hooks. */
  readonly plugin?: WholeManagedFile
  /** True for the copy of what a server delivers. Default: no. */
  readonly isServed?: boolean
}

/** A file of an administrator that is hookgate's from its first line to its last. */
export interface WholeManagedFile extends ManagedFile {
  readonly text: string
  /** Recognises such a file, whatever has been edited in it since. */
  readonly isOwn: (text: string) => boolean
}

/** Choices of the administrator. */
export interface ManagedChoice {
  /** Only hooks of administrators are to run, where the agent has such a setting. */
  readonly onlyManagedHooks: boolean
  /** The file is for a server that delivers settings: nothing else may be needed on the machine. Default: no. */
  readonly isForServer?: boolean
}

/** Describes the file; `undefined` if the agent reads no administrator's file on this platform. */
export function managedFileFor(
  agent: AgentDescriptor,
  { launcher, platform, managedRoot }: Pick<InstallContext, 'launcher' | 'platform' | 'managedRoot'>,
  { onlyManagedHooks, isForServer = false }: ManagedChoice = { onlyManagedHooks: false },
): ManagedFile | undefined {
  const { name, install, managed } = agent
  if (managed === undefined) return undefined
  const file = managedFileOf(managed, { platform, managedRoot })
  if (file === undefined) return undefined
  const folder = managedFolderOf(managed, { platform, managedRoot })
  const hasNone = isForServer || platform === 'win32' || folder === undefined
  const script = hasNone ? undefined : scriptIn(folder, agent, managed, launcher)
  if (managed.pluginFile !== undefined) return namingPlugin(agent, managed, file, { launcher, platform, script })
  const listed = install.kind === 'hooks-file' ? install : undefined
  const entryOf = managed.entry ?? listed?.entry
  if (entryOf === undefined) return undefined
  const { decidedEvents, refusesAt, timesOf } = askedEvents(agent)
  const starter = starterAt(starterFor(managed, { platform, managedRoot }))
  const entries = decidedEvents.map((event) => {
    const refuses = refusesAt(event)
    const { timeoutS } = timesOf(event)
    const handler = entryOf({
      command:
        script === undefined
          ? guardLine({ agent: name, launcher, platform, refuses })
          : scriptLine({ script: script.file, refuses }),
      platform,
      timeoutS,
      refuses,
      starter,
    })
    return [event, managed.holds === 'handlers' ? handler : { hooks: [handler] }] as const
  })
  const only = onlyManagedHooks ? managed.onlyManagedHooks : undefined
  return {
    agent,
    managed,
    file,
    events: decidedEvents,
    entries: Object.fromEntries(entries),
    pins: [...(managed.pins ?? []), ...(only === undefined ? [] : [only])],
    beside: listed?.beside ?? {},
    comments: listed?.comments ?? 'none',
    position: listed?.wins?.position ?? 'last',
    own(handler) {
      const line = startedBy(handler)?.line
      return isScriptLine(line, script?.file) ? 'script' : guardIn(name, line)
    },
    script,
  }
}

/** Describes a file that nothing is registered in. */
const nothingRegistered = { events: [], entries: {}, pins: [], beside: {}, comments: 'none', position: 'last' } as const

/** Describes the script that each event runs. */
function scriptIn(
  folder: string,
  agent: AgentDescriptor,
  managed: ManagedInstall,
  launcher: Launcher,
): WholeManagedFile {
  return {
    ...nothingRegistered,
    agent,
    managed: { ...managed, isOwnFile: true },
    file: join(folder, 'hookgate.sh'),
    own: () => undefined,
    text: guardScript(agent.name, launcher),
    isOwn: (text) => text.startsWith(scriptHead(agent.name)),
  }
}

/** Describes the file that names the plugin, and the plugin. */
function namingPlugin(
  agent: AgentDescriptor,
  managed: ManagedInstall,
  file: string,
  { launcher, platform, script }: Pick<InstallContext, 'launcher' | 'platform'> & Pick<ManagedFile, 'script'>,
): ManagedFile {
  const { name } = agent
  const { decidedEvents, refusesAt } = askedEvents(agent)
  const commands = decidedEvents.map((event) => {
    // The plugin itself refuses where a program ends otherwise than it should, or is gone.
    const byScript = script && ['/bin/sh', script.file, ...(refusesAt(event) ? [] : [orPass])]
    return [event, byScript ?? [launcher.node, launcher.bin, 'run', '--agent', name, '--with-gate']] as const
  })
  const pluginFile = join(dirname(file), managed.pluginFile ?? '')
  const address = pathToFileURL(pluginFile, { windows: platform === 'win32' }).href
  return {
    ...nothingRegistered,
    agent,
    managed,
    file,
    events: ['plugin'],
    entries: { plugin: address },
    comments: 'allowed',
    own: (handler) => (handler !== address ? undefined : script === undefined ? launcher : 'script'),
    script,
    plugin: {
      ...nothingRegistered,
      agent,
      managed: { ...managed, isOwnFile: true },
      file: pluginFile,
      own: () => undefined,
      text: pluginText({ agent: name, scope: 'managed', commands: Object.fromEntries(commands) }),
      isOwn: (text) => isOwnPlugin(name, text),
    },
  }
}

/** The command of a hook that an administrator registers where no script is beside it. */
interface Guard {
  readonly agent: AgentName
  readonly launcher: Launcher
  readonly platform: NodeJS.Platform
  /** True at events at which the agent is refused if nothing answers. */
  readonly refuses: boolean
}

/**
 * Writes the command: it runs hookgate and, if that is missing or breaks, refuses and says so. With a bare path in its
 * place, some agents would take a missing program for no opinion, and the action would go ahead.
 *
 * Variables with which Node runs other code, or hangs, are unset: a repository can set some of them.
 */
export function guardLine({ agent, launcher, platform, refuses }: Guard): string {
  const { node, bin } = launcher
  const run = runFor(agent)
  // Never tried on a Windows machine, whose shell has `||` as well.
  if (platform === 'win32') return `${[node, bin].map(windowsWord).join(' ')} ${run}${refuses ? ' || exit 2' : ''}`
  const { program, isThere, gone } = guardWords(launcher)
  const missing = `{ echo ${gone} >&2; exit ${refuses ? 2 : 0}; }`
  return `${isThere} || ${missing}; unset ${nodeVariables.join(' ')}; ${program} ${run}${refuses ? ' || exit 2' : ''}`
}

const runFor = (agent: AgentName) => `run --agent ${agent} --with-gate`

function guardWords({ node, bin }: Launcher) {
  const words = [node, bin].map(shellWord)
  return {
    program: words.join(' '),
    isThere: `[ -x ${words[0]} ] && [ -f ${words[1]} ]`,
    gone: shellWord(`hookgate is missing (${bin}): an administrator has to install it again`),
  }
}

/** The word with which the script lets pass what cannot be refused, if hookgate is missing. */
const orPass = 'or-pass'

/**
 * Writes the command that runs the script. Shells end with different codes where a script is gone, of which only 2 refuses
 * with every agent, and which must not refuse the end of a turn.
 */
export function scriptLine({ script, refuses }: { readonly script: string; readonly refuses: boolean }): string {
  const file = shellWord(script)
  return refuses ? `/bin/sh ${file}${orExit}` : `${unlessGone(file)}/bin/sh ${file} ${orPass}`
}

const isScriptLine = (line: string | undefined, script: string | undefined) =>
  script !== undefined && [true, false].some((refuses) => line === scriptLine({ script, refuses }))

const scriptHead = (agent: AgentName) =>
  `#!/bin/sh\n# Written by \`hookgate enable --managed ${agent}\`; \`hookgate disable --managed ${agent}\` takes it away.\n`

/** Writes the script: it does what `guardLine` does, for all events of an agent. */
export function guardScript(agent: AgentName, launcher: Launcher): string {
  const { program, isThere, gone } = guardWords(launcher)
  return `${scriptHead(agent)}# Each event runs it: it asks hookgate or, where that is missing, refuses and says so.

${isThere} || {
  echo ${gone} >&2
  [ "$1" = ${orPass} ] && exit 0
  exit 2
}
# With these, Node would run other code, or hang.
${nodeVariables.map((name) => `unset ${name}\n`).join('')}exec ${program} ${runFor(agent)}
`
}

const word = String.raw`(?:[\w@%+=:,./-]|'[^']*'|\\')+`
const onUnix = new RegExp(
  String.raw`^\[ -x (${word}) \] && \[ -f (${word}) \] \|\| \{ echo ${word} >&2; exit [02]; \}; unset [\w ]+; ${word} ${word} run --agent ([\w-]+)(?: --with-gate)?(?: \|\| exit 2)?$`,
)
const asScript = new RegExp(
  String.raw`^#!/bin/sh\n(?:#[^\n]*\n)+\n\[ -x (${word}) \] && \[ -f (${word}) \] \|\| \{\n  echo ${word} >&2\n  \[ "\$1" = ${orPass} \] && exit 0\n  exit 2\n\}\n(?:#[^\n]*\n)?(?:unset \w+\n)+exec \1 \2 run --agent ([\w-]+) --with-gate\n$`,
)
const onWindows =
  /^("[^"]+"|[\w@+=:,./\\-]+) ("[^"]+"|[\w@+=:,./\\-]+) run --agent ([\w-]+)(?: --with-gate)?(?: \|\| exit 2)?$/

/**
 * Recognises the command, of any version and installation, and returns what it runs.
 *
 * INVARIANT: the whole text has to match, since nothing else may be taken out of an administrator's file.
 */
export function guardIn(agent: AgentName, command: string | undefined): Launcher | undefined {
  return launcherIn(agent, onUnix.exec(command ?? '') ?? onWindows.exec(command ?? ''))
}

/** Returns what a script of `enable --managed` runs, of any version and installation; `undefined` for any other text. */
export const guardInScript = (agent: AgentName, text: string): Launcher | undefined =>
  launcherIn(agent, asScript.exec(text))

function launcherIn(agent: AgentName, match: RegExpExecArray | null): Launcher | undefined {
  const [, node, bin, named] = match ?? []
  if (node === undefined || bin === undefined || named !== agent) return undefined
  return { node: unquoted(node), bin: unquoted(bin) }
}

const unquoted = (text: string) =>
  text.startsWith('"') ? text.slice(1, -1) : text.replaceAll(`\\'`, '\0').replaceAll("'", '').replaceAll('\0', "'")
