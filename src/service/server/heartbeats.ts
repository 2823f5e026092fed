import type { Gate } from '../../gate/gate.ts'
import { errorText } from '../../model/errors.ts'
import type { Heartbeat } from '../../model/heartbeat.ts'
import { limits } from '../../model/limits.ts'
import type { Environment } from '../../model/node-environment.ts'
import type { GatePaths } from '../../files/state/places.ts'
import type { Exporter } from '../../record/export/exporter.ts'
import { rulesDigest } from '../../record/rules-digest.ts'
import { lookAtAgents } from './agents-look.ts'

/** Says how this machine is, as long as the record is exported to a collector. */
interface Heartbeats {
  /** Sends a heartbeat if it is time. Returns at once. */
  look(): void
  /** True while the agents are tried: what they then ask is asked by nobody. */
  readonly isTrying: boolean
  /** Sends the last one. */
  end(why: string): Promise<void>
}

interface HeartbeatSources {
  readonly gate: Gate
  readonly exporter: Exporter
  readonly places: GatePaths
  readonly env: Environment
  readonly startedAt: string
}

export function openHeartbeats(sources: HeartbeatSources): Heartbeats {
  const { gate, exporter, places, env, startedAt } = sources
  let nextAtMs = 0
  let isTrying = false
  let agents: Heartbeat['agents'] = { kind: 'unknown', problem: 'they were not tried yet' }

  async function heartbeat(): Promise<Heartbeat> {
    return {
      at: new Date().toISOString(),
      node: process.version,
      startedAt,
      rules: await rulesNow(gate),
      waiting: gate.approvals?.open().length ?? 0,
      agents,
    }
  }

  async function beat(): Promise<void> {
    isTrying = true
    try {
      agents = await lookAtAgents(env, places.folder)
    } finally {
      isTrying = false
    }
    exporter.beat(await heartbeat())
  }

  return {
    get isTrying() {
      return isTrying
    },
    look() {
      const nowMs = performance.now()
      if (nowMs < nextAtMs || isTrying || !exporter.takesHeartbeats()) return
      nextAtMs = nowMs + limits.heartbeatMs
      void beat()
    },
    async end(why) {
      nextAtMs = Infinity
      if (exporter.takesHeartbeats()) exporter.beat({ ...(await heartbeat()), ending: why })
    },
  }
}

async function rulesNow(gate: Gate): Promise<Heartbeat['rules']> {
  try {
    const rules = await gate.rulesFor({ workspaceRoots: [] })
    const selfProtection = rules.selfProtectionOff === undefined
    return { kind: 'loaded', count: rules.rules.length, digest: rulesDigest(rules), selfProtection }
  } catch (error) {
    return { kind: 'wrong', problem: errorText(error) }
  }
}
