import { secretValue } from '../../../files/header-values.ts'
import { topicsOf } from '../../../files/state/keys.ts'
import type { GatePaths } from '../../../files/state/places.ts'
import type { Approvals } from '../../../gate/approvals/queue.ts'
import type { ApprovalSettings, NtfySettings, OpenRequest } from '../../../model/approval.ts'
import { errorText } from '../../../model/errors.ts'
import type { Log } from '../log.ts'
import { type NtfyChannel, openNtfy } from './ntfy.ts'
import { spawn } from 'node:child_process'
import { titleOf } from '../../../agents/registry.ts'

interface ChannelOptions {
  readonly approvals: Approvals
  readonly places: GatePaths
  readonly env: Readonly<Record<string, string | undefined>>
  readonly log: Log
  /** Returns the settings in force. */
  readonly settings: () => Promise<ApprovalSettings | undefined>
}

/**
 * Tells a person elsewhere of calls that wait, as the settings say at that moment.
 *
 * INVARIANT: a channel that fails is logged, and the request waits for an answer at the terminal.
 *
 * @returns a function that closes the channels
 */
export function openChannels({ approvals, places, env, log, settings }: ChannelOptions): () => void {
  let ntfy: { readonly of: NtfySettings; readonly channel: NtfyChannel } | undefined

  function channelFor(of: NtfySettings): NtfyChannel {
    if (ntfy !== undefined && ntfy.of.url === of.url && JSON.stringify(ntfy.of) === JSON.stringify(of))
      return ntfy.channel
    ntfy?.channel.close()
    const token = () => (of.token === undefined ? undefined : secretValue(of.token, env))
    const channel = openNtfy({
      url: of.url,
      topics: topicsOf(places),
      token,
      log,
      answer: (given) => approvals.answer(given),
    })
    ntfy = { of, channel }
    return channel
  }

  async function announce(request: OpenRequest): Promise<void> {
    const now = await settings()
    // The answer may have come while the settings were looked at.
    if (now === undefined || !approvals.open().some(({ id }) => id === request.id)) return
    if (now.desktop) notifyDesktop(request, env)
    if (now.ntfy !== undefined) channelFor(now.ntfy).opened(request)
  }

  const unlisten = approvals.listen(({ kind, request }) => {
    if (kind === 'ended') {
      ntfy?.channel.ended(request.id)
      return
    }
    void announce(request).catch((error: unknown) =>
      log.warn({ why: errorText(error) }, 'a request for approval is not announced'),
    )
  })
  return () => {
    unlisten()
    ntfy?.channel.close()
  }
}

/** Time for the program that shows a notification: it hands the text over and ends. */
const desktopNotifyMs = 5000

/** Shows a request as a notification of the desktop: a hint that a call waits, and never an answer. */
function notifyDesktop(request: OpenRequest, env: Readonly<Record<string, string | undefined>>): void {
  const words = desktopCommand(request, process.platform)
  if (words === undefined) return
  const [program = '', ...args] = words
  // A gate in the background has none of the desktop's variables: the session's bus is found by the folder it is in.
  const runtime = env['XDG_RUNTIME_DIR'] ?? `/run/user/${process.getuid?.() ?? 0}`
  const child = spawn(program, args, {
    env: { ...env, XDG_RUNTIME_DIR: runtime },
    stdio: 'ignore',
    timeout: desktopNotifyMs,
  })
  // Without a desktop there is nobody to be told: the request waits all the same.
  child.on('error', () => {})
  child.unref()
}

/**
 * Returns the command that shows a notification; `undefined` where the system has none.
 *
 * INVARIANT: what others have written is one argument, and read as plain text.
 */
export function desktopCommand(request: OpenRequest, platform: NodeJS.Platform): readonly string[] | undefined {
  const { agent, toolName, subject, id } = request
  const title = `${titleOf(agent)} waits for you`
  const text = `${toolName}: ${subject}`.slice(0, shownMax).toWellFormed()
  const how = `hookgate approvals approve ${id}`
  if (platform === 'linux') return ['notify-send', '--app-name=hookgate', '--', title, `${escaped(text)}\n${how}`]
  if (platform !== 'darwin') return undefined
  const script = ['on run argv', 'display notification (item 2 of argv) with title (item 1 of argv)', 'end run']
  return ['osascript', ...script.flatMap((line) => ['-e', line]), title, `${text}\n${how}`]
}

/** Characters of a command in a notification, which shows a few lines. */
const shownMax = 200

/** A notification's text is markup. */
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
