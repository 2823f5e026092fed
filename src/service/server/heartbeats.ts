import { execFile } from 'node:child_process'
import { homedir } from 'node:os'
import { z } from 'zod'
import { entryFile } from '../../files/program-files.ts'
import type { GatePaths } from '../../files/state/places.ts'
import type { Gate } from '../../gate/gate.ts'
import { errorText, codeOf } from '../../model/errors.ts'
import type { AskingProof, Heartbeat, SeenAgent } from '../../model/heartbeat.ts'
import { limits } from '../../model/limits.ts'
import { type Environment, environmentForNode } from '../../model/node-environment.ts'
import { firstLine } from '../../model/text.ts'
import type { Exporter } from '../../record/export/exporter.ts'
import { rulesDigest } from '../../record/recording.ts'
import { askGate } from './ask-gate.ts'
import { GateStatus } from './gate-status.ts'
import { checkPlaces } from '../../files/state/own-folder.ts'

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

const State = z.enum(['works', 'broken', 'unproved', 'absent'])

/** The part of `hookgate status --all --json` that is read. A newer version may print more. */
const Printed = z.looseObject({
  agents: z.array(
    z.looseObject({
      agent: z.string(),
      calls: z.boolean(),
      scopes: z.array(z.looseObject({ scope: z.string(), state: State, problems: z.array(z.string()) })),
    }),
  ),
})

/**
 * Finds out which agents ask hookgate, in a process of its own: it sends events as the agents would, and a gate has calls
 * to decide meanwhile.
 */
async function lookAtAgents(env: Environment, stateFolder: string): Promise<Heartbeat['agents']> {
  try {
    const { agents } = Printed.parse(JSON.parse(await statusText(env, stateFolder)))
    return { kind: 'seen', all: agents.map(seen) }
  } catch (error) {
    return { kind: 'unknown', problem: firstLine(errorText(error)) }
  }
}

/** An administrator's registration alone proves nothing as long as a way past it is open. */
function seen({ agent, calls, scopes }: z.infer<typeof Printed>['agents'][number]): SeenAgent {
  const has = (state: z.infer<typeof State>) => scopes.some((one) => one.state === state)
  const isBound = ({ scope, problems }: (typeof scopes)[number]) => scope !== 'managed' || problems.length === 0
  return { agent, proof: proofOf() }

  function proofOf(): AskingProof {
    if (calls && scopes.some((one) => one.state === 'works' && isBound(one))) return 'proved'
    if (has('broken') || has('works') || !scopes.every(isBound)) return 'broken'
    return has('unproved') ? 'unproved' : 'absent'
  }
}

/** Its exit code says whether all is well, and is no failure. */
function statusText(env: Environment, stateFolder: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const options = {
    cwd: homedir(),
    env: { ...environmentForNode(env), HOOKGATE_HOME: stateFolder },
    // All enabled agents must have answered a harmless event by the time of the next look.
    timeout: limits.heartbeatMs,
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

/**
 * The fields of a gate's status that every version of the gate returns.
 *
 * INVARIANT: these fields, `drain` and the proof mean the same in every version: one version needs them to
 * replace another.
 */
const GateHello = z.looseObject({
  pid: z.int().positive(),
  version: z.string(),
  /** The gate's address, `null` if it does not serve HTTP. */
  http: z.string().nullable(),
})
export type GateHello = Readonly<z.infer<typeof GateHello>>

export type GatePresence =
  | { readonly kind: 'absent' }
  | { readonly kind: 'answering'; readonly hello: GateHello }
  /** Something holds the socket and does not answer. */
  | { readonly kind: 'silent' }
  /** Something that does not prove to be a gate answers, or the connection fails in another way. */
  | { readonly kind: 'unexpectedPeer'; readonly why: string }

/** Asks for the status at the socket, to find out whether a gate is running. */
export async function presenceAt(places: GatePaths, timeoutMs: number = limits.gateAnswerMs): Promise<GatePresence> {
  try {
    const { isAnswer, stdout } = await askGate(places, { to: 'status', timeoutMs })
    if (!isAnswer) return { kind: 'unexpectedPeer', why: 'it does not tell its status' }
    const hello = GateHello.safeParse(JSON.parse(stdout))
    return hello.success
      ? { kind: 'answering', hello: hello.data }
      : { kind: 'unexpectedPeer', why: 'it is not a gate' }
  } catch (cause) {
    const code = codeOf(cause)
    if (code !== undefined && goneCodes.has(code)) return { kind: 'absent' }
    if (code !== undefined && stuckCodes.has(code)) return { kind: 'silent' }
    return { kind: 'unexpectedPeer', why: errorText(cause) }
  }
}

/** System errors for: no socket, no process behind it, another kind of file in its place, or a gate that is exiting. */
const goneCodes: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'ECONNREFUSED', 'ENOTSOCK', 'ECONNRESET', 'EPIPE'])
/** System errors for: the connection is not accepted, or not answered. */
const stuckCodes: ReadonlySet<string> = new Set(['EAGAIN', 'ETIMEDOUT'])

/** Returns the port of the address in a `GateHello`. */
export function portOf(address: string | null | undefined): number | undefined {
  if (address === null || address === undefined || !URL.canParse(address)) return undefined
  return Number(new URL(address).port || 80)
}

export type StatusAnswer =
  | ({ readonly running: true } & GateStatus)
  /** `why` is set if the socket is in use, but no compatible gate answers on it. */
  | { readonly running: false; readonly why: string | null; readonly socket: string; readonly log: string }

/** Asks the gate for its status. @throws HookgateError `unavailable` if the gate's folder is not private */
export async function askStatus(places: GatePaths): Promise<StatusAnswer> {
  checkPlaces(places)
  const { socket, log } = places
  const notRunning = (why: string | null): StatusAnswer => ({ running: false, why, socket, log })
  const presence = await presenceAt(places)
  switch (presence.kind) {
    case 'absent':
      return notRunning(null)
    case 'silent':
      return notRunning('something holds its socket and does not answer; `hookgate down` stops a stuck gate')
    case 'unexpectedPeer':
      return notRunning(`another program is listening on its socket: ${presence.why}`)
    case 'answering':
      break
  }
  try {
    const { stdout } = await askGate(places, { to: 'status' })
    return { running: true, ...GateStatus.parse(JSON.parse(stdout)) }
  } catch (error) {
    const { pid, version } = presence.hello
    return notRunning(
      `the running gate (pid ${pid}) is version ${version} and is not compatible (${errorText(error).split('\n')[0]}); run \`hookgate up\``,
    )
  }
}
