import { join } from 'node:path'
import { HookgateError } from '../../../model/errors.ts'
import type { PolicyDefinition } from '../../../model/policy.ts'
import type { Source } from '../../../model/rule.ts'
import { makeDisk } from '../../disk.ts'
import { isError, problemsError } from '../../problem.ts'
import { boundless } from '../../../policy/compile/allowance.ts'
import type { PolicyCache } from '../../../policy/compile/policy-cache.ts'
import { type PackFolder, packFolder, shippedPackFolder, shippedPacks } from './pack-folder.ts'
import { readPackJson } from './pack-json.ts'

/** A pack, and what its rules say of themselves. */
export interface DescribedPack {
  readonly name: string
  readonly isShipped: boolean
  /** Absolute. */
  readonly folder: string
  readonly description: string
  readonly rules: readonly PolicyDefinition[]
}

/**
 * Packs by their names, or by the paths of their folders; those that hookgate ships where none is named.
 *
 * @throws HookgateError `usage` where there is no such pack, `rulesMalformed` where one does not load
 */
export async function describedPacks(
  named: readonly string[],
  cwd: string,
  policies: PolicyCache,
): Promise<readonly DescribedPack[]> {
  const disk = makeDisk()
  const source: Source = {
    id: 'given:',
    scope: 'given',
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
    const read = readPackJson(folder, undefined, disk, boundless)
    const shared = { read: new Map(), allowance: boundless }
    const compiled = await Promise.all(files.map((file) => policies.compile(file, folder, disk, shared)))
    const whole = compiled.flatMap(({ policy }) => policy ?? [])
    // They are asked what they are, and nothing else: whether they do what they say is for whoever turns them on.
    const domain = whole.length === 0 ? undefined : await policies.load(folder, whole, { flawed: new Set(whole) })
    domain?.release()
    const rules = domain?.policies ?? []
    // What its file says wrong comes first: a pack that nobody has finished has no rules either.
    const all = [...read.problems, ...problems, ...compiled.flatMap((one) => one.problems)]
    const [first, ...more] = [...all, ...rules.flatMap((one) => one.problems)].filter(isError)
    if (first !== undefined) throw problemsError([first, ...more])
    const definitions = rules.flatMap(({ definition }) => definition ?? [])
    return { name, isShipped, folder, description: read.description ?? '', rules: definitions }
  }
}
