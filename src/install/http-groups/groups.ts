import { z } from 'zod'
import { claudeCode } from '../../agents/claude-code/index.ts'
import type { HookTimes } from '../../agents/install/install.ts'
import type { AgentName } from '../../model/event.ts'
import { limits } from '../../model/limits.ts'
import { shellWord } from '../../model/text.ts'
import { type CanaryWay, runProgram, sendCanary } from '../canary.ts'
import type { HookCommand } from '../hook-files.ts'
import type { Canary, InstallContext } from '../install-context.ts'
import type { Entries } from '../json/hook-lists.ts'

/** Registered timeout for the display of a message, which waits for its hooks: Claude Code's default, in seconds. */
const registeredDisplayTimeoutS = 10

const registeredDisplayAnswerMs = 9000

/** The way by which Claude Code reaches the gate. */
export interface Way {
  /** Asks the gate, or decides by itself where there is none. */
  readonly commandFor: (event: string) => HookCommand
  /** The command is started without a shell: old versions would take the program and drop its arguments. */
  readonly execForm: boolean
  readonly http:
    | undefined
    | { readonly url: string; readonly headers: Readonly<Record<string, string>>; readonly up: HookCommand }
}

/**
 * Events at which Claude Code ignores HTTP hooks or their `onFailure`, so that without a gate it would go on in silence. All
 * come once a turn or less often. A prompt also starts the gate again that has ended for idleness.
 */
const commandOnly: ReadonlySet<string> = new Set([
  'SessionStart',
  'UserPromptSubmit',
  'Stop',
  'SubagentStop',
  'TaskCompleted',
  'TeammateIdle',
])
const bringsUp: ReadonlySet<string> = new Set(['SessionStart', 'UserPromptSubmit'])

/**
 * The events that are registered: all but one, since rules may listen to any. A hook of `WorktreeCreate` has to make the
 * folder in place of Claude Code, which hookgate does not.
 */
export const registeredEvents: readonly string[] = Object.keys(claudeCode.events).filter(
  (event) => event !== 'WorktreeCreate',
)

/**
 * Events that take neither a decision nor a context. A hook that fails there holds up nothing, and no event is lost without
 * a gate: the command then decides by itself.
 */
const isObserved = (event: string): boolean => {
  const { deny, context } = claudeCode.events[event]?.support ?? {}
  return deny !== 'native' && context !== 'native'
}

/** The others, without which something could be done that a rule would have refused. */
export const decidedEvents: readonly string[] = registeredEvents.filter((event) => !isObserved(event))

/** The time that Claude Code waits for hooks of an event, and the time after which a client is given up. */
export function timesOf(event: string): HookTimes {
  if (event === 'SessionEnd') return { timeoutS: limits.registeredEndTimeoutS, answerMs: limits.registeredEndAnswerMs }
  if (event === 'MessageDisplay') {
    return { timeoutS: registeredDisplayTimeoutS, answerMs: registeredDisplayAnswerMs }
  }
  return { timeoutS: limits.registeredTimeoutS, answerMs: limits.registeredAnswerMs }
}

/** Describes the registration for people, in a few lines. */
export function summaryOf({ commandFor, http }: Way): readonly string[] {
  const byHttp = registeredEvents.filter((event) => isByHttp(event, http !== undefined))
  const byCommand = registeredEvents.filter((event) => !byHttp.includes(event))
  // The commands differ in the event's name alone.
  const shown = lineOf(commandFor('PreToolUse')).replace(/\bPreToolUse$/, 'EVENT')
  return [
    ...(http === undefined ? [] : [`${byHttp.length} events by HTTP at ${http.url}: ${byHttp.join(', ')}`]),
    `${byCommand.length} events by \`${shown}\`: ${byCommand.join(', ')}`,
    ...(http === undefined ? [] : [`also at ${[...bringsUp].join(' and ')}: \`${lineOf(http.up)}\``]),
    'not at WorktreeCreate, whose hooks create the folder instead of Claude Code',
  ]
}

const isByHttp = (event: string, isHttp: boolean) => isHttp && !commandOnly.has(event) && !isObserved(event)

/** The entry for each registered event. */
export function groupsFor({ commandFor, execForm, http }: Way): Entries {
  return Object.fromEntries(
    registeredEvents.map((event) => {
      const { timeoutS } = timesOf(event)
      const ask = commandHandler(commandFor(event), execForm, timeoutS, isObserved(event) ? undefined : 'block')
      if (http === undefined) return [event, { hooks: [ask] }]
      const { url, headers, up } = http
      if (isByHttp(event, true)) return [event, { hooks: [httpHandler(url, headers)] }]
      return [event, { hooks: bringsUp.has(event) ? [commandHandler(up, execForm, timeoutS, undefined), ask] : [ask] }]
    }),
  )
}

function commandHandler(
  { command, args }: HookCommand,
  execForm: boolean,
  timeout: number,
  onFailure: 'block' | undefined,
): object {
  return {
    type: 'command',
    ...(execForm ? { command, args } : { command: [command, ...args].map(shellWord).join(' ') }),
    timeout,
    ...(onFailure !== undefined && { onFailure }),
    statusMessage: ownMark,
  }
}

function httpHandler(url: string, headers: Readonly<Record<string, string>>): object {
  return { type: 'http', url, headers, timeout: limits.registeredTimeoutS, onFailure: 'block', statusMessage: ownMark }
}

/**
 * INVARIANT: what `enable` writes carries this line, and `disable` removes what carries it and nothing else. Claude Code
 * shows it while a hook runs, so it is one of the keys that every kind of handler has; a key of our own might one day
 * void the whole file.
 */
export const ownMark = 'hookgate (set up by `hookgate enable`)'

const common = { statusMessage: z.literal(ownMark), timeout: z.number().optional(), onFailure: z.string().optional() }
const commandKeys = { type: z.literal('command'), command: z.string(), args: z.array(z.string()).optional() }

/** A handler of `enable`, whatever has been edited in it since. */
const OwnHandler = z.discriminatedUnion('type', [
  z.looseObject({ ...common, ...commandKeys }),
  z.looseObject({
    ...common,
    type: z.literal('http'),
    url: z.string(),
    headers: z.record(z.string(), z.string()).optional(),
  }),
])
type OwnHandler = z.infer<typeof OwnHandler>

const CalledCommand = z.looseObject(commandKeys)
/** Any hook that is a command. */
type CalledCommand = z.infer<typeof CalledCommand>

export const ownHandler = (handler: unknown): OwnHandler | undefined => OwnHandler.safeParse(handler).data

/** Recognises a hook with which a person runs hookgate without `enable`. */
export function handHandler(handler: unknown): CalledCommand | undefined {
  const { data } = CalledCommand.safeParse(handler)
  if (data === undefined || ownHandler(handler) !== undefined) return undefined
  return /\bhookgate(?:\.cmd)?["']?\s+run\b/.test(lineOf(data)) ? data : undefined
}

export const lineOf = ({
  command,
  args = [],
}: {
  readonly command: string
  readonly args?: readonly string[] | undefined
}) => [command, ...args].join(' ')

/** Recognises the command that only starts the gate, and has nothing to say to an event. */
export const isUpCommand = (handler: OwnHandler) => handler.type === 'command' && handler.args?.includes('up') === true

/** Sends a canary to a handler as Claude Code would call it. */
export function canaryFor(agent: AgentName, handler: unknown, context: InstallContext): Promise<Canary> {
  const called = ownHandler(handler) ?? handHandler(handler)
  if (called === undefined) throw new TypeError('a canary is only sent to a handler that asks hookgate')
  return sendCanary(agent, context, wayOf(called, context))
}

/** Calls a handler as Claude Code does: with `args` without a shell and with its placeholders filled in, else by the shell. */
function wayOf(handler: OwnHandler | CalledCommand, { cwd, env, platform }: InstallContext): CanaryWay {
  if (handler.type === 'http') return { post: { url: handler.url, headers: handler.headers ?? {} } }
  const own = { ...env, CLAUDECODE: '1', CLAUDE_PROJECT_DIR: cwd }
  const { command, args } = handler
  if (args === undefined) {
    const [file, ...words] = platform === 'win32' ? ['cmd.exe', '/d', '/s', '/c', command] : ['/bin/sh', '-c', command]
    return { start: { file, args: words, cwd, env: own } }
  }
  const filled = (word: string) => word.replaceAll('${CLAUDE_PROJECT_DIR}', cwd)
  return { start: { file: filled(command), args: args.map(filled), cwd, env: own } }
}

/** Runs what Claude Code runs when a session starts: an HTTP hook finds the gate then. */
export async function startFor(handler: OwnHandler, context: InstallContext): Promise<void> {
  const way = wayOf(handler, context)
  if ('start' in way) await runProgram(way.start, '')
}
