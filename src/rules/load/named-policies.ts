import { basename } from 'node:path'
import { discover } from '../find/discover.ts'
import { makeDisk } from '../../files/disk.ts'
import type { Places } from '../places.ts'
import { isError, type Problem } from '../../model/problem.ts'
import type { NamedPolicy } from './json-schema.ts'
import type { PolicyLoader } from '../../model/policy-loading.ts'
import { shippedPolicy, shippedPolicies } from '../../files/policy-files.ts'

interface Named {
  readonly name: string
  readonly isShipped: boolean
  readonly file: string
  readonly folder: string
}

/** Loads the definitions of the policies that hookgate ships and of those among the explicitly named files. */
export async function namedPolicies(
  places: Places,
  policies: PolicyLoader,
): Promise<{ readonly named: readonly NamedPolicy[]; readonly errors: readonly Problem[] }> {
  const disk = makeDisk()
  const finding = discover({ ...places, discover: false }, [], disk)
  const given = finding.found.flatMap((found) =>
    found.kind === 'policies' ? found.files.map((file) => ofFile(file, found.folder)) : [],
  )
  const shipped = shippedPolicies().map((name): Named => {
    const { file, folder } = shippedPolicy(name)
    return { name: `hookgate/${name}`, isShipped: true, file, folder }
  })
  const all = await Promise.all([...shipped, ...given].map((one) => described(one)))
  const errors = [...finding.problems, ...all.flatMap(({ problems }) => problems)].filter(isError)
  return { named: all.flatMap(({ named }) => named), errors }

  async function described({ name, isShipped, file, folder }: Named) {
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

const ofFile = (file: string, folder: string): Named => ({ name: basename(file), isShipped: false, file, folder })
