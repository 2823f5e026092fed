import { secretValue } from '../../../files/header-values.ts'
import { topicsOf } from '../../../files/state/approvals-key.ts'
import type { GatePaths } from '../../../files/state/places.ts'
import type { Approvals } from '../../../gate/approvals/queue.ts'
import type { ApprovalSettings, NtfySettings, OpenRequest } from '../../../model/approval.ts'
import { errorText } from '../../../model/errors.ts'
import type { Log } from '../log.ts'
import { notifyDesktop } from './desktop.ts'
import { type NtfyChannel, openNtfy } from './ntfy.ts'

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
