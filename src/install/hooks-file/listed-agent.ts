import { isAbsolute } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { HooksFile, HooksFileInstall, HookTimes, InstallLimits } from '../../agents/install/install.ts'
import { titleOf } from '../../agents/registry.ts'
import { parseToml, tomlText } from '../../files/settings-values.ts'
import { errorText, HookgateError } from '../../model/errors.ts'
import type { AgentName } from '../../model/event.ts'
import { isJsonObject, type JsonObject, objectsIn, textAt } from '../../model/json.ts'
import { quoted } from '../../model/text.ts'
import { type EnableRecord, readRecord } from '../files/own-state.ts'
import { lookAt, type Looked, type SettingsFormat } from '../files/settings-file.ts'
import type { HookFiles } from '../hook-files.ts'
import { type AgentLook, boundsOf, type Canary, type Inspection, type InstallContext } from '../install-context.ts'
import { documentBytes, documentOf, type JsonDocument, malformed, parseDocument, propertyKey } from '../json/edit.ts'
import {
  type Entries,
  type FoundHandler,
  handlersIn,
  type HookLists,
  withEntries,
  withoutHandlers,
} from '../json/hook-lists.ts'

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

/** A file in which an agent keeps hooks, whatever its format. */
export interface HooksDocument {
  readonly text: string
  readonly format: SettingsFormat
  /** The keys at its top. */
  readonly keys: readonly string[]
  /** Everything that stands where a handler does. */
  readonly handlers: readonly FoundHandler[]
  /** Parses another text as the content of the same file. */
  withText(text: string): HooksDocument
  bytes(text: string): Buffer
  /**
   * Returns the text with one entry more for each event.
   *
   * @throws HookgateError `settingsMalformed` where hooks are kept in a form to which none can be added
   */
  withEntries(entries: Entries): string
  /**
   * Returns the text without some handlers, and without what they leave empty.
   *
   * @param before the text before hookgate was added, as far as that is known
   */
  withoutHandlers(before: string | undefined, isGone: (handler: unknown) => boolean): string
}

const valueOf = ({ handler }: FoundHandler) => handler

/** Makes the document of a JSON file. */
export function jsonHooks(document: JsonDocument, lists: HookLists<unknown>): HooksDocument {
  return {
    text: document.text,
    format: document.comments === 'allowed' ? 'commentedJson' : 'json',
    keys: (document.root.children ?? []).map(propertyKey),
    handlers: handlersIn(document, lists),
    withText: (text) => jsonHooks(documentOf(document, text), lists),
    bytes: (text) => documentBytes(document, text),
    withEntries: (entries) => withEntries(document, entries, lists),
    withoutHandlers(before, isGone) {
      const left = withoutHandlers(document, before, isGone, lists)
      const kept = handlersIn(document, lists).filter(({ handler }) => !isGone(handler))
      const found = documentOf(document, left)
      if (isDeepStrictEqual(handlersIn(found, lists).map(valueOf), kept.map(valueOf))) return left
      throw new HookgateError('internal', 'its hooks could not be told from the rest', {
        place: { file: document.file },
      })
    },
  }
}

/**
 * Makes the document of a TOML file that has a table `[[hooks]]` for each handler, with its event in it.
 *
 * Its agent may rewrite the file, and comments with it, so entries are known by what they run.
 *
 * @throws HookgateError `settingsMalformed`
 */
export function tomlHooks(bytes: Uint8Array, file: string): HooksDocument {
  return tomlDocument(Buffer.from(bytes).toString(), file)
}

function tomlDocument(text: string, file: string): HooksDocument {
  const root = parsed(text, file)
  const handlers = tomlHandlers(root)
  return {
    text,
    format: 'toml',
    keys: Object.keys(root),
    handlers: handlers.map((handler, at) => {
      const isSame = (one: JsonObject) => eventOf(one) === eventOf(handler)
      const entry = handlers.slice(0, at).filter(isSame).length
      return { event: eventOf(handler), entry, entries: handlers.filter(isSame).length, index: 0, handler }
    }),
    withText: (other) => tomlDocument(other, file),
    bytes: (other) => Buffer.from(other),
    withEntries(entries) {
      if (handlers.length > 0 && tablesIn(text).length === 0) {
        throw malformed({ file }, '`hooks` is a list of inline tables', 'write each of them as a table `[[hooks]]`')
      }
      const added = `${text}${tablesOf(entries, text)}`
      const own = parsed(added, file)
      const isOwn = (handler: unknown) => !handlers.some((one) => isDeepStrictEqual(one, handler))
      if (tomlHandlers(own).length === handlers.length + Object.keys(entries).length) {
        if (tomlDocument(added, file).withoutHandlers(text, isOwn) === text) return added
      }
      throw new HookgateError('internal', 'its entries could not be removed again', { place: { file } })
    },
    withoutHandlers(before, isGone) {
      const left = withoutTables(text, isGone)
      const wanted = { ...root, hooks: handlers.filter((handler) => !isGone(handler)) }
      const found = parsed(left, file)
      if (!isDeepStrictEqual({ ...found, hooks: tomlHandlers(found) }, wanted)) {
        const remedy = 'remove the tables `[[hooks]]` that run hookgate'
        throw malformed({ file }, 'its hooks cannot be told from the rest', remedy)
      }
      return before !== undefined && left.trimEnd() === before.trimEnd() ? before : left
    },
  }
}

function parsed(text: string, file: string): JsonObject {
  try {
    const root = parseToml(text)
    return isJsonObject(root) ? root : {}
  } catch (cause) {
    throw malformed({ file }, `it is not TOML: ${errorText(cause).split('\n')[0] ?? ''}`)
  }
}

const tomlHandlers = ({ hooks }: JsonObject): readonly JsonObject[] => objectsIn(hooks)
const eventOf = (handler: JsonObject) => textAt(handler, 'event') ?? ''

/** Writes the tables of entries, as they stand behind a text. */
function tablesOf(entries: Entries, text: string): string {
  const tables = Object.entries(entries).map(([event, entry]) => tomlText({ hooks: [{ event, ...entry }] }))
  const gap = text === '' ? '' : text.endsWith('\n') ? '\n' : '\n\n'
  return `${gap}${tables.map((table) => `${table.trim()}\n`).join('\n')}`
}

/** A table `[[hooks]]` in a text: from its header, with a blank line before it, to its last line. */
interface TableSpan {
  readonly start: number
  readonly end: number
}

function withoutTables(text: string, isGone: (handler: unknown) => boolean): string {
  let left = text
  for (const { start, end } of tablesIn(text).toReversed()) {
    const [handler] = tomlHandlers(parsed(text.slice(start, end), ''))
    if (isGone(handler)) left = left.slice(0, withBlankLine(text, start)) + left.slice(end)
  }
  return left
}

/** Comments and blank lines behind a table belong to what follows. */
function tablesIn(text: string): readonly TableSpan[] {
  const headers = [...text.matchAll(/^[ \t]*\[.*$/gm)].filter(({ index }) => isBoundary(text, index))
  return headers.flatMap(({ 0: header, index: start }, at) => {
    if (!/^\s*\[\[\s*(?:hooks|"hooks"|'hooks')\s*\]\]/.test(header)) return []
    const table = text.slice(start, headers[at + 1]?.index ?? text.length)
    return [{ start, end: start + withoutRemarks(table).length + 1 }]
  })
}

/** Returns a text without the blank lines and comments at its end. */
function withoutRemarks(text: string): string {
  const lines = text.split('\n')
  while (lines.length > 1 && /^[ \t]*(?:#.*)?\r?$/.test(lines.at(-1) ?? '')) lines.pop()
  return lines.join('\n')
}

/** A line starts a table only if the text before it is whole: it may stand in a list or in a text of several lines. */
function isBoundary(text: string, index: number): boolean {
  try {
    parseToml(text.slice(0, index))
    return true
  } catch {
    return false
  }
}

const withBlankLine = (text: string, start: number) => (/(?:^|\n)\n$/.test(text.slice(0, start)) ? start - 1 : start)
