import type { FastifyInstance } from 'fastify'
import { allDialects } from '../agents/index.ts'
import { createGate, type GateOptions } from '../gate.ts'
import { errorText } from '../model/errors.ts'
import { limits } from '../model/limits.ts'
import { type Control, httpApp, socketApp } from './apps.ts'
import { type GateState, removeState, writeState } from './gate-state.ts'
import { gateStatus, refusingWhy } from './gate-status.ts'
import { createShared } from './http/shared.ts'
import { addressOf, listenAtPort, listenAtSocket } from './listen.ts'
import type { Log } from './log.ts'
import type { Places } from './places.ts'
import { processStart } from './process-start.ts'
import { reachable } from './reachable.ts'
import { sameRulesAs } from './same-rules.ts'
import { tokenOf } from './token.ts'
import { drain, watchTraffic } from './traffic.ts'
import { watchWrongRules } from './wrong-rules.ts'

export interface ResidentOptions {
  readonly places: Places
  readonly version: string
  readonly log: Log
  readonly gate: GateOptions
  /** The port for HTTP; `undefined` to serve only the socket. */
  readonly httpPort: number | undefined
  /**
   * Called with the reason if, at startup, the rules that apply everywhere do not load, so that every event is refused.
   */
  readonly onRefusing?: (why: string) => void
  /**
   * The gate ends after this time without requests, unless it serves HTTP: an agent's HTTP hook could not restart it.
   */
  readonly idleMs: number
}

/** A running gate that listens. */
export interface Resident {
  readonly state: GateState
  /** Settles once all requests in flight have been answered or cut off, and the state file is removed. */
  readonly ended: Promise<void>
  /** Starts a graceful shutdown. */
  end(why: string): void
  /** Ends the gate's hooks and workers at once, when the process is about to exit. */
  kill(): void
}

/**
 * Starts a gate and listens.
 *
 * INVARIANT: the caller holds the gate's lock until the gate has ended.
 *
 * @throws HookgateError `unavailable`
 */
export async function openResident(options: ResidentOptions): Promise<Resident> {
  const { places, log, httpPort } = options
  const state = stateOf(options)
  const warnings: string[] = []
  const wrongRules = watchWrongRules(log)
  const gate = createGate({ ...options.gate, onRulesRead: wrongRules.told })
  const traffic = watchTraffic()
  const { promise: endReason, resolve: end } = Promise.withResolvers<string>()
  let activeMs = performance.now()
  const control: Control = {
    gate,
    log,
    version: options.version,
    shared: createShared({}, places.sessions),
    sameRules: sameRulesAs(options.gate),
    info: () => ({ startedAt: state.startedAt }),
    onActivity: () => (activeMs = performance.now()),
    status: () => gateStatus({ places, state, gate, traffic, wrongRules, warnings }),
    drain: () => end('it was asked to'),
  }
  const apps: FastifyInstance[] = []
  const open = async (app: FastifyInstance, listen: (app: FastifyInstance) => Promise<void>) => {
    apps.push(app)
    traffic.watch(app.server)
    await listen(app)
  }
  const close = () => Promise.all(apps.map((app) => app.close()))
  try {
    // HTTP first: a client that can connect to the socket may rely on HTTP too.
    if (httpPort !== undefined) {
      await open(httpApp(control, tokenOf(places)), (app) => listenAtPort(app, httpPort))
    }
    await open(socketApp(control), (app) => listenAtSocket(app, places))
  } catch (error) {
    await close()
    gate.kill()
    throw error
  }
  try {
    writeState(places, state)
  } catch (error) {
    // Not fatal: clients find the gate by its socket. The state is needed only to kill a stuck gate.
    warnings.push(`${places.state} cannot be written: ${errorText(error)}`)
    log.warn(warnings.at(-1))
  }
  const isReachable = reachable(places)
  const watch = setInterval(
    () => {
      if (traffic.underWay > 0) activeMs = performance.now()
      const idleMs = performance.now() - activeMs
      if (!isReachable()) end('its socket or lock is gone, so nothing can reach it')
      else if (httpPort === undefined && idleMs > options.idleMs) end(`no requests for ${options.idleMs / 1000} s`)
    },
    Math.min(limits.gateWatchMs, options.idleMs),
  )
  // Warm up: loads the user's rules, and starts the sandbox, before the first event. All dialects are loaded now, so
  // that they match this gate's version even if the package is upgraded while it runs. Problems in the rules are logged
  // by `wrongRules`.
  gate.rulesFor({ workspaceRoots: [] }).catch((error: unknown) => options.onRefusing?.(refusingWhy(error)))
  allDialects().catch((error: unknown) => log.warn(errorText(error)))
  log.info({ version: state.version, socket: state.socket, http: state.http }, 'the gate is open')

  async function ended(): Promise<void> {
    const why = await endReason
    clearInterval(watch)
    log.info({ underWay: traffic.underWay }, `the gate is stopping: ${why}`)
    const isWhole = await drain(traffic, close, limits.gateDrainMs)
    // `async` hooks, whose results no request waits for, run to their own end.
    gate.kill()
    removeState(places)
    log.info(isWhole ? 'the gate is closed' : 'the gate is closed; requests that took too long were cut off')
  }

  return { state, ended: ended(), end, kill: () => gate.kill() }
}

function stateOf({ places, version, httpPort }: ResidentOptions): GateState {
  return {
    pid: process.pid,
    processStart: processStart(process.pid),
    startedAt: new Date().toISOString(),
    version,
    socket: places.socket,
    http: httpPort === undefined ? null : addressOf(httpPort),
  }
}
