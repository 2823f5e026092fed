import { lstatSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { allDialects } from '../../agents/index.ts'
import { loadFacts } from '../../facts/index.ts'
import { loadLift } from '../../gate/engine.ts'
import { bundlesFolder } from '../../bundle/machine/poll-state.ts'
import { createGate, type Gate, type GateOptions } from '../../gate/gate.ts'
import { type BundlePoller, openPoller } from '../../bundle/machine/poller.ts'
import { errorText } from '../../model/errors.ts'
import { whyFailed } from '../../files/disk.ts'
import { type Exporter, openExporter } from '../../record/export/exporter.ts'
import { openVerifier } from '../../record/verifier.ts'
import { limits } from '../../model/limits.ts'
import { openChannels } from './channels.ts'
import { type GateAppOptions, httpApp, remoteApp, socketApp } from './app.ts'
import { newKey, tokenOf } from '../../files/state/keys.ts'
import { type GateState, removeState, writeState } from '../../files/state/gate-state.ts'
import { gateStatus, lookAgain, refusingWhy, watchRuleProblems } from './gate-status.ts'
import { openHeartbeats } from './heartbeats.ts'
import { drain, inFlightOn } from './http/connections.ts'
import { createShared, openReadiness } from './http/listener.ts'
import { addressOf, listenAtPort, listenAtSocket } from './listen.ts'
import type { Log } from './log-file.ts'
import type { GatePaths } from '../../files/state/places.ts'
import { processStart } from './process-start.ts'
import type { RemoteListening, RemoteOptions } from './remote/listen-remote.ts'
import { placesFor } from '../../rules/places.ts'
import { homedir, userInfo } from 'node:os'
import { resolve } from 'node:path'
import type { Environment } from '../../model/node-environment.ts'

/** Interval at which a gate checks that its socket and lock are still its own: `/tmp` is cleaned regularly. */
const gateWatchMs = 2000

/** Interval at which a gate reads changed rules and agents' settings again, and checks what else is due. */
const settingsWatchMs = 5000

interface ResidentOptions {
  readonly places: GatePaths
  readonly version: string
  readonly log: Log
  readonly gate: GateOptions
  /** The port for HTTP; `undefined` to serve only the socket. */
  readonly httpPort: number | undefined
  /** A listener for other machines, which prove who they are. Default: none. */
  readonly remote?: RemoteOptions | undefined
  /** Time in which a load balancer learns that the gate ends, ms. Default: `limits.serveLeaveMs`. */
  readonly leaveMs?: number | undefined
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
  /** The address for other machines; `undefined` if there is none. */
  readonly remoteUrl: string | undefined
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
  const { places, log } = options
  const state = stateOf(options)
  const warnings: string[] = []
  const ruleProblems = watchRuleProblems(log)
  // Before anything is opened: a mistyped file is no reason to open a gate and close it again.
  const listening = options.remote && (await import('./remote/listen-remote.ts')).openRemote(options.remote)
  const gate = createGate({
    ...options.gate,
    approvals: true,
    state: places.folder,
    onRulesRead: ruleProblems.onRulesRead,
  })
  const exporter = openExporter(places.decisions, options.gate.env ?? process.env, log)
  const verifier = openVerifier(places.decisions, (text) => log.warn(text))
  const bundles = openBundles(places, options.gate, log)
  const heartbeats = openHeartbeats({
    gate,
    exporter,
    places,
    env: options.gate.env ?? process.env,
    startedAt: state.startedAt,
  })
  const closeChannels = announceWaitingCalls(gate, options)
  const shared = createShared({}, places.sessions)
  const inFlight = () => inFlightOn(shared.listeners)
  const { promise: endReason, resolve: end } = Promise.withResolvers<string>()
  let activeMs = performance.now()
  const readiness = openReadiness(gate)
  const { close, remoteUrl } = await openApps(options, listening, {
    gate,
    log,
    version: options.version,
    shared,
    sameRules: sameRulesAs(options.gate),
    readiness,
    info: () => ({ startedAt: state.startedAt }),
    onActivity() {
      if (!heartbeats.isTrying) activeMs = performance.now()
    },
    status: () => gateStatus({ places, state, gate, inFlight: inFlight(), ruleProblems, warnings, exporter, bundles }),
    drain: () => end('it was asked to'),
  })
  try {
    writeState(places, state)
  } catch (error) {
    // Not fatal: clients find the gate by its socket. The state is needed only to kill a stuck gate.
    warnings.push(`${places.state} cannot be written: ${whyFailed(error)}`)
    log.warn(warnings.at(-1))
  }
  const isReachable = reachabilityOf(places)
  const watch = setInterval(
    () => {
      if (inFlight() > 0) activeMs = performance.now()
      const idleMs = performance.now() - activeMs
      if (!isReachable()) end('its socket, key or lock is gone, so nothing can reach it')
      else if (state.http === null && remoteUrl === undefined && idleMs > options.idleMs)
        end(`no requests for ${options.idleMs / 1000} s`)
    },
    Math.min(gateWatchMs, options.idleMs),
  )
  // An agent that no longer calls the gate sends nothing, so the settings with its hooks are read from time to time.
  const settingsWatch = setInterval(() => {
    void lookAgain(gate, ruleProblems.workspaces)
    void followRules(gate, exporter, bundles)
    verifier.look()
    heartbeats.look()
  }, settingsWatchMs)
  warmUp(gate, options)
  void followRules(gate, exporter, bundles)
  log.info({ version: state.version, socket: state.socket, http: state.http }, 'the gate is open')

  async function ended(): Promise<void> {
    const why = await endReason
    clearInterval(watch)
    clearInterval(settingsWatch)
    log.info({ inFlight: inFlight() }, `the gate is stopping: ${why}`)
    readiness.leave()
    if (remoteUrl !== undefined) await sleep(options.leaveMs ?? limits.serveLeaveMs)
    // Open approvals are closed before the drain: their callers wait for a person for longer than the drain lasts.
    gate.approvals?.close()
    closeChannels()
    const drainMs = remoteUrl === undefined ? limits.gateDrainMs : limits.serveDrainMs
    const isWhole = await drain(shared.listeners, close, drainMs)
    // `async` hooks, whose results no request waits for, run to their own end.
    await gate.endRecording()
    await heartbeats.end(why)
    await Promise.all([exporter.close(), bundles.close()])
    await verifier.close()
    gate.kill()
    removeState(places)
    log.info(isWhole ? 'the gate is closed' : 'the gate is closed; requests that took too long were cut off')
  }

  return { state, remoteUrl, ended: ended(), end, kill: () => gate.kill() }
}

const sleep = (ms: number) => new Promise((end) => setTimeout(end, ms))

/** Sends calls that wait for an answer to a person elsewhere. @returns a function that stops this */
function announceWaitingCalls(gate: Gate, { places, gate: { env = process.env }, log }: ResidentOptions): () => void {
  const { approvals } = gate
  if (approvals === undefined) return () => {}
  const settings = async () => (await gate.rulesFor({ workspaceRoots: [] })).approvals
  return openChannels({ approvals, places, env, log, settings })
}

/** The gate's listeners. */
interface OpenApps {
  readonly close: () => Promise<unknown>
  readonly remoteUrl: string | undefined
}

async function openApps(
  { places, httpPort, remote }: ResidentOptions,
  listening: RemoteListening | undefined,
  app: GateAppOptions,
): Promise<OpenApps> {
  const apps: FastifyInstance[] = []
  // Remembers an app, so that it is closed if a later one cannot listen.
  const add = (one: FastifyInstance) => {
    apps.push(one)
    return one
  }
  const close = () => Promise.all(apps.map((one) => one.close()))
  try {
    // HTTP first: a client that can connect to the socket may rely on HTTP too.
    if (httpPort !== undefined) await listenAtPort(add(httpApp(app, tokenOf(places))), httpPort)
    const remoteUrl =
      remote === undefined || listening === undefined
        ? undefined
        : await (await import('./remote/listen-remote.ts')).listenRemote(add(remoteApp(app, listening)), remote)
    await listenAtSocket(add(socketApp(app, { key: newKey(places), folder: places.folder })), places)
    return { close, remoteUrl }
  } catch (error) {
    await close()
    app.gate.kill()
    throw error
  }
}

/**
 * Loads the user's rules and starts the sandbox before the first event. The modules of dialects, facts and lifts are
 * loaded too: the package may be upgraded or moved away while the gate runs. `watchRuleProblems` logs problems of rules.
 */
function warmUp(gate: Gate, { log, onRefusing }: ResidentOptions): void {
  gate.rulesFor({ workspaceRoots: [] }).catch((error: unknown) => onRefusing?.(refusingWhy(error)))
  for (const loading of [allDialects(), loadFacts(), loadLift()])
    loading.catch((error: unknown) => log.warn(errorText(error)))
}

/** Applies the rules' settings for the export and the bundle. While the rules do not load, both go on as before. */
async function followRules(gate: Gate, exporter: Exporter, bundles: BundlePoller): Promise<void> {
  try {
    const rules = await gate.rulesFor({ workspaceRoots: [] })
    exporter.use(rules.export)
    bundles.use(rules.bundle)
  } catch {
    // `watchRuleProblems` logs why the rules do not load.
  }
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

/**
 * Returns a check of whether a gate's socket, key and lock are still the files that it created. If they are removed or
 * replaced, clients cannot find or believe the gate, and a second one can start beside it.
 */
function reachabilityOf({ socket, socketFolder, key, gateLock }: GatePaths): () => boolean {
  // A named pipe exists as long as its process, so there is nothing to check.
  const files = socketFolder === undefined ? [key, gateLock] : [socket, key, gateLock]
  const created = files.map(identityOf)
  return () => files.every((file, index) => identityOf(file) === created[index])
}

function identityOf(file: string): string | undefined {
  try {
    const { dev, ino } = lstatSync(file)
    return `${dev}:${ino}`
  } catch {
    return undefined
  }
}

/** Opens the poller of a gate, which looks where its decisions do. */
function openBundles(places: GatePaths, options: GateOptions, log: Log): BundlePoller {
  const { env = process.env, home, managedFolder } = options
  const means = async () => {
    const { bundleMeans } = await import('../../gate/first-look.ts')
    return bundleMeans({ env, home, managedFolder, stateFolder: places.folder })
  }
  return openPoller({
    folder: bundlesFolder(places.folder),
    env,
    log,
    current: async () => (await means()).current(),
    check: async (bundle) => (await means()).check(bundle),
  })
}

/**
 * Returns a check of whether `hookgate run` in a given environment would look for rules and pins where this gate does.
 * A gate that does not discover rules has the same rules for every caller: its embedder gave them to it.
 */
function sameRulesAs({ discover = true, env = process.env, home, managedFolder }: GateOptions) {
  const managed = managedFolder === undefined ? {} : { managedFolder }
  const own = discover ? whereabouts({ env, home: home ?? homedir(), ...managed }) : undefined
  return (theirs: Environment): boolean =>
    own === undefined || whereabouts({ env: theirs, home: homeOf(theirs), ...managed }) === own
}

/** Returns the folders in which a gate looks for rules and pins, as one text to compare. */
function whereabouts(options: Parameters<typeof placesFor>[0]): string | undefined {
  try {
    const { home, configFolder, managedFolder } = placesFor(options)
    return [home, configFolder, managedFolder].map((folder) => resolve(folder)).join('\0')
  } catch {
    // A gate without a home folder has no rules at all, and reports that itself.
    return ''
  }
}

/** Returns what `os.homedir()` would return in that environment. */
function homeOf({ HOME, USERPROFILE }: Environment): string {
  const named = process.platform === 'win32' ? USERPROFILE : HOME
  if (named !== undefined) return named
  try {
    return userInfo().homedir
  } catch {
    return ''
  }
}
