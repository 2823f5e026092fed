import type { AgentInstall } from './install.ts'
import type { AgentEvent } from './table/events.ts'
import type { AgentTools } from './tools.ts'

/**
 * One agent, as data: every list of agents is derived from these. It imports the model and the table machinery of this
 * room and nothing else, so that every room above may read it.
 */
export interface AgentDescriptor<Name extends string = string> {
  readonly name: Name
  /** The name as people write it. */
  readonly title: string
  /** Its events under its own names. The first of an event is the one used when speaking to it. */
  readonly events: Readonly<Record<string, AgentEvent>>
  readonly tools: AgentTools
  /** How it spells a tool of an MCP server; absent where that is `mcp__<server>__<tool>`, as in a `HookEvent`. */
  readonly mcpName?: (server: string, tool: string) => string
  /** Variables that it sets for everything it starts, and that therefore speak of one session. */
  readonly exposedEnv: readonly string[]
  /** Mistakes that are made again and again in hooks written for it. */
  readonly lints?: readonly HookLint[]
  /** How hookgate is installed. */
  readonly install: AgentInstall
}

/** A mistake in a hook's script: a text that is found, where another is not, means something else than its author thinks. */
export interface HookLint {
  readonly found: RegExp
  readonly unless?: RegExp
  /** Of the agent's own names of events, those at which it is a mistake; the script's events are all of them unless given. */
  readonly at?: (events: readonly string[]) => boolean
  readonly message: string
  readonly remedy: string
}
