import { abstains, asks, definePolicy } from 'hookgate/policy'
import { allowed, answered } from './cli/example.ts'
import { params } from './cli/judge.ts'
import { judge } from './impacts.ts'

export default definePolicy({
  id: 'outgoing-messages',
  severity: 'medium',
  description: 'Asks before mail, text messages, posts and campaigns are sent to people in the user’s name',
  on: 'PreToolUse',
  tool: ['shell', 'mcp'],
  interest: { impacts: ['outgoing-messages', 'send'] },
  params,
  decide: ({ impacts, params: given }) => judge(impacts, 'outgoing-messages', given),
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
      want: { effect: 'ask', reason: 'creates a rule that sends on all mail to `b@c.example`' },
    },
    asks('a post', { tool: 'mcp__x__create_post', input: { text: 'hello' } }),
    asks('a call of everybody', { tool: 'mcp__slack__post_message', input: { text: '@channel it is down' } }),
    abstains('a message to a channel', { tool: 'mcp__slack__post_message', input: { text: 'it is green' } }),
    abstains('a search', { tool: 'mcp__gmail__search_emails', input: { query: 'send' } }),
    allowed('mail -s a b@acme.example', 'mail'),
    answered('mail -s a b@acme.example', 'deny'),
  ],
})
