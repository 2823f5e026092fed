import { existsSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, isAbsolute } from 'node:path'
import { z } from 'zod'
import type { AgentDescriptor } from '../../agents/descriptor.ts'
import { registrableEvents, subscribedEvents, titleOf } from '../../agents/registry.ts'
import { dialectOf } from '../../agents/index.ts'
import type { HooksFileInstall, HookTimes } from '../../agents/install/install.ts'
import { shellCall } from '../../agents/neutral-call.ts'
import type { AgentName } from '../../model/event.ts'
import { limits } from '../../model/limits.ts'
import {
  bareCommand,
  isLaunch,
  orExit,
  orRefuse,
  ownHookAgent,
  ownHookBytesMax,
  unlessGone,
} from '../../model/own-hook.ts'
import { shellWord, windowsWord } from '../../model/text.ts'
import { sendCanary } from '../canary.ts'
import { type HookCommand, hookFolderOf, installationGone, slowHooks, runCommandFor, textsOf } from '../hook-files.ts'
import { type Canary, type InstallContext, type InstallScope, siteOf } from '../install-context.ts'
import { filesRun, type ListedAgent, type OwnHook } from './listed-agent.ts'

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
      remarks: (own) => slowHooks(name, textsOf(filesRun(own))),
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

/** A handler of any agent's that runs a command. */
const Handler = z.looseObject({
  command: z.string().optional(),
  bash: z.string().optional(),
  powershell: z.string().optional(),
})

/** Writes the line for a shell. Where nothing could be started at all, the shell itself refuses, or goes on. */
function commandLine(
  agent: AgentName,
  { command, args }: HookCommand,
  platform: NodeJS.Platform,
  refuses: boolean,
): string {
  const line = [command, ...args].map(platform === 'win32' ? windowsWord : shellWord).join(' ')
  if (platform === 'win32') return line
  const file = args.findLast((word) => isAbsolute(word))
  // A project's file may be read on Windows too, whose shell knows no more than `exit`.
  if (file === undefined) return refuses ? `${line}${orExit}` : line
  if (!refuses) return `${unlessGone(shellWord(file))}${line}`
  return `${line}${orRefuse(shellWord(file), shellWord(`${file} is gone: run \`hookgate enable ${agent}\``))}`
}

/** Reads the command of a handler, under whichever key it stands. */
export function commandIn(handler: unknown): string | undefined {
  const { data } = Handler.safeParse(handler)
  return data?.command ?? data?.bash ?? data?.powershell
}

/**
 * Recognises a handler of `enable`. There is no mark on it, since an agent may void a file for a key that it does not
 * know.
 *
 * INVARIANT: a command counts only as a whole, and only if it does nothing but ask hookgate: what runs one of the files of
 * `enable`, or is to the letter what `enable` writes where there is none.
 */
function ownCommand(agent: AgentName, context: InstallContext, handler: unknown): OwnHook | undefined {
  const command = commandIn(handler)
  if (command === undefined) return undefined
  const line = bareCommand(command)
  if (context.scope === 'project')
    return line === projectLine(agent) ? { identity: command, file: undefined } : undefined
  const words = wordsOf(line)
  if (words === undefined) return undefined
  const [program = '', first = '', ...rest] = words
  const file = words.at(-1) ?? ''
  if (isAbsolute(program) && /^(?:-p)?$/.test(words.slice(1, -1).join(' ')) && isOwnFile(file, agent, context)) {
    return { identity: command, file }
  }
  const runs = isAbsolute(program) && /^bin\.[jt]s$/.test(basename(first)) && basename(dirname(first)) === 'cli'
  return runs && rest.join(' ') === `run --agent ${agent}` ? { identity: command, file: undefined } : undefined
}

const projectLine = (agent: AgentName) => {
  const { command, args } = runCommandFor(agent, 'project' satisfies InstallScope, { node: '', bin: '' })
  return [command, ...args].join(' ')
}

/** Recognises a file by hookgate's own folder, or by its text: that folder may have been another when it was written. */
function isOwnFile(file: string, agent: AgentName, context: InstallContext): boolean {
  if (dirname(file) === hookFolderOf(agent, context)) return true
  if (basename(dirname(file)) !== agent || !existsSync(file)) return false
  const stats = statSync(file)
  return stats.isFile() && stats.size <= ownHookBytesMax && ownHookAgent(readFileSync(file, 'utf8')) === agent
}

/** Reads the command of a handler with which a person runs hookgate without `enable`. */
function handCommand(agent: AgentName, context: InstallContext, handler: unknown): string | undefined {
  const command = commandIn(handler)
  const isByHand = command !== undefined && isLaunch(command) && ownCommand(agent, context, handler) === undefined
  return isByHand ? command : undefined
}

/** Splits a command that has nothing but words; `undefined` for any other. */
function wordsOf(line: string): readonly string[] | undefined {
  const word = /(?:[\w@%+=:,./\\-]|'[^']*'|\\'|"[^"$`]*")+/gy
  const words: string[] = []
  for (let at = 0; at < line.length;) {
    word.lastIndex = at
    const found = word.exec(line)?.[0]
    if (found === undefined) return undefined
    words.push(unquoted(found))
    at += found.length
    if (at < line.length && line[at] !== ' ') return undefined
    at += 1
  }
  return words
}

const unquoted = (word: string) =>
  /^["']/.test(word) ? word.replaceAll(`'\\''`, '\0').replace(/["']/g, '').replaceAll('\0', "'") : word
