import { carriesTable } from '../../dialect/claude-code/carries.ts'
import { EventName } from '../../model/event.ts'
import { limits } from '../../model/limits.ts'
import type { HookCommand } from '../hook-command.ts'
import type { Groups } from './hooks-edit.ts'
import { ownMark } from './own-handler.ts'

/** How Claude Code is to reach the gate. */
export interface Way {
  /** Asks the gate, or decides by itself where there is none. */
  readonly commandFor: (event: EventName) => HookCommand
  /** Whether the command is started without a shell: old versions would take the program and drop its arguments. */
  readonly execForm: boolean
  readonly http:
    | undefined
    | { readonly url: string; readonly headers: Readonly<Record<string, string>>; readonly up: HookCommand }
}

/**
 * Where an HTTP hook is not heard, or where `onFailure` is not heeded, so that a gate that is gone would let the agent go
 * on in silence. All come once a turn or more seldom. With the prompt the gate comes up again that has left for idleness.
 */
const commandOnly: ReadonlySet<EventName> = new Set([
  'SessionStart',
  'UserPromptSubmit',
  'Stop',
  'SubagentStop',
  'TaskCompleted',
  'TeammateIdle',
])
const bringsUp: ReadonlySet<EventName> = new Set(['SessionStart', 'UserPromptSubmit'])

/** The events at which a decision or a context can be said. */
export const askedEvents: readonly EventName[] = EventName.options.filter((event) => {
  // A hook of this event makes the folder in place of Claude Code: to be asked about it would be to take it on.
  if (event === 'WorktreeCreate') return false
  const { deny, context } = carriesTable[event]
  return deny === 'said' || context === 'said'
})

/** What is registered, at every event that can be answered. */
export function groupsFor({ commandFor, execForm, http }: Way): Groups {
  return Object.fromEntries(
    askedEvents.map((event) => {
      const ask = commandHandler(commandFor(event), execForm, 'block')
      if (http === undefined) return [event, { hooks: [ask] }]
      const { url, headers, up } = http
      if (!commandOnly.has(event)) return [event, { hooks: [httpHandler(url, headers)] }]
      return [event, { hooks: bringsUp.has(event) ? [commandHandler(up, execForm, undefined), ask] : [ask] }]
    }),
  )
}

function commandHandler({ command, args }: HookCommand, execForm: boolean, onFailure: 'block' | undefined): object {
  return {
    type: 'command',
    ...(execForm ? { command, args } : { command: [command, ...args].map(shellWord).join(' ') }),
    timeout: limits.registeredTimeoutS,
    ...(onFailure !== undefined && { onFailure }),
    statusMessage: ownMark,
  }
}

function httpHandler(url: string, headers: Readonly<Record<string, string>>): object {
  return { type: 'http', url, headers, timeout: limits.registeredTimeoutS, onFailure: 'block', statusMessage: ownMark }
}

const shellWord = (word: string) => (/^[\w./:=-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)
