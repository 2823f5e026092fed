import { z } from 'zod'
import type { Gate } from '../../gate/gate.ts'
import { errorText } from '../../model/errors.ts'
import type { BundlePoller } from '../../bundle/machine/poller.ts'
import { PollState } from '../../bundle/machine/poll-state.ts'
import { isSelfProtection } from '../../model/rule.ts'
import type { Exporter } from '../../record/export/exporter.ts'
import { printable } from '../../model/text.ts'
import { GateState } from '../../files/state/gate-state.ts'
import type { GatePaths } from '../../files/state/places.ts'
import { limits } from '../../model/limits.ts'
import type { Log } from './log-file.ts'

/** The status of a running gate, as the gate says it and `hookgate status` shows it. */
export const GateStatus = GateState.omit({ processStart: true }).extend({
  uptimeMs: z.number(),
  /** The file with the token for HTTP; `null` if the gate does not serve HTTP. */
  tokenFile: z.string().nullable(),
  log: z.string(),
  /** Requests in flight, without the status request itself. */
  inFlight: z.int(),
  /** The number of rules that apply everywhere, without those of workspaces; or why it is unknown. */
  rules: z.union([z.int(), z.strictObject({ problem: z.string() })]),
  /** How many records were sent, refused and removed, for each destination of the export. */
  export: z.array(z.strictObject({ name: z.string(), sent: z.int(), refused: z.int(), removed: z.int() })).readonly(),
  /** How many decisions the running gate has recorded and lost; `null` if it records nothing. */
  recorder: z.strictObject({ written: z.int(), lost: z.int(), problem: z.string().optional() }).nullable(),
  /** The state of the signed bundle that a managed file names; `null` if it names none, or none was looked for yet. */
  bundle: PollState.nullable(),
  /** Problems that the user should fix, although the gate keeps running. */
  warnings: z.array(z.string()).readonly(),
})
export type GateStatus = Readonly<z.infer<typeof GateStatus>>

interface StatusSources {
  readonly places: GatePaths
  readonly state: GateState
  readonly gate: Gate
  /** The number of requests in flight, with the status request itself. */
  readonly inFlight: number
  readonly ruleProblems: RuleProblems
  readonly exporter: Exporter
  readonly bundles: BundlePoller
  readonly warnings: readonly string[]
}

export async function gateStatus({
  places,
  state,
  gate,
  inFlight,
  ruleProblems,
  exporter,
  bundles,
  warnings,
}: StatusSources): Promise<GateStatus> {
  const { processStart: _ours, ...shown } = state
  const rules = await limitWait(rulesOf(gate, ruleProblems))
  const { sinks, problem } = exporter.status()
  const bundle = bundles.status()
  return {
    ...shown,
    uptimeMs: Date.now() - Date.parse(state.startedAt),
    tokenFile: state.http === null ? null : places.token,
    log: places.log,
    inFlight: Math.max(0, inFlight - 1),
    rules,
    recorder: recorderOf(gate),
    export: sinks.map(({ name, sent, refused, removed }) => ({ name, sent, refused, removed })),
    bundle: bundle ?? null,
    // If the rules do not load at all, `rules` says why instead.
    warnings: [
      ...warnings,
      ...(typeof rules === 'number' ? ruleProblems.everywhere : []),
      ...ruleProblems.inWorkspaces,
      ...(bundle?.problem === undefined ? [] : [printable(`new bundles cannot be had: ${bundle.problem}`)]),
      ...(problem === undefined ? [] : [printable(`the record is not exported: ${problem}`)]),
      ...sinks.flatMap((one) =>
        one.problem === undefined ? [] : [printable(`the export of ${one.name} fails: ${one.problem}`)],
      ),
    ],
  }
}

function recorderOf(gate: Gate): GateStatus['recorder'] {
  const status = gate.recorderStatus()
  if (status === undefined) return null
  const { written, lost, problem } = status
  return { written, lost, ...(problem !== undefined && { problem }) }
}

async function rulesOf(gate: Gate, { workspaces }: RuleProblems): Promise<GateStatus['rules']> {
  await lookAgain(gate, workspaces)
  try {
    return (await gate.rulesFor({ workspaceRoots: [] })).rules.filter((rule) => !isSelfProtection(rule)).length
  } catch (error) {
    return { problem: refusingWhy(error) }
  }
}

/** Reads the rules of workspaces again if files have changed there, so that the list of problems is up to date. */
export async function lookAgain(gate: Pick<Gate, 'rulesFor'>, workspaces: RuleProblems['workspaces']): Promise<void> {
  await Promise.allSettled(workspaces.map((workspaceRoots) => gate.rulesFor({ workspaceRoots })))
}

/** Says what happens to events because the rules that apply everywhere do not load, and why they do not. */
export const refusingWhy = (error: unknown) => `every event is refused until they load: ${printable(errorText(error))}`

/**
 * Limits how long the status waits for rules.
 *
 * INVARIANT: a gate answers a status request in time even while it reads rules: a gate that does not is considered
 * stuck, and killed.
 */
async function limitWait(rules: Promise<GateStatus['rules']>): Promise<GateStatus['rules']> {
  const { promise: late, resolve } = Promise.withResolvers<GateStatus['rules']>()
  const timer = setTimeout(() => resolve({ problem: 'they are still being read' }), statusRulesMs)
  try {
    return await Promise.race([rules, late])
  } finally {
    clearTimeout(timer)
  }
}
/** Wait for the rules before a gate reports its status without them: half of `gateGlanceMs`. */
export const statusRulesMs = 500

/** The problems of the rules that a running gate has read, and of agents there, for its status and its log. */
interface RuleProblems {
  readonly onRulesRead: (workspaceRoots: readonly string[], wrong: readonly string[]) => void
  /** Problems of the rules that apply everywhere. */
  readonly everywhere: readonly string[]
  /** Problems of workspaces' rules, each with its workspace. */
  readonly inWorkspaces: readonly string[]
  /** The workspace roots of recent events: reading their rules again shows what is wrong there now. */
  readonly workspaces: readonly (readonly string[])[]
}

interface Reported {
  readonly workspaceRoots: readonly string[]
  readonly wrong: readonly string[]
}

export function watchRuleProblems(log: Log): RuleProblems {
  const known = new Map<string, Reported>()
  return {
    onRulesRead(workspaceRoots, wrong) {
      const key = workspaceRoots.join('\0')
      const before = known.get(key)?.wrong ?? []
      for (const line of wrong.filter((one) => !before.includes(one))) log.warn({ workspaceRoots }, line)
      known.delete(key)
      known.set(key, { workspaceRoots, wrong })
      if (wrong.length === 0 && before.length > 0) log.info({ workspaceRoots }, 'the problems are fixed')
      const [oldest] = known.keys()
      // Bounded like the cache of rules.
      if (known.size > limits.ruleSetsCachedMax && oldest !== undefined) known.delete(oldest)
    },
    get everywhere() {
      return (known.get('')?.wrong ?? []).map(printable)
    },
    get inWorkspaces() {
      // A workspace has the rules of the user as well, whose problems are said once.
      const said = new Set((known.get('')?.wrong ?? []).map(withoutTime))
      return [...known.values()]
        .filter(({ workspaceRoots }) => workspaceRoots.length > 0)
        .flatMap(({ workspaceRoots, wrong }) =>
          wrong
            .filter((line) => !said.has(withoutTime(line)))
            .map((line) => printable(`in ${workspaceRoots.join(' and ')}: ${line}`)),
        )
    },
    get workspaces() {
      return [...known.values()].map((one) => one.workspaceRoots)
    },
  }
}

/** Each set of rules was read at another time. */
const withoutTime = (line: string) => line.replace(/the rules as of \S+ /, '')
