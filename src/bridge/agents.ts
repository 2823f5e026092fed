/** Where the events of one agent go: the route of a listener, the files where nobody listens, and their usual folder. */
export interface BridgedAgent {
  readonly route: string
  readonly eventsFile: string
  readonly errorsFile: string
  /** Below the user's home. */
  readonly folder: readonly string[]
}

const claudeCode: BridgedAgent = {
  route: '/claude-hook',
  eventsFile: 'claude-hook-events.json',
  errorsFile: 'claude-hook-events-errors.json',
  folder: ['.claude', 'hook-events'],
}

const cline: BridgedAgent = {
  route: '/cline-hook',
  eventsFile: 'cline-hook-events.json',
  errorsFile: 'cline-hook-events-errors.json',
  folder: ['.cline', 'hook-events'],
}

/** Not the model's schema of agents, which would load zod: an agent waits for each event to be handed on. */
export const bridgedAgents: ReadonlyMap<string, BridgedAgent> = new Map([
  ['claude-code', claudeCode],
  ['cline', cline],
])

/** Whose event it is that nobody named: `undefined` where its shape is that of no agent that the bridge knows. */
export function agentOfShape(event: object): BridgedAgent | undefined {
  if ('hookName' in event || 'hook_name' in event) return cline
  return 'hook_event_name' in event ? claudeCode : undefined
}

/** Beside whose events is noted down what came of nobody: its folder is the one that the bridge is known by. */
export const agentOfUnknown = cline
