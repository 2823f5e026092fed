import { isAbsolute } from 'node:path'
import type { HookTimes, HooksFile, HooksFileInstall, InstallLimits } from '../../agents/install.ts'
import { titleOf } from '../../agents/registry.ts'
import { type Looked, lookAt } from '../files/look-at.ts'
import { type EnableRecord, readRecord } from '../files/own-state.ts'
import type { HookFiles } from '../hook-files.ts'
import { type AgentLook, type Canary, type Inspection, type InstallContext, boundsOf } from '../install-context.ts'
import { type JsonDocument, keyOf, parseDocument } from '../json/document.ts'
import { type Entries, type FoundHandler, type HookLists, handlersIn } from '../json/hook-lists.ts'
import type { AgentName } from '../../model/event.ts'
import { HookgateError } from '../../model/errors.ts'
import { quoted } from '../../model/text.ts'

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
  register(context: InstallContext, place: HooksFilePlace, files: HookFiles): Promise<Registration>
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
export interface HooksFilePlace {
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
  problems(context: InstallContext, place: HooksFilePlace, own: readonly FoundHook[]): readonly string[]
  readonly around?: (context: InstallContext, own: readonly FoundHook[]) => Inspection['around']
}

/** Reads the files of a scope, the one that the agent reads first. @throws HookgateError `settingsMalformed`, `settingsUnwritable`, `usage` */
export function placesOf(agent: ListedAgent, context: InstallContext): readonly [HooksFilePlace, ...HooksFilePlace[]] {
  const [first, ...others] = filesOf(agent, context)
  return [placeOf(agent, context, first), ...others.map((file) => placeOf(agent, context, file))]
}

/** @throws HookgateError `usage` where the files of the project are the user's own */
export function filesOf(agent: ListedAgent, context: InstallContext): readonly [HooksFile, ...HooksFile[]] {
  if (!isAbsolute(context.home)) {
    const message = `the home folder \`${context.home}\` is not an absolute path`
    throw new HookgateError('usage', message, { remedy: 'set `HOME`' })
  }
  const own = agent.files(context)
  if (context.scope === 'user') return own
  const users = new Set(agent.files({ ...context, scope: 'user' }).map(({ file }) => file))
  if (!own.some(({ file }) => users.has(file))) return own
  throw new HookgateError('usage', "the settings of this folder are the user's settings", {
    remedy: "change to the project's folder, or remove `--scope`",
  })
}

function placeOf(agent: ListedAgent, context: InstallContext, { file, at, holds }: HooksFile): HooksFilePlace {
  const { wins, comments, beside = {} } = agent.form
  const looked = lookAt(file, boundsOf(context))
  const empty = `${JSON.stringify(beside, undefined, 2)}\n`
  return {
    file,
    looked,
    lists: { at, holds, position: wins?.position ?? 'last', own: (handler) => agent.own(handler, context) },
    empty,
    document: parseDocument(looked.present?.bytes ?? Buffer.from(empty), file, comments),
    record: readRecord(context.places, looked.real, agent.name),
  }
}

/** The handlers of `enable` in a document. */
export function ownHooks({ lists }: Pick<HooksFilePlace, 'lists'>, document: JsonDocument): readonly FoundHook[] {
  return handlersIn(document, lists).flatMap((found) => {
    const own = lists.own(found.handler)
    return own === undefined ? [] : [{ ...found, ...own }]
  })
}

/** The files in hookgate's own folder that handlers run. */
export const filesRun = (own: readonly OwnHook[]): readonly string[] => [
  ...new Set(own.flatMap(({ file }) => file ?? [])),
]

/** The reasons why the agent does not read the file at all, whatever hooks it has. */
export function unreadable({ file, document }: HooksFilePlace, { name, form }: ListedAgent): readonly string[] {
  const { beside = {}, onlyKeys } = form
  const keys = (document.root.children ?? []).map(keyOf)
  const title = titleOf(name)
  return [
    ...Object.entries(beside)
      .filter(([key]) => !keys.includes(key))
      .map(([key, value]) => `${file} lacks \`"${key}": ${value}\`, without which ${title} does not read it: add it`),
    ...keys
      .filter((key) => onlyKeys?.includes(key) === false)
      .map((key) => `${file} has the key ${quoted(key)}, with which ${title} does not read it: remove it`),
  ]
}
