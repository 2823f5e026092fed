import { z } from 'zod'
import { pathChanges, shellOutputs } from './shell.ts'
import { networkKinds } from './shell-network.ts'
import { impactAreas, impactKinds, impactMeans } from './impact.ts'
import { Preparing } from './lazy.ts'

const names = z
  .array(
    z.string().refine((some) => interestWords(some).every((name) => /[a-z0-9]/i.test(name)), {
      error: 'must have a letter or a digit in each name',
    }),
  )
  .min(1)
  .readonly()

/**
 * The shell commands that a policy may answer about. It is not evaluated for a call with none of them, as long as
 * everything about the call is known: an unknown program, or anything else uncertain, is of interest to every policy.
 */
export const PolicyInterest = z
  .strictObject({
    /**
     * Names of which a command has one: as its program, in an argument, or in the target of a redirection. Several in one
     * text are separated by blanks. The first letters and digits of a name count: `mkfs` is in `/sbin/mkfs.ext4`.
     */
    words: names.optional(),
    /** Narrows `words`: the same command has one of these names too, or a word that is not known. */
    with: names.optional(),
    /** Params that are lists of texts, each of which counts as one of `words` that `with` does not narrow. */
    params: z.array(z.string()).min(1).readonly().optional(),
    /** Accesses to files, and what becomes of them. */
    access: z
      .array(z.enum(['read', 'write', 'delete', 'execute', ...pathChanges]))
      .min(1)
      .readonly()
      .optional(),
    /** Commands that run code given inline, in any language. */
    code: z.literal(true).optional(),
    /** Commands that use the network: in any way, or in one of these. */
    network: z.union([z.literal(true), z.array(z.enum(networkKinds)).min(1).readonly()]).optional(),
    /** Commands that keep or send a text for others: a commit, a comment, a post. */
    message: z.literal(true).optional(),
    /** Commands whose output has what they are given in one of these forms. */
    output: z.array(z.enum(shellOutputs)).min(1).readonly().optional(),
    /** Commands that assign variables. */
    assignments: z.literal(true).optional(),
    /**
     * Kinds and areas of `impacts`, and what they come `through`: it is asked where a call has one of them. Alone it is never asked for what
     * is unknown: an impact that depends on that is `unsure`.
     */
    impacts: z
      .array(z.enum([...impactKinds, ...impactAreas, ...impactMeans]))
      .min(1)
      .readonly()
      .optional(),
    /** Commands that the call itself does not run: of the places that the policy's `carried` names. */
    later: z.literal(true).optional(),
    /** Whether commands only look: it is asked about every call, and told that in `harmless` of the facts. */
    harmless: z.literal(true).optional(),
    /** Nothing but what is unknown, which every policy is asked about. */
    unknown: z.literal(true).optional(),
  })
  .refine((interest) => Object.keys(interest).length > 0, { error: 'names nothing: leave it out' })
  .refine((interest) => interest.with === undefined || interest.words !== undefined, {
    error: 'has `with`, which narrows `words`, and no `words`',
  })
export type PolicyInterest = Readonly<z.infer<typeof PolicyInterest>>

/** Returns the names in a text of `PolicyInterest.words`: at least one, possibly `''`. */
export const interestWords = (some: string): readonly string[] => some.trim().split(/\s+/)

/** The call of one policy for an event. */
export interface PolicyCall {
  readonly domain: number
  /** Index of the policy in its domain. */
  readonly policy: number
  /** For each declared fact, and then each state, its index in the request's `values`; -1 for one without a value. */
  readonly facts: readonly number[]
  /** All params of the policy, as JSON. */
  readonly params: string
}

/** The policies that are asked about one event; events of one kind share the object. */
export class PolicyCalls extends Preparing {
  readonly all: readonly PolicyCall[]
  constructor(all: readonly PolicyCall[]) {
    super()
    this.all = all
  }
}
