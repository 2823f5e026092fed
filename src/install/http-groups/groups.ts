import { claudeCode } from '../../agents/claude-code/index.ts'
import type { HookTimes } from '../../agents/install/install.ts'
import { limits } from '../../model/limits.ts'
import type { HookCommand } from '../hook-command.ts'
import type { Entries } from '../json/hook-lists.ts'
import { ownMark } from './own-handler.ts'
import { shellWord } from '../../model/text.ts'

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

const lineOf = ({ command, args }: HookCommand) => [command, ...args].join(' ')

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
