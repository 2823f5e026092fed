import { dirname } from 'node:path'
import {
  agentNames,
  agents,
  descriptorOf,
  eventSpellings,
  type KnownAgent,
  subscribedEvents,
} from '../agents/registry.ts'
import type { InstallLimits } from '../agents/install/install.ts'
import { HookgateError } from '../model/errors.ts'
import type { AgentName } from '../model/event.ts'
import type { FileChanges } from '../model/file-changes.ts'
import type { Rule } from '../model/rule.ts'
import { choiceOf } from '../model/text.ts'
import {
  carryAllOut,
  type Changed,
  changedBy,
  changesNothing,
  type FileChange,
  lockSettings,
  undoIfPossible,
} from './files/change.ts'
import { traces } from './files/own-state.ts'
import { hookFolderInstaller } from './hook-folders.ts'
import { listedAgent } from './hooks-file/described.ts'
import { listedInstaller } from './hooks-file/installer.ts'
import { httpGroupsAgent } from './http-groups/listed.ts'
import type { AgentStatus, InstallContext, Installer, InstallPlan, ScopeStatus } from './install-context.ts'
import { managedScope } from './managed/index.ts'
import { pluginInstaller } from './plugin.ts'
import { presetRemoved, presetWritten } from './rules-file.ts'
import { checkOwnFolder, diffText, isOwn, type OwnWrites, wouldWrite } from './preview.ts'
import {
  type AgentHere,
  agentHere,
  isGateRunning,
  registrationsOf,
  statusOf,
  switchesOf,
  switchNotes,
} from './status.ts'

export type { AgentHere } from './status.ts'
export type { AgentStatus, InstallContext, ScopeStatus } from './install-context.ts'
export { rulesFileState } from './rules-file.ts'
export {
  disableManaged,
  enableManaged,
  type ManagedDone,
  type ManagedReport,
  type ManagedStatus,
  managedStatus,
} from './managed/index.ts'

export interface Done {
  /** Files that were changed, or would be; those of hookgate's own folder are left out. */
  readonly changed: readonly Changed[]
  readonly notes: readonly string[]
  /** The changes, made or only proposed. */
  readonly files: FileChanges['files']
  /** At which events, and by what: only where something would be changed. */
  readonly summary: readonly string[]
  /** The writes into hookgate's own folder: only where something would be changed. */
  readonly own?: OwnWrites
  /** Repairs of an earlier registration. */
  readonly repaired: readonly string[]
}

/**
 * Registers hookgate with an agent.
 *
 * @throws HookgateError `settingsMalformed`, `settingsUnwritable`, `unavailable`, `usage`
 */
export async function enable(agent: KnownAgent, context: InstallContext): Promise<Done> {
  checkFlags(agent, context)
  const installer = installerOf(agent)
  const wasRegistered = (await registeredBy(agent, context)) === 'enable'
  return done('enable', context, async () => {
    const plan = await installer.enable(context)
    const notes = [...plan.notes, ...switchNotes(agent, context)]
    // First: no agent asks before there are rules.
    const preset = context.preset === undefined ? [] : [presetWritten(context.preset, context)]
    return { ...plan, notes, changes: [...preset, ...plan.changes], wasRegistered }
  })
}

/** INVARIANT: a flag is obeyed or refused, never ignored. @throws HookgateError `usage` */
export function checkFlags(agent: KnownAgent, context: InstallContext): void {
  const { onlyBy } = installerOf(agent)
  if (onlyBy !== undefined && context.via === 'http') throw notByHttp(onlyBy, 'remove `--via`')
  if (context.port === undefined) return
  if (onlyBy !== undefined) throw notByHttp(onlyBy, removePort)
  if (context.scope === 'project') {
    throw notByHttp("a project's shared hooks ask through the socket of each user's own gate", removePort)
  }
  if (context.via !== 'http') {
    const why = 'a command asks through the gate’s socket'
    throw notByHttp(why, context.via === 'command' ? removePort : `${removePort}, or add \`--via http\``)
  }
}

const removePort = 'remove `--port`'

const notByHttp = (why: string, remedy: string) => new HookgateError('usage', `not by HTTP: ${why}`, { remedy })

/** Removes what `enable` added, with the last agent also the preset, and nothing else. @throws HookgateError as `enable` */
export function disable(agent: KnownAgent, context: InstallContext): Promise<Done> {
  return done('disable', context, async () => {
    const { changes, notes } = await installerOf(agent).disable(context)
    const preset = presetRemoved(changes, context)
    return { changes: [...changes, ...preset.changes], notes: [...notes, ...preset.notes] }
  })
}

/** Checks whether the agent would really call hookgate. @param gateRuns known from before: a stuck gate costs seconds */
export async function agentStatus(
  agent: KnownAgent,
  context: InstallContext,
  gateRuns?: boolean,
): Promise<AgentStatus> {
  const managed = await managedScope(agent, context, { isTried: true })
  return statusOf(agent, installerOf(agent), context, managed, gateRuns ?? (await isGateRunning(context)))
}

/** Reads of every agent whether it is installed and what is registered, and tries nothing. */
export const agentsHere = (context: InstallContext): Promise<readonly AgentHere[]> =>
  Promise.all(
    agents.map(async (agent) => {
      const managed = await managedScope(agent.name, context, { isTried: false })
      return agentHere(agent, installerOf(agent.name), context, managed)
    }),
  )

/**
 * Returns, for each of the agents that are registered to ask hookgate, the settings with which it runs no hook in this
 * folder. Where an administrator has registered it, no such setting keeps it from asking.
 */
export async function switchedOffHere(
  registered: readonly KnownAgent[],
  context: InstallContext,
): Promise<readonly string[]> {
  const found = registered.map(async (agent) => {
    const managed = await managedScope(agent, context, { isTried: false })
    return managed?.state === 'unproved' ? [] : switchesOf(agent, context)
  })
  return (await Promise.all(found)).flat()
}

/**
 * Returns what is wrong with the registration of each agent that no other place makes good, as far as reading tells.
 *
 * Nothing is said of an agent that an administrator has registered.
 */
export async function brokenRegistrations(
  registered: readonly KnownAgent[],
  context: InstallContext,
): Promise<ReadonlyMap<KnownAgent, readonly string[]>> {
  const found = registered.map(async (agent): Promise<readonly [KnownAgent, readonly string[]]> => {
    const managed = await managedScope(agent, context, { isTried: false })
    if (managed?.state === 'unproved') return [agent, []]
    const places = (await registrationsOf(installerOf(agent), context)).filter(({ by }) => by !== undefined)
    const isSound = places.some(({ problems }) => problems.length === 0)
    return [agent, isSound ? [] : places.flatMap(({ problems }) => problems)]
  })
  return new Map((await Promise.all(found)).filter(([, problems]) => problems.length > 0))
}

/**
 * Finds the agents that are registered to ask hookgate, by an administrator, for the person or for the project, in the
 * order of the registry.
 *
 * Only reads settings: it neither runs anything nor says whether they really ask, as `agentStatus` does. Settings that
 * cannot be read register nothing.
 */
export async function registeredAgents(context: InstallContext): Promise<readonly KnownAgent[]> {
  const found = agentNames.map(async (agent) => {
    const scopes = (['user', 'project'] as const).map((scope) => registeredBy(agent, { ...context, scope }))
    const managed = managedScope(agent, context, { isTried: false })
    return (await Promise.all([...scopes, managed.then((one) => one?.by)])).some((by) => by !== undefined)
      ? [agent]
      : []
  })
  return (await Promise.all(found)).flat()
}

async function registeredBy(agent: KnownAgent, context: InstallContext): Promise<ScopeStatus['by']> {
  try {
    return await installerOf(agent).registeredBy(context)
  } catch {
    return undefined
  }
}

/** Finds the events at which the agent does not ask though rules listen to them: those rules are silently off. */
export const uncovered = (agent: KnownAgent, status: AgentStatus, rules: readonly Rule[]): UncoveredEvents =>
  uncoveredEvents(agent, installerOf(agent).limits, status, rules)

interface Planned extends InstallPlan {
  /** Default: no. */
  readonly wasRegistered?: boolean
}

async function done(
  verb: 'enable' | 'disable',
  context: InstallContext,
  plan: () => Planned | Promise<Planned>,
): Promise<Done> {
  const { places, dryRun } = context
  const isTheirs = ({ file }: { readonly file: string }) => !isOwn(context, file)
  if (dryRun) {
    checkOwnFolder(context)
    const planned = await plan()
    const { changes, notes, summary = [] } = planned
    const own = wouldWrite(verb, context, planned)
    const real = changes.filter((change) => isTheirs(change) && !changesNothing(change))
    const changed = real.map((change) => changedBy(change, undefined))
    return {
      changed,
      files: diffsOf(real),
      notes,
      summary: real.length === 0 ? [] : summary,
      repaired: [],
      ...(own && { own }),
    }
  }
  const lock = await lockSettings(places)
  const made = traces(places)
  try {
    const { changes, notes, wasRegistered } = await plan()
    const changed = carryAllOut(places, changes)
    const repaired = wasRegistered === true && !isOnRequest(context) ? repairsOf(changes, made.made('clients')) : []
    const files = diffsOf(changes.filter((change) => isTheirs(change) && !changesNothing(change)))
    return { changed: changed.filter(isTheirs), files, notes, summary: [], repaired }
  } catch (error) {
    undoIfPossible(() => made.remove())
    throw error
  } finally {
    lock.release()
  }
}

const diffsOf = (changes: readonly FileChange[]): Done['files'] =>
  changes.map((change) => ({ file: change.file, diff: diffText(change) }))

/** True where a person asked for another registration than there was: then nothing is repaired. */
const isOnRequest = ({ via, port, replace, preset }: InstallContext) =>
  via !== undefined || port !== undefined || replace === true || preset !== undefined

/** Builds the installer that an agent's descriptor names. */
function installerOf(name: AgentName): Installer {
  const agent = descriptorOf(name)
  if (agent === undefined) throw new Error(`${name} has no descriptor`)
  const { install } = agent
  switch (install.kind) {
    case 'hooks-file':
      return listedInstaller(listedAgent(agent, install))
    case 'http-groups':
      return listedInstaller(httpGroupsAgent(name, install))
    case 'hook-folders':
      return hookFolderInstaller(name, install)
    case 'plugin':
      return pluginInstaller(name, install)
  }
}

/**
 * Describes what an `enable` put right of a registration that was there before.
 *
 * @param made files that it made in hookgate's own folder, beside the changes
 */
function repairsOf(changes: readonly FileChange[], made: readonly string[]): readonly string[] {
  const faults = [
    ...changes
      .filter((change) => !changesNothing(change))
      .map((change) => ({ file: change.file, fault: faultOf(change) })),
    ...made.map((file) => ({ file, fault: gone })),
  ]
  const groups = Map.groupBy(faults, ({ file, fault }) => `${fault}\0${dirname(file)}`)
  return [...groups.values()].map((group) => {
    const [first] = group
    if (first === undefined) return ''
    const { file, fault } = first
    return group.length === 1 ? `${file} ${fault}` : `${group.length} files in ${dirname(file)} each ${fault}`
  })
}

const gone = 'was gone'

function faultOf({ looked: { present }, after }: FileChange): string {
  if (after === undefined) return 'had a registration that the agent does not read'
  if (present === undefined) return gone
  return present.bytes.equals(after) ? 'had other rights' : 'was not as this hookgate writes it'
}

/** Events of an agent that rules listen to and at which it does not ask. */
interface UncoveredEvents {
  /** Events at which `enable` registers hookgate. */
  readonly fixable: readonly string[]
  /** Events at which it never does. */
  readonly never: readonly string[]
  /** A line for people about each, and about events that need more than to be registered. */
  readonly notes: readonly string[]
}

/** Empty where the agent is not registered at all, which its status says in one word. */
function uncoveredEvents(
  agent: AgentName,
  { never = {}, needsMore = {}, foreign = [] }: InstallLimits,
  { scopes }: Pick<AgentStatus, 'scopes'>,
  rules: readonly Rule[],
): UncoveredEvents {
  const registered = new Set(scopes.flatMap(({ events }) => events))
  if (registered.size === 0) return { fixable: [], never: [], notes: [] }
  const own = rules.filter(({ match }) => !foreign.includes(match.spelled))
  const wanted = eventSpellings(agent).filter((event) => own.some((rule) => listens(rule, agent, event)))
  const unasked = wanted.filter((event) => !isCovered(agent, event, registered))
  const unregistrable = unasked.filter((event) => never[event] !== undefined)
  const fixable = unasked.filter((event) => never[event] === undefined)
  return {
    fixable,
    never: unregistrable,
    notes: [
      ...(fixable.length === 0
        ? []
        : [
            `rules listen to ${listOf(fixable)}, but hookgate is not called there, so they are off; run \`hookgate enable ${agent}\``,
          ]),
      ...unregistrable.map(
        (event) =>
          `rules listen to \`${event}\`, where hookgate is never registered, because ${never[event]}: they are off; put that hook into the agent’s own settings`,
      ),
      ...wanted
        .filter((event) => registered.has(event) && needsMore[event] !== undefined)
        .map((event) => `rules listen to \`${event}\`: ${needsMore[event]}`),
    ],
  }
}

/** An event is covered by its own name, or by another under which the agent sends all that it sends there: not what has triggers of its own. */
function isCovered(agent: AgentName, event: string, registered: ReadonlySet<string>): boolean {
  if (registered.has(event)) return true
  const { events: wanted = [], triggers } = subscribedEvents(agent, event) ?? {}
  if (triggers !== undefined) return false
  return [...registered].some((one) => {
    const sent = subscribedEvents(agent, one)
    return sent?.triggers === undefined && wanted.every((name) => sent?.events.includes(name) === true)
  })
}

const listOf = (events: readonly string[]) => choiceOf(events).replace(/ or (?=[^ ]*$)/, ' and ')

function listens({ match }: Rule, agent: AgentName, event: string): boolean {
  const sent = subscribedEvents(agent, event)
  if (sent === undefined || !match.events.some((one) => sent.events.includes(one))) return false
  const { triggers } = sent
  return match.triggers === undefined || triggers === undefined || match.triggers.some((one) => triggers.includes(one))
}
