import { isAbsolute, join } from 'node:path'
import type { OwnInstall } from '../../agents/install.ts'
import { HookgateError } from '../../model/errors.ts'
import { choiceOf } from '../../model/text.ts'
import type { FileChange } from '../files/change.ts'
import { type EnableRecord, readRecord, sha256 } from '../files/records.ts'
import { boundsOf, type InstallContext, type Installer, type InstallPlan } from '../install-context.ts'
import { clientFor, hookFileFor, launcherNotes, runCommandFor } from '../hook-command.ts'
import { hookFolders } from './hook-folders.ts'
import { hookText } from './hook-text.ts'
import { inspectFolder } from './inspect-folder.ts'
import { type LookedHook, lookAtHooks } from './look-at-hook.ts'

/** Cline runs one file for each event, out of folders of its own. */
export const clineInstaller = (install: OwnInstall): Installer => ({
  limits: install,
  onlyBy: install.onlyBy,
  enable,
  disable,
  look: () => ({
    obstacles: [],
    notes: [
      'Cline’s own switch for hooks (its settings, Features, Hooks) cannot be checked from outside; it is on unless you switched it off',
    ],
    async placesIn(context) {
      const folders = await hookFolders(context)
      return folders.map(({ folder }) => ({ place: folder, inspect: () => inspectFolder(folder, context) }))
    },
  }),
})

async function enable(context: InstallContext): Promise<InstallPlan> {
  const client = await clientFor(context)
  const run = runCommandFor('cline', context.scope, context.launcher)
  const folders = await hookFolders(context)
  const textFor = (event: string) =>
    client === undefined
      ? hookText(event, context.scope, context.platform, run)
      : hookFileFor('cline', event, client, context)
  const looked = folders.flatMap(({ folder }) => lookAtHooks(folder, context))
  refuseOtherHooks(filesOf(looked, 'no'), context)
  if (context.replace !== true) refuseHandWritten(filesOf(looked, 'hand'), context)
  const changes = looked.map(({ file, event, own, looked: seen }): FileChange => {
    const after = Buffer.from(textFor(event))
    const before = readRecord(context.places, seen.real)
    const record: EnableRecord = {
      version: 1,
      file: seen.real,
      before: null,
      foldersMade: own === 'absent' ? [] : (before?.foldersMade ?? []),
      registered: [sha256(after)],
    }
    return changeOf(file, seen, context, { after, record, worthKeeping: own === 'hand' })
  })
  return {
    changes,
    summary: [`${changes.length / folders.length} events, each with its own file that asks hookgate`],
    notes: [...folders.map(({ folder, readBy }) => `${folder} is read by ${readBy}`), ...launcherNotes(context)],
  }
}

async function disable(context: InstallContext): Promise<InstallPlan> {
  const folders = await hookFolders(context)
  const own = folders.flatMap(({ folder }) => lookAtHooks(folder, context)).filter((one) => one.own === 'yes')
  const records = own.map(({ looked }) => readRecord(context.places, looked.real))
  const made = [...new Set(records.flatMap((record) => record?.foldersMade ?? []))].toSorted(
    (a, b) => a.length - b.length,
  )
  return {
    changes: own.map(({ file, looked }, index) =>
      changeOf(file, looked, context, { after: undefined, foldersToRemove: index === own.length - 1 ? made : [] }),
    ),
    notes: [],
  }
}

/** INVARIANT: a hook of the user's own is never written over. Cline runs one file for each event and folder. */
function refuseOtherHooks(files: readonly string[], context: InstallContext): void {
  const [first] = files
  if (first === undefined) return
  const folder = context.scope === 'project' ? '.hookgate' : rulesFolder(context)
  const message = `this hook is not hookgate’s, and is in the way${andMore(files)}; nothing was registered`
  throw new HookgateError('settingsUnwritable', message, {
    place: { file: first },
    remedy: `move it to \`${join(folder, 'hooks')}\` and name it in \`${join(folder, 'hooks.json')}\` with \`"dialect": "cline"\`, so that hookgate runs it`,
  })
}

/** Hooks that a person set up by hand are replaced only where that is requested. */
function refuseHandWritten(files: readonly string[], { scope }: InstallContext): void {
  const [first] = files
  if (first === undefined) return
  const flags = scope === 'project' ? ' --scope project' : ''
  throw new HookgateError('settingsUnwritable', `this hook already asks hookgate, set up by hand${andMore(files)}`, {
    place: { file: first },
    remedy: `leave it (\`hookgate status cline\` proves that it works), or replace it with \`hookgate enable cline${flags} --replace\`, which keeps a copy`,
  })
}

const filesOf = (looked: readonly LookedHook[], own: LookedHook['own']) =>
  looked.filter((hook) => hook.own === own).map(({ file }) => file)

const andMore = (files: readonly string[]) =>
  files.length === 1 ? '' : ` (and ${files.length - 1} more: ${choiceOf(files.slice(1))})`

/** The folder in which hookgate looks for the user's rules. */
function rulesFolder({ env, home }: InstallContext): string {
  // The XDG specification says to ignore a relative one.
  const xdg = env['XDG_CONFIG_HOME']
  return join(xdg !== undefined && isAbsolute(xdg) ? xdg : join(home, '.config'), 'hookgate')
}

function changeOf(
  file: string,
  looked: FileChange['looked'],
  context: InstallContext,
  { after, record, foldersToRemove = [], worthKeeping = false }: Pick<FileChange, 'after'> & Partial<FileChange>,
): FileChange {
  return { file, looked, within: boundsOf(context), after, mode: 0o755, record, foldersToRemove, worthKeeping }
}
