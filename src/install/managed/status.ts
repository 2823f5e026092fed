import { existsSync } from 'node:fs'
import { agents, descriptorOf, type KnownAgent, titleOf } from '../../agents/registry.ts'
import type { AgentDescriptor } from '../../agents/descriptor.ts'
import { errorText } from '../../model/errors.ts'
import { inTurn } from '../canary.ts'
import { lookAt } from '../files/look-at.ts'
import { askedEvents, canaryByShell } from '../hooks-file/described.ts'
import type { InstallContext } from '../install-context.ts'
import { canaryByPlugin } from '../plugin/installer.ts'
import { formOf } from './form.ts'
import { changeableFile, holesIn, type ManagedHole } from './holes.ts'
import { type ManagedFile, managedFileFor } from './managed-file.ts'
import { managedPlaces } from './places.ts'
import { startedBy } from './starter.ts'

/** The classes of agents, by how far an administrator can bind them. */
type ManagedClass = 'enforced' | 'advisory' | 'user only'

/** An agent's registration by an administrator, and every way past it on this machine. */
export interface ManagedReport {
  readonly agent: KnownAgent
  readonly title: string
  /** `user only`: it reads no hooks of an administrator on this platform. */
  readonly class: ManagedClass
  readonly knownFrom: 'measurement' | 'documentation' | null
  /** The file of an administrator; `null` if there is none on this platform. */
  readonly file: string | null
  readonly registered: boolean
  readonly holes: readonly ManagedHole[]
  /** A sentence for each way that stays open whatever an administrator writes. */
  readonly staysOpen: readonly string[]
}

export interface ManagedStatus {
  readonly agents: readonly ManagedReport[]
  /** True if every agent that counts is registered, and no way past one of them is open. */
  readonly sound: boolean
}

/**
 * Reports on agents that an administrator has registered, or is to have.
 *
 * @param wanted the agents that must be registered; empty: those that are, and at least one
 */
export async function managedStatus(wanted: readonly KnownAgent[], context: InstallContext): Promise<ManagedStatus> {
  const shown = wanted.length === 0 ? agents : wanted.flatMap((name) => descriptorOf(name) ?? [])
  const reports = await inTurn(shown, (agent) => reportOn(agent, wanted.includes(agent.name), context))
  const counted = wanted.length === 0 ? reports.filter(({ registered }) => registered) : reports
  return { agents: reports, sound: counted.length > 0 && counted.every(isSound) && !reports.some(isBroken) }
}

const isSound = ({ registered, holes }: ManagedReport) => registered && holes.length === 0
/** A file that its agent cannot read may be one in which hookgate was registered. */
const isBroken = ({ holes }: ManagedReport) => holes.some(({ code }) => code === 'malformed')

async function reportOn(
  agent: AgentDescriptor<KnownAgent>,
  isWanted: boolean,
  context: InstallContext,
): Promise<ManagedReport> {
  const { name, title, managed } = agent
  const one = managedFileFor(agent, context)
  const about = { agent: name, title }
  if (managed === undefined || one === undefined) {
    const holes = isWanted
      ? [
          notRegistered(
            `${titleOf(name)} reads no hooks of an administrator`,
            `have each user run \`hookgate enable ${name}\``,
          ),
        ]
      : []
    return { ...about, class: 'user only', knownFrom: null, file: null, registered: false, holes, staysOpen: [] }
  }
  const { binds, knownFrom, staysOpen } = managed
  const found = await lookIn(one, isWanted, context)
  return { ...about, class: binds, knownFrom, file: one.file, staysOpen, ...found }
}

const notRegistered = (message: string, remedy: string): ManagedHole => ({ code: 'notRegistered', message, remedy })

async function lookIn(
  one: ManagedFile,
  isWanted: boolean,
  context: InstallContext,
): Promise<Pick<ManagedReport, 'registered' | 'holes'>> {
  const { agent, file } = one
  const enable = `run \`hookgate enable --managed ${agent.name}\``
  const absent = { registered: false, holes: isWanted ? [notRegistered('it is not registered', enable)] : [] }
  if (!existsSync(file)) return absent
  try {
    const text =
      lookAt(file, undefined)
        .present?.bytes.toString()
        .replace(/^\uFEFF/, '') ?? ''
    const content = formOf(one).read(text)
    const own = content.handlers.filter(({ handler }) => one.own(handler) !== undefined)
    if (own.length === 0) return absent
    const holes = holesIn(one, content, context)
    const isTried = !holes.some(({ code }) => code === 'program' || code === 'changeable')
    return { registered: true, holes: isTried ? [...holes, ...(await unanswered(one, own, context))] : holes }
  } catch (error) {
    const remedy = `mend it, then ${enable}: to some agents a file that cannot be read is none, without a word`
    return {
      registered: false,
      holes: [...changeableFile(file, context), { code: 'malformed', message: errorText(error), remedy }],
    }
  }
}

/** Sends a harmless event as the agent would. Only what an administrator alone can have written is started. */
async function unanswered(
  { agent, plugin }: ManagedFile,
  own: readonly { readonly event: string; readonly handler: unknown }[],
  context: InstallContext,
): Promise<readonly ManagedHole[]> {
  const { toolEvent } = askedEvents(agent)
  const command = startedBy(own.find(({ event }) => event === toolEvent)?.handler)
  const within = { ...context, places: managedPlaces(context) }
  if (plugin === undefined && command === undefined) return []
  const { answered, problem } =
    plugin === undefined
      ? await canaryByShell(agent.name, command?.line ?? '', within, command?.starter)
      : await canaryByPlugin(agent.name, plugin.file, within)
  return answered
    ? []
    : [{ code: 'noAnswer', message: `it does not answer: ${problem}`, remedy: 'see `hookgate doctor`' }]
}
