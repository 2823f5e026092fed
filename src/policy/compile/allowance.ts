import { limits } from '../../model/limits.ts'
import type { Source } from '../../model/rule.ts'
import { quoted } from '../../model/text.ts'
import { type Refusal, refused } from '../../rules/problem.ts'

/**
 * What reading one source may cost. Each of these counts something, and says when it has become too much: what loads of the
 * source then is nothing, however much of it was read before.
 */
export interface Allowance {
  /** A rules file, or what is read like one, once its content is known. */
  rulesFile(file: string, bytes: number): Refusal | undefined
  /** A policy, by its own file, once its content is known. What is counted behind it is its own. */
  policy(file: string): Refusal | undefined
  /** A file that a policy is made of; counted once, however many are made of it. */
  policyFile(file: string, bytes: number): Refusal | undefined
  /** What a module was made into, for one of the policies that it is a part of. In UTF-16 units. */
  code(units: number): Refusal | undefined
  /** A piece of work, whose CPU time counts for the present policy. */
  work<T>(piece: () => T): T
}

interface Spent {
  readonly files: Set<string>
  rulesBytes: number
  policies: number
  policyBytes: number
  codeUnits: number
  ms: number
}

interface Bounds {
  /** Whose they are, as a person is told. */
  readonly whose: string
  readonly remedy: string
  readonly rulesBytes: number
  readonly policies: number
  readonly policyBytes: number
  readonly ms: number
}

interface Purse {
  readonly spent: Spent
  readonly bounds: Bounds
}

/**
 * What the sources of one reading may cost, each by itself; and what nobody has trusted all together, for a repository may
 * have rules in each of its folders.
 *
 * @param trusts whether a file of a source that came with a workspace is as it was when it was trusted
 */
export function openAllowances(trusts: (source: Source, file: string) => boolean): (source: Source) => Allowance {
  const untrusted = purseOf(untrustedBounds)
  return (source) => {
    const own = purseOf(boundsOf(source))
    const purseFor = (file: string) => (source.workspaceRoot === undefined || trusts(source, file) ? own : untrusted)
    let purse = own
    return {
      rulesFile(file, bytes) {
        const { spent, bounds } = purseFor(file)
        spent.rulesBytes += bytes
        if (spent.rulesBytes <= bounds.rulesBytes) return undefined
        return refused(`the rules ${bounds.whose} are larger than ${bounds.rulesBytes} bytes in total`, bounds.remedy)
      },
      policy(file) {
        purse = purseFor(file)
        const { spent, bounds } = purse
        spent.policies += 1
        if (spent.policies <= bounds.policies) return tooLong(purse)
        return refused(`there are more than ${bounds.policies} policies ${bounds.whose}`, bounds.remedy)
      },
      policyFile(file, bytes) {
        // One file that nobody has trusted, and whatever becomes of the policy is its doing.
        const owner = purseFor(file)
        if (owner === untrusted) purse = untrusted
        const { spent, bounds } = owner
        if (!spent.files.has(file)) spent.policyBytes += bytes
        spent.files.add(file)
        if (spent.policyBytes <= bounds.policyBytes) return tooLong(purse)
        return refused(
          `the policies ${bounds.whose} are larger than ${bounds.policyBytes} bytes in total`,
          bounds.remedy,
        )
      },
      code(units) {
        const { spent, bounds } = purse
        spent.codeUnits += units
        const unitsMax = bounds.policyBytes * limits.policyLinkedTimes
        if (spent.codeUnits <= unitsMax) return tooLong(purse)
        return refused(`the policies ${bounds.whose} compile to more than ${unitsMax} bytes of code`, bounds.remedy)
      },
      work(piece) {
        const before = cpuMs()
        try {
          return piece()
        } finally {
          purse.spent.ms += cpuMs() - before
        }
      },
    }
  }
}

/** For what is loaded to be looked at, by whoever wrote it. */
export const boundless: Allowance = {
  rulesFile: () => undefined,
  policy: () => undefined,
  policyFile: () => undefined,
  code: () => undefined,
  work: (piece) => piece(),
}

const purseOf = (bounds: Bounds): Purse => ({
  spent: { files: new Set(), rulesBytes: 0, policies: 0, policyBytes: 0, codeUnits: 0, ms: 0 },
  bounds,
})

function tooLong({ spent, bounds }: Purse): Refusal | undefined {
  if (spent.ms <= bounds.ms) return undefined
  return refused(`the policies ${bounds.whose} take more than ${bounds.ms / 1000} s to compile`, bounds.remedy)
}

const untrustedBounds: Bounds = {
  whose: 'that nobody has trusted',
  remedy: 'remove some, or review them and run `hookgate trust`',
  rulesBytes: limits.untrustedRulesBytesMax,
  policies: limits.untrustedPoliciesMax,
  policyBytes: limits.untrustedPolicyBytesMax,
  ms: limits.untrustedCompileMsMax,
}

/** How large one file is, and how many there are, is bounded for everybody. */
const boundsOf = ({ id }: Source): Bounds => ({
  whose: `of ${quoted(id)}`,
  remedy: 'remove some',
  rulesBytes: Infinity,
  policies: Infinity,
  policyBytes: limits.policySourceBytesMax,
  ms: limits.policyCompileMsMax,
})

/** Of this thread, and so the same however loaded the machine is. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
