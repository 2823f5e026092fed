import { execFile } from 'node:child_process'
import { homedir } from 'node:os'
import { z } from 'zod'
import { entryFile } from '../../files/program-files.ts'
import type { GatePaths } from '../../files/state/places.ts'
import type { Gate } from '../../gate/gate.ts'
import { errorText } from '../../model/errors.ts'
import type { AskingProof, Heartbeat, SeenAgent } from '../../model/heartbeat.ts'
import { limits } from '../../model/limits.ts'
import { type Environment, environmentForNode } from '../../model/node-environment.ts'
import { firstLine } from '../../model/text.ts'
import type { Exporter } from '../../record/export/exporter.ts'
import { rulesDigest } from '../../record/recording.ts'

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

/** Characters of what a look at the agents prints: some hundred for each agent. */
const heartbeatLookCharactersMax = 1024 * 1024

/** The time in which all enabled agents must have answered a harmless event. */
const heartbeatLookMs = 60_000

const State = z.enum(['works', 'broken', 'unproved', 'absent'])

/** The part of `hookgate status --all --json` that is read. A newer version may print more. */
const Printed = z.looseObject({
  agents: z.array(
    z.looseObject({ agent: z.string(), calls: z.boolean(), scopes: z.array(z.looseObject({ state: State })) }),
  ),
  managed: z.array(z.looseObject({ agent: z.string(), holes: z.array(z.unknown()) })),
})

/**
 * Finds out which agents ask hookgate, in a process of its own: it sends events as the agents would, and a gate has calls
 * to decide meanwhile.
 */
async function lookAtAgents(env: Environment, stateFolder: string): Promise<Heartbeat['agents']> {
  try {
    const { agents, managed } = Printed.parse(JSON.parse(await statusText(env, stateFolder)))
    const byAdministrator = new Map(managed.map(({ agent, holes }) => [agent, holes.length === 0]))
    return { kind: 'seen', all: agents.map((one) => seen(one, byAdministrator.get(one.agent))) }
  } catch (error) {
    return { kind: 'unknown', problem: firstLine(errorText(error)) }
  }
}

/** @param isBound whether an administrator's registration has no way past it open; `undefined` without one */
function seen({ agent, calls, scopes }: z.infer<typeof Printed>['agents'][number], isBound?: boolean): SeenAgent {
  const has = (state: z.infer<typeof State>) => scopes.some((one) => one.state === state)
  return { agent, proof: proofOf() }

  function proofOf(): AskingProof {
    if (calls || isBound === true) return 'proved'
    if (has('broken') || has('works') || isBound === false) return 'broken'
    return has('unproved') ? 'unproved' : 'absent'
  }
}

/** Its exit code says whether all is well, and is no failure. */
function statusText(env: Environment, stateFolder: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const options = {
    cwd: homedir(),
    env: { ...environmentForNode(env), HOOKGATE_HOME: stateFolder },
    timeout: heartbeatLookMs,
    killSignal: 'SIGKILL' as const,
    maxBuffer: heartbeatLookCharactersMax,
    windowsHide: true,
  }
  execFile(process.execPath, [entryFile('cli/bin'), 'status', '--all', '--json'], options, (error, stdout, stderr) => {
    if (stdout !== '') resolve(stdout)
    else reject(error === null || stderr !== '' ? new Error(stderr || 'it printed nothing') : error)
  })
  return promise
}
