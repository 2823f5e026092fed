import { isAbsolute } from 'node:path'
import type { HookTimes, HooksFile, HooksFileInstall, InstallLimits } from '../../agents/install/install.ts'
import { titleOf } from '../../agents/registry.ts'
import { type Looked, lookAt } from '../files/look-at.ts'
import { type EnableRecord, readRecord } from '../files/own-state.ts'
import type { HookFiles } from '../hook-files.ts'
import { type AgentLook, type Canary, type Inspection, type InstallContext, boundsOf } from '../install-context.ts'
import { parseDocument } from '../json/document.ts'
import type { Entries, FoundHandler } from '../json/hook-lists.ts'
import { type HooksDocument, jsonHooks } from './hooks-document.ts'
import { tomlHooks } from './toml-hooks.ts'
import type { AgentName } from '../../model/event.ts'
import { HookgateError } from '../../model/errors.ts'
import { quoted } from '../../model/text.ts'

/** An agent that keeps its hooks in a file, as the installer for such files sees it. */
export interface ListedAgent {
  readonly name: AgentName
  readonly limits: InstallLimits
  readonly onlyBy: string | undefined
  readonly form: Pick<HooksFileInstall, 'beside' | 'onlyKeys' | 'comments' | 'userOnly' | 'wins'>
  /** The events that are registered. */
  readonly events: readonly string[]
  /** Events without which a call could pass that a rule would refuse, or a context be lost. */
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
  readonly holds: HooksFile['holds']
  /** Recognises a handler of `enable`, whatever has been edited in it since. */
  readonly own: (handler: unknown) => OwnHook | undefined
  /** The text that `enable` begins with where there is no file. */
  readonly empty: string
  readonly document: HooksDocument
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
  /** Worth saying about these hooks, though they work. Default: nothing. */
  remarks?(own: readonly FoundHook[]): readonly string[]
  readonly around?: (context: InstallContext, own: readonly FoundHook[]) => Inspection['around']
}

/** Reads the files of a scope, the one that the agent reads first. @throws HookgateError `settingsMalformed`, `settingsUnwritable`, `usage` */
export function placesOf(agent: ListedAgent, context: InstallContext): readonly [HooksFilePlace, ...HooksFilePlace[]] {
  const [first, ...others] = filesOf(agent, context)
  return [placeOf(agent, context, first), ...others.map((file) => placeOf(agent, context, file))]
}

/** @throws HookgateError `usage` where the project has no files, or they are the user's own */
export function filesOf(agent: ListedAgent, context: InstallContext): readonly [HooksFile, ...HooksFile[]] {
  if (!isAbsolute(context.home)) {
    const message = `the home folder \`${context.home}\` is not an absolute path`
    throw new HookgateError('usage', message, { remedy: 'set `HOME`' })
  }
  const own = agent.files(context)
  if (context.scope === 'user') return own
  const { userOnly } = agent.form
  if (userOnly !== undefined) throw new HookgateError('usage', userOnly, { remedy: 'remove `--scope`' })
  const users = new Set(agent.files({ ...context, scope: 'user' }).map(({ file }) => file))
  if (!own.some(({ file }) => users.has(file))) return own
  throw new HookgateError('usage', "the settings of this folder are the user's settings", {
    remedy: "change to the project's folder, or remove `--scope`",
  })
}

function placeOf(agent: ListedAgent, context: InstallContext, { file, at, holds }: HooksFile): HooksFilePlace {
  const { wins, comments, beside } = agent.form
  const looked = lookAt(file, boundsOf(context))
  const own: HooksFilePlace['own'] = (handler) => agent.own(handler, context)
  const empty = holds === 'tables' ? '' : `${JSON.stringify(beside ?? {}, undefined, 2)}\n`
  const bytes = looked.present?.bytes ?? Buffer.from(empty)
  const lists = { at, position: wins?.position ?? 'last', own } as const
  return {
    file,
    looked,
    holds,
    own,
    empty,
    document:
      holds === 'tables'
        ? tomlHooks(bytes, file)
        : jsonHooks(parseDocument(bytes, file, comments), { ...lists, holds }),
    record: readRecord(context.places, looked.real, agent.name),
  }
}

/** The handlers of `enable` in a document. */
export function ownHooks({ own }: Pick<HooksFilePlace, 'own'>, document: HooksDocument): readonly FoundHook[] {
  return document.handlers.flatMap((found) => {
    const hook = own(found.handler)
    return hook === undefined ? [] : [{ ...found, ...hook }]
  })
}

/** The files in hookgate's own folder that handlers run. */
export const filesRun = (own: readonly OwnHook[]): readonly string[] => [
  ...new Set(own.flatMap(({ file }) => file ?? [])),
]

/** The reasons why the agent does not read the file at all, whatever hooks it has. */
export function unreadable({ file, document }: HooksFilePlace, { name, form }: ListedAgent): readonly string[] {
  const { beside = {}, onlyKeys } = form
  const { keys } = document
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
