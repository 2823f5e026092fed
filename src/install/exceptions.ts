import { makeDisk } from '../files/disk.ts'
import type { Disk } from '../model/disk.ts'
import { isError, problemsError } from '../model/problem.ts'
import type { KeptException } from '../model/refusal.ts'
import { load } from '../rules/load/load.ts'
import type { InstallContext } from './install-context.ts'
import { addItems } from './json/add-items.ts'
import { type PlannedRulesFile, planRulesFile } from './rules-file.ts'

/** An exception as it is written into a rules file. */
interface WrittenException extends KeptException {
  readonly until?: string
  readonly reason?: string
}

/**
 * Plans to add exceptions to the user's own rules file.
 *
 * @throws HookgateError `settingsMalformed`, `rulesMalformed` if the file would not load
 */
export function planExceptions(entries: readonly WrittenException[], context: InstallContext): PlannedRulesFile {
  const planned = planRulesFile({ ...context, scope: 'user' }, (document) =>
    addItems(document, ['exceptions'], entries),
  )
  const { file } = planned
  const source = {
    id: 'user:hooks.json',
    scope: 'user',
    file,
    workspaceRoot: undefined,
    pluginRoot: undefined,
  } as const
  const onDisk = makeDisk()
  const disk: Disk = {
    ...onDisk,
    read: (path, bytesMax) => (path === file ? planned.after : onDisk.read(path, bytesMax)),
  }
  // The loader itself judges what is written: a file that does not load would refuse everything.
  const { problems } = load({ kind: 'file', source, format: 'hookgate' }, disk, context.home)
  const [first, ...more] = problems.filter(isError)
  if (first !== undefined) throw problemsError([first, ...more])
  return planned
}
