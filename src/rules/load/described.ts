import { basename, join } from 'node:path'
import { makeDisk } from '../../files/disk.ts'
import { shippedPacks, shippedPolicies, shippedPolicy } from '../../files/policy-files.ts'
import { HookgateError } from '../../model/errors.ts'
import type { PolicyLoader } from '../../model/policy-loading.ts'
import type { PolicyDefinition } from '../../model/policy.ts'
import { type Problem, isError, problemsError } from '../../model/problem.ts'
import type { Source } from '../../model/rule.ts'
import { discover } from '../find/discover.ts'
import type { NamedPolicy } from './json-schema.ts'
import { noBudget } from './reading.ts'
import { type PackFolder, packFolder, readPackJson, shippedPackFolder } from './pack.ts'
import type { RulesPlaces } from '../places.ts'

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

interface PolicyName {
  readonly name: string
  readonly isShipped: boolean
  readonly file: string
  readonly folder: string
}

/** Loads the definitions of the policies that hookgate ships and of those among the explicitly named files. */
export async function namedPolicies(
  places: RulesPlaces,
  policies: PolicyLoader,
): Promise<{ readonly named: readonly NamedPolicy[]; readonly errors: readonly Problem[] }> {
  const disk = makeDisk()
  const finding = discover({ ...places, discover: false }, [], disk)
  const explicit = finding.found.flatMap((found) =>
    found.kind === 'policies' ? found.files.map((file) => ofFile(file, found.folder)) : [],
  )
  const shipped = shippedPolicies().map((name): PolicyName => {
    const { file, folder } = shippedPolicy(name)
    return { name: `hookgate/${name}`, isShipped: true, file, folder }
  })
  const all = await Promise.all([...shipped, ...explicit].map((one) => described(one)))
  const errors = [...finding.problems, ...all.flatMap(({ problems }) => problems)].filter(isError)
  return { named: all.flatMap(({ named }) => named), errors }

  async function described({ name, isShipped, file, folder }: PolicyName) {
    const compiled = await policies.compile([{ file, folder }], disk)
    if (compiled.problems.length > 0) return { named: [], problems: compiled.problems }
    const domain = await policies.load(file, compiled)
    domain.release()
    const [policy] = domain.policies
    const definition = policy?.definition
    return {
      named: definition === undefined ? [] : [{ name, isShipped, definition }],
      problems: policy?.problems ?? [],
    }
  }
}

const ofFile = (file: string, folder: string): PolicyName => ({ name: basename(file), isShipped: false, file, folder })
