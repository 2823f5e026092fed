import { quoted } from '../../model/text.ts'
import type { Installer, InstallContext, InstallPlan } from '../install-context.ts'
import type { FileChange } from '../files/change.ts'
import { lookAt, type Looked } from '../files/look-at.ts'
import { type EnableRecord, readRecord, sha256 } from '../files/records.ts'
import { launcherNotes } from '../hook-command.ts'
import { hookFiles, hookFilesGone } from '../hook-files.ts'
import { documentBytes, documentOf, type JsonDocument, parseDocument } from '../json/document.ts'
import { ownHandlersByEvent, withEntries, withoutEntries, withoutHandlers } from '../json/hook-lists.ts'
import { handlersByHand, isHandLaunch, lineOf } from './by-hand.ts'
import { chooseWay } from './choose-way.ts'
import { askedEvents, groupsFor, reach, summaryOf, timesOf } from './groups.ts'
import { claudeLists } from './own-handler.ts'
import { boundsOf, settingsFileOf } from './settings-files.ts'
import { statusOfClaudeCode } from './status.ts'
import { readOverrides } from './switches.ts'

export const claudeCodeSetup: Installer = { enable, disable, status: statusOfClaudeCode, reach, onlyBy: undefined }

/** What `enable` begins with where there is no file. */
const emptySettings = '{}\n'

async function enable(context: InstallContext): Promise<InstallPlan> {
  const file = settingsFileOf(context.scope, context)
  const looked = lookAt(file, boundsOf(context.scope, context))
  const before = documentAt(looked, file)
  const record = readRecord(context.places, looked.real)
  const bare = withoutEntries(before, record?.containers, claudeLists)
  const scripts = await hookFiles('claude-code', context, askedEvents, timesOf)
  const { way, notes } = await chooseWay(context, looked.real, (event) => scripts.commandFor(event))
  const others = documentOf(before, bare.text)
  const left =
    context.replace === true
      ? documentOf(before, withoutHandlers(others, undefined, isHandLaunch, claudeLists))
      : others
  const { text, containers } = withEntries(left, groupsFor(way), claudeLists)
  const after = documentBytes(before, text)
  const mode = modeFor(looked, way.http !== undefined)
  const wasEnabled = bare.handlers.length > 0 ? record : undefined
  const beforeMode = wasEnabled?.mode?.before ?? looked.present?.mode
  const remembered: EnableRecord = {
    version: 1,
    file: looked.real,
    existed: wasEnabled?.existed ?? looked.present !== undefined,
    foldersMade: wasEnabled?.foldersMade ?? [],
    ...(beforeMode !== undefined && beforeMode !== mode && { mode: { before: beforeMode, after: mode } }),
    containers,
    registered: registeredIn(parseDocument(after, file)),
  }
  const settings: FileChange = { ...changeOf(file, looked, context), after, mode, record: remembered }
  const twice = [...handlersByHand(left)].map(
    ([event, [hand]]) =>
      `warning: a hook of your own also runs hookgate at ${event}${hand === undefined ? '' : ` (${quoted(lineOf(hand))})`}, which is then asked twice: remove it, or replace it with \`hookgate enable claude-code --replace\``,
  )
  const obstacles = readOverrides(context).obstacles.map((obstacle) => `warning: ${obstacle}`)
  return {
    changes: [...scripts.changes, settings],
    notes: [...notes, ...launcherNotes(context), ...twice, ...obstacles],
    startsGate: way.http !== undefined,
    summary: summaryOf(way),
  }
}

function disable(context: InstallContext): InstallPlan {
  const file = settingsFileOf(context.scope, context)
  const looked = lookAt(file, boundsOf(context.scope, context))
  const record = readRecord(context.places, looked.real)
  const own = context.scope === 'user' ? hookFilesGone('claude-code', context, askedEvents) : []
  if (looked.present === undefined) return { changes: own, notes: [] }
  const before = documentAt(looked, file)
  const { text, handlers } = withoutEntries(before, record?.containers, claudeLists)
  if (handlers.length === 0) return { changes: own, notes: [] }
  const isOurs = record?.existed === false && text === emptySettings
  const mode =
    record?.mode !== undefined && record.mode.after === looked.present.mode ? record.mode.before : looked.present.mode
  const settings: FileChange = {
    ...changeOf(file, looked, context),
    after: isOurs ? undefined : documentBytes(before, text),
    mode,
    record: undefined,
    foldersToRemove: isOurs ? record.foldersMade : [],
  }
  return { changes: [settings, ...own], notes: [] }
}

function documentAt({ present }: Looked, file: string): JsonDocument {
  return parseDocument(present?.bytes ?? Buffer.from(emptySettings), file)
}

/** INVARIANT: nobody but the owner can read a file that the token stands in. */
function modeFor({ present }: Looked, holdsToken: boolean): number {
  if (present === undefined) return holdsToken ? 0o600 : 0o644
  return holdsToken ? present.mode & 0o7700 : present.mode
}

function changeOf(
  file: string,
  looked: Looked,
  context: InstallContext,
): Omit<FileChange, 'after' | 'mode' | 'record'> {
  return { file, looked, within: boundsOf(context.scope, context), foldersToRemove: [], worthKeeping: true }
}

/** What was registered, by its content, so that a stranger's entry is never started to see whether it answers. */
function registeredIn(document: JsonDocument): string[] {
  const handlers = [...ownHandlersByEvent(document, claudeLists).values()].flat()
  return [...new Set(handlers.map((handler) => sha256(JSON.stringify(handler))))]
}
