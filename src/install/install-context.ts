import type { InstallLimits, InstallSite, SettingsReader } from '../agents/install/install.ts'
import type { GatePaths } from '../files/state/places.ts'
import type { FileChange } from './files/change.ts'
import { existsSync } from 'node:fs'
import { entryNames } from '../files/entries.ts'
import { settingsValues } from '../files/settings-values.ts'
import { lookAt } from './files/settings-file.ts'

/** `user`: this person on this machine. `project`: a file that is committed, for everybody who works on the project. */
export type InstallScope = InstallSite['scope']

/** The absolute paths that start this very hookgate, whatever is on the PATH of an agent that a desktop started. */
export interface Launcher {
  readonly node: string
  readonly bin: string
}

/** For whom and from where hookgate is installed: nothing is read from the process behind the caller's back. */
export interface InstallContext extends Omit<InstallSite, 'settings'> {
  readonly places: GatePaths
  readonly launcher: Launcher
  /** `undefined`: the best that is safe. */
  readonly via: 'http' | 'command' | undefined
  readonly port: number | undefined
  /** Nothing is started or written. */
  readonly dryRun: boolean
  /** The preset that is turned on in the user's rules file. Default: none. */
  readonly preset?: string | undefined
  /** Replaces hooks of the user's own that do nothing but run hookgate. Default: no. */
  readonly replace?: boolean
}

/** The part of a context that an agent's descriptor sees. */
export const siteOf = ({ scope, env, cwd, home, platform, managedRoot }: InstallContext): InstallSite => ({
  scope,
  env,
  cwd,
  home,
  platform,
  managedRoot,
  settings,
})

/** The folder that files of this scope must not lead out of, by whatever links. */
export const boundsOf = ({ scope, cwd }: InstallContext) => (scope === 'project' ? cwd : undefined)

/** The changes of files that enabling or disabling an agent makes. */
export interface InstallPlan {
  readonly changes: readonly FileChange[]
  /** The way by which the agent reaches the gate, and the reason. */
  readonly notes: readonly string[]
  /** The agent needs a running gate. Default: no. */
  readonly startsGate?: boolean
  /** The registered events and what asks at them, in some lines for people. */
  readonly summary?: readonly string[]
}

/** An agent's registrations, scope by scope, and whether it would call hookgate. */
export interface AgentStatus {
  readonly agent: string
  /** At least one registration works, and nothing keeps the agent from it. */
  readonly calls: boolean
  readonly scopes: readonly ScopeStatus[]
  /** A gate is running. None is started to find out. */
  readonly gateRuns?: boolean
  /** Reasons why the agent does not call, or ignores the answer, wherever it is registered. */
  readonly obstacles: readonly string[]
  /** Code in the agent that could ignore the answer, and an administrator's file that keeps it from that. */
  readonly held: readonly string[]
  readonly notes: readonly string[]
  /** The notes about calls of which no hook is told, or of which that was not tried. */
  readonly open?: readonly string[]
}

export interface ScopeStatus {
  /** `managed`: a file of administrators, for everybody on this machine; only where one registers the agent. */
  readonly scope: InstallScope | 'managed'
  /** The file or folder that has the registration, or would have it. */
  readonly place: string
  readonly state: 'works' | 'broken' | 'unproved' | 'absent'
  /** Registered by `enable`, by a person, or by `enable --managed`; `undefined` where it is not registered. */
  readonly by?: 'enable' | 'hand' | 'administrator' | undefined
  readonly events: readonly string[]
  readonly canaries: readonly Canary[]
  readonly problems: readonly string[]
}

/** The registrations in a place, as far as they can be read. */
export type RegisteredPlace = Pick<ScopeStatus, 'scope' | 'place' | 'by' | 'events' | 'problems'>

/** The result of a harmless event that was sent the way the agent would send it. */
export interface Canary {
  /** The command or the address, as registered. */
  readonly way: string
  readonly answered: boolean
  /** `process`: one that was started for this event answered. */
  readonly by: 'gate' | 'process' | undefined
  readonly durationMs: number
  /** Why it is not known to have answered. */
  readonly problem: string | undefined
}

/** Enables, disables and inspects one agent. */
export interface Installer {
  readonly limits: InstallLimits
  /** Why the agent never asks by HTTP; `undefined` where it may. */
  readonly onlyBy: string | undefined

  enable(context: InstallContext): Promise<InstallPlan>
  disable(context: InstallContext): InstallPlan | Promise<InstallPlan>
  /**
   * Tells who registered hookgate in a place of the context's scope; `undefined` where it is not registered. Runs
   * nothing, and sends no canary.
   */
  registeredBy(context: InstallContext): ScopeStatus['by'] | Promise<ScopeStatus['by']>
  /** Looks at what holds for every scope, and opens the places of each. */
  look(context: InstallContext): AgentLook | Promise<AgentLook>
}

export interface AgentLook {
  readonly obstacles: readonly string[]
  readonly notes: readonly string[]
  /** Each place of a scope is read by another part of the agent, so hookgate must be registered in all of them. */
  readonly everyPlaceCounts?: boolean
  /** @throws HookgateError `usage` where the scope has no place of its own: the project is the user's own folder */
  placesIn(context: InstallContext): readonly InstallPlace[] | Promise<readonly InstallPlace[]>
}

/** A file or folder in which the agent looks for hooks. */
export interface InstallPlace {
  readonly place: string
  /** Rejects or throws where it cannot be read. */
  readonly inspect: () => Inspection | Promise<Inspection>
}

/** A registration as it stands in a place, before it is tried. */
export interface Inspection extends Pick<ScopeStatus, 'by' | 'events' | 'problems'> {
  /** Worth saying, though it works. */
  readonly remarks?: readonly string[]
  /** Why it is not tried: it may be anybody's. */
  readonly untried?: string | undefined
  /** Sends one canary for each different way in which the agent asks. */
  readonly canaries: readonly (() => Promise<Canary>)[]
  /** Surrounds the canaries with what they need. */
  readonly around?: <T>(send: () => Promise<T>) => Promise<T>
}

export const notRegistered: Inspection = { by: undefined, events: [], problems: [], canaries: [] }

/** Reads settings as their agents do. */
const settings: SettingsReader = {
  exists: existsSync,
  text: settingsText,
  list: entryNames,
  ...settingsValues(settingsText),
}

function settingsText(file: string): string | undefined {
  try {
    return lookAt(file, undefined).present?.bytes.toString()
  } catch {
    return undefined
  }
}
