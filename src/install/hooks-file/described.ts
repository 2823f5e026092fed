import type { AgentDescriptor } from '../../agents/descriptor.ts'
import { dialectOf } from '../../agents/index.ts'
import type { HooksFileInstall, HookTimes } from '../../agents/install/install.ts'
import { shellCall } from '../../agents/neutral-call.ts'
import { titleOf } from '../../agents/registry.ts'
import type { AgentName } from '../../model/event.ts'
import { bareCommand } from '../../model/own-hook.ts'
import { registrableEvents, subscribedEvents } from '../../agents/event-names.ts'
import { limits } from '../../model/limits.ts'
import { sendCanary } from '../canary.ts'
import { installationGone, otherVersions, textsOf } from '../hook-files.ts'
import { type Canary, type InstallContext, siteOf } from '../install-context.ts'
import { commandIn, commandLine, handCommand, ownCommand } from './command-line.ts'
import { filesRun, type ListedAgent } from './listed-agent.ts'

/** The events at which an agent asks hookgate. */
interface AskedEvents {
  readonly events: readonly string[]
  /** Events at which something can be refused, or the model be told something. */
  readonly decidedEvents: readonly string[]
  /** The event before a tool is run, or the one for shell commands where there are several. */
  readonly toolEvent: string
  /** Tells the events that are refused where nothing answers. */
  readonly refusesAt: (event: string) => boolean
  readonly timesOf: (event: string) => HookTimes
}

/** Derives from an agent's descriptor the events at which it asks hookgate. */
export function askedEvents({ name, install }: Pick<AgentDescriptor, 'name' | 'install'>): AskedEvents {
  const support = registrableEvents(name)
  const times = install.kind === 'hooks-file' ? install.times : undefined
  const isNamed = (event: string, names: readonly string[]) =>
    subscribedEvents(name, event)?.events.some((one) => names.includes(one)) === true
  const events = Object.keys(support).filter(
    (event) => install.never?.[event] === undefined && subscribedEvents(name, event) !== undefined,
  )
  return {
    events,
    decidedEvents: events.filter((event) => support[event]?.deny === 'native' || support[event]?.context === 'native'),
    toolEvent: events.find((event) => isNamed(event, ['PreToolUse'])) ?? '',
    // A turn that never ends is worse than one whose end was not checked: it may end where nothing answers.
    refusesAt: (event) => support[event]?.deny === 'native' && !isNamed(event, ['Stop', 'SubagentStop']),
    timesOf: (event) =>
      times?.[event] ??
      (isNamed(event, ['SessionEnd'])
        ? { timeoutS: limits.registeredEndTimeoutS, answerMs: limits.registeredEndAnswerMs }
        : { timeoutS: limits.registeredTimeoutS, answerMs: limits.registeredAnswerMs }),
  }
}

/** Derives from an agent's descriptor how hookgate is registered in its hooks file. */
export function listedAgent({ name }: Pick<AgentDescriptor, 'name'>, install: HooksFileInstall): ListedAgent {
  const { events, decidedEvents, toolEvent, refusesAt, timesOf } = askedEvents({ name, install })
  return {
    name,
    limits: install,
    onlyBy: `${titleOf(name)} calls its hooks as commands`,
    form: install,
    events,
    decidedEvents,
    triedEvents: [toolEvent],
    files: (context) => install.files(siteOf(context)),
    timesOf,
    own: (handler, context) => ownCommand(name, context, handler),
    handCommand: (handler, context) => handCommand(name, context, handler),
    async register(context, { holds }, files) {
      const { platform } = context
      const lineOf = (event: string) => commandLine(name, files.commandFor(event), platform, refusesAt(event))
      const entryAt = (event: string) => {
        const { timeoutS } = timesOf(event)
        const handler = install.entry({ command: lineOf(event), platform, timeoutS, refuses: refusesAt(event) })
        return holds === 'groups' ? { hooks: [handler] } : handler
      }
      const shown = bareCommand(lineOf(toolEvent)).replace(toolEvent, 'EVENT')
      return {
        entries: Object.fromEntries(events.map((event) => [event, entryAt(event)])),
        notes: install.steps?.(siteOf(context)) ?? [],
        summary: [`${events.length} events by \`${shown}\`: ${events.join(', ')}`],
        isHttp: false,
      }
    },
    obstacles: (context) => install.obstacles?.(siteOf(context)) ?? [],
    look: (context) => ({
      notes: install.notes?.(siteOf(context)) ?? [],
      problems: (scoped, { file, looked }, own) => [
        ...installationGone(name, textsOf(filesRun(own))),
        ...(install.problems?.(siteOf(scoped), { file, real: looked.real, handlers: own }) ?? []),
      ],
      remarks: (own) => otherVersions(name, textsOf(filesRun(own))),
    }),
    sendCanary: (handler, context) => canaryByShell(name, commandIn(handler) ?? '', context),
  }
}

/** Starts the command as the agent does: by a shell, with the variables that it gives to hooks. */
export async function canaryByShell(
  agent: AgentName,
  command: string,
  context: InstallContext,
  /** The program that starts the shell. Default: none. */
  starter?: string,
): Promise<Canary> {
  const { cwd, env, platform } = context
  const dialect = await dialectOf(agent)
  const event = dialect.decodeEvent(await shellCall(agent, 'true', cwd, 'hookgate'), { nowMs: 0, env: {}, cwd })
  const handler = { kind: 'command', dialect: agent, program: { form: 'exec', file: '', args: [] } } as const
  const given = dialect.environment(event, { ...handler, env: {}, plainTextEvents: [], async: false }, env)
  const [file = '', ...args] =
    platform === 'win32'
      ? ['cmd.exe', '/d', '/s', '/c', command]
      : [...(starter === undefined ? [] : [starter]), '/bin/sh', '-c', command]
  const start = { file, args, cwd, env: given.env }
  return sendCanary(agent, context, { start, shown: command })
}
