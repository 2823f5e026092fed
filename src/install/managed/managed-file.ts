import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { AgentDescriptor } from '../../agents/descriptor.ts'
import { managedFileOf, type ManagedInstall, type Pin } from '../../agents/install/managed.ts'
import type { AgentName } from '../../model/event.ts'
import { nodeVariables } from '../../model/node-environment.ts'
import { shellWord, windowsWord } from '../../model/text.ts'
import { askedEvents } from '../hooks-file/described.ts'
import type { InstallContext, Launcher } from '../install-context.ts'
import { pluginText } from '../plugin-text.ts'
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
  /** Recognises a handler of ours, and returns the program that it runs. */
  readonly own: (handler: unknown) => Launcher | undefined
  /** The file with the plugin that this one names, of an agent that has plugins in place of hooks. */
  readonly plugin?: PluginFile
  /** True for the copy of what a server delivers. Default: no. */
  readonly isServed?: boolean
}

/** A file of an administrator that is hookgate's from its first line to its last. */
export interface PluginFile extends ManagedFile {
  readonly text: string
}

/** Choices of the administrator. */
export interface ManagedChoice {
  /** Only hooks of administrators are to run, where the agent has such a setting. */
  readonly onlyManagedHooks: boolean
}

/** Describes the file; `undefined` if the agent reads no administrator's file on this platform. */
export function managedFileFor(
  agent: AgentDescriptor,
  { launcher, platform, managedRoot }: Pick<InstallContext, 'launcher' | 'platform' | 'managedRoot'>,
  { onlyManagedHooks }: ManagedChoice = { onlyManagedHooks: false },
): ManagedFile | undefined {
  const { name, install, managed } = agent
  if (managed === undefined) return undefined
  const file = managedFileOf(managed, { platform, managedRoot })
  if (file === undefined) return undefined
  if (managed.pluginFile !== undefined) return namingPlugin(agent, managed, file, { launcher, platform })
  const listed = install.kind === 'hooks-file' ? install : undefined
  const entryOf = managed.entry ?? listed?.entry
  if (entryOf === undefined) return undefined
  const { decidedEvents, refusesAt, timesOf } = askedEvents(agent)
  const starter = starterAt(starterFor(managed, { platform, managedRoot }))
  const entries = decidedEvents.map((event) => {
    const refuses = refusesAt(event)
    const { timeoutS } = timesOf(event)
    const handler = entryOf({
      command: guardLine({ agent: name, launcher, platform, refuses }),
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
    own: (handler) => guardIn(name, startedBy(handler)?.line),
  }
}

/** Describes the file that names the plugin, and the plugin. */
function namingPlugin(
  agent: AgentDescriptor,
  managed: ManagedInstall,
  file: string,
  { launcher, platform }: Pick<InstallContext, 'launcher' | 'platform'>,
): ManagedFile {
  const { name } = agent
  const { decidedEvents, refusesAt } = askedEvents(agent)
  const commands = decidedEvents.map((event) => {
    const line = guardLine({ agent: name, launcher, platform, refuses: refusesAt(event) })
    const onWindows = [launcher.node, launcher.bin, 'run', '--agent', name, '--with-gate']
    return [event, platform === 'win32' ? onWindows : ['/bin/sh', '-c', line]] as const
  })
  const pluginFile = join(dirname(file), managed.pluginFile ?? '')
  const address = pathToFileURL(pluginFile, { windows: platform === 'win32' }).href
  const plain = { agent, events: [], entries: {}, pins: [], beside: {}, comments: 'none', position: 'last' } as const
  return {
    ...plain,
    managed,
    file,
    events: ['plugin'],
    entries: { plugin: address },
    comments: 'allowed',
    own: (handler) => (handler === address ? launcher : undefined),
    plugin: {
      ...plain,
      managed: { ...managed, isOwnFile: true },
      file: pluginFile,
      own: () => undefined,
      text: pluginText({ agent: name, scope: 'managed', commands: Object.fromEntries(commands) }),
    },
  }
}

/** The command of a hook that an administrator registers. */
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
  const run = `run --agent ${agent} --with-gate`
  // Never tried on a Windows machine, whose shell has `||` as well.
  if (platform === 'win32') return `${[node, bin].map(windowsWord).join(' ')} ${run}${refuses ? ' || exit 2' : ''}`
  const words = [node, bin].map(shellWord)
  const gone = shellWord(`hookgate is missing (${bin}): an administrator has to install it again`)
  const isThere = `[ -x ${words[0]} ] && [ -f ${words[1]} ]`
  const missing = `{ echo ${gone} >&2; exit ${refuses ? 2 : 0}; }`
  return `${isThere} || ${missing}; unset ${nodeVariables.join(' ')}; ${words.join(' ')} ${run}${refuses ? ' || exit 2' : ''}`
}

const word = String.raw`(?:[\w@%+=:,./-]|'[^']*'|\\')+`
const onUnix = new RegExp(
  String.raw`^\[ -x (${word}) \] && \[ -f (${word}) \] \|\| \{ echo ${word} >&2; exit [02]; \}; unset [\w ]+; ${word} ${word} run --agent ([\w-]+)(?: --with-gate)?(?: \|\| exit 2)?$`,
)
const onWindows =
  /^("[^"]+"|[\w@+=:,./\\-]+) ("[^"]+"|[\w@+=:,./\\-]+) run --agent ([\w-]+)(?: --with-gate)?(?: \|\| exit 2)?$/

/**
 * Recognises the command, of any version and installation, and returns what it runs.
 *
 * INVARIANT: the whole text has to match, since nothing else may be taken out of an administrator's file.
 */
export function guardIn(agent: AgentName, command: string | undefined): Launcher | undefined {
  const [, node, bin, named] = onUnix.exec(command ?? '') ?? onWindows.exec(command ?? '') ?? []
  if (node === undefined || bin === undefined || named !== agent) return undefined
  return { node: unquoted(node), bin: unquoted(bin) }
}

const unquoted = (text: string) =>
  text.startsWith('"') ? text.slice(1, -1) : text.replaceAll(`\\'`, '\0').replaceAll("'", '').replaceAll('\0', "'")
