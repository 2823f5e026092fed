import { agentNames, type KnownAgent } from '../../../src/agents/registry.ts'
import type { OnFailure } from '../../../src/model/effect.ts'

/** How an agent reaches hookgate: by the thin client's file, by HTTP, or by a process of its own for each event. */
export type Way = 'client' | 'http' | 'run'

/** Agents that have HTTP hooks. */
const withHttp: ReadonlySet<KnownAgent> = new Set(['claude-code'])

export const waysOf = (agent: KnownAgent): readonly Way[] =>
  withHttp.has(agent) ? ['client', 'http', 'run'] : ['client', 'run']

/** How to cause a failure. */
export type Cause =
  | { readonly kind: 'none'; readonly guarded: boolean }
  | { readonly kind: 'event'; readonly event: 'malformed' | 'tooLarge' }
  | { readonly kind: 'rules'; readonly rules: 'malformed' | 'missing' | 'brokenLater' | 'none' }
  | { readonly kind: 'gate'; readonly gate: 'absent' | 'busy' | 'stopped' | 'sandboxKilled' | 'diskFull' }
  /** A command for `sh`, where `$HOOKS` is a folder of hooks. */
  | { readonly kind: 'hook'; readonly command: string; readonly timeoutS?: number; readonly onFailure: OnFailure }
  /** A decision point that is asked by AuthZEN. */
  | { readonly kind: 'server'; readonly url: string; readonly onFailure: OnFailure }
  /** The body of a policy's `decide`. */
  | {
      readonly kind: 'policy'
      readonly decide: string
      readonly onFailure: OnFailure
      /** Extra characters that make the event larger. */
      readonly paddingCharacters?: number
    }

/** What an agent must see, in its own format. */
export type Expected =
  /** The reason includes all of these. */
  | { readonly kind: 'refusal'; readonly because: readonly string[] }
  /** The agent goes ahead; `notice` is what the user must see, if anything. */
  | { readonly kind: 'pass'; readonly notice: string | undefined }
  /** There is no answer, which must block the agent by its registration. */
  | { readonly kind: 'noAnswer' }

/** One line of the failure matrix. */
export interface Row {
  readonly id: string
  /** What fails, in plain words. */
  readonly what: string
  readonly cause: Cause
  /** The same for every agent; `undefined` where a way cannot fail so. */
  readonly sees: Readonly<Record<Way, Expected | undefined>>
  /** What an agent sees, in plain words; `otherwise` has the ways that see something else. */
  readonly seen: string
  readonly otherwise?: Partial<Readonly<Record<Way, string>>>
}

/** Each way of each agent. */
export const callers = agentNames.flatMap((agent) => waysOf(agent).map((way) => ({ agent, way })))

/**
 * The shell command of a row, which only the doctor's rules match. Each caller has its own, because a policy that fails
 * repeatedly is quarantined.
 */
export const commandOf = ({ id }: Row, agent: KnownAgent, way: Way) => `hookgate-doctor ${id} ${agent} ${way}`
