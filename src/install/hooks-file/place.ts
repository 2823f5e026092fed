import { isAbsolute } from 'node:path'
import type { HooksFile } from '../../agents/install.ts'
import { titleOf } from '../../agents/registry.ts'
import { HookgateError } from '../../model/errors.ts'
import { quoted } from '../../model/text.ts'
import { lookAt } from '../files/look-at.ts'
import { readRecord } from '../files/records.ts'
import { boundsOf, type InstallContext } from '../install-context.ts'
import { type JsonDocument, keyOf, parseDocument } from '../json/document.ts'
import { handlersIn } from '../json/hook-lists.ts'
import type { FoundHook, ListedAgent, Place } from './listed-agent.ts'

/** Reads the files of a scope, the one that the agent reads first. @throws HookgateError `settingsMalformed`, `settingsUnwritable`, `usage` */
export function placesOf(agent: ListedAgent, context: InstallContext): readonly [Place, ...Place[]] {
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

function placeOf(agent: ListedAgent, context: InstallContext, { file, at, holds }: HooksFile): Place {
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
export function ownHooks({ lists }: Pick<Place, 'lists'>, document: JsonDocument): readonly FoundHook[] {
  return handlersIn(document, lists).flatMap((found) => {
    const own = lists.own(found.handler)
    return own === undefined ? [] : [{ ...found, ...own }]
  })
}

/** The reasons why the agent does not read the file at all, whatever hooks it has. */
export function unreadable({ file, document }: Place, { name, form }: ListedAgent): readonly string[] {
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
