import { availableParallelism } from 'node:os'
import { parse } from 'node:path'
import { type Answered, answer, eventOf } from './answer.ts'
import { openFacts } from './facts/index.ts'
import { openEventFacts } from './facts/tool-call.ts'
import { dialects } from './dialect/index.ts'
import { decide, type Deciding } from './engine.ts'
import { abstention } from './combine/combine.ts'
import { openHooks } from './hooks.ts'
import type { AgentName } from './model/agents.ts'
import { canaryVerdict, isCanary } from './model/canary.ts'
import type { Surroundings } from './model/dialect.ts'
import { HookgateError } from './model/errors.ts'
import type { HookEvent } from './model/event.ts'
import type { JsonObject } from './model/json.ts'
import { limits } from './model/limits.ts'
import type { RuleSet } from './model/rule.ts'
import type { Verdict } from './model/verdict.ts'
import type { DecisionRecord } from './record/record.ts'
import { openStopRefusals } from './record/stop-refusals.ts'
// Not from the room's index, which loads all of it.
import { openRulebook } from './rules/rulebook.ts'
import { openSandbox } from './sandbox.ts'

export type Placement = 'process' | 'thread'

export interface GateOptions {
  /** Rules files, Cline hooks folders, plugin roots, or folders of any of them. Trusted. Default: none. */
  readonly rules?: readonly string[]
  /** Whether the usual places are searched as well: managed, user, and every workspace root. Default: true. */
  readonly discover?: boolean
  /** Run the command hooks of every workspace without asking whether it is trusted. For containers and CI. */
  readonly trustWorkspace?: boolean
  /** For hooks that name no timeout, ms. Default: 30,000. */
  readonly timeoutMs?: number
  /** How many hooks run at once, over all events. Default: twice the cores. */
  readonly concurrency?: number
  /**
   * How many threads evaluate policies, each of which has all of them loaded. Default: as many as there are cores, at
   * most 4.
   */
  readonly policyThreads?: number
  /**
   * Where hooks are started and policies are evaluated. `process`: hooks from a small companion (a process of a gigabyte
   * needs 60 ms for each start, an editor's is that large), policies in a sandbox process, which they may bring down
   * without harm. `thread`: worker threads of this process, for an embedder who vouches for the policies: one that
   * exhausts its memory can end the whole process, and one that is caught in a native loop keeps `process.exit` from
   * ending it. Default: `process`.
   */
  readonly placement?: Placement
  /** Where hooks are started, where that is to differ. Default: `placement`. */
  readonly hookPlacement?: Placement
  /**
   * Of a global and a project Cline hook of the same name: run `both`, as Cline does, or only the `project` one, as its
   * published reference says. Default: `both`.
   */
  readonly clinePrecedence?: 'both' | 'project'
  /** The environment hooks inherit. Default: `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Where the user's rules are. Default: the home directory. */
  readonly home?: string
  /** Where the managed rules are. Default: `/etc/hookgate`. */
  readonly managedFolder?: string
  /**
   * Where it is counted how often in a row the end of a turn was refused, for gates that share it: those that decide one
   * event each, and one that may be replaced in the middle of a turn. Default: in memory.
   */
  readonly stopsFolder?: string
  /**
   * Called whenever the rules for some workspace roots have been read, with what is wrong with them; nothing is where they
   * load. Must not throw.
   */
  readonly onRulesRead?: (workspaceRoots: readonly string[], wrong: readonly string[]) => void
  /** Called with the audit line of every verdict, secrets masked. Must not throw. */
  readonly onRecord?: (record: DecisionRecord) => void
}

/** Where an event comes from: what a hook that decided it by itself would find around it. */
export type Caller = Pick<Surroundings, 'env' | 'cwd'>

export interface AnswerOptions {
  readonly agent?: AgentName
  readonly signal?: AbortSignal
  /** Its environment is also what the event's hooks inherit, and its facts are told of. Default: the gate's own. */
  readonly caller?: Caller
  /** Called with the event before it is decided, for what is known of its session. */
  readonly settle?: (event: HookEvent) => HookEvent
}

export interface Gate {
  /**
   * Decides one event.
   *
   * @throws HookgateError `rulesMalformed` where a rules file cannot be understood, `closed` after `close()`
   */
  decide(event: HookEvent, options?: { readonly signal?: AbortSignal }): Promise<Verdict>
  /** The whole way from an agent's wire format back to it. Never rejects: what goes wrong is answered by a refusal. */
  answer(wire: string | Uint8Array | JsonObject, options?: AnswerOptions): Promise<Answered>
  /** The rules in force for an event's workspace. @throws HookgateError `rulesMalformed` */
  rulesFor(event: Pick<HookEvent, 'workspaceRoots'>): Promise<RuleSet>
  /** An agent's wire object as an event. @throws HookgateError `eventMalformed`, `eventTooLarge`, `agentUnknown` */
  decode(wire: string | Uint8Array | JsonObject, options?: { readonly agent?: AgentName }): HookEvent
  /** Stops every hook that is running, and the sandbox, and leaves nothing behind: no process, no thread, no listener. */
  close(): Promise<void>
  /** The same at once and without waiting, for the last moments of a process; `async` hooks go on to their own end. */
  kill(): void
}

/** Where this process is; the root of the file system where that folder is gone, so that nothing breaks but its rules. */
export function workingFolder(): string {
  try {
    return process.cwd()
  } catch {
    return parse(process.execPath).root
  }
}

const isCount = (value: number, max: number) => Number.isInteger(value) && value >= 1 && value <= max

/**
 * A gate: the rules, kept fresh, and the means to run their hooks. Use it from anywhere; it prints nothing.
 *
 * @throws HookgateError `usage` for an option that makes no sense
 */
export function createGate(options: GateOptions = {}): Gate {
  const env = options.env ?? process.env
  const { placement = 'process', hookPlacement = placement } = options
  const { policyThreads } = options
  if (policyThreads !== undefined && !isCount(policyThreads, limits.policyThreadsMax)) {
    throw new HookgateError('usage', `\`policyThreads\` must be a whole number from 1 to ${limits.policyThreadsMax}`)
  }
  const policies = openSandbox(placement, policyThreads)
  const facts = openFacts({ env })
  const toolFacts = openEventFacts(options.home)
  const rulebook = openRulebook(
    {
      given: options.rules ?? [],
      discover: options.discover ?? true,
      trustWorkspace: options.trustWorkspace ?? false,
      clinePrecedence: options.clinePrecedence ?? 'both',
      ...(options.home !== undefined && { home: options.home }),
      cwd: workingFolder(),
      env,
      ...(options.managedFolder !== undefined && { managedFolder: options.managedFolder }),
    },
    policies,
    options.onRulesRead,
  )
  const concurrency = options.concurrency ?? 2 * availableParallelism()
  if (!isCount(concurrency, limits.concurrencyMax)) {
    throw new HookgateError('usage', `\`concurrency\` must be a whole number from 1 to ${limits.concurrencyMax}`)
  }
  const hooks = openHooks({ placement: hookPlacement, concurrency })
  const surroundings = (caller?: Caller): Surroundings => ({
    nowMs: Date.now(),
    env: caller?.env ?? env,
    cwd: caller?.cwd ?? workingFolder(),
  })
  const stops = openStopRefusals(options.stopsFolder)
  let closed = false

  async function decideEvent(
    event: HookEvent,
    around: Surroundings,
    signal: AbortSignal | undefined,
  ): Promise<Verdict> {
    if (closed) throw new HookgateError('closed', 'the gate is closed')
    if (isCanary(event)) return canaryVerdict(event, abstention, process.pid)
    const rules = rulebook.rulesFor(event.workspaceRoots)
    const deciding: Deciding = {
      // A promise only where something has to be read: most events find the rules at hand.
      rules: rules instanceof Promise ? await rules : rules,
      dialects,
      runHook: (hook, given) => hooks.run(hook, given),
      startHook: (hook) => hooks.background(hook),
      askPolicies: (request, given) => policies.evaluate(request, given),
      gatherFacts: (requests) => facts.gather(requests, around.env),
      toolFacts: (given) => toolFacts(given, around.env),
      surroundings: around,
      timeoutMs: options.timeoutMs ?? limits.hookTimeoutMs,
      signal,
      stops,
      onRecord: options.onRecord,
    }
    return decide(event, deciding)
  }

  return {
    decide: (event, { signal } = {}) => decideEvent(event, surroundings(), signal),
    answer(wire, { agent, signal, caller, settle } = {}) {
      const around = surroundings(caller)
      return answer(wire, {
        agent,
        surroundings: around,
        settle,
        decide: (event) => decideEvent(event, around, signal),
      })
    },
    rulesFor: async (event) => rulebook.rulesFor(event.workspaceRoots),
    decode: (wire, { agent } = {}) => eventOf(wire, agent, surroundings()).event,
    async close() {
      closed = true
      await Promise.all([hooks.close(), policies.close()])
    },
    kill() {
      closed = true
      hooks.killAll()
      policies.killAll()
    },
  }
}
