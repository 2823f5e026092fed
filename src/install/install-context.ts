import type { Places } from '../server/places.ts'
import type { FileChange } from './files/change.ts'

/** `user`: this person on this machine. `project`: a file that is committed, for everybody who works on the project. */
export type Scope = 'user' | 'project'

/** How this very hookgate is started, whatever is on the PATH of an agent that was started from a desktop. */
export interface Launcher {
  readonly node: string
  readonly bin: string
}

/** Who asks, and from where: nothing is read from the process behind its back. */
export interface InstallContext {
  readonly scope: Scope
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly home: string
  readonly platform: NodeJS.Platform
  readonly places: Places
  readonly launcher: Launcher
  /** `undefined`: the best that is safe. */
  readonly via: 'http' | 'command' | undefined
  readonly port: number | undefined
  /** Nothing is started or written. */
  readonly dryRun: boolean
  /** Whether what a person has set up by hand to have hookgate asked gives way. Default: no. */
  readonly replace?: boolean
  /** Default: where this system keeps what administrators settle for Claude Code. */
  readonly claudeManagedFolder?: string
}

/** What is to be done to whose files. */
export interface InstallPlan {
  readonly changes: readonly FileChange[]
  /** How the agent is to reach the gate, and why so. */
  readonly notes: readonly string[]
  /** Whether a gate has to be there for it. Default: no. */
  readonly startsGate?: boolean
  /** At which events, and by what: for whoever only wants to know. */
  readonly summary?: readonly string[]
}

/** Whether an agent would call hookgate, scope by scope. */
export interface AgentStatus {
  readonly agent: string
  /** Whether at least one registration works, and nothing keeps the agent from it. */
  readonly calls: boolean
  readonly scopes: readonly ScopeStatus[]
  /** Whether a gate is there. None is started to find out. */
  readonly gateRuns?: boolean
  /** What keeps the agent from calling, or from heeding the answer, wherever it is registered. */
  readonly obstacles: readonly string[]
  readonly notes: readonly string[]
}

export interface ScopeStatus {
  readonly scope: Scope
  /** Where it is, or would be, registered. */
  readonly place: string
  readonly state: 'works' | 'broken' | 'unproved' | 'absent'
  /** Whether `enable` registered it or a person did; `undefined` where nobody has. */
  readonly by?: 'enable' | 'hand' | undefined
  readonly events: readonly string[]
  readonly canaries: readonly Canary[]
  readonly problems: readonly string[]
}

/** What became of a harmless event that was sent the way the agent would send it. */
export interface Canary {
  /** The command or the address, as registered. */
  readonly way: string
  readonly answered: boolean
  /** Whether the resident gate answered, or a process that was started for it. */
  readonly by: 'gate' | 'process' | undefined
  readonly durationMs: number
  /** Why it is not known to have answered. */
  readonly problem: string | undefined
}

/** Which of its events an agent can be made to ask about. */
export interface Reach {
  /** Events at which it is never registered, and why. */
  readonly never: Readonly<Record<string, string>>
  /** Events that need more than to be registered, and what. */
  readonly needsMore: Readonly<Record<string, string>>
  /** What events are called in rules that this agent never comes to. */
  readonly foreign: readonly string[]
}

/** What `enable`, `disable` and `status` do for one agent. */
export interface Installer {
  readonly reach: Reach
  /** How the agent asks, where that is never by HTTP; `undefined` where it may be. */
  readonly onlyBy: string | undefined

  enable(context: InstallContext): Promise<InstallPlan>
  disable(context: InstallContext): InstallPlan | Promise<InstallPlan>
  status(context: InstallContext): Promise<AgentStatus>
}
