import { HookgateError } from '../../model/errors.ts'
import { choiceOf } from '../../model/text.ts'
import type { AgentSetup, Asked, Planned } from '../asked.ts'
import type { FileChange } from '../files/change.ts'
import { type EnableRecord, readRecord, sha256 } from '../files/records.ts'
import { clientFor, hookFileFor, launcherNotes, runCommandFor } from '../hook-command.ts'
import { hookFolders } from './hook-folders.ts'
import { hookText } from './hook-text.ts'
import { lookAtHooks } from './look-at-hook.ts'
import { statusOfCline } from './status.ts'

export const clineSetup: AgentSetup = { enable, disable, status: statusOfCline }

async function enable(asked: Asked): Promise<Planned> {
  if (asked.via === 'http') {
    throw new HookgateError('usage', 'Cline calls its hooks as files, not by HTTP', { remedy: 'leave `--via` out' })
  }
  const client = await clientFor(asked)
  const run = runCommandFor('cline', asked.scope, asked.launcher)
  const folders = await hookFolders(asked)
  const textFor = (event: string) =>
    client === undefined
      ? hookText(event, asked.scope, asked.platform, run)
      : hookFileFor('cline', event, client, asked)
  const looked = folders.flatMap(({ folder }) => lookAtHooks(folder, asked))
  refuseStrangers(looked.filter(({ own }) => own === 'no').map(({ file }) => file))
  const changes = looked.map(({ file, event, own, looked: seen }): FileChange => {
    const after = Buffer.from(textFor(event))
    const before = readRecord(asked.places, seen.real)
    const record: EnableRecord = {
      version: 1,
      file: seen.real,
      existed: false,
      foldersMade: own === 'absent' ? [] : (before?.foldersMade ?? []),
      registered: [sha256(after)],
    }
    return changeOf(file, seen, asked, { after, record })
  })
  return {
    changes,
    notes: [...folders.map(({ folder, readBy }) => `${folder} is read by ${readBy}`), ...launcherNotes(asked)],
  }
}

async function disable(asked: Asked): Promise<Planned> {
  const folders = await hookFolders(asked)
  const own = folders.flatMap(({ folder }) => lookAtHooks(folder, asked)).filter((one) => one.own === 'yes')
  const records = own.map(({ looked }) => readRecord(asked.places, looked.real))
  const made = [...new Set(records.flatMap((record) => record?.foldersMade ?? []))].toSorted(
    (a, b) => a.length - b.length,
  )
  return {
    changes: own.map(({ file, looked }, index) =>
      changeOf(file, looked, asked, { after: undefined, foldersToRemove: index === own.length - 1 ? made : [] }),
    ),
    notes: [],
  }
}

/** INVARIANT: a hook of the user's own is never written over. Cline runs one file for each event and folder. */
function refuseStrangers(files: readonly string[]): void {
  const [first] = files
  if (first === undefined) return
  const others = files.length === 1 ? '' : ` (and ${files.length - 1} more: ${choiceOf(files.slice(1))})`
  throw new HookgateError('settingsUnwritable', `this hook is not hookgate’s, and would have to give way${others}`, {
    place: { file: first },
    remedy:
      'move it to where hookgate finds it, such as `.hookgate/hooks/`, name it in the `hooks.json` there with `"dialect": "cline"`, and hookgate runs it',
  })
}

function changeOf(
  file: string,
  looked: FileChange['looked'],
  { scope, cwd }: Asked,
  { after, record, foldersToRemove = [] }: Pick<FileChange, 'after'> & Partial<FileChange>,
): FileChange {
  const within = scope === 'project' ? cwd : undefined
  return { file, looked, within, after, mode: 0o755, record, foldersToRemove, worthKeeping: false }
}
