import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { titleOf } from '../../agents/registry.ts'
import type { AgentName } from '../../model/event.ts'
import { HookgateError } from '../../model/errors.ts'
import type { InstallContext } from '../install-context.ts'
import { ensureGateRunning } from '../../service/server/ensure-gate.ts'
import { portOf } from '../../service/server/presence.ts'
import { readToken, tokenOf } from '../../files/state/token.ts'
import { version as ownVersion } from '../../files/version.ts'
import { upCommandFor } from '../hook-command.ts'
import type { HookFiles } from '../hook-files.ts'
import type { Way } from './groups.ts'
import { readOverrides } from './settings.ts'
import { httpPortUsual } from '../../model/limits.ts'
import { readVersion, isAtLeast, since, type Version, versionText } from './version.ts'

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
export async function chooseWay(
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
