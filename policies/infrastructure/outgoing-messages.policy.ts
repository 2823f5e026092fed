import { abstains, asks, definePolicy, type PolicyAnswer } from 'hookgate/policy'
import { callsIn } from './cli/calls.ts'
import { allowed, answered } from './cli/example.ts'
import { answerTo, isAllowed, params, strictest } from './cli/judge.ts'
import { requestOf, requestPrograms } from './data/requests.ts'
import { hostOf } from './hosts.ts'
import { judge } from './impacts.ts'

/** Services that carry messages to people, and the paths by which they do. */
const carriers =
  /^(?:api\.sendgrid\.com|api(?:\.eu)?\.mailgun\.net|api\.postmarkapp\.com|api\.twilio\.com|api\.resend\.com|api\.brevo\.com|api\.mailersend\.com|\w+\.api\.mailchimp\.com|mandrillapp\.com|fcm\.googleapis\.com|api\.pushover\.net|onesignal\.com|api\.onesignal\.com|rest\.nexmo\.com|graph\.facebook\.com|api\.(?:x|twitter)\.com|api\.linkedin\.com|gmail\.googleapis\.com|api\.telnyx\.com|api\.vonage\.com)$/
const sending = /send|messages|emails?(?:\/|$)|broadcasts?|campaigns|tweets|statuses|ugcposts|notifications|calls/i

/** Code that sends mail, and the servers of this machine that only catch it. */
const mailing =
  /\bsmtplib\b[^]{0,4000}?\.(?:send_message|sendmail)\(|\bsendMail\(|\bNet::SMTP\b[^]{0,2000}?\b(?:send_?(?:message|mail)|sendmail)\b|\bMIME::Lite\b|\bPHPMailer\b[^]{0,2000}?->send\(/i
const caught = /['"](?:smtps?:\/\/)?(?:localhost|127\.0\.0\.1|mailhog|mailpit|mailcatcher)\b/i

/** Programs of mail that send what they are given. */
const mailers = /^(?:mail|mailx|s-nail|mutt|neomutt|sendmail|msmtp|swaks|ssmtp)$/
const address = /^(?!-)[^\s@]+@(?!localhost\b|127\.)[\w-]+(?:\.[\w-]+)+$/
const here = /^(?:.*[=:@])?(?:localhost|127\.0\.0\.1|\[::1\]|mailhog|mailpit|mailcatcher)(?::\d+)?$/

const words = {
  harm: 'sends a message to people, who cannot unread it',
  instead: 'write a draft or show the person the text, and have them send it',
}

export default definePolicy({
  id: 'outgoing-messages',
  severity: 'medium',
  description: 'Asks before mail, text messages, posts and campaigns are sent to people in the user’s name',
  on: 'PreToolUse',
  tool: ['shell', 'mcp'],
  interest: {
    words: [...requestPrograms, 'mail mailx s-nail mutt neomutt sendmail msmtp swaks ssmtp'],
    code: true,
    impacts: ['outgoing-messages', 'send'],
  },
  params,
  decide({ shell, impacts, params: given }) {
    const answers: PolicyAnswer[] = []
    const byCommand = judge(impacts, 'outgoing-messages', given)
    if (byCommand !== undefined) answers.push(byCommand)
    for (const call of callsIn(shell)) {
      if (isAllowed(call, given.allowed)) continue
      const texts = call.args.map(({ value }) => value)
      const isMail =
        mailers.test(call.program) && texts.some((text) => address.test(text)) && !texts.some((text) => here.test(text))
      const request = isMail ? undefined : requestOf(call)
      const carrier = request?.urls.find(
        (url) => carriers.test(hostOf(url)) && sending.test(url.slice(url.indexOf('/', url.indexOf('://') + 3))),
      )
      const isSent = carrier !== undefined && !/^(?:GET|HEAD|OPTIONS|DELETE)$/.test(request?.method ?? 'GET')
      const isByCode = mailing.test(call.command.code?.text ?? '') && !caught.test(call.command.code?.text ?? '')
      if (isMail || isSent || isByCode)
        answers.push(answerTo({ effect: 'ask', words: isSent ? `… ${hostOf(carrier)}` : '…' }, call, given, words))
    }
    return strictest(answers)
  },
  examples: [
    asks('mail -s Invoice customers@acme.example < letter.txt'),
    abstains('mail -s test me@localhost < letter.txt'),
    asks(`python3 -c "import smtplib; smtplib.SMTP('smtp.acme.io').sendmail('a@b.io', 'c@d.io', 'x')"`),
    abstains(`python3 -c "import smtplib; smtplib.SMTP('localhost', 1025).sendmail('a@b.io', 'c@d.io', 'x')"`),
    abstains('swaks --to a@acme.example --server localhost:1025'),
    asks('curl -X POST https://api.sendgrid.com/v3/mail/send -d @campaign.json'),
    abstains('curl https://api.sendgrid.com/v3/stats'),
    asks('aws sns publish --topic-arn arn:aws:sns:eu:1:all-users --message Sale'),
    abstains('aws ses get-send-quota'),
    asks('a mail', { tool: 'mcp__gmail__send_email', input: { to: ['a@acme.example'] } }),
    abstains('a draft of one', { tool: 'mcp__gmail__draft_email', input: { to: ['a@acme.example'] } }),
    asks('a text message', { tool: 'mcp__twilio__create_message', input: { to: '+15550100' } }),
    {
      name: 'a rule that sends on',
      given: {
        tool: 'mcp__gmail__create_filter',
        input: { criteria: { from: 'a@acme.example' }, action: { forward: 'b@c.example' } },
      },
      want: { effect: 'ask', reason: 'creates rule that sends on all mail to `b@c.example`' },
    },
    asks('a post', { tool: 'mcp__x__create_post', input: { text: 'hello' } }),
    asks('a call of everybody', { tool: 'mcp__slack__post_message', input: { text: '@channel it is down' } }),
    abstains('a message to a channel', { tool: 'mcp__slack__post_message', input: { text: 'it is green' } }),
    abstains('a search', { tool: 'mcp__gmail__search_emails', input: { query: 'send' } }),
    allowed('mail -s a b@acme.example', 'mail'),
    answered('mail -s a b@acme.example', 'deny'),
  ],
})
