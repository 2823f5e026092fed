import { join } from 'node:path'
import { HookgateError } from '../../../model/errors.ts'
import type { PolicyDefinition } from '../../../model/policy.ts'
import type { Source } from '../../../model/rule.ts'
import { makeDisk } from '../../../files/disk.ts'
import type { PolicyLoader } from '../../../model/policy-loading.ts'
import { isError, problemsError } from '../../../model/problem.ts'
import { type PackFolder, packFolder, shippedPackFolder } from './pack-folder.ts'
import { shippedPacks } from '../../../files/policy-files.ts'
import { noBudget } from '../rules-budget.ts'
import { readPackJson } from './pack-json.ts'

/** A pack with the definitions of its rules. */
export interface DescribedPack {
  readonly name: string
  readonly isShipped: boolean
  /** Absolute. */
  readonly folder: string
  readonly description: string
  readonly rules: readonly PolicyDefinition[]
}

/**
 * Describes packs by their names or folder paths; all that hookgate ships if none is given.
 *
 * @throws HookgateError `usage` if there is no such pack, `rulesMalformed` if one does not load
 */
export async function describedPacks(
  named: readonly string[],
  cwd: string,
  policies: PolicyLoader,
): Promise<readonly DescribedPack[]> {
  const disk = makeDisk()
  const source: Source = {
    id: 'explicit:',
    scope: 'explicit',
    file: join(cwd, 'hooks.json'),
    workspaceRoot: undefined,
    pluginRoot: undefined,
  }
  const folders = named.length === 0 ? shippedPacks().map((name) => shippedPackFolder(name, disk)) : named.map(found)
  return Promise.all(folders.map((folder) => described(folder)))

  function found(text: string): PackFolder {
    const folder = packFolder(text, source, disk)
    if (!('kind' in folder)) return folder
    throw new HookgateError('usage', folder.message, folder.remedy === undefined ? {} : { remedy: folder.remedy })
  }

  async function described({ name, isShipped, folder, files, problems }: PackFolder): Promise<DescribedPack> {
    const read = readPackJson(folder, undefined, disk, noBudget)
    const compiled = await policies.compile(
      files.map((file) => ({ file, folder })),
      disk,
    )
    // The examples of its rules are checked when the pack is turned on, not when it is described.
    const isEmpty = compiled.compiled.size === 0
    const domain = isEmpty ? undefined : await policies.load(folder, compiled, { runExamples: false })
    domain?.release()
    const rules = domain?.policies ?? []
    // Errors of the pack itself come first: an unfinished pack has no rules either.
    const all = [...read.problems, ...problems, ...compiled.problems]
    const [first, ...more] = [...all, ...rules.flatMap((one) => one.problems)].filter(isError)
    if (first !== undefined) throw problemsError([first, ...more])
    const definitions = rules.flatMap(({ definition }) => definition ?? [])
    return { name, isShipped, folder, description: read.description ?? '', rules: definitions }
  }
}
