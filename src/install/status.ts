import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { keptEventsFolder } from '../files/home-folder.ts'
import type { AgentDescriptor } from '../agents/descriptor.ts'
import { heldCode, hookSwitches, pinAdvice } from '../agents/install/hook-switches.ts'
import { descriptorOf, type KnownAgent, titleOf } from '../agents/registry.ts'
import { errorText } from '../model/errors.ts'
import type { AgentName } from '../model/event.ts'
import { presenceAt } from '../service/server/heartbeats.ts'
import { inTurn } from './canary.ts'
import {
  type AgentLook,
  type AgentStatus,
  type Canary,
  type Inspection,
  type InstallContext,
  type Installer,
  type InstallPlace,
  type InstallScope,
  type RegisteredPlace,
  type ScopeStatus,
  siteOf,
} from './install-context.ts'

/**
 * Inspects every place where the agent looks for hooks, and tries what is registered there.
 *
 * @param managed an administrator's registration, tried; `undefined` without one
 */
export async function statusOf(
  agent: AgentName,
  installer: Installer,
  context: InstallContext,
  managed: ScopeStatus | undefined,
  gateRuns: boolean,
): Promise<AgentStatus> {
  const look = await installer.look(context)
  const scopes = await inTurn(['user', 'project'] as const, async (scope): Promise<readonly ScopeStatus[]> => {
    const places = await placesIn(look, { ...context, scope })
    const found = await inTurn(places, (place) => statusAt(agent, scope, place))
    return look.everyPlaceCounts === true ? found.map((one) => besideOthers(agent, one, found)) : found
  })
  const own = scopes.flat()
  const all = managed === undefined ? own : [managed, ...own]
  const isManaged = managed?.state === 'works'
  const inTheWay = [...switchesOf(agent, context), ...look.obstacles]
  // What would keep an administrator's registration from asking is a problem of that one.
  const obstacles = isManaged ? [] : inTheWay
  const isOwnAsking = inTheWay.length === 0 && scopes.some((places) => isRegistered(look, places))
  return {
    agent,
    calls: isManaged || isOwnAsking,
    scopes: all.map((status) => withoutRepeated(status, obstacles)),
    gateRuns,
    obstacles,
    held: heldCodeOf(agent, context),
    notes: [...(gateRuns ? [] : gateNotes(agent, all)), ...registeredTwice(all), ...look.notes],
    open: look.notes,
  }
}

function isRegistered({ everyPlaceCounts = false }: AgentLook, places: readonly ScopeStatus[]): boolean {
  return places.some(isWorking) && (!(everyPlaceCounts && places.some(byEnable)) || places.every(isWorking))
}

const isWorking = ({ state }: ScopeStatus) => state === 'works'
const byEnable = ({ by }: ScopeStatus) => by === 'enable'

/** A place that is left out is broken if `enable` registered another of its scope. By hand, a person may choose one. */
function besideOthers(agent: AgentName, status: ScopeStatus, all: readonly ScopeStatus[]): ScopeStatus {
  if (status.state !== 'absent' || !all.some(byEnable)) return status
  const problem = `a part of ${titleOf(agent)} reads this folder alone, and does not ask hookgate: run \`hookgate enable ${agent}\` again`
  return { ...status, state: 'broken', problems: [...status.problems, problem] }
}

export async function isGateRunning({ places }: Pick<InstallContext, 'places'>): Promise<boolean> {
  return (await presenceAt(places)).kind === 'answering'
}

/** Reads what is registered in every place where the agent looks for hooks. Nothing that is registered is tried. */
export async function registrationsOf(
  installer: Installer,
  context: InstallContext,
): Promise<readonly RegisteredPlace[]> {
  const look = await installer.look(context)
  const scopes = await inTurn(['user', 'project'] as const, async (scope) => {
    const places = await placesIn(look, { ...context, scope })
    return inTurn(places, async ({ place, inspect }): Promise<RegisteredPlace> => {
      try {
        const { by, events, problems } = await inspect()
        return { scope, place, by, events, problems }
      } catch (error) {
        return { scope, place, by: undefined, events: [], problems: [errorText(error)] }
      }
    })
  })
  return scopes.flat()
}

/** A scope without a place of its own is left out. */
async function placesIn(look: AgentLook, context: InstallContext): Promise<readonly InstallPlace[]> {
  try {
    return await look.placesIn(context)
  } catch {
    return []
  }
}

async function statusAt(agent: AgentName, scope: InstallScope, { place, inspect }: InstallPlace): Promise<ScopeStatus> {
  try {
    const inspection = await inspect()
    const { by, events, problems, remarks = [], untried } = inspection
    const found = { scope, place, by, events }
    if (by === undefined)
      return { ...found, state: problems.length === 0 ? 'absent' : 'broken', problems, canaries: [] }
    if (untried !== undefined) return { ...found, state: 'unproved', problems: [...problems, untried], canaries: [] }
    const canaries = await canariesOf(inspection)
    const isAnswered = canaries.length > 0 && canaries.every(({ answered }) => answered)
    if (problems.length === 0 && isAnswered) return { ...found, state: 'works', problems: remarks, canaries }
    const enable = `\`hookgate enable ${agent}\``
    const isNamed = isAnswered || by !== 'enable' || problems.some((problem) => problem.includes(enable))
    const remedies = isNamed ? [] : [`${enable} writes again what it runs`]
    return { ...found, state: 'broken', problems: [...problems, ...remarks, ...remedies], canaries }
  } catch (error) {
    return { scope, place, by: undefined, events: [], state: 'broken', problems: [errorText(error)], canaries: [] }
  }
}

function canariesOf({ canaries, around = (send) => send() }: Inspection): Promise<readonly Canary[]> {
  return around(() => inTurn(canaries, (send) => send()))
}

/** Removes the problems of a scope that are printed as obstacles: a file that cannot be read is both. */
const withoutRepeated = (status: ScopeStatus, obstacles: readonly string[]): ScopeStatus => ({
  ...status,
  problems: status.problems.filter((problem) => !obstacles.includes(problem)),
})

function gateNotes(agent: AgentName, scopes: readonly ScopeStatus[]): readonly string[] {
  const canaries = scopes.flatMap((scope) => scope.canaries)
  if (canaries.length === 0) return []
  const post = canaries.find(({ way }) => isAddress(way))
  if (post !== undefined) {
    const up = `\`hookgate up --http ${new URL(post.way).port}\``
    const until = `until then, its HTTP hooks refuse everything`
    return [`the gate is not running: the next prompt of ${titleOf(agent)} starts it, as ${up} does; ${until}`]
  }
  if (!canaries.some(({ by }) => by === 'process')) return []
  return [
    `the gate is not running, and a process of its own answered: \`hookgate up\` starts it, and so does the first event of ${titleOf(agent)}`,
  ]
}

const isAddress = (way: string) => way.startsWith('http://')

/** An agent runs what every scope registers. It does no harm but takes time. */
export function registeredTwice(scopes: readonly ScopeStatus[]): readonly string[] {
  const names = { managed: 'by an administrator', user: 'for you', project: 'for the project' } as const
  const registered = new Set(scopes.filter(({ state }) => state !== 'absent').map(({ scope }) => names[scope]))
  if (registered.size < 2) return []
  const [which, often] = registered.size === 2 ? ['both ', 'twice'] : ['', 'three times']
  return [`it is registered ${which}${[...registered].join(' and ')}, so hookgate is asked ${often} at each event`]
}

/** The reason why a registration in a project is not tried: it may come from a foreign repository. */
export const untriedInProject = (agent: AgentName) =>
  `it was not registered from this machine, so it is not run to check whether it answers; \`hookgate enable ${agent} --scope project\` makes it yours`

/** An agent on this machine, as far as reading its files tells. */
export interface AgentHere {
  readonly agent: KnownAgent
  readonly title: string
  /** A folder that an installed agent has; `null` if there is none. */
  readonly folder: string | null
  /** Every place where hookgate is or could be registered. */
  readonly places: readonly RegisteredPlace[]
  /** The administrator's file that has the agent ask, as far as reading it tells; `null` if there is none. */
  readonly administeredIn: string | null
  /** Settings with which the agent runs no hook of hookgate in the context's folder. */
  readonly obstacles: readonly string[]
}

/** @param managed an administrator's registration; `undefined` without one */
export async function agentHere(
  agent: AgentDescriptor<KnownAgent>,
  installer: Installer,
  context: InstallContext,
  managed: ScopeStatus | undefined,
): Promise<AgentHere> {
  const { name, title } = agent
  const own = await registrationsOf(installer, context)
  return {
    agent: name,
    title,
    folder: agentFolder(agent, own, context),
    places: managed === undefined ? own : [managed, ...own],
    administeredIn: managed?.by !== undefined && managed.state !== 'broken' ? managed.place : null,
    // Settings of a user or a project say nothing of hooks that an administrator alone has registered.
    obstacles: managed === undefined || own.some(({ by }) => by !== undefined) ? switchesOf(name, context) : [],
  }
}

/** Finds a folder of the agent: one of those that its program makes, or the one that its settings are in. */
function agentFolder(
  { folders, installedFolders = folders }: AgentDescriptor<KnownAgent>,
  places: readonly RegisteredPlace[],
  { home }: InstallContext,
): string | null {
  // An agent without a folder of its own has its settings in that of another one.
  const own =
    folders.length === 0 ? [] : places.filter(({ scope }) => scope === 'user').map(({ place }) => dirname(place))
  return [...installedFolders.map((name) => join(home, name)), ...own].find(isOfAgent) ?? null
}

const isOfAgent = (folder: string) => existsSync(folder) && !isOfBridgeOnly(folder)

/** True for a folder that `hookgate emit` alone has made, to keep events in: no agent is there. */
function isOfBridgeOnly(folder: string): boolean {
  if (!existsSync(join(folder, keptEventsFolder))) return false
  return readdirSync(folder).length === 1
}

/** Returns what keeps an agent from asking hookgate in the context's folder, or overrules it, each with its remedy. */
export function switchesOf(agent: AgentName, context: InstallContext): readonly string[] {
  const descriptor = descriptorOf(agent)
  return descriptor === undefined ? [] : hookSwitches(descriptor, siteOf(context))
}

/** Returns what could overrule hookgate in an agent if an administrator's file did not hold it. */
export function heldCodeOf(agent: AgentName, context: InstallContext): readonly string[] {
  const descriptor = descriptorOf(agent)
  return descriptor === undefined ? [] : heldCode(descriptor, siteOf(context))
}

/** Returns what `enable` says about such settings, and how an administrator keeps a project from having them. */
export function switchNotes(agent: AgentName, context: InstallContext): readonly string[] {
  const descriptor = descriptorOf(agent)
  const advice = descriptor === undefined ? undefined : pinAdvice(descriptor, siteOf(context))
  return [...switchesOf(agent, context).map((why) => `warning: ${why}`), ...(advice === undefined ? [] : [advice])]
}
