import { isAbsolute } from 'node:path'
import { titleOf } from '../../model/agents.ts'
import { HookgateError } from '../../model/errors.ts'
import { quoted } from '../../model/text.ts'
import type { InstallContext } from '../install-context.ts'
import { lookAt, type Looked } from '../files/look-at.ts'
import { type EnableRecord, readRecord } from '../files/records.ts'
import { type JsonDocument, keyOf, parseDocument } from '../json/document.ts'
import type { HookLists } from '../json/hook-lists.ts'
import { type OwnCommand, ownCommand } from './command-line.ts'
import type { HookFile, Registration } from './registration.ts'

/** One of the files in which an agent could keep hooks, as it is now. */
export interface Place {
  readonly file: string
  readonly looked: Looked
  /** What a project's file must not lead out of. */
  readonly within: string | undefined
  readonly lists: HookLists<OwnCommand>
  /** What it holds when it is made. */
  readonly empty: string
  readonly document: JsonDocument
  readonly record: EnableRecord | undefined
}

/** The files of a scope, the one that is read first. @throws HookgateError `settingsMalformed`, `settingsUnwritable`, `usage` */
export function placesOf(registration: Registration, context: InstallContext): readonly [Place, ...Place[]] {
  const [first, ...others] = filesOf(registration, context)
  return [placeOf(registration, context, first), ...others.map((file) => placeOf(registration, context, file))]
}

export function filesOf({ files }: Registration, context: InstallContext): readonly [HookFile, ...HookFile[]] {
  if (!isAbsolute(context.home)) {
    const message = `the home folder \`${context.home}\` is not an absolute path`
    throw new HookgateError('usage', message, { remedy: 'set `HOME`' })
  }
  const own = files(context)
  if (context.scope === 'user') return own
  const users = new Set(files({ ...context, scope: 'user' }).map(({ file }) => file))
  if (!own.some(({ file }) => users.has(file))) return own
  throw new HookgateError('usage', "the settings of this folder are the user's settings", {
    remedy: "change to the project's folder, or remove `--scope`",
  })
}

function placeOf(registration: Registration, context: InstallContext, { file, at, holds }: HookFile): Place {
  const { agent, wins, comments, beside = {} } = registration
  const within = context.scope === 'project' ? context.cwd : undefined
  const looked = lookAt(file, within)
  const empty = `${JSON.stringify(beside, undefined, 2)}\n`
  return {
    file,
    looked,
    within,
    lists: { at, holds, position: wins?.position ?? 'last', own: (handler) => ownCommand(agent, context, handler) },
    empty,
    document: parseDocument(looked.present?.bytes ?? Buffer.from(empty), file, comments),
    record: readRecord(context.places, looked.real, agent),
  }
}

/** Why the agent does not read the file at all, whatever hooks it has. */
export function unreadable(
  { file, document }: Place,
  { agent, beside = {}, onlyKeys }: Registration,
): readonly string[] {
  const keys = (document.root.children ?? []).map(keyOf)
  const title = titleOf(agent)
  return [
    ...Object.entries(beside)
      .filter(([key]) => !keys.includes(key))
      .map(([key, value]) => `${file} lacks \`"${key}": ${value}\`, without which ${title} does not read it: add it`),
    ...keys
      .filter((key) => onlyKeys?.includes(key) === false)
      .map((key) => `${file} has the key ${quoted(key)}, with which ${title} does not read it: remove it`),
  ]
}
