import { availableParallelism } from 'node:os'
import { parse, isAbsolute } from 'node:path'
import { answer, type AnsweredWire, type AnswerOptions, type Caller, eventOf } from './answer.ts'
import { asDecoded, checkedEvent, checkedRoots, checkedSignal } from './checked-event.ts'
import { openFacts } from '../facts/index.ts'
import { openEventFacts, openToolFacts, withHarmless } from '../facts/tool-call.ts'
import { dialectOf } from '../agents/index.ts'
import { EntryPoint, type HookEvent } from '../model/event.ts'
import { type Approvals, openApprovals } from './approvals/queue.ts'
import { decide, type DecisionContext } from './engine.ts'
import { type GateMemory, openMemory } from './gate-memory.ts'
import { checkOptions, type GateOptions } from './gate-options.ts'
import { maskText, type ShellOf } from './shown-text.ts'
import { homeFolder } from '../files/home-folder.ts'
import { openHooks } from '../hooks/hook-process.ts'
import { canaryVerdict, isCanary } from '../model/heartbeat.ts'
import type { Surroundings } from '../model/dialect.ts'
import { HookgateError } from '../model/errors.ts'
import type { JsonObject } from '../model/json.ts'
import { memoize } from '../model/lazy.ts'
import { limits } from '../model/limits.ts'
import { isPolicyRule, type RuleSet } from '../model/rule.ts'
import { abstention, type Verdict } from '../model/verdict.ts'
import type { DecisionRecord } from '../record/record.ts'
import { openRecording } from '../record/recording.ts'
import type { RecorderStatus } from '../record/recorder.ts'
import { descriptorOf, type KnownAgent } from '../agents/registry.ts'
import { makeDisk } from '../files/disk.ts'
import { isUnreadable } from '../model/disk.ts'
import type { Environment } from '../model/node-environment.ts'

// Imported directly, not via the folder's index, which loads all of it.
import { openRuleCache } from '../rules/read-rules.ts'
import type { RulesOptions } from '../rules/places.ts'
import type { FirstLook } from './first-look.ts'
import { openPolicyLoader } from '../policy/compile/policy-loader.ts'
import { openSandbox } from '../policy/open-sandbox.ts'
import type { Past } from '../past/past.ts'
import type { Remotes } from '../hooks/remote/open-remotes.ts'

export type { AnswerOptions, Caller } from './answer.ts'
export type { GateOptions, Placement } from './gate-options.ts'

/** The answer to an event, and its record. */
export interface Answered extends AnsweredWire {
  /** Returns the record of the decision, which is made when it is asked for. */
  readonly record: () => DecisionRecord
}

export interface Gate {
  /**
   * Decides one event. An event that was not made by `decode` is validated first.
   *
   * @throws HookgateError `eventMalformed` for an invalid event, `rulesMalformed` if a rules file is invalid,
   * `closed` after `close()`
   */
  decide(event: HookEvent, options?: { readonly signal?: AbortSignal }): Promise<Verdict>
  /** Decodes an agent's wire object, decides it, and encodes the verdict. Never rejects: errors become refusals. */
  answer(wire: string | Uint8Array | JsonObject, options?: AnswerOptions): Promise<Answered>
  /** Returns the rules in force for an event's workspace. @throws HookgateError `rulesMalformed` */
  rulesFor(event: Pick<HookEvent, 'workspaceRoots'>): Promise<RuleSet>
  /** Decodes an agent's wire object. @throws HookgateError `eventMalformed`, `eventTooLarge`, `agentUnknown` */
  decode(wire: string | Uint8Array | JsonObject, options?: { readonly agent?: KnownAgent }): Promise<HookEvent>
  /** The calls that wait for a person; `undefined` unless the option `approvals` is set. */
  readonly approvals: Approvals | undefined
  /** Returns how the database of decisions is doing; `undefined` if the gate has none. */
  recorderStatus(): RecorderStatus | undefined
  /** Writes the last records, and ends recording. `close()` does it too. */
  endRecording(): Promise<void>
  /** Stops all running hooks and the sandbox. Afterwards no process, thread or listener is left. */
  close(): Promise<void>
  /** Closes the gate synchronously, just before a process exits. `async` hooks keep running to their own end. */
  kill(): void
}

/** A verdict, and the rules in force when it was given. */
interface DecidedEvent {
  readonly verdict: Verdict
  readonly rules: RuleSet | undefined
  /** The shell command, masked; absent if it is too long for that, or there is none. */
  readonly command?: string
}

/** Returns a shell's call of a text, as its agent would make it. */
const shellCall = ({ tool, ...event }: HookEvent, command: string): HookEvent => ({
  ...event,
  tool: { kind: 'shell', name: tool?.name ?? '', input: {}, command },
})

/** Returns how long a decision took, without the time in which a person was asked. */
const workedMs = (beganAtMs: number, verdict: Verdict | undefined) =>
  Math.max(0, performance.now() - beganAtMs - (verdict?.approval?.waitedMs ?? 0))

/** The record of a decision made through the library. */
const unsent = { error: undefined, told: undefined, agent: undefined, via: 'library', callerWaits: true } as const

/** Returns who asked, for the record. An untyped caller's options may throw when they are read: the answer says so. */
function callerOf(how: AnswerOptions | undefined) {
  try {
    const { agent, via, signal, who, onBehalfOf } = how ?? {}
    const callerWaits = signal?.aborted !== true
    return { agent, via: EntryPoint.catch('library').parse(via), who, onBehalfOf, callerWaits }
  } catch {
    return unsent
  }
}

/** Returns the working directory, or the file system's root if it is gone, so that only its rules are affected. */
function workingFolder(): string {
  try {
    return process.cwd()
  } catch {
    return parse(process.execPath).root
  }
}

/**
 * Creates a gate, which keeps the rules up to date and decides events by them. It prints nothing.
 *
 * @throws HookgateError `usage` for an invalid option
 */
export function createGate(options: GateOptions = {}): Gate {
  checkOptions(options)
  return openGate(options, openMemory(options))
}

/** Opens a gate with a memory that the caller has opened. @param options checked ones */
export function openGate(options: GateOptions, memory: GateMemory): Gate {
  const env = options.env ?? process.env
  const { placement = 'process' } = options
  const policies = openSandbox(placement, openToolFacts(), { threads: options.policyThreads, isHurried: true })
  const facts = openFacts({ env })
  const toolFacts = openEventFacts(options.home)
  const where: RulesOptions = {
    explicit: options.rules,
    discover: options.discover,
    trustWorkspace: options.trustWorkspace,
    drafts: options.drafts,
    clinePrecedence: options.clinePrecedence,
    home: options.home,
    cwd: workingFolder(),
    env,
    managedFolder: options.managedFolder,
    stateFolder: options.state,
  }
  let firstLook: Promise<FirstLook> | undefined
  // Loaded with the first signed rules that are missing: most machines follow no channel, or have what they follow.
  const opened = () => (firstLook ??= import('./first-look.ts').then(({ openFirstLook }) => openFirstLook(where)))
  const policyLoader = openPolicyLoader(policies, { keptIn: memory.compiled, warm: true })
  const ruleCache = openRuleCache(where, policyLoader, options.onRulesRead, async (bundle) =>
    (await opened()).before(bundle),
  )
  const hooks = openHooks({ concurrency: options.concurrency ?? 2 * availableParallelism() })
  const surroundings = (caller?: Caller): Surroundings => ({
    nowMs: Date.now(),
    env: caller?.env ?? env,
    cwd: caller?.cwd ?? workingFolder(),
  })
  const { stops, refusals, decidedHooks } = memory
  let past: Promise<Past> | undefined
  const lookBack = () => (past = memory.past())
  let remotes: Promise<Remotes> | undefined
  // Loaded with the first rule that names a server: most gates have none.
  const servers = () =>
    (remotes ??= import('../hooks/remote/open-remotes.ts').then(({ openRemotes }) => openRemotes(env)))
  const approvals = options.approvals === true ? openApprovals() : undefined
  const recording = openRecording(memory.record, options.onRecord)
  let closed = false

  async function decideEvent(
    given: HookEvent,
    around: Surroundings,
    signal: AbortSignal | undefined,
    receivedAtMs: number,
  ): Promise<DecidedEvent> {
    if (closed) throw new HookgateError('closed', 'the gate is closed')
    if (isCanary(given)) return { verdict: canaryVerdict(given, abstention, process.pid), rules: undefined }
    const event = withCalledText(given, around.env, () => homeFolder(options.home))
    const cached = ruleCache.rulesFor(event.workspaceRoots)
    // Awaited only if something has to be read: for most events, the rules are cached.
    const rules = cached instanceof Promise ? await cached : cached
    // Only policies ask about impacts, whose tables take a tenth of the time of a start without a gate.
    const judgesImpacts = rules.prepared(hasPolicies)
    const ownFacts = memoize(() => toolFacts(event, around.env, judgesImpacts))
    const shellOf: ShellOf = async (text) => {
      const { kind, command: own } = event.tool ?? {}
      const found = kind === 'shell' && text === own ? ownFacts() : toolFacts(shellCall(event, text), around.env, false)
      return (await found.catch(() => undefined))?.shell
    }
    const deciding: DecisionContext = {
      rules,
      dialectOf,
      runHook: (hook, start) => hooks.run(hook, start),
      startHook: (hook) => hooks.background(hook),
      askServer: async (rule, call) => (await servers()).ask(rule, call),
      runsHooks: options.runHooks !== false,
      evaluate: (request, one) => policies.evaluate(request, one),
      gatherFacts: (requests) => facts.gather(requests, around.env),
      toolFacts: async (one) => (one === event ? ownFacts() : toolFacts(one, around.env, judgesImpacts)),
      withHarmless,
      surroundings: around,
      timeoutMs: options.timeoutMs ?? limits.hookTimeoutMs,
      signal,
      stops,
      decidedHooks,
      refusals,
      approvals,
      past: lookBack,
      shellOf,
      receivedAtMs,
    }
    const verdict = await decide(event, deciding)
    const { command = '' } = event.tool ?? {}
    if (command === '' || command.length > limits.comparedMaskCharactersMax) return { verdict, rules }
    return { verdict, rules, command: await maskText(command, shellOf) }
  }

  return {
    // Untyped callers may pass `null` for the options.
    async decide(given, how) {
      const beganAtMs = performance.now()
      const event = checkedEvent(given)
      const decided = await decideEvent(event, surroundings(), checkedSignal((how ?? {}).signal), beganAtMs)
      const durationMs = workedMs(beganAtMs, decided.verdict)
      recording.answered({ ...unsent, ...decided, event, durationMs })
      return decided.verdict
    },
    async answer(wire, how) {
      const beganAtMs = performance.now()
      let rules: RuleSet | undefined
      let command: string | undefined
      const answered = await answer(wire, how, {
        surroundings,
        async decide(event, around, signal) {
          const decided = await decideEvent(event, around, checkedSignal(signal), beganAtMs)
          ;({ rules, command } = decided)
          return decided.verdict
        },
      })
      const durationMs = workedMs(beganAtMs, answered.verdict)
      const record = recording.answered({ ...callerOf(how), ...answered, durationMs, rules, command })
      return { ...answered, record }
    },
    rulesFor: async (event) => ruleCache.rulesFor(checkedRoots(event)),
    decode: async (wire, how) => asDecoded((await eventOf(wire, (how ?? {}).agent, surroundings())).event),
    approvals,
    recorderStatus: () => recording.status(),
    endRecording: () => recording.close(),
    async close() {
      closed = true
      approvals?.close()
      await firstLook?.then((one) => one.end())
      await Promise.all([hooks.close(), policies.close(), recording.close(), remotes?.then((all) => all.close())])
      await past?.then((one) => one.close()).catch(() => {})
    },
    kill() {
      closed = true
      approvals?.close()
      void remotes?.then((all) => all.close())
      void firstLook?.then((one) => one.end())
      hooks.killAll()
      policies.killAll()
    },
  }
}

const hasPolicies = ({ rules }: RuleSet): boolean => rules.some(isPolicyRule)

/**
 * Returns the event of a call that names a text with shell commands in it, such as a skill, as a call of those commands.
 *
 * @throws HookgateError `eventMalformed` if such a text cannot be read, since the agent might
 */
function withCalledText(event: HookEvent, env: Environment, home: () => string): HookEvent {
  const { tool, session, workspaceRoots } = event
  const called = descriptorOf(event.agent)?.calledText
  if (event.name !== 'PreToolUse' || tool === undefined || called === undefined) return event
  const roots = [...new Set([session.cwd, ...workspaceRoots])].filter(isAbsolute)
  const disk = makeDisk()
  const commands = called.files(tool, { roots, home, env }).flatMap((file) => {
    if (disk.see(file) === 'absent') return []
    const bytes = disk.read(file, limits.settingsBytesMax)
    if (!isUnreadable(bytes)) return called.commands(new TextDecoder().decode(bytes), tool)
    throw new HookgateError('eventMalformed', `${file} holds commands that ${tool.name} would run: ${bytes.why}`, {
      remedy: 'make it a file that can be read',
    })
  })
  return commands.length === 0 ? event : { ...event, tool: { ...tool, kind: 'shell', command: commands.join('\n') } }
}
