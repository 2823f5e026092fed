import { z } from 'zod'
import type { Gate } from '../gate.ts'
import { errorText } from '../model/errors.ts'
import { limits } from '../model/limits.ts'
import { printable } from '../model/text.ts'
import { GateState } from './gate-state.ts'
import type { Places } from './places.ts'
import type { Traffic } from './traffic.ts'
import type { WrongRules } from './wrong-rules.ts'

/** What a running gate tells of itself: at `GET /v1/status`, and by `hookgate status`. */
export const GateStatus = GateState.omit({ processStart: true }).extend({
  uptimeMs: z.number(),
  /** Where the token for HTTP is kept, where it listens to HTTP. */
  tokenFile: z.string().nullable(),
  log: z.string(),
  /** Questions that are not answered yet, this one left out. */
  inFlight: z.int(),
  /** How many rules hold everywhere, those of workspaces left out; or why there is no telling. */
  rules: z.union([z.int(), z.strictObject({ problem: z.string() })]),
  /** What a person should know and mend, though the gate goes on. */
  warnings: z.array(z.string()).readonly(),
})
export type GateStatus = Readonly<z.infer<typeof GateStatus>>

interface Told {
  readonly places: Places
  readonly state: GateState
  readonly gate: Gate
  readonly traffic: Traffic
  readonly wrongRules: WrongRules
  readonly warnings: readonly string[]
}

export async function gateStatus({ places, state, gate, traffic, wrongRules, warnings }: Told): Promise<GateStatus> {
  const { processStart: _ours, ...told } = state
  const rules = await inTime(rulesOf(gate, wrongRules))
  return {
    ...told,
    uptimeMs: Date.now() - Date.parse(state.startedAt),
    tokenFile: state.http === null ? null : places.token,
    log: places.log,
    inFlight: Math.max(0, traffic.underWay - 1),
    rules,
    // What keeps them from loading at all is told in their place.
    warnings: [...warnings, ...(typeof rules === 'number' ? wrongRules.everywhere : []), ...wrongRules.inWorkspaces],
  }
}

async function rulesOf(gate: Gate, { workspaces }: WrongRules): Promise<GateStatus['rules']> {
  // Those that were wrong when they were last read may have been mended.
  await Promise.allSettled(workspaces.map((workspaceRoots) => gate.rulesFor({ workspaceRoots })))
  try {
    return (await gate.rulesFor({ workspaceRoots: [] })).rules.length
  } catch (error) {
    return { problem: refusingWhy(error) }
  }
}

/** What it comes to that the rules which hold everywhere do not load. */
export const refusingWhy = (error: unknown) => `every event is refused until they load: ${printable(errorText(error))}`

/** INVARIANT: a gate says who it is, however long it reads rules: one that does not say so is taken to be stuck, and killed. */
async function inTime(rules: Promise<GateStatus['rules']>): Promise<GateStatus['rules']> {
  const { promise: late, resolve } = Promise.withResolvers<GateStatus['rules']>()
  const timer = setTimeout(() => resolve({ problem: 'they are still being read' }), limits.statusRulesMs)
  try {
    return await Promise.race([rules, late])
  } finally {
    clearTimeout(timer)
  }
}
