import { existsSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import type { OwnInstall } from '../../agents/install/install.ts'
import { titleOf } from '../../agents/registry.ts'
import { readToken, tokenOf } from '../../files/state/keys.ts'
import { version as ownVersion } from '../../files/program-files.ts'
import { HookgateError } from '../../model/errors.ts'
import type { AgentName } from '../../model/event.ts'
import { httpPortUsual } from '../../model/limits.ts'
import { endGate } from '../../service/server/end-gate.ts'
import { portOf } from '../../service/server/heartbeats.ts'
import { type HookFiles, installationGone, slowHooks, textsOf, upCommandFor } from '../hook-files.ts'
import { filesRun, type FoundHook, type ListedAgent, ownHooks } from '../hooks-file/listed-agent.ts'
import type { Inspection, InstallContext } from '../install-context.ts'
import { isGateRunning } from '../status.ts'
import {
  canaryFor,
  decidedEvents,
  groupsFor,
  handHandler,
  isUpCommand,
  lineOf,
  ownHandler,
  registeredEvents,
  startFor,
  summaryOf,
  timesOf,
  type Way,
} from './groups.ts'
import {
  isAtLeast,
  measuredVersion,
  type Overrides,
  readOverrides,
  readVersion,
  settingsFileOf,
  since,
  type Version,
  versionText,
} from './settings.ts'

/** Registers hookgate with Claude Code, by commands or by HTTP. */
export const httpGroupsAgent = (name: AgentName, install: OwnInstall): ListedAgent => ({
  name,
  limits: install,
  onlyBy: install.onlyBy,
  form: {},
  events: registeredEvents,
  decidedEvents,
  // The files of the other events differ only in how they refuse.
  triedEvents: ['PreToolUse', 'UserPromptSubmit'],
  files: (context) => [{ file: settingsFileOf(context), at: 'hooks', holds: 'groups' }],
  timesOf,
  own(handler, { places }) {
    const own = ownHandler(handler)
    if (own === undefined) return undefined
    const words = own.type === 'command' ? (own.args ?? []) : []
    return {
      identity: JSON.stringify(own),
      file: words.find((word) => word.startsWith(join(places.folder, sep))),
      ...(isUpCommand(own) && { startsGateOnly: true }),
    }
  },
  handCommand(handler) {
    const hand = handHandler(handler)
    return hand === undefined ? undefined : lineOf(hand)
  },
  async register(context, place, files) {
    const wasHttp = ownHooks(place, place.document).some(({ handler }) => ownHandler(handler)?.type === 'http')
    const { way, notes } = await chooseWay(name, context, { real: place.looked.real, wasHttp, files })
    return { entries: groupsFor(way), notes, summary: summaryOf(way), isHttp: way.http !== undefined }
  },
  obstacles: (context) => readOverrides(context).obstacles,
  async look(context) {
    const overrides = readOverrides(context)
    const version = await readVersion(context)
    return {
      notes: [versionNote(name, version)],
      problems: (_scoped, { looked }, own) => [
        ...installationGone(name, textsOf(filesRun(own))),
        ...httpProblems(name, own, version, overrides, looked.present?.mode ?? 0),
      ],
      remarks: (own) => slowHooks(name, textsOf(filesRun(own))),
      around: aroundCanaries,
    }
  },
  sendCanary: (handler, context) => canaryFor(name, handler, context),
})

function versionNote(agent: AgentName, version: Version | undefined): string {
  if (version === undefined) return 'no `claude` on the PATH reports its version'
  const newer = isAtLeast(version, measuredVersion) && versionText(version) !== versionText(measuredVersion)
  return `${titleOf(agent)} ${versionText(version)}${newer ? `; hookgate was tested with ${versionText(measuredVersion)}` : ''}`
}

function httpProblems(
  agent: AgentName,
  own: readonly FoundHook[],
  version: Version | undefined,
  overrides: Overrides,
  mode: number,
): readonly string[] {
  const again = `run \`hookgate enable ${agent}\` again`
  const posts = own.map(({ handler }) => ownHandler(handler)).filter((handler) => handler?.type === 'http')
  if (posts.length === 0) return []
  const forbidden = posts.find(({ url }) => !overrides.httpAllowed(url))
  return [
    ...(version !== undefined && !isAtLeast(version, since.onFailure)
      ? [`${titleOf(agent)} ${versionText(version)} goes ahead when the HTTP hook fails: ${again}`]
      : []),
    ...(process.platform !== 'win32' && (mode & 0o077) !== 0
      ? ['other users can read the file, and the token in it: run `chmod 600` on it']
      : []),
    ...(forbidden === undefined ? [] : [`\`allowedHttpHookUrls\` does not list ${forbidden.url}: ${again}`]),
    ...(posts.some(({ onFailure }) => onFailure !== 'block')
      ? [`an HTTP hook without \`"onFailure": "block"\` lets the agent go ahead when it fails: ${again}`]
      : []),
  ]
}

/** HTTP hooks can be tried only with a gate. One that is started for that is ended again. */
function aroundCanaries(context: InstallContext, own: readonly FoundHook[]): Inspection['around'] {
  const up = own.map(({ handler }) => ownHandler(handler)).find((handler) => handler && isUpCommand(handler))
  if (up === undefined) return undefined
  return async (send) => {
    if (await isGateRunning(context)) return send()
    await startFor(up, context)
    try {
      return await send()
    } finally {
      await endGate(context.places)
    }
  }
}

/** The file in which Claude Code is registered, and what its commands run. */
interface Registered {
  /** Its path with symbolic links resolved. */
  readonly real: string
  /** True if an earlier `enable` registered HTTP hooks in it. */
  readonly wasHttp: boolean
  readonly files: HookFiles
}

/**
 * Chooses how Claude Code is to reach the gate. A thin client costs some milliseconds more than HTTP and decides by
 * itself if the gate was killed, where an HTTP hook can only refuse: every call, and so the rest of the session. So HTTP
 * is for those who request it, and for machines without a client, if a missing gate still blocks and the token stays
 * with its owner.
 *
 * @throws HookgateError `usage` where HTTP is requested and impossible, `unavailable` where the gate does not start for it
 */
async function chooseWay(
  agent: AgentName,
  context: InstallContext,
  { real, wasHttp, files }: Registered,
): Promise<{ way: Way; notes: readonly string[] }> {
  const version = await readVersion(context)
  const execForm = version === undefined || isAtLeast(version, since.execForm)
  const plain: Way = { commandFor: (event) => files.commandFor(event), execForm, http: undefined }
  if (context.via === 'command') return { way: plain, notes: ['by a command, as requested'] }
  if (context.via === undefined && (files.byClient || context.scope === 'project')) {
    return { way: plain, notes: wasHttp ? [noLongerHttp] : [] }
  }
  const against = whyNotHttp(agent, context, version, real)
  if (against !== undefined && (context.via === undefined || against.never)) {
    if (context.via === 'http')
      throw new HookgateError('usage', `not by HTTP: ${against.why}`, { remedy: 'remove `--via`' })
    return { way: plain, notes: [`by a command, not by HTTP: ${against.why}`] }
  }
  const { origin, port, token } = await gateOverHttp(context)
  const http = { url: `${origin}/${agent}`, headers: tokenHeaders(token), up: upCommandFor(port, context) }
  const notes = [`by HTTP at ${http.url}; a command starts the gate when a session starts`]
  return { way: { ...plain, http }, notes: against === undefined ? notes : [...notes, `warning: ${against.why}`] }
}

const noLongerHttp =
  'by a command, no longer by HTTP: it decides even after the gate was killed; with `--via http` it stays as it was'

interface HttpGate {
  readonly origin: string
  readonly port: number
  readonly token: string
}

/**
 * Starts the gate with HTTP, before it is registered: an agent heeds new settings at once, and would be stopped by an
 * address where nothing answers.
 *
 * @throws HookgateError `unavailable`
 */
async function gateOverHttp({ places, port, env, dryRun }: InstallContext): Promise<HttpGate> {
  if (dryRun) {
    const wanted = port ?? httpPortUsual
    return { origin: `http://127.0.0.1:${wanted}`, port: wanted, token: readToken(places) ?? 'made-when-it-is-needed' }
  }
  // Loaded here, with the gate's log: whoever only asks which agents are registered starts no gate.
  const { ensureGateRunning } = await import('../../service/server/ensure-gate.ts')
  const { hello } = await ensureGateRunning({ places, version: ownVersion(), httpPort: port ?? httpPortUsual, env })
  const origin = hello.http ?? `http://127.0.0.1:${port ?? httpPortUsual}`
  return { origin, port: portOf(origin) ?? httpPortUsual, token: tokenOf(places) }
}

const tokenHeaders = (token: string) => ({ Authorization: `Bearer ${token}` })

/** `never`: not even on request. */
function whyNotHttp(
  agent: AgentName,
  context: InstallContext,
  version: Version | undefined,
  real: string,
): { why: string; never: boolean } | undefined {
  const never = true
  if (context.scope === 'project') {
    return { why: 'a project’s settings are shared, but the HTTP token is your secret', never }
  }
  if (version !== undefined && !isAtLeast(version, since.onFailure)) {
    const needed = versionText(since.onFailure)
    const why = `${titleOf(agent)} ${versionText(version)} goes ahead when an HTTP hook fails; ${needed} and newer can block instead`
    return { why, never }
  }
  if (version === undefined) {
    return {
      why: 'no `claude` on the PATH reports its version, and an old one goes ahead when an HTTP hook fails',
      never: false,
    }
  }
  const repository = repositoryOf(dirname(real))
  if (repository !== undefined) {
    return {
      why: `the settings are in the repository ${repository}, but the HTTP token is a secret`,
      never: false,
    }
  }
  if (!readOverrides(context).httpAllowed(`http://127.0.0.1:${context.port ?? httpPortUsual}/${agent}`)) {
    return { why: '`allowedHttpHookUrls` in your settings does not list it', never: false }
  }
  return undefined
}

/** People keep their settings in a repository of dotfiles. */
function repositoryOf(folder: string): string | undefined {
  if (existsSync(join(folder, '.git'))) return folder
  const parent = dirname(folder)
  return parent === folder ? undefined : repositoryOf(parent)
}
