import type { Impact } from '../../../model/impact.ts'
import type { Call } from '../../../words/calls.ts'
import { isLoopback } from '../../../words/request.ts'
import { lineIn } from '../../../words/loose-line.ts'
import { makeImpact } from '../make-impact.ts'

const address = /^(?!-)[^\s@]+@(?!localhost\b|127\.)[\w-]+(?:\.[\w-]+)+$/
/** A server of this machine, which only catches mail. */
const here = /^(?:.*[=:@])?(?:localhost|127\.0\.0\.1|\[::1\]|mailhog|mailpit|mailcatcher)(?::\d+)?$/

/** Finds mails that programs send to addresses among their words. */
export function impactsOfMails(call: Call): readonly Impact[] {
  const { network } = call.command
  if (network?.kind !== 'mail' || isLoopback(network.host ?? '')) return []
  const texts = call.args.map(({ value }) => value)
  const names = texts.filter((text) => address.test(text))
  if (names.length === 0 || texts.some((text) => here.test(text))) return []
  return [
    makeImpact(call, lineIn(call, {}), {
      kind: 'send',
      thing: 'message',
      area: 'outgoing-messages',
      object: 'mail',
      names,
      undo: 'work',
      words: '',
      where: 'unknown',
    }),
  ]
}
