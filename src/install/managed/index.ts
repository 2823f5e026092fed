import { chmodSync, chownSync } from 'node:fs'
import { dirname } from 'node:path'
import { descriptorOf, type KnownAgent, titleOf } from '../../agents/registry.ts'
import type { GatePaths } from '../../files/state/places.ts'
import { HookgateError } from '../../model/errors.ts'
import type { FileChanges } from '../../model/file-changes.ts'
import { quoted } from '../../model/text.ts'
import { changeableBy } from '../../rules/managed-owners.ts'
import { carryAllOut, type Changed, changesNothing, type FileChange, lockSettings } from '../files/change.ts'
import { type EnableRecord, readRecord } from '../files/own-state.ts'
import { lookAt, type Looked, makeFolder, removeEmptyFolders, unwritable } from '../files/settings-file.ts'
import type { InstallContext } from '../install-context.ts'
import { diffText } from '../preview.ts'
import { formOf, type ManagedForm } from './form.ts'
import { type ManagedChoice, type ManagedFile, managedFileFor } from './managed-file.ts'
import {
  administrators,
  installStarter,
  managedPlaces,
  noStarter,
  removeStarter,
  starterAt,
  starterFor,
} from './starter.ts'
import { sha256Of } from '../../files/digest.ts'

export { managedScope, type ManagedReport, type ManagedStatus, managedStatus } from './status.ts'

/** Changes of administrators' files, made or only proposed. */
export interface ManagedDone {
  readonly changed: readonly Changed[]
  readonly files: FileChanges['files']
  /** The files as they are to be, for what distributes them to machines. */
  readonly wanted: readonly WantedFile[]
  readonly notes: readonly string[]
}

/** A file to be put on a machine. */
interface WantedFile {
  readonly agent: KnownAgent
  readonly file: string
  readonly owner: 'root'
  readonly mode: string
  readonly text: string
}

/**
 * Registers hookgate with agents in files of administrators, for everybody on this machine.
 *
 * @throws HookgateError `usage` for an agent that reads no such file, or without the right to write it;
 *   `settingsMalformed`, `settingsUnwritable`
 */
export async function enableManaged(
  agents: readonly KnownAgent[],
  context: InstallContext,
  choice: ManagedChoice,
): Promise<ManagedDone> {
  const filesNow = () => agents.map((agent) => fileOf(agent, context, choice))
  const additionsTo = (files: readonly ManagedFile[]) => (owner: Owner | undefined) =>
    files.flatMap(withNamed).map((file) => managedAdded(file, managedPlaces(context), owner))
  // A file that leaves no place ends it before anything is made.
  additionsTo(filesNow())(ownerOf(context))
  const made = await makeStarters(agents, context)
  const files = filesNow()
  const unknown = choice.onlyManagedHooks
    ? files
        .filter(({ managed }) => managed.onlyManagedHooks === undefined)
        .map(({ agent }) => `${agent.title} has no setting with which only an administrator's hooks run`)
    : []
  return carried(context, [...made, ...unknown], additionsTo(files))
}

/** Returns an administrator's file after those that it names: what is named is there before its name is. */
const withNamed = (file: ManagedFile): readonly ManagedFile[] =>
  [file.script, file.plugin, file].filter((one) => one !== undefined)

/** Takes hookgate out of these files again, to the byte. @throws HookgateError as `enableManaged` */
export async function disableManaged(agents: readonly KnownAgent[], context: InstallContext): Promise<ManagedDone> {
  const files = agents.map((agent) => fileOf(agent, context))
  const done = await carried(context, [], (owner) =>
    files.flatMap((file) => {
      const changes = withNamed(file)
        .toReversed()
        .flatMap((one) => managedRemoved(one, managedPlaces(context), owner))
      // Whichever of them a folder was made for, it is empty once the last is gone.
      const foldersToRemove = changes.flatMap((change) => change.foldersToRemove).toSorted()
      return changes.map((change) => Object.assign({}, change, { foldersToRemove }))
    }),
  )
  if (context.dryRun) return done
  // After the file that names it.
  const starters = startersOf(agents, context).filter((file) => starterAt(file) !== undefined)
  for (const starter of starters) removeStarter(starter)
  return { ...done, notes: [...done.notes, ...starters.map((file) => `removed ${file}`)] }
}

const startersOf = (agents: readonly KnownAgent[], context: InstallContext) =>
  agents.flatMap((name) => {
    const managed = descriptorOf(name)?.managed
    return (managed === undefined ? undefined : starterFor(managed, context)) ?? []
  })

/** Returns notes: what was made, or why not. */
async function makeStarters(agents: readonly KnownAgent[], context: InstallContext): Promise<readonly string[]> {
  const starters = startersOf(agents, context)
  if (context.dryRun) {
    const note = `warning: ${noStarter}: run it without \`--print\` on each machine, which makes a program that prevents it`
    return starters.every((file) => starterAt(file) !== undefined) ? [] : [note]
  }
  checkRights(context)
  const missing = starters.filter((file) => starterAt(file) === undefined)
  const problems = (await Promise.all(starters.map((file) => installStarter(file)))).flat()
  const made = missing.filter((file) => starterAt(file) !== undefined)
  return [...made.map((file) => `wrote ${file}`), ...problems]
}

/** @throws HookgateError `usage` */
function fileOf(name: KnownAgent, context: InstallContext, choice?: ManagedChoice): ManagedFile {
  const agent = descriptorOf(name)
  const file = agent === undefined ? undefined : managedFileFor(agent, context, choice)
  if (file !== undefined) return file
  throw new HookgateError('usage', `${titleOf(name)} reads no hooks of an administrator on this system`, {
    remedy: `have each user run \`hookgate enable ${name}\``,
  })
}

async function carried(
  context: InstallContext,
  notes: readonly string[],
  plan: (owner: Owner | undefined) => readonly FileChange[],
): Promise<ManagedDone> {
  const owner = ownerOf(context)
  if (context.dryRun) return { ...outcome(plan(owner)), changed: [], notes }
  checkRights(context)
  const places = managedPlaces(context)
  const lock = await lockSettings(places)
  try {
    const planned = plan(owner)
    const changes = planned.filter((change) => !changesNothing(change))
    for (const change of changes) checkFolders(change, context)
    const made = changes.flatMap(({ looked, after }) => (after === undefined ? [] : [readableFolders(looked.real)]))
    try {
      const changed = carryAllOut(
        places,
        changes.map((change, at) => withFolders(change, made[at] ?? [])),
      )
      for (const change of planned) checkWritten(change, owner)
      return { ...outcome(planned), changed, notes: [...notes, ...changes.flatMap(linkNote)] }
    } catch (error) {
      for (const folders of made) removeEmptyFolders(folders)
      throw error
    }
  } finally {
    lock.release()
  }
}

/** Root's, but where a test has named another root for everything. */
const ownerOf = ({ managedRoot }: InstallContext): Owner | undefined =>
  managedRoot === undefined && process.getuid !== undefined ? { uid: 0, gid: 0 } : undefined

/** @throws HookgateError `usage` */
function checkRights({ managedRoot }: InstallContext): void {
  if (managedRoot !== undefined || process.getuid === undefined || process.getuid() === 0) return
  throw new HookgateError('usage', "only root may write an administrator's files", {
    remedy: 'run it with `sudo`, or with `--print` to see the files',
  })
}

/**
 * Checks that nobody else could replace what is to be written: by its folder, by those above, by links on the way.
 *
 * @throws HookgateError `settingsUnwritable`
 */
function checkFolders({ file, record }: FileChange, context: InstallContext): void {
  const folder = dirname(file)
  const found = changeableBy(folder, { managedFolder: folder, managedOwners: administrators(context) })
  // Taking hookgate out again changes nothing that anybody relies on.
  if (record !== undefined && found !== undefined) throw unwritable(file, `${found.path}: ${found.why}`, found.remedy)
}

/** Says where a file is written if links lead elsewhere. */
const linkNote = ({ file, looked, after }: FileChange): readonly string[] =>
  after === undefined || looked.real === file ? [] : [`${file} is written as ${looked.real}, where a link leads`]

/** Makes the folders of a file, which every user must be able to enter, whatever the umask. */
function readableFolders(real: string): readonly string[] {
  const made = makeFolder(dirname(real), 0o755)
  for (const folder of made) chmodSync(folder, 0o755)
  return made
}

const withFolders = (change: FileChange, made: readonly string[]): FileChange =>
  change.record === undefined
    ? change
    : { ...change, record: { ...change.record, foldersMade: [...made, ...change.record.foldersMade] } }

/** Reads a file again after it was written: to some agents, a broken one is the same as none. */
function checkWritten({ file, looked, after, mode }: FileChange, owner: Owner | undefined): void {
  if (after !== undefined && owner !== undefined) chownSync(looked.real, owner.uid, owner.gid)
  const { present } = lookAt(file, undefined)
  const isAsWanted =
    after === undefined
      ? present === undefined
      : present !== undefined &&
        present.bytes.equals(after) &&
        (process.platform === 'win32' || present.mode === mode) &&
        (owner === undefined || present.uid === owner.uid)
  if (!isAsWanted) throw unwritable(file, 'it is not as it was written just now', 'see what else writes it')
}

const outcome = (changes: readonly FileChange[]): Pick<ManagedDone, 'files' | 'wanted'> => ({
  files: changes
    .filter((change) => !changesNothing(change))
    .map((change) => ({ file: change.file, diff: diffText(change) })),
  wanted: changes.flatMap(({ file, after, mode, agent }) =>
    after === undefined
      ? []
      : [
          {
            agent: knownAgent(agent),
            file,
            owner: 'root' as const,
            mode: `0${mode.toString(8)}`,
            text: after.toString(),
          },
        ],
  ),
})

function knownAgent(name: string | undefined): KnownAgent {
  const agent = descriptorOf(name ?? '')
  if (agent === undefined) throw new Error(`${name} has no descriptor`)
  return agent.name
}

/** Everybody reads an administrator's file, and only its owner writes it. */
const managedMode = 0o644

/** An administrator's file as it is now. */
interface PresentFile {
  readonly looked: Looked
  readonly form: ManagedForm
  readonly record: EnableRecord | undefined
  /** Its text without the byte order mark; `undefined` where there is none. */
  readonly text: string | undefined
  readonly byteOrderMark: string
  /** Its text without what an earlier `enable --managed` has put there; `undefined` where nothing else is in it. */
  readonly theirs: string | undefined
}

/** @throws HookgateError `settingsMalformed` */
function presentAt(one: ManagedFile, places: GatePaths): PresentFile {
  const looked = lookAt(one.file, undefined)
  const form = formOf(one)
  const record = readRecord(places, looked.real, one.agent.name)
  const whole = looked.present?.bytes.toString()
  const byteOrderMark = whole?.startsWith('\uFEFF') === true ? '\uFEFF' : ''
  const text = whole?.slice(byteOrderMark.length)
  const found = { looked, form, record, text, byteOrderMark }
  if (text === undefined) return { ...found, theirs: undefined }
  const asWritten = record?.registered.includes(sha256Of(looked.present?.bytes ?? '')) === true
  if (asWritten) return { ...found, theirs: record.before ?? undefined }
  const isOwn = one.managed.isOwnFile === true
  const left = form.removed(text, record === undefined && !isOwn ? undefined : (record?.before ?? form.empty))
  const isAdded = isOwn || record?.before === null
  const isOurs = left !== text && isAdded && left.trim() === form.empty.trim()
  return { ...found, theirs: isOurs ? undefined : left }
}

/** Plans to register an agent in an administrator's file. @throws HookgateError `settingsMalformed`, `settingsUnwritable` */
function managedAdded(one: ManagedFile, places: GatePaths, owner: Owner | undefined): FileChange {
  const present = presentAt(one, places)
  const { looked, form, record, text, byteOrderMark, theirs } = present
  if (one.managed.isOwnFile === true && text !== undefined && theirs === text) {
    throw unwritable(
      one.file,
      `${quoted(titleOf(one.agent.name))} has a file of this name that is not hookgate's`,
      'move it away',
    )
  }
  const kept = one.managed.isOwnFile === true ? undefined : theirs
  const after = Buffer.from(`${byteOrderMark}${form.added(kept ?? form.empty)}`)
  const modeBefore = record === undefined ? looked.present?.mode : (record.mode?.before ?? looked.present?.mode)
  return {
    ...changeOf(one, present, owner),
    after,
    mode: managedMode,
    record: {
      version: 1,
      file: looked.real,
      agent: one.agent.name,
      before: kept ?? null,
      foldersMade: record?.foldersMade ?? [],
      ...(modeBefore !== undefined &&
        modeBefore !== managedMode && { mode: { before: modeBefore, after: managedMode } }),
      registered: [sha256Of(after)],
    },
    foldersToRemove: [],
  }
}

/** Plans to take hookgate out of an administrator's file; nothing where it is not in it. @throws HookgateError */
function managedRemoved(one: ManagedFile, places: GatePaths, owner: Owner | undefined): readonly FileChange[] {
  const present = presentAt(one, places)
  const { looked, record, text, byteOrderMark, theirs } = present
  if (looked.present === undefined || theirs === text) return []
  const { mode } = looked.present
  return [
    {
      ...changeOf(one, present, owner),
      after: theirs === undefined ? undefined : Buffer.from(`${byteOrderMark}${theirs}`),
      mode: record?.mode?.after === mode ? record.mode.before : mode,
      record: undefined,
      foldersToRemove: theirs === undefined ? (record?.foldersMade ?? []) : [],
    },
  ]
}

/** The user and group that are to own the file. */
interface Owner {
  readonly uid: number
  readonly gid: number
}

const changeOf = ({ file, agent }: ManagedFile, { looked, form, theirs }: PresentFile, owner: Owner | undefined) => ({
  file,
  looked: looked.present === undefined ? looked : { ...looked, present: { ...looked.present, ...owner } },
  within: undefined,
  format: form.format,
  agent: agent.name,
  worthKeeping: theirs !== undefined,
})
