import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { EventName } from '../../model/event.ts'
import { quoted } from '../../model/text.ts'
import type { AgentSetup, Asked, Planned } from '../asked.ts'
import type { FileChange } from '../files/change.ts'
import { lookAt, type Looked } from '../files/look-at.ts'
import { type EnableRecord, readRecord, sha256 } from '../files/records.ts'
import { clientFor, type HookCommand, hookFileFor, launcherNotes, runCommandFor } from '../hook-command.ts'
import { documentBytes, type JsonDocument, parseDocument } from '../json/document.ts'
import { handlersByHand, isHandLaunch, lineOf } from './by-hand.ts'
import { chooseWay } from './choose-way.ts'
import { askedEvents, groupsFor, reach, summaryOf, timesOf } from './groups.ts'
import { ownHandlersByEvent, withGroups, withoutGroups, withoutHandlers } from './hooks-edit.ts'
import { boundsOf, hookFolder, settingsFileOf } from './settings-files.ts'
import { statusOfClaudeCode } from './status.ts'
import { readOverrides } from './switches.ts'

export const claudeCodeSetup: AgentSetup = { enable, disable, status: statusOfClaudeCode, reach }

/** What `enable` begins with where there is no file. */
const emptySettings = '{}\n'

async function enable(asked: Asked): Promise<Planned> {
  const file = settingsFileOf(asked.scope, asked)
  const looked = lookAt(file, boundsOf(asked.scope, asked))
  const before = documentOf(looked, file)
  const record = readRecord(asked.places, looked.real)
  const bare = withoutGroups(before, record?.containers)
  const scripts = await hookFiles(asked)
  const { way, notes } = await chooseWay(asked, looked.real, (event) => scripts.commandFor(event))
  const others = reparsed(before, bare.text)
  const left = asked.replace === true ? reparsed(before, withoutHandlers(others, undefined, isHandLaunch)) : others
  const { text, containers } = withGroups(left, groupsFor(way))
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
  const settings: FileChange = { ...changeOf(file, looked, asked), after, mode, record: remembered }
  const twice = [...handlersByHand(left)].map(
    ([event, [hand]]) =>
      `beware: a hook of your own runs hookgate at ${event} too${hand === undefined ? '' : ` (${quoted(lineOf(hand))})`}, which is then asked twice: remove it, or have it replaced by \`hookgate enable claude-code --replace\``,
  )
  const obstacles = readOverrides(asked).obstacles.map((obstacle) => `beware: ${obstacle}`)
  return {
    changes: [...scripts.changes, settings],
    notes: [...notes, ...launcherNotes(asked), ...twice, ...obstacles],
    summary: summaryOf(way),
  }
}

function disable(asked: Asked): Planned {
  const file = settingsFileOf(asked.scope, asked)
  const looked = lookAt(file, boundsOf(asked.scope, asked))
  const record = readRecord(asked.places, looked.real)
  const own = asked.scope === 'user' ? hookFilesGone(asked) : []
  if (looked.present === undefined) return { changes: own, notes: [] }
  const before = documentOf(looked, file)
  const { text, handlers } = withoutGroups(before, record?.containers)
  if (handlers.length === 0) return { changes: own, notes: [] }
  const isOurs = record?.existed === false && text === emptySettings
  const mode =
    record?.mode !== undefined && record.mode.after === looked.present.mode ? record.mode.before : looked.present.mode
  const settings: FileChange = {
    ...changeOf(file, looked, asked),
    after: isOurs ? undefined : documentBytes(before, text),
    mode,
    record: undefined,
    foldersToRemove: isOurs ? record.foldersMade : [],
  }
  return { changes: [settings, ...own], notes: [] }
}

function documentOf({ present }: Looked, file: string): JsonDocument {
  return parseDocument(present?.bytes ?? Buffer.from(emptySettings), file)
}

const reparsed = (document: JsonDocument, text: string): JsonDocument => ({
  ...parseDocument(Buffer.from(text), document.file),
  byteOrderMark: document.byteOrderMark,
})

/** INVARIANT: nobody but the owner can read a file that the token stands in. */
function modeFor({ present }: Looked, holdsToken: boolean): number {
  if (present === undefined) return holdsToken ? 0o600 : 0o644
  return holdsToken ? present.mode & 0o7700 : present.mode
}

function changeOf(file: string, looked: Looked, asked: Asked): Omit<FileChange, 'after' | 'mode' | 'record'> {
  return { file, looked, within: boundsOf(asked.scope, asked), foldersToRemove: [], worthKeeping: true }
}

/** What was registered, by its content, so that a stranger's entry is never started to see whether it answers. */
function registeredIn(document: JsonDocument): string[] {
  const handlers = [...ownHandlersByEvent(document).values()].flat()
  return [...new Set(handlers.map((handler) => sha256(JSON.stringify(handler))))]
}

/** The files that Claude Code runs lie in hookgate's own folder: one for each event, since each is refused in its own way. */
async function hookFiles(asked: Asked): Promise<{
  readonly changes: readonly FileChange[]
  commandFor(event: EventName): HookCommand
}> {
  const client = await clientFor(asked)
  if (client === undefined) {
    return { changes: [], commandFor: () => runCommandFor('claude-code', asked.scope, asked.launcher) }
  }
  const [shell = '/bin/sh', ...options] = client.shell
  const fileOf = (event: EventName) => join(hookFolder(asked), event)
  return {
    changes: askedEvents.map((event) =>
      ownFile(
        fileOf(event),
        Buffer.from(hookFileFor('claude-code', event, client, asked, timesOf(event).answerMs)),
        [],
      ),
    ),
    commandFor: (event) => ({ command: shell, args: [...options, fileOf(event)] }),
  }
}

function hookFilesGone(asked: Asked): readonly FileChange[] {
  const folder = hookFolder(asked)
  const files = askedEvents.map((event) => join(folder, event)).filter((file) => existsSync(file))
  const last = files.at(-1)
  return files.map((file) => ownFile(file, undefined, file === last ? [dirname(folder), folder] : []))
}

function ownFile(file: string, after: Buffer | undefined, foldersToRemove: readonly string[]): FileChange {
  const looked = lookAt(file, undefined)
  return {
    file,
    looked,
    within: undefined,
    after,
    mode: 0o700,
    record: undefined,
    foldersToRemove,
    worthKeeping: false,
  }
}
