import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { HookgateError } from '../model/errors.ts'
import type { AgentName } from '../model/event.ts'
import { given } from '../model/json.ts'
import { placesFor, userRulesFile } from '../rules/places.ts'
import { checkUnchanged, type FileChange } from './files/change.ts'
import { allRecords, backUp, readRecord } from './files/own-state.ts'
import {
  checkReplaceable,
  lookAt,
  makeFolder,
  replaceSettings,
  unwritable,
  type Looked,
} from './files/settings-file.ts'
import { boundsOf, type InstallContext, type InstallPlan } from './install-context.ts'
import { documentBytes, type JsonDocument, parseDocument } from './json/edit.ts'
import { diffText } from './preview.ts'
import { sha256Of } from '../files/digest.ts'

/** The planned change of hookgate's own rules file, of the context's scope. */
export interface PlannedRulesFile {
  readonly file: string
  /** The change as `diff -u` shows it; empty if the file has all of it already. */
  readonly diff: string
  readonly after: Buffer
  /** Writes the file. @returns where the copy of the old one is @throws HookgateError `settingsUnwritable` */
  readonly write: () => string | undefined
}

/** Returns hookgate's own rules file of the context's scope. */
export function rulesFileOf({ scope, env, cwd, home }: InstallContext): string {
  return scope === 'project' ? join(cwd, '.hookgate', 'hooks.json') : userRulesFile(placesFor({ env, home, cwd }))
}

/** @throws HookgateError `settingsMalformed` if the file is not one that can be changed */
export function planRulesFile(
  context: InstallContext,
  change: (document: JsonDocument) => JsonDocument,
): PlannedRulesFile {
  const file = rulesFileOf(context)
  const looked = lookAt(file, boundsOf(context))
  const { real, present } = looked
  const before = parseDocument(present?.bytes ?? Buffer.from('{}\n'), file)
  const changed = change(before)
  const isSame = changed.text === before.text
  const after = documentBytes(changed, changed.text)
  const write = () => {
    if (isSame) return undefined
    // A person may have thought about the change for minutes.
    checkUnchanged({ file, looked, within: boundsOf(context) })
    checkReplaceable(real, present)
    makeFolder(dirname(real), context.scope === 'project' ? 0o755 : 0o700)
    const copy = present === undefined ? undefined : backUp(context.places, real, present.bytes)
    replaceSettings(real, after, 'json', present?.mode ?? 0o644, present)
    return copy
  }
  return { file, diff: isSame ? '' : diffText({ file, looked, after }), after, write }
}

/**
 * Looks at the user's rules file. It is the user's own unless it is as `enable` wrote it.
 *
 * @throws HookgateError `settingsMalformed`
 */
function rulesFileAt(context: InstallContext): WholeFile {
  const one = wholeFileAt(rulesFileOf(context), context, () => 'no')
  return one.own === 'no' && isAsWritten(one, context) ? { ...one, own: 'yes' } : one
}

/** Returns `undefined` for what is no readable file: loading the rules reports it. */
function readableRulesFile(context: InstallContext): WholeFile | undefined {
  try {
    return rulesFileAt(ofUser(context))
  } catch (error) {
    if (error instanceof HookgateError) return undefined
    throw error
  }
}

const ofUser = (context: InstallContext): InstallContext => ({ ...context, scope: 'user' })

/** Tells the user's rules file: `ours` if it is as an earlier `enable` wrote it. */
export function rulesFileState(context: InstallContext): 'absent' | 'ours' | 'theirs' {
  const own = readableRulesFile(context)?.own
  return own === 'absent' ? 'absent' : own === 'yes' ? 'ours' : 'theirs'
}

/** Plans to write a rules file with a preset, in which the user can go on writing. @throws HookgateError */
export function presetWritten(name: string, context: InstallContext): FileChange {
  const user = ofUser(context)
  const one = rulesFileAt(user)
  if (one.own === 'no') throw unwritable(one.file, 'it was written just now by another program', 'run it again')
  const text = `${JSON.stringify({ preset: name }, undefined, 2)}\n`
  return written(one, text, one.looked.present?.mode ?? 0o644, user)
}

/**
 * Plans to remove the rules file that `enable` wrote, with the last agent that is disabled.
 *
 * @param planned the changes that disable the agent
 */
export function presetRemoved(
  planned: readonly FileChange[],
  context: InstallContext,
): Pick<InstallPlan, 'changes' | 'notes'> {
  const user = ofUser(context)
  const one = readableRulesFile(user)
  const records = allRecords(context.places)
  const ours = records.find(({ file }) => file === one?.looked.real)
  if (one === undefined || ours === undefined || one.own === 'absent') return none
  const isGone = (file: string, agent: string | undefined) =>
    !existsSync(file) ||
    planned.some((change) => change.looked.real === file && change.agent === agent && change.record === undefined)
  if (!records.every((record) => record === ours || isGone(record.file, record.agent))) return none
  if (one.own === 'yes') return { changes: removedFiles([one], user), notes: [] }
  return { changes: [], notes: [`kept ${one.file}: it was changed since \`enable\` wrote it`] }
}

const none = { changes: [], notes: [] }

/** A file that `enable` writes whole, as it is now. */
export interface WholeFile {
  readonly file: string
  readonly looked: Looked
  /** `hand`: a person's own, that does nothing but ask hookgate. */
  readonly own: 'absent' | 'yes' | 'hand' | 'no'
  /** The agent that it is for; absent for the rules file, which is for all. */
  readonly agent?: AgentName
}

/** Looks at a file, and recognises by its content whether `enable` wrote it. */
export function wholeFileAt(
  file: string,
  context: InstallContext,
  ownerOf: (bytes: Buffer) => WholeFile['own'],
  agent?: AgentName,
): WholeFile {
  const looked = lookAt(file, boundsOf(context))
  const own = looked.present === undefined ? 'absent' : ownerOf(looked.present.bytes)
  return { file, looked, own, ...given('agent', agent) }
}

const recordOf = ({ looked, agent }: WholeFile, { places }: InstallContext) => readRecord(places, looked.real, agent)

/** Returns whether a file is as `enable` wrote it on this machine. Only then may it be run. */
export const isAsWritten = (one: WholeFile, context: InstallContext): boolean =>
  recordOf(one, context)?.registered.includes(sha256Of(one.looked.present?.bytes ?? '')) === true

/** Plans to write a file. A copy is kept of one that a person wrote or edited. */
export function written(one: WholeFile, text: string, mode: number, context: InstallContext): FileChange {
  const { looked, own, agent } = one
  const after = Buffer.from(text)
  const foldersMade = own === 'absent' ? [] : (recordOf(one, context)?.foldersMade ?? [])
  const registered = [sha256Of(after)]
  return {
    ...changeOf(one, context),
    after,
    mode,
    record: { version: 1, file: looked.real, ...given('agent', agent), before: null, foldersMade, registered },
    worthKeeping: own === 'hand' || (own === 'yes' && !isAsWritten(one, context)),
  }
}

/** Plans to remove those of some files that `enable` wrote, and the folders that it made for them. */
export function removedFiles(files: readonly WholeFile[], context: InstallContext): readonly FileChange[] {
  const own = files.filter((one) => one.own === 'yes')
  const made = new Set(own.flatMap((one) => recordOf(one, context)?.foldersMade ?? []))
  const folders = [...made].toSorted((a, b) => a.length - b.length)
  return own.map((one, index) => changeOf(one, context, index === own.length - 1 ? folders : []))
}

const changeOf = (
  { file, looked, agent }: WholeFile,
  context: InstallContext,
  foldersToRemove: readonly string[] = [],
): FileChange => ({
  file,
  looked,
  within: boundsOf(context),
  after: undefined,
  format: 'own',
  mode: looked.present?.mode ?? 0o644,
  record: undefined,
  ...given('agent', agent),
  foldersToRemove,
  worthKeeping: false,
})
