import { basename, dirname, join } from 'node:path'
import type { Source } from '../../../model/rule.ts'
import type { Disk } from '../../../model/disk.ts'
import type { Problem } from '../../../model/problem.ts'
import type { RulesBudget } from '../rules-budget.ts'
import type { PolicyBinding } from '../bind/binding.ts'
import { type PackUse } from '../bind/pack.ts'
import { packFile } from '../../../files/policy-files.ts'
import { readPackJson } from './pack-json.ts'

/** Binds the policies of a folder. Those in or below one with a `pack.json` are the rules of that pack. */
export function bindFolder(
  source: Source,
  { folder, files }: { readonly folder: string; readonly files: readonly string[] },
  disk: Disk,
  budget: RulesBudget,
): { readonly entries: readonly PolicyBinding[]; readonly problems: readonly Problem[] } {
  const packs = new Map<string, PackUse | undefined>()
  const problems: Problem[] = []
  const packOf = (within: string): PackUse | undefined => {
    if (packs.has(within)) return packs.get(within)
    const file = join(within, packFile)
    const above = within === folder || dirname(within) === within ? undefined : packOf(dirname(within))
    const own = above === undefined && disk.see(file) !== 'absent'
    if (own) problems.push(...readPackJson(within, source.workspaceRoot, disk, budget).problems)
    const pack = own ? useOf(source, within, within === folder) : above
    packs.set(within, pack)
    return pack
  }
  const entries = files.map((file): PolicyBinding => {
    // A policy file that was named explicitly is bound alone, even if it lies in a pack.
    const pack = file === source.file ? undefined : packOf(dirname(file))
    return { source, file, folder, pack, written: undefined, isRefused: false }
  })
  return { entries, problems }
}

function useOf({ id }: Source, folder: string, isWhole: boolean): PackUse {
  const name = basename(folder)
  const place = () => ({ file: join(folder, packFile) })
  return { name, prefix: isWhole ? `${id}/` : `${id}/${name}/`, params: {}, onFailure: undefined, place }
}
