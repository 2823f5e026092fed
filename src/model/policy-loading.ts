import type { Disk } from './disk.ts'
import type { CompiledPolicy, PolicyDefinition } from './policy.ts'
import type { Problem, Refusal } from './errors.ts'
import type { Source } from './rule.ts'

/** A policy's file, and the folder that its imports must stay inside. */
export interface PolicyFile {
  readonly file: string
  readonly folder: string
}

/** Result of compiling the policies of one source. */
export interface CompiledPolicies {
  /** By real path: one file is one policy, no matter how often it is named. */
  readonly compiled: ReadonlyMap<string, CompiledPolicy>
  /** Policies in `compiled` with problems. They are checked for further problems but become no rules. */
  readonly flawed: ReadonlySet<CompiledPolicy>
  readonly problems: readonly Problem[]
}

/** A policy in the sandbox, with its own description or the problems with it. */
export interface CheckedPolicy {
  readonly compiled: CompiledPolicy
  /** `undefined` if the checks find errors. Errors found while compiling do not count. */
  readonly definition: PolicyDefinition | undefined
  readonly problems: readonly Problem[]
}

/** A source's policies in the sandbox, reference-counted: they stay until every holder has released them. */
export interface HeldDomain {
  readonly id: number
  /** In the order in which they were compiled. */
  readonly policies: readonly CheckedPolicy[]
  /** Set if they are evaluated on the calling thread. */
  readonly onCaller?: boolean
  /** Adds a holder. */
  hold(): void
  release(): void
}

/** Limits the cost of compiling the policies of one source. A method returns a refusal once its limit is exceeded. */
export interface CompileBudget {
  /** Tells whether there are too many policies, by their main files, before any is read. */
  policies(files: readonly string[]): Refusal | undefined
  /** Counts a policy, by its main file, once its content is known. Later costs are charged to it. */
  policy(file: string): Refusal | undefined
  /** Counts a file of a policy; once, even if several policies share it. */
  policyFile(file: string, bytes: number): Refusal | undefined
  /** Counts the compiled code of a module for one of the policies that contain it, in UTF-16 units. */
  code(units: number): Refusal | undefined
  /** Runs a piece of work and charges its CPU time to the current policy. */
  work<T>(piece: () => T): T
}

/** Tells whether a file of a source is trusted. */
export type IsTrusted = (source: Source, file: string) => boolean

/** The sandbox could not be started, or was lost. No policy is at fault. */
export class SandboxLost extends Error {}

/** Compiles and loads the policies that rules name, and caches both, so that a changed file costs only its own work. */
export interface PolicyLoader {
  /** Opens the budgets for one load of all rules. Untrusted files of all sources share one budget. */
  openBudgets(isTrusted: IsTrusted): (source: Source) => CompileBudget
  /** Compiles the policies of one source. When the budget is exceeded, none of them is compiled. Default: no limits. */
  compile(policies: readonly PolicyFile[], disk: Disk, budget?: CompileBudget): Promise<CompiledPolicies>
  /**
   * Loads a source's policies as one domain with one holder. Reuses a loaded domain with the same policies.
   *
   * @param source a unique key of the source
   * @throws SandboxLost
   */
  load(source: string, compiled: CompiledPolicies, options?: LoadOptions): Promise<HeldDomain>
}

interface LoadOptions {
  /** How many policies run their examples at once. Default: `limits.policiesCheckedAtOnce`. */
  readonly atOnce?: number
  /** Runs each policy's examples. Default: true. */
  readonly runExamples?: boolean
  /** The policies may be evaluated on the calling thread, if the gate's options say so. Default: false. */
  readonly isTrusted?: boolean
}
