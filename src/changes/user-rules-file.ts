import { makeDisk } from '../files/disk.ts'
import type { InstallContext } from '../install/install-context.ts'
import { type JsonDocument, valueAt, setValue } from '../install/json/edit.ts'
import { type PlannedRulesFile, planRulesFile } from '../install/rules-file.ts'
import type { Disk } from '../model/disk.ts'
import type { FileChanges } from '../model/file-changes.ts'
import { isError, problemsError } from '../model/errors.ts'
import { load } from '../rules/load/load.ts'

/** The id of the user's own rules file, as a source of rules. */
export const userSource = 'user:hooks.json'

/**
 * Plans a change of the user's own rules file that the loader accepts: a file that does not load would refuse everything.
 *
 * @throws HookgateError `settingsMalformed`, `rulesMalformed` if the file would not load
 */
export function planUserRules(
  context: InstallContext,
  change: (document: JsonDocument) => JsonDocument,
): PlannedRulesFile {
  const planned = planRulesFile({ ...context, scope: 'user' }, change)
  if (planned.diff === '') return planned
  const { file } = planned
  const source = { id: userSource, scope: 'user', file, workspaceRoot: undefined, pluginRoot: undefined } as const
  const onDisk = makeDisk()
  const disk: Disk = {
    ...onDisk,
    read: (path, bytesMax) => (path === file ? planned.after : onDisk.read(path, bytesMax)),
  }
  const { problems } = load({ kind: 'file', source, format: 'hookgate' }, disk, context.home)
  const [first, ...more] = problems.filter(isError)
  if (first !== undefined) throw problemsError([first, ...more])
  return planned
}

/** Writes a planned file, unless it is a dry run, and tells what changed. @throws HookgateError `settingsUnwritable` */
export function applyPlan(
  { file, diff, write }: PlannedRulesFile,
  { isDry, notes = [] }: { readonly isDry: boolean; readonly notes?: readonly string[] },
): FileChanges {
  const files = diff === '' ? [] : [{ file, diff }]
  const copy = isDry ? undefined : write()
  return { changed: !isDry && files.length > 0, files, copies: copy === undefined ? [] : [copy], notes }
}

/** Turns approvals on or off in the user's own rules file. @throws HookgateError */
export function turnApprovals(to: 'on' | 'off', context: InstallContext, isDry: boolean): FileChanges {
  const planned = planUserRules(context, (document) =>
    isTurned(document, to) ? document : setValue(document, ['approvals'], to === 'on'),
  )
  return applyPlan(planned, { isDry })
}

/** Returns whether approvals are on or off already. An object of settings in place of `true` turns them on too. */
function isTurned({ root }: JsonDocument, to: 'on' | 'off'): boolean {
  const entry = valueAt(root, 'approvals')
  return to === 'on' ? entry?.type === 'object' || entry?.value === true : entry?.value === false
}
