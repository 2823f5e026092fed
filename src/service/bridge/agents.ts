import { keptEventsFolder } from '../../files/home-folder.ts'

/** The destinations of one agent's events: a listener's route, or, if none listens, files in a folder. */
export interface BridgedAgent {
  /** The command that forwards only this agent's events; its name is also the listener's route. */
  readonly command: string
  readonly title: string
  readonly eventsFile: string
  readonly errorsFile: string
  /** Path segments of the default folder, relative to the user's home. */
  readonly folder: readonly string[]
}

const claudeCode: BridgedAgent = {
  command: 'claude-hook',
  title: 'Claude Code',
  eventsFile: 'claude-hook-events.json',
  errorsFile: 'claude-hook-events-errors.json',
  folder: ['.claude', keptEventsFolder],
}

const cline: BridgedAgent = {
  command: 'cline-hook',
  title: 'Cline',
  eventsFile: 'cline-hook-events.json',
  errorsFile: 'cline-hook-events-errors.json',
  folder: ['.cline', keptEventsFolder],
}

/**
 * The bridge's own list: the model's schema of agents would load zod, and the agent waits while an event is passed on.
 */
export const bridgedAgents: ReadonlyMap<string, BridgedAgent> = new Map([
  ['claude-code', claudeCode],
  ['cline', cline],
])

/** Recognizes an event's agent by its fields; `undefined` if it looks like none that the bridge knows. */
export function agentOfShape(event: object): BridgedAgent | undefined {
  if ('hookName' in event || 'hook_name' in event) return cline
  return 'hook_event_name' in event ? claudeCode : undefined
}

/** The agent whose error file records events of unknown agents: its folder is the best-known one of the bridge. */
export const agentOfUnknown = cline
