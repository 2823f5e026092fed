import type { AgentName } from '../../model/agents.ts'
import type { Carries } from '../../model/dialect.ts'
import { hearing } from '../../model/event-names.ts'
import { limits } from '../../model/limits.ts'
import type { InstallContext } from '../install-context.ts'
import type { Comments } from '../json/document.ts'
import type { FoundHandler, HookLists } from '../json/hook-lists.ts'

/** How hookgate is registered with an agent that reads its hooks from a JSON file. A row of this makes a new one. */
export interface Registration {
  readonly agent: AgentName
  /** What it can be told at each of its events, by its own names for them. */
  readonly carries: Readonly<Record<string, Carries>>
  /** Events that are not registered, and why. */
  readonly never?: Readonly<Record<string, string>>
  /** The files that it could read in a scope. The first is the one that it reads as things are. */
  readonly files: (context: InstallContext) => readonly [HookFile, ...HookFile[]]
  /** What a file that is made for it holds beside the hooks, and every file must. */
  readonly beside?: Readonly<Record<string, number>>
  /** The only keys that may stand at the top of a file: with any other, the agent passes over all of it. */
  readonly onlyKeys?: readonly string[]
  readonly comments?: Comments
  /** Where an entry has to stand so that what it says counts, and why. */
  readonly wins?: { readonly position: 'first' | 'last'; readonly since: string }
  readonly entry: (ask: Ask) => object
  /** Events that it gives another time. */
  readonly times?: Readonly<Record<string, Times>>
  /** What keeps it from running any hook. */
  readonly obstacles?: (context: InstallContext) => readonly string[]
  /** What keeps it from running those of one scope. */
  readonly problems?: (context: InstallContext, found: Found) => readonly string[]
  /** What else is to be known where its status is asked for. */
  readonly notes?: (context: InstallContext) => readonly string[]
  /** What a person has to do, or to know, once it is registered. */
  readonly steps?: (context: InstallContext) => readonly string[]
}

export interface HookFile extends Pick<HookLists<unknown>, 'at' | 'holds'> {
  readonly file: string
}

/** One entry to be written. */
export interface Ask {
  /** For a shell. */
  readonly command: string
  readonly platform: NodeJS.Platform
  readonly timeoutS: number
  /** Whether something could be refused there. */
  readonly refuses: boolean
}

/** What is registered in a file. */
export interface Found {
  readonly file: string
  readonly real: string
  readonly handlers: readonly FoundHandler[]
}

/** How long the agent waits, and how long a client may take before that. */
export interface Times {
  readonly timeoutS: number
  readonly answerMs: number
}

/** At every event that rules may listen to. */
export const eventsOf = ({ agent, carries, never }: Registration): readonly string[] =>
  Object.keys(carries).filter((event) => never?.[event] === undefined && hearing(agent, event) !== undefined)

/** Those without which something could be done that a rule would have refused, or a context be left out. */
export const decidedEventsOf = (registration: Registration): readonly string[] =>
  eventsOf(registration).filter((event) => {
    const carried = registration.carries[event]
    return carried?.deny === 'said' || carried?.context === 'said'
  })

/** The event that comes before a tool is run, or the one for shell commands where there are several. */
export const toolEventOf = (registration: Registration): string =>
  eventsOf(registration).find((event) => commonly(registration, event, ['PreToolUse'])) ?? ''

const commonly = ({ agent }: Registration, event: string, names: readonly string[]) =>
  hearing(agent, event)?.events.some((name) => names.includes(name)) === true

/** A turn that may never end is worse than one that nobody has looked at: its end is let go where nothing answers. */
export const refusesAt = (registration: Registration, event: string): boolean =>
  registration.carries[event]?.deny === 'said' && !commonly(registration, event, ['Stop', 'SubagentStop'])

export function timesOf(registration: Registration, event: string): Times {
  const own = registration.times?.[event]
  if (own !== undefined) return own
  return commonly(registration, event, ['SessionEnd'])
    ? { timeoutS: limits.registeredEndTimeoutS, answerMs: limits.registeredEndAnswerMs }
    : { timeoutS: limits.registeredTimeoutS, answerMs: limits.registeredAnswerMs }
}
