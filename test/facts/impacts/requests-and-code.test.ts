import { describe, expect, it } from 'vitest'
import { impactsOfTool } from '../../../src/facts/impacts/mcp/read-tool.ts'
import { impactsIn, impactsOfFetch } from '../../../src/facts/impacts/read-impacts.ts'
import { impactReason, impactText } from '../../../src/words/impact-words.ts'
import { factsOf } from '../../support/shell-facts.ts'

const textsOf = (command: string) => impactsIn(factsOf(command)).map(impactText)

/** Ways to do the same: by a program, a request, code, a statement. The first says what it is. */
const same: readonly (readonly [does: string, ...ways: readonly string[]])[] = [
  [
    'deletes `shop.example.com/v2/carts/9`, for good',
    'curl -X DELETE https://shop.example.com/v2/carts/9',
    'curl https://shop.example.com/v2/carts/9 -sSXDELETE',
    'curl --request=DELETE https://ci:pw@shop.example.com/v2/carts/9?force=1',
    "curl -X POST -H 'X-HTTP-Method-Override: DELETE' https://shop.example.com/v2/carts/9",
    'wget -q --method DELETE https://shop.example.com/v2/carts/9',
    'xh DELETE https://shop.example.com/v2/carts/9',
    'xhs delete shop.example.com/v2/carts/9',
    'http --ignore-stdin DELETE https://shop.example.com/v2/carts/9',
    'https DELETE shop.example.com/v2/carts/9',
    'ht DELETE https://shop.example.com/v2/carts/9',
    'httpie DELETE https://shop.example.com/v2/carts/9',
    'restish delete https://shop.example.com/v2/carts/9',
    'restish -H a:b DELETE https://shop.example.com/v2/carts/9',
    'curlie DELETE https://shop.example.com/v2/carts/9',
    'curlie -X DELETE https://shop.example.com/v2/carts/9',
    'curl-impersonate -X DELETE https://shop.example.com/v2/carts/9',
    'wget2 --method=DELETE https://shop.example.com/v2/carts/9',
    'iwr -Method Delete -Uri https://shop.example.com/v2/carts/9',
    'Invoke-RestMethod -Uri https://shop.example.com/v2/carts/9 -Meth DELETE',
    `pwsh -c 'irm -Method Delete https://shop.example.com/v2/carts/9'`,
    'irm -Method:Delete -Uri:https://shop.example.com/v2/carts/9',
    'irm -CustomM DELETE https://shop.example.com/v2/carts/9',
    `python3 -c "import httpx; httpx.delete('https://shop.example.com/v2/carts/9')"`,
    `node -e "fetch('https://shop.example.com/v2/carts/9', { method: 'DELETE' })"`,
    `ruby -e "HTTParty.delete('https://shop.example.com/v2/carts/9')"`,
  ],
  [
    'deletes `shop.example.com/v1/backups/9`, perhaps the only copy, for good',
    'curl -X DELETE https://shop.example.com/v1/backups/9',
    `python3 -c "import requests; requests.delete('https://shop.example.com/v1/backups/9')"`,
  ],
  [
    'deletes `shop.example.com/shop.Users/DeleteUser`, for good',
    'grpcurl -d {} shop.example.com shop.Users/DeleteUser',
    "curl -d '{}' https://shop.example.com/shop.Users/DeleteUser",
    'http POST https://shop.example.com/shop.Users/DeleteUser id=1',
  ],
  [
    'deletes documents of `es.example.com/carts/_delete_by_query`, for good',
    "curl -X POST https://es.example.com/carts/_delete_by_query -d '{}'",
    'http https://es.example.com/carts/_delete_by_query a=b',
    'xh POST https://es.example.com/carts/_delete_by_query a=b',
    'restish post https://es.example.com/carts/_delete_by_query a: b',
    'curlie post https://es.example.com/carts/_delete_by_query a=b',
    `python3 -c "import requests; requests.post('https://es.example.com/carts/_delete_by_query', json={})"`,
    `node -e "fetch('https://es.example.com/carts/_delete_by_query', { method: 'POST' })"`,
  ],
  [
    'deletes bucket `raw`, for good',
    `python3 -c "import boto3; boto3.client('s3').delete_bucket(Bucket='raw')"`,
    `node -e "const { DeleteBucketCommand } = require('@aws-sdk/client-s3'); c.send(new DeleteBucketCommand({ Bucket: 'raw' }))"`,
  ],
  [
    'deletes table `carts`, for good',
    "psql -c 'DROP TABLE carts'",
    "mysql shop -e 'drop table if exists `carts`'",
    "echo 'DROP TABLE carts' | duckdb shop.db",
    "curl 'http://clickhouse.example.com:8123/?query=DROP+TABLE+carts+SYNC' -d ''",
    `python3 -c "import psycopg2; c = psycopg2.connect(''); c.cursor().execute('DROP TABLE carts')"`,
    `node -e "require('pg'); client.query('DROP TABLE carts')"`,
    `rails runner 'ActiveRecord::Base.connection.execute("DROP TABLE carts")'`,
  ],
  [
    'deletes every row of `carts`, for good',
    "psql -c 'DELETE FROM carts'",
    "sqlite3 shop.db 'TRUNCATE carts'",
    `php -r '$pdo = new PDO(""); $pdo->exec("DELETE FROM carts");'`,
  ],
  ['deletes collection `carts`, for good', "mongosh shop --eval 'db.carts.drop()'"],
  [
    'moves money, at `api.adyen.com/v71/payouts`',
    'curl https://api.adyen.com/v71/payouts -d @p.json',
    'http POST https://api.adyen.com/v71/payouts amount=5',
  ],
  [
    'merges a request at `gitea.example.com/api/v1/repos/a/b/pulls/7/merge`',
    'curl -X POST https://gitea.example.com/api/v1/repos/a/b/pulls/7/merge',
  ],
  [
    'sends a message to `bo@shop.example`',
    `curl https://api.sendgrid.com/v3/mail/send -d '{"to": [{"email": "bo@shop.example"}], "from": {"email": "ci@acme.example"}}'`,
    'http POST https://api.resend.com/emails to=bo@shop.example from=ci@acme.example',
    `aws ses send-email --from ci@acme.example --to bo@shop.example --text hello`,
    `python3 -c "import boto3; boto3.client('ses').send_email(Source='ci@acme.example', Destination={'ToAddresses': ['bo@shop.example']})"`,
    `python3 -c "import requests; requests.post('https://api.mailgun.net/v3/a/messages', data={'from': 'ci@acme.example', 'to': 'bo@shop.example'})"`,
    `node -e "new (require('resend').Resend)(k).emails.send({ from: 'ci@acme.example', to: 'bo@shop.example' })"`,
  ],
  [
    'sends a mail to `bo@shop.example`',
    'swaks --to bo@shop.example',
    `python3 -c "import smtplib; smtplib.SMTP('mail.acme.example').sendmail('ci@acme.example', 'bo@shop.example', 'x')"`,
    `node -e "require('nodemailer').createTransport(o).sendMail({ from: 'ci@acme.example', to: 'bo@shop.example' })"`,
  ],
  [
    'sends a chat message to `C07`',
    'curl https://slack.com/api/chat.postMessage -d channel=C07 -d text=green',
    `curl -X POST https://slack.com/api/chat.postMessage -H 'Content-Type: application/json' -d '{"channel":"C07","text":"green"}'`,
    `python3 -c "from slack_sdk import WebClient; WebClient(t).chat_postMessage(channel='C07', text='green')"`,
    `node -e "new (require('@slack/web-api').WebClient)(t).chat.postMessage({ channel: 'C07', text: 'green' })"`,
    `python3 -c "import requests; requests.post('https://slack.com/api/chat.postMessage', json={'channel': 'C07', 'text': 'green'})"`,
  ],
  [
    'sends a chat message through `hooks.slack.com/services/…`',
    'curl -d @m.json https://hooks.slack.com/services/T0/B0/x9',
    `iwr -Method Post -Uri https://hooks.slack.com/services/T0/B0/x9 -Body '{"text": "green"}'`,
  ],
  [
    'moves money, at `api.stripe.com/v1/refunds`',
    'curl https://api.stripe.com/v1/refunds -d charge=ch_1',
    `python3 -c "import requests; requests.post('https://api.stripe.com/v1/refunds', data={'charge': 'ch_1'})"`,
  ],
  ['sends a mail to `all@shop.example`', 'mutt -s Sale all@shop.example < sale.txt', 'msmtp all@shop.example < m'],
]

describe.each(same)('what %s', (does, ...ways) => {
  it.each(ways)('is the same impact of each way to do it: %s', (way) => {
    expect(textsOf(way)).toContain(does)
  })
})

it.each([
  'https://shop.example.com/carts/9?_method=delete',
  'https://sqs.example.com/?Action=DeleteQueue&QueueUrl=a',
  'https://influx.example.com/query?q=DROP+DATABASE+metrics',
  'https://api.heroku.com/apps/shop/config-vars',
  'https://shop.vault.azure.net/secrets/db',
  'http://localhost:9200/_cat/indices',
])('a tool that fetches %s does what curl does', (url) => {
  const fetched = impactsOfFetch({ name: 'WebFetch', url, method: 'GET' })
  expect(fetched.map(impactText)).toEqual(textsOf(`curl '${url}'`))
})

describe('a tool of a server', () => {
  it.each([
    [
      'mcp__fetch__fetch',
      { url: 'https://shop.example.com/v2/carts/9', method: 'DELETE' },
      'deletes `shop.example.com/v2/carts/9`, for good',
    ],
    ['mcp__gmail__send_email', { to: ['bo@shop.example'], subject: 'a' }, 'sends a message to `bo@shop.example`'],
    ['mcp__slack__post_message', { channel_id: 'C07', text: 'green' }, 'sends a chat message to `C07`'],
    ['mcp__slack__slack_post_message', { channel: 'C07', text: 'green' }, 'sends a chat message to `C07`'],
    ['mcp__discord__send_message', { channelId: '42', content: 'green' }, 'sends a chat message to `42`'],
  ])('has the impact that a command has which does the same: %s', (name, input, text) => {
    expect(impactsOfTool({ name, input }).map(impactText)).toEqual([text])
  })

  it.each(['mcp__slack__list_channels', 'mcp__slack__add_reaction', 'mcp__gmail__draft_email'])(
    'has no impact where nothing is sent: %s',
    (name) => {
      expect(impactsOfTool({ name, input: { channel: 'C07', to: 'bo@shop.example' } })).toEqual([])
    },
  )
})

describe('a request or code that changes nothing', () => {
  it.each([
    'curl https://shop.example.com/v2/carts/9',
    "curl -X POST https://search.example.com/carts/_search -d '{}'",
    'gh api repos/a/b/pulls/7/merge',
    `python3 -c "import boto3; print(boto3.client('s3').list_buckets())"`,
    `node -e "console.log('DROP TABLE carts')"`,
    'curl https://slack.com/api/conversations.list',
    `python3 -c "import anthropic; anthropic.Anthropic().messages.create(model='m')"`,
    "psql -c 'SELECT 1'",
    'redis-cli GET carts',
    'mail -s a me@localhost < m',
    "rails runner 'puts Cart.count'",
    'npm run payouts:preview',
  ])('has no impact: %s', (command) => {
    expect(textsOf(command)).toEqual([])
  })
})

describe('an impact of a request', () => {
  const impactOf = (command: string) => impactsIn(factsOf(command))[0]

  it('has the hosts as its targets, and nothing of what logs in', () => {
    const impact = impactOf('curl -X DELETE https://ci:hunter2@api.example.com:8443/v1/a?token=abc')
    expect(impact).toMatchObject({ through: 'request', targets: { host: ['api.example.com'] } })
    expect(JSON.stringify(impact?.names)).toBe('["api.example.com:8443/v1/a"]')
  })

  it('is local at a server of this machine, and only a store of data there is lost for good', () => {
    expect(impactOf('curl -X DELETE http://127.0.0.1:3000/a')).toMatchObject({ where: 'local', undo: 'work' })
    expect(impactOf('curl -X DELETE http://localhost:9200/a')).toMatchObject({ where: 'local', undo: 'never' })
    expect(impactOf('http DELETE :3000/a')).toMatchObject({ where: 'local', targets: { host: ['localhost'] } })
  })

  it('is unsure where the method is only known when it runs', () => {
    expect(impactOf('curl -X "$HOW" https://api.example.com/a')).toMatchObject({ kind: 'delete', unsure: true })
  })
})

it('reasons name what is lost, and one way out', () => {
  const reasons = [
    'redis-cli -h cache.example.com FLUSHALL',
    'curl https://api.stripe.com/v1/payouts -d amount=5',
    "mongosh --eval 'db.carts.deleteMany({})'",
    `python3 -c "import redis; redis.Redis().flushdb()"`,
    "psql -c 'ALTER TABLE carts DROP COLUMN note'",
  ].map((command) => impactsIn(factsOf(command)).map(impactReason).at(-1))
  expect(reasons).toEqual([
    '`redis-cli FLUSHALL` deletes every key in all databases of the server, for good: have the person delete it',
    '`curl` moves money, at `api.stripe.com/v1/payouts`: say how much, and have the person pay it',
    '`mongosh … deleteMany` deletes every document of `carts`, for good: have the person delete it',
    '`python3 … flushdb` deletes everything in the store, for good: have the person delete it',
    '`psql … ALTER TABLE … DROP COLUMN` deletes a column of `carts`, for good: have the person delete it',
  ])
})
