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
  /** Where to listen to HTTP, if at all. */
  readonly httpPort: number | undefined
  /** Told why nothing can be decided, where the rules that hold everywhere do not load when it begins. */
  readonly onRefusing?: (why: string) => void
  /** How long it stays when nobody asks. An agent's HTTP hook cannot start it, so with HTTP it stays. */
  readonly idleMs: number
}

/** A gate that listens. */
export interface Resident {
  readonly state: GateState
  /** Settles when everything that was under way has been answered or cut off, and nothing is left behind. */
  readonly ended: Promise<void>
  /** Begins its end. */
  end(why: string): void
  /** Ends it now, in the last moments of the process. */
  kill(): void
}

/** INVARIANT: whoever calls this holds the gate's lock until it has ended. @throws HookgateError `unavailable` */
export async function openResident(options: ResidentOptions): Promise<Resident> {
  const { places, log, httpPort } = options
  const state = stateOf(options)
  const warnings: string[] = []
  const wrongRules = watchWrongRules(log)
  const gate = createGate({ ...options.gate, onRulesRead: wrongRules.told })
  const traffic = watchTraffic()
  const { promise: asked, resolve: end } = Promise.withResolvers<string>()
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
    // HTTP first: what finds the socket finds all of it.
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
    // The gate is found by its socket; what this is for is to end one that is stuck.
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
  // The first event finds the rules of the user loaded, and the sandbox started; and that of an agent who comes later finds
  // its dialect as it was when this gate began, whatever has become of the package since.
  // What is wrong with rules the log has by then.
  gate.rulesFor({ workspaceRoots: [] }).catch((error: unknown) => options.onRefusing?.(refusingWhy(error)))
  allDialects().catch((error: unknown) => log.warn(errorText(error)))
  log.info({ version: state.version, socket: state.socket, http: state.http }, 'the gate is open')

  async function ended(): Promise<void> {
    const why = await asked
    clearInterval(watch)
    log.info({ underWay: traffic.underWay }, `the gate is stopping: ${why}`)
    const isWhole = await drain(traffic, close, limits.gateDrainMs)
    // Hooks that nobody waits for go on to their own end.
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
