import type { Carries } from '../model/dialect.ts'
import type { AgentInstall } from './install.ts'

/**
 * One agent, as data: every list of agents is derived from these. It imports the model and the table machinery of this
 * room and nothing else, so that every room above may read it.
 */
export interface AgentDescriptor<Name extends string = string> {
  readonly name: Name
  /** The name as people write it. */
  readonly title: string
  /** What it can be told at each of its events, by its own names for them. */
  readonly carries: Readonly<Record<string, Carries>>
  /** How hookgate is installed. */
  readonly install: AgentInstall
}
