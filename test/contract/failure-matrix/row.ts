import { agentNames, type KnownAgent } from '../../../src/agents/registry.ts'
import type { OnFailure } from '../../../src/model/effect.ts'

/** How an agent reaches hookgate: by the thin client's file, by HTTP, or by a process of its own for each event. */
export type Way = 'client' | 'http' | 'run'

/** Agents that have HTTP hooks. */
const withHttp: ReadonlySet<KnownAgent> = new Set(['claude-code'])

export const waysOf = (agent: KnownAgent): readonly Way[] =>
  withHttp.has(agent) ? ['client', 'http', 'run'] : ['client', 'run']

/** How a failure is brought about. */
export type Cause =
  | { readonly kind: 'none'; readonly guarded: boolean }
  | { readonly kind: 'event'; readonly event: 'malformed' | 'tooLarge' }
  | { readonly kind: 'rules'; readonly rules: 'malformed' | 'missing' | 'brokenLater' | 'none' }
  | { readonly kind: 'gate'; readonly gate: 'absent' | 'busy' | 'stopped' | 'sandboxKilled' | 'diskFull' }
  /** A command for `sh`, in which `$HOOKS` is a folder of hooks. */
  | { readonly kind: 'hook'; readonly command: string; readonly timeoutS?: number; readonly onFailure: OnFailure }
  /** What a policy's `decide` does. */
  | {
      readonly kind: 'policy'
      readonly decide: string
      readonly onFailure: OnFailure
      /** How much larger the event is than it need be. */
      readonly paddingCharacters?: number
    }

/** What an agent must see, beside that it sees it in its own words. */
export type Expected =
  /** Its reason holds all of these. */
  | { readonly kind: 'refusal'; readonly because: readonly string[] }
  /** The agent goes on; `told` is what a person is told with it, `undefined` where there is nothing to tell. */
  | { readonly kind: 'pass'; readonly told: string | undefined }
  /** Nobody answers. It is registered so that this stops the agent. */
  | { readonly kind: 'noAnswer' }

/** One line of the failure matrix. */
export interface Row {
  readonly id: string
  /** What fails, in a person's words. */
  readonly what: string
  readonly cause: Cause
  /** The same for every agent; `undefined` where a way has nothing that could fail so. */
  readonly sees: Readonly<Record<Way, Expected | undefined>>
  /** That, in a person's words; and what another way sees, where that is something else. */
  readonly seen: string
  readonly otherwise?: Partial<Readonly<Record<Way, string>>>
}

/** Who asks: each way of each agent. */
export const askers = agentNames.flatMap((agent) => waysOf(agent).map((way) => ({ agent, way })))

/**
 * What is asked about in a row: a shell command that only the doctor's own rules know. Everybody asks about one of their
 * own: a policy that fails time and again is not even asked any more.
 */
export const commandOf = ({ id }: Row, agent: KnownAgent, way: Way) => `hookgate-doctor ${id} ${agent} ${way}`
