import type { Impact } from '../../../model/impact.ts'
import type { Call } from '../../../words/calls.ts'
import { lineIn } from '../../../words/loose-line.ts'
import { makeImpact } from '../make-impact.ts'

/** Programs of mail that send what they are given. */
const mailers = new Set('mail mailx s-nail mutt neomutt sendmail msmtp swaks ssmtp'.split(' '))
const address = /^(?!-)[^\s@]+@(?!localhost\b|127\.)[\w-]+(?:\.[\w-]+)+$/
/** A server of this machine, which only catches mail. */
const here = /^(?:.*[=:@])?(?:localhost|127\.0\.0\.1|\[::1\]|mailhog|mailpit|mailcatcher)(?::\d+)?$/

/** Finds mails that programs send to addresses among their words. */
export function impactsOfMails(call: Call): readonly Impact[] {
  if (!mailers.has(call.program)) return []
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
