import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { AgentDescriptor } from '../../agents/descriptor.ts'
import { hookSwitches, overrulingCode } from '../../agents/install/hook-switches.ts'
import { switchingVariables } from '../../agents/install/switch-variables.ts'
import { agents, descriptorOf, type KnownAgent, titleOf } from '../../agents/registry.ts'
import { isExecutable } from '../../files/entries.ts'
import { errorText } from '../../model/errors.ts'
import { isJsonObject, type Json } from '../../model/json.ts'
import { quoted, shellWord } from '../../model/text.ts'
import { changeableBy } from '../../rules/index.ts'
import { inTurn } from '../canary.ts'
import { lookAt } from '../files/settings-file.ts'
import { askedEvents, canaryByShell } from '../hooks-file/described.ts'
import { type Canary, type InstallContext, type Launcher, type ScopeStatus, siteOf } from '../install-context.ts'
import { canaryByPlugin } from '../plugin.ts'
import { formOf, isPinMet, type ManagedContent } from './form.ts'
import { guardInScript, type ManagedFile, managedFileFor, type WholeManagedFile } from './managed-file.ts'
import { administrators, managedPlaces, noStarter, startedBy, starterFor } from './starter.ts'

/** The classes of agents, by how far an administrator can bind them. */
type ManagedClass =
  | 'enforced'
  | 'advisory'
  | 'user only'
  /** The file is not read: a server delivers other settings in its place. */
  | 'replaced'

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
  const { registered, holes, file } = await lookIn(one, isWanted, context)
  const isReplaced = holes.some(({ code }) => code === 'replaced')
  const isServed = file !== one.file && !existsSync(one.file)
  const own = { class: isReplaced ? 'replaced' : isServed ? 'advisory' : binds, knownFrom, file } as const
  return { ...about, ...own, staysOpen: isServed ? [...staysOpen, onlyServed] : staysOpen, registered, holes }
}

const onlyServed =
  'a user who names another address of the model (`ANTHROPIC_BASE_URL`), or reaches no server at the first start, gets no settings of the organization: register hookgate in the file too'

/** The holes with which the agent does not ask, or its answer may not count; with any other it does. */
const closing: ReadonlySet<HoleCode> = new Set([
  'malformed',
  'incomplete',
  'switchedOff',
  'replaced',
  'variable',
  'innerCode',
  'program',
  'noAnswer',
] as const)

/**
 * Says how an administrator has registered an agent, as its status says of the places of a user and a project.
 *
 * @returns `undefined` where no administrator has
 */
export async function managedScope(
  agent: KnownAgent,
  context: InstallContext,
  { isTried }: { readonly isTried: boolean },
): Promise<ScopeStatus | undefined> {
  const descriptor = descriptorOf(agent)
  const one = descriptor === undefined ? undefined : managedFileFor(descriptor, context)
  if (one === undefined) return undefined
  const { registered, events, canaries, holes, file } = await lookIn(one, false, context, isTried)
  if (!registered && holes.length === 0) return undefined
  const switches = holes.some(({ code }) => code === 'unpinned') ? hookSwitches(one.agent, siteOf(context)) : []
  const isClosed = switches.length > 0 || holes.some(({ code }) => closing.has(code))
  const isProved = canaries.some(({ answered }) => answered)
  return {
    scope: 'managed',
    place: file,
    state: isClosed ? 'broken' : isProved ? 'works' : 'unproved',
    by: registered ? 'administrator' : undefined,
    events,
    canaries,
    // A canary without an answer says so itself.
    problems: holes.filter(({ code }) => code !== 'noAnswer').map(({ message, remedy }) => `${message}; ${remedy}`),
  }
}

const notRegistered = (message: string, remedy: string): ManagedHole => ({ code: 'notRegistered', message, remedy })

interface FileLook extends Pick<ManagedReport, 'registered' | 'holes'>, Pick<ScopeStatus, 'events' | 'canaries'> {
  /** The file that was looked at. */
  readonly file: string
}

/** Looks at what a server delivers, where that counts, else at the file. */
async function lookIn(one: ManagedFile, isWanted: boolean, context: InstallContext, isTried = true): Promise<FileLook> {
  const served = one.managed.served?.(siteOf(context))
  const isOtherwise = served === undefined || (!served.replaces && existsSync(one.file))
  if (isOtherwise) return lookAtFile(one, isWanted, context, isTried)
  const delivered = await lookAtFile({ ...one, file: served.file, isServed: true }, isWanted, context, isTried)
  if (delivered.registered || !existsSync(one.file))
    return { ...delivered, ...(!delivered.registered && { file: one.file }) }
  const { registered, events, holes } = await lookAtFile(one, isWanted, context, false)
  const message = `it is not read: the settings that the organization serves, with a copy in ${served.file}, stand in its place and do not run hookgate`
  const remedy = 'add `"managedSourcesBehavior": "merge"` to the served settings'
  const replaced = registered ? [hole('replaced', message, remedy)] : []
  return { file: one.file, registered, events, canaries: [], holes: [...replaced, ...holes] }
}

/** @param isTried whether a harmless event is sent */
async function lookAtFile(
  one: ManagedFile,
  isWanted: boolean,
  context: InstallContext,
  isTried: boolean,
): Promise<FileLook> {
  const { agent, file } = one
  const enable = `run \`hookgate enable --managed ${agent.name}\``
  const none = { file, registered: false, events: [], canaries: [] }
  const absent = { ...none, holes: isWanted ? [notRegistered('it is not registered', enable)] : [] }
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
    const isSafe = !holes.some(({ code }) => code === 'program' || code === 'changeable')
    const canaries = isTried && isSafe ? await canariesOf(one, own, context) : []
    const events =
      one.plugin === undefined ? [...new Set(own.map(({ event }) => event))] : askedEvents(agent).decidedEvents
    return { file, registered: true, events, canaries, holes: [...holes, ...canaries.flatMap(unanswered)] }
  } catch (error) {
    const remedy = `mend it, then ${enable}: to some agents a file that cannot be read is none, without a word`
    return {
      ...none,
      holes: [...changeableFile(file, context), { code: 'malformed', message: errorText(error), remedy }],
    }
  }
}

/** Sends a harmless event as the agent would. Only what an administrator alone can have written is started. */
async function canariesOf(
  { agent, plugin }: ManagedFile,
  own: readonly { readonly event: string; readonly handler: unknown }[],
  context: InstallContext,
): Promise<readonly Canary[]> {
  const { toolEvent } = askedEvents(agent)
  const command = startedBy(own.find(({ event }) => event === toolEvent)?.handler)
  const within = { ...context, places: managedPlaces(context) }
  if (plugin === undefined && command === undefined) return []
  return [
    plugin === undefined
      ? await canaryByShell(agent.name, command?.line ?? '', within, command?.starter)
      : await canaryByPlugin(agent.name, plugin.file, within),
  ]
}

const unanswered = ({ answered, problem }: Canary): readonly ManagedHole[] =>
  answered ? [] : [hole('noAnswer', `it does not answer: ${problem}`, 'see `hookgate doctor`')]

/** The kinds of ways past a registration by an administrator. */
type HoleCode =
  /** hookgate is not registered. */
  | 'notRegistered'
  /** The file cannot be read, and the agent says so or not. */
  | 'malformed'
  /** An event is missing. */
  | 'incomplete'
  /** Somebody else than an administrator can change the file, or the program that it names. */
  | 'changeable'
  /** A setting that keeps hooks on is missing. */
  | 'unpinned'
  /** A setting in force switches these hooks off. */
  | 'switchedOff'
  /** A variable has the agent run no hook, or read another file. */
  | 'variable'
  /** What a server delivers is read in its place. */
  | 'replaced'
  /** Another means of administrators stands above the file. */
  | 'outranked'
  /** Code in the agent can overrule hooks. */
  | 'innerCode'
  /** A variable of the dynamic loader can end the hook before hookgate begins. */
  | 'loader'
  /** The program is missing. */
  | 'program'
  /** The program did not answer a harmless event. */
  | 'noAnswer'

/** A way past a registration that is open on this machine. */
interface ManagedHole {
  readonly code: HoleCode
  readonly message: string
  readonly remedy: string
}

/** Finds the ways past a registration in a file that can be read, without starting anything. */
function holesIn(one: ManagedFile, content: ManagedContent, context: InstallContext): readonly ManagedHole[] {
  const { agent, file, events, pins, managed } = one
  const again = `run \`hookgate enable --managed ${agent.name}\` again`
  const own = content.handlers.flatMap(({ event, handler }) => {
    const runs = one.own(handler)
    return runs === undefined ? [] : [{ event, runs }]
  })
  const launchers = own.flatMap(({ runs }) => (runs === 'script' ? [] : [runs]))
  const isByScript = own.some(({ runs }) => runs === 'script')
  const missing = events.filter((event) => !own.some((handler) => handler.event === event))
  const site = siteOf(context)
  return [
    // The copy is the user's own: the agent asks the server for it again.
    ...(one.isServed === true ? [] : changeableFile(file, context)),
    ...(one.plugin === undefined ? [] : pluginHoles(one.plugin, context, again)),
    ...unknownKeys(one, content),
    ...(missing.length === 0 ? [] : [hole('incomplete', `it is not registered at ${missing.join(', ')}`, again)]),
    ...pins
      .filter(({ path, value }) => !isPinMet(valueAt(content.root, path), value))
      .map(({ path, value }) => {
        const setting = `\`${path.join('.')}\` ${Array.isArray(value) ? 'does not list' : 'is not'} ${JSON.stringify(value)}`
        return hole('unpinned', `${setting}, without which a user or a project can switch hooks off`, again)
      }),
    ...(managed.switchedOff?.(site) ?? []).map((found) =>
      hole('switchedOff', `${found.file}: ${found.setting}`, found.remedy ?? 'remove it'),
    ),
    ...switchingVariables(agent, site, 'managed').map(({ what, remedy }) => hole('variable', what, remedy)),
    ...(managed.above?.(site) ?? [])
      .filter((path) => existsSync(path))
      .map((path) =>
        hole(
          'outranked',
          `${path} may be read in place of this file`,
          `register hookgate there: \`--print\` shows what`,
        ),
      ),
    ...overrulingCode(agent, site).map((found) => hole('innerCode', found, 'see docs/agents.md')),
    ...starterHoles(one, content, context, again),
    ...(one.script === undefined || !isByScript ? [] : scriptHoles(one.script, context, again)),
    ...programsOf(launchers).flatMap((program) => programHoles(program, context, again)),
  ]
}

const hole = (code: HoleCode, message: string, remedy: string): ManagedHole => ({ code, message, remedy })

/** Finds whether its hooks can be started without the dynamic loader, and by whose program. */
function starterHoles(
  { managed, own }: ManagedFile,
  { handlers }: ManagedContent,
  context: InstallContext,
  again: string,
): readonly ManagedHole[] {
  if (starterFor(managed, context) === undefined) return []
  const started = handlers.flatMap(({ handler }) => (own(handler) === undefined ? [] : [startedBy(handler)?.starter]))
  const compile = `install a C compiler and a static C library (\`libc6-dev\`, \`glibc-static\`), then ${again}`
  return [...new Set(started)].flatMap((file) => {
    if (file === undefined) return [hole('loader', noStarter, compile)]
    if (!isExecutable(file)) return [hole('program', `it starts ${file}, which is gone: every call is refused`, again)]
    return changeableFile(file, context)
  })
}

function scriptHoles(
  { agent, file }: WholeManagedFile,
  context: InstallContext,
  again: string,
): readonly ManagedHole[] {
  const { present } = lookAt(file, undefined)
  if (present === undefined) return [hole('program', `${file} is gone: every call is refused`, again)]
  const launcher = guardInScript(agent.name, present.bytes.toString())
  return [
    ...changeableFile(file, context),
    ...(process.platform === 'win32' || (present.mode & everybodyReads) === everybodyReads
      ? []
      : [
          hole(
            'program',
            `${file} may not be read by every user: their calls are refused`,
            `run \`chmod a+r ${shellWord(file)}\``,
          ),
        ]),
    ...(launcher === undefined
      ? [hole('incomplete', `${file} is not the script that hookgate writes`, again)]
      : programHoles(launcher, context, again)),
  ]
}

const everybodyReads = 0o444

function pluginHoles({ file, text }: WholeManagedFile, context: InstallContext, again: string): readonly ManagedHole[] {
  const { present } = lookAt(file, undefined)
  if (present === undefined) return [hole('program', `${file} is gone: hookgate is not asked`, again)]
  const isAsWritten = belowVersion(present.bytes.toString()) === belowVersion(text)
  return [
    ...changeableFile(file, context),
    ...(isAsWritten ? [] : [hole('incomplete', `${file} is not the plugin that this hookgate writes`, again)]),
  ]
}

/** The first line of a plugin names the version that wrote it. */
const belowVersion = (text: string) => text.slice(text.indexOf('\n'))

function unknownKeys({ agent, managed, beside }: ManagedFile, { root }: ManagedContent): readonly ManagedHole[] {
  const keys = Object.keys(isJsonObject(root) ? root : {})
  const ignored = `${agent.title} ignores the whole file without a word`
  return [
    ...keys
      .filter((key) => managed.onlyKeys?.includes(key) === false)
      .map((key) => hole('malformed', `it has the key ${quoted(key)}, with which ${ignored}`, 'remove it')),
    ...Object.entries(beside)
      .filter(([key]) => !keys.includes(key))
      .map(([key, value]) => hole('malformed', `it lacks \`"${key}": ${value}\`, without which ${ignored}`, 'add it')),
  ]
}

/** Finds whether others than an administrator can change the file or replace it. */
function changeableFile(file: string, context: InstallContext): readonly ManagedHole[] {
  const found = changeableBy(file, { managedFolder: dirname(file), managedOwners: administrators(context) })
  return found === undefined ? [] : [hole('changeable', `${found.path}: ${found.why}`, found.remedy)]
}

function programHoles({ node, bin }: Launcher, context: InstallContext, again: string): readonly ManagedHole[] {
  const gone = [node, bin].filter((file) => !existsSync(file))
  if (gone.length > 0) {
    const message = `it runs ${gone.join(' and ')}, which is gone: every call is refused`
    return [hole('program', message, `install hookgate again, then ${again}`)]
  }
  if (!isExecutable(node)) return [hole('program', `${node} may not be executed: every call is refused`, again)]
  return [node, bin].flatMap((file) => {
    const found = changeableBy(file, { managedFolder: dirname(file), managedOwners: administrators(context) })
    if (found === undefined) return []
    const message = `it runs ${file}, and ${found.path} can be changed: ${found.why}`
    return [hole('changeable', message, 'install Node and hookgate where only an administrator can write')]
  })
}

const programsOf = (programs: readonly Launcher[]): readonly Launcher[] =>
  programs.filter((one, at) => programs.findIndex((other) => isDeepStrictEqual(other, one)) === at)

const valueAt = (root: Json, path: readonly string[]): Json | undefined =>
  path.reduce<Json | undefined>((at, key) => (isJsonObject(at) && Object.hasOwn(at, key) ? at[key] : undefined), root)
