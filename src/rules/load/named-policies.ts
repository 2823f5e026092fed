import { basename } from 'node:path'
import { discover } from '../find/discover.ts'
import { makeDisk } from '../disk.ts'
import type { Places } from '../places.ts'
import { isError, type Problem } from '../problem.ts'
import type { NamedPolicy } from './json-schema.ts'
import type { PolicyCache } from '../../policy/compile/policy-cache.ts'
import { shippedFile, shippedPolicies } from '../../policy/compile/policy-file.ts'

interface Named {
  readonly name: string
  readonly isShipped: boolean
  readonly file: string
  readonly folder: string
}

/** The policies that hookgate ships, and those among what was given, with what they say of themselves. */
export async function namedPolicies(
  places: Places,
  policies: PolicyCache,
): Promise<{ readonly named: readonly NamedPolicy[]; readonly errors: readonly Problem[] }> {
  const disk = makeDisk()
  const finding = discover({ ...places, discover: false }, [], disk)
  const given = finding.found.flatMap((found) =>
    found.kind === 'policies' ? found.files.map((file) => ofFile(file, found.folder)) : [],
  )
  const shipped = shippedPolicies().map((name): Named => {
    const { file, folder } = shippedFile(name)
    return { name: `hookgate/${name}`, isShipped: true, file, folder }
  })
  const all = await Promise.all([...shipped, ...given].map((one) => described(one)))
  const errors = [...finding.problems, ...all.flatMap(({ problems }) => problems)].filter(isError)
  return { named: all.flatMap(({ named }) => named), errors }

  async function described({ name, isShipped, file, folder }: Named) {
    const { policy: compiled, problems } = await policies.compile(file, folder, disk)
    if (compiled === undefined || problems.length > 0) return { named: [], problems }
    const domain = await policies.load(file, [compiled])
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
