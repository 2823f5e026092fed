import type { HooksFile, HooksFileInstall, HookTimes, InstallLimits } from '../../agents/install.ts'
import type { AgentName } from '../../model/event.ts'
import type { Looked } from '../files/look-at.ts'
import type { EnableRecord } from '../files/records.ts'
import type { HookFiles } from '../hook-files.ts'
import type { AgentLook, Canary, Inspection, InstallContext } from '../install-context.ts'
import type { JsonDocument } from '../json/document.ts'
import type { Entries, FoundHandler, HookLists } from '../json/hook-lists.ts'

/** An agent that keeps its hooks in lists in a JSON file, as the installer for such files sees it. */
export interface ListedAgent {
  readonly name: AgentName
  readonly limits: InstallLimits
  readonly onlyBy: string | undefined
  readonly form: Pick<HooksFileInstall, 'beside' | 'onlyKeys' | 'comments' | 'wins'>
  /** The events that are registered. */
  readonly events: readonly string[]
  /** Those without which something could be done that a rule would have refused, or a context be left out. */
  readonly decidedEvents: readonly string[]
  /** The events whose handlers are tried: between them they have every way in which the agent asks. */
  readonly triedEvents: readonly string[]
  /** The files of the context's scope, the one that the agent reads first. */
  files(context: InstallContext): readonly [HooksFile, ...HooksFile[]]
  timesOf(event: string): HookTimes
  /** Recognises a handler of `enable`, whatever has been edited beside its command since. */
  own(handler: unknown, context: InstallContext): OwnHook | undefined
  /** The command of a handler with which a person runs hookgate without `enable`. */
  handCommand(handler: unknown, context: InstallContext): string | undefined
  register(context: InstallContext, place: Place, files: HookFiles): Promise<Registration>
  /** The reasons why the agent runs no hooks at all. */
  obstacles(context: InstallContext): readonly string[]
  look(context: InstallContext): ListedLook | Promise<ListedLook>
  sendCanary(handler: unknown, context: InstallContext): Promise<Canary>
}

/** The identity of a handler of `enable`. */
export interface OwnHook {
  /** The part that decides what is run. */
  readonly identity: string
  /** The file in hookgate's own folder that it runs. */
  readonly file: string | undefined
  /** True for a handler that sends no event to the gate. It is not tried. */
  readonly startsGateOnly?: true
}

export interface FoundHook extends FoundHandler, OwnHook {}

/** One of the files in which an agent could keep hooks, as it is now. */
export interface Place {
  readonly file: string
  readonly looked: Looked
  readonly lists: HookLists<OwnHook>
  /** The text that `enable` begins with where there is no file. */
  readonly empty: string
  readonly document: JsonDocument
  readonly record: EnableRecord | undefined
}

/** The entries that `enable` writes. */
export interface Registration {
  readonly entries: Entries
  readonly notes: readonly string[]
  readonly summary: readonly string[]
  /** True where the entries hold the gate's token, and ask a gate that has to be running. */
  readonly isHttp: boolean
}

/** The part of an agent's surroundings that only its status needs. */
export interface ListedLook extends Pick<AgentLook, 'notes'> {
  problems(context: InstallContext, place: Place, own: readonly FoundHook[]): readonly string[]
  readonly around?: (context: InstallContext, own: readonly FoundHook[]) => Inspection['around']
}
