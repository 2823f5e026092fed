import type { Disk } from './disk.ts'
import type { CompiledPolicy, PolicyDefinition } from './policy.ts'
import type { Problem, Refusal } from './problem.ts'
import type { Source } from './rule.ts'

/** A policy's file, and the folder that its imports have to stay below. */
export interface PolicyFile {
  readonly file: string
  readonly folder: string
}

/** What came of compiling the policies of one source. */
export interface CompiledPolicies {
  /** By real path: one file is one policy, in however many places it is named. */
  readonly compiled: ReadonlyMap<string, CompiledPolicy>
  /** Those among them that have problems. They are looked at for more of them, and no rule is made of them. */
  readonly flawed: ReadonlySet<CompiledPolicy>
  readonly problems: readonly Problem[]
}

/** A policy in the sandbox, with its own description or the problems with it. */
export interface CheckedPolicy {
  readonly compiled: CompiledPolicy
  /** `undefined` where there are errors, but for those that compiling it has shown. */
  readonly definition: PolicyDefinition | undefined
  readonly problems: readonly Problem[]
}

/** A source's policies in the sandbox. They stay until everybody who holds them has released them. */
export interface HeldDomain {
  readonly id: number
  /** In the order in which they were compiled. */
  readonly policies: readonly CheckedPolicy[]
  /** One more holder. */
  hold(): void
  release(): void
}

/** Limits what compiling the policies of one source costs. Each method counts something; a refusal says that it is too much. */
export interface CompileBudget {
  /** A policy, by its own file, once its content is known. What is counted next belongs to it. */
  policy(file: string): Refusal | undefined
  /** A file that a policy is made of; counted once, however many are made of it. */
  policyFile(file: string, bytes: number): Refusal | undefined
  /** The code that a module was compiled to, for one of the policies it is part of. In UTF-16 units. */
  code(units: number): Refusal | undefined
  /** A piece of work, whose CPU time counts for the present policy. */
  work<T>(piece: () => T): T
}

/** Tells whether a file of a source is trusted. */
export type IsTrusted = (source: Source, file: string) => boolean

/** The sandbox could not be had, or was lost. No policy is at fault. */
export class SandboxLost extends Error {}

/** Compiles and loads the policies that rules name, and remembers both: a change of one file costs the work for that file. */
export interface PolicyLoader {
  /** The budgets of one reading of all rules. Untrusted files of all sources share one. */
  openBudgets(isTrusted: IsTrusted): (source: Source) => CompileBudget
  /** Compiles the policies of one source. When the budget is exceeded, none of them is compiled. Default: no limits. */
  compile(policies: readonly PolicyFile[], disk: Disk, budget?: CompileBudget): Promise<CompiledPolicies>
  /**
   * Loads a source's policies as one domain, held once, unless they are loaded as they are.
   *
   * @param source what tells it from every other
   * @throws SandboxLost
   */
  load(source: string, compiled: CompiledPolicies, options?: LoadOptions): Promise<HeldDomain>
}

export interface LoadOptions {
  /** How many policies run their examples at once. Default: `limits.policiesCheckedAtOnce`. */
  readonly atOnce?: number
  /** Whether each policy's examples are run. Default: true. */
  readonly runExamples?: boolean
}
