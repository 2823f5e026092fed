import { z } from 'zod'
import type { Gate } from '../gate.ts'
import { errorText } from '../model/errors.ts'
import { GateState } from './gate-state.ts'
import type { Places } from './places.ts'
import type { Traffic } from './traffic.ts'

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
  readonly warnings: readonly string[]
}

export async function gateStatus({ places, state, gate, traffic, warnings }: Told): Promise<GateStatus> {
  const { processStart: _ours, ...told } = state
  return {
    ...told,
    uptimeMs: Date.now() - Date.parse(state.startedAt),
    tokenFile: state.http === null ? null : places.token,
    log: places.log,
    inFlight: Math.max(0, traffic.underWay - 1),
    rules: await rulesOf(gate),
    warnings,
  }
}

async function rulesOf(gate: Gate): Promise<GateStatus['rules']> {
  try {
    return (await gate.rulesFor({ workspaceRoots: [] })).rules.length
  } catch (error) {
    return { problem: errorText(error) }
  }
}
