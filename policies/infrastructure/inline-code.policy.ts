import { abstains, asks, definePolicy, denies, type PolicyAnswer } from 'hookgate/policy'
import { allowed, answered } from './cli/example.ts'
import { allowLocal, answerTo, isAllowed, params, strictest } from './cli/judge.ts'
import { type Call, callsIn } from './cli/calls.ts'
import { charactersReadMax } from './data/bounds.ts'
import { destroysByModels, frameworkCode, frameworks } from './data/framework-code.ts'
import { mongoDanger } from './data/mongo.ts'
import { sqlDanger } from './data/sql.ts'
import { namesTestKey, systemAt } from './data/systems.ts'
import { isForTests, testDatabases } from './data/test-databases.ts'
import { isLoopback } from './hosts.ts'

/** Client libraries of outside services: with one of them, a method that deletes really does. */
const libraries =
  /\b(?:boto3|botocore|aws-sdk|@aws-sdk|google\.cloud|googleapiclient|@google-cloud|azure|msrest|kubernetes|docker|dockerode|stripe|braintree|square|paypal\w*|twilio|sendgrid|mailgun\w*|postmark\w*|mailchimp\w*|algoliasearch|meilisearch|elasticsearch|opensearch\w*|typesense|qdrant\w*|pinecone|weaviate|pymongo|mongodb|mongoose|redis|ioredis|cassandra|couchdb|firebase\w*|firebase-admin|supabase|kafka\w*|confluent_kafka|pika|amqplib|nats|hvac|consul|etcd3|launchdarkly\w*|datadog\w*|github|octokit|gitlab|jenkins\w*|cloudflare|digitalocean|hcloud|openstack|pulumi|auth0|okta|shopify\w*|discord|slack_sdk|@slack|prisma|@prisma|sequelize|typeorm)\b/i

/** Methods that take something away. */
const methods =
  /\.\s*(?:delete|destroy|remove|terminate|purge|drop|deregister|revoke|truncate|wipe|flush(?:all|db)?)(?:_\w+|[A-Z]\w*)?\s*\(|\bnew\s+(?:Delete|Terminate|Purge|Remove|Deregister)\w+Command\s*\(|::(?:delete|destroy|cancel)\w*\s*\(/
const always =
  /\.\s*(?:drop_database|dropDatabase|drop_all|flushall|flushdb|flushAll|flushDb|drop_collection|dropCollection|delete_index|deleteIndex)\s*\(/

/** Requests that delete: `requests.delete(…)`, `fetch(…, { method: 'DELETE' })`. */
const requests =
  /\b(?:requests|httpx|axios|got|superagent|ky|session|client|http|needle|urllib3|aiohttp|HTTParty|Faraday|RestClient|conn|agent)\s*\.\s*(?:delete|del)\s*\(|\bmethod\s*[:=]\s*["'`]DELETE["'`]|\brequest\s*\(\s*["'`]DELETE["'`]|Net::HTTP::Delete|CURLOPT_CUSTOMREQUEST\W+DELETE|HTTP::Tiny[\s\S]*->\s*delete\s*\(/i

/** Requests that change something: `requests.patch(…)`, `fetch(…, { method: 'PUT' })`. */
const changes =
  /\b(?:requests|httpx|axios|got|superagent|ky|session|client|http|needle|aiohttp|HTTParty|Faraday|RestClient|conn)\s*\.\s*(?:post|put|patch)\s*\(|\bmethod\s*[:=]\s*["'`](?:POST|PUT|PATCH)["'`]|\brequest\s*\(\s*["'`](?:POST|PUT|PATCH)["'`]|Net::HTTP::(?:Post|Put|Patch)\b/i

/** Methods that give rights to somebody, or open something to all, by a client library. */
const granting =
  /(?:\.|->|::)\s*(?:attach_(?:user|role|group)_policy|put_(?:user|role|group|bucket)_policy|put_(?:bucket|object)_acl|create_(?:access|service_account)_key|add_user_to_group|set_iam_policy|add_iam_policy_binding|add_?collaborator|set_?custom_?user_?claims|make_?public|add_permission|add_to_collaborators|add_?or_?update_?membership\w*|create_?cluster_?role_?binding)\s*\(|\bnew\s+(?:(?:Attach|Put)(?:User|Role|Group)Policy|PutBucket(?:Policy|Acl)|PutObjectAcl|CreateAccessKey|AddUserToGroup|AddPermission)Command\s*\(/i
/** Methods that move money. */
const paying =
  /\b(?:refunds?|charges?|transfers?|payouts?|payment_?intents?)\s*(?:\.|::|->)\s*(?:create|capture|confirm)\w*\s*\(|\binvoices?\s*(?:\.|::|->)\s*pay\s*\(/i
/** Statements on an application's own models that make somebody an administrator. */
const promoting =
  /\b(?:update|create|insert|save)\w*!?\s*\([^)\n]*\b(?:is_?superuser|is_?staff|is_?admin|admin|superuser)['"]?\s*(?:=>?|:)\s*(?:true|1)\b|\.(?:is_?superuser|is_?staff|is_?admin|admin)\s*=\s*true\b|\bassignRole\s*\(|\badd_role\b|\bcreate_superuser\s*\(/i

/** Texts in quotes that are SQL. */
const texts = () => /"""([\s\S]*?)"""|'''([\s\S]*?)'''|"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`/g

/** Carriers of SQL from code to a database: a driver, a connection, a started client, a method that runs text. */
const carriers =
  /connect|cursor|session|engine|execut|database|quer(?:y|ies)\w*\s*\(|\bexec|\braw\b|\bdbh?\b|\bdb[A-Z_]|\bDB\w|\bconn\b|(?:\.|->|::)\s*(?:do|run|prepare|migrate|batch|begin|transaction|unsafe)\b|\brun\w*\s*\(|\bsql\s*["(`]|\w+sql\b|\bsql(?!parse\b|glot\b|fluff\b|lint\b)\w+|\bPDO\b|\bpg\b|postgres|duckdb|maria|oracle|knex|prisma|drizzle|sequelize|typeorm|activerecord|eloquent|\brepo\b|snowflake|bigquery|clickhouse|cassandra|subprocess|child_process|popen|spawn|system|\beval|getattr|__import__|import_module|importlib|base64|\bsend\b/i

function sqlInTexts(code: string) {
  if (code.includes(':memory:')) return undefined
  for (const found of code.matchAll(texts())) {
    const text = found.slice(1).find((one) => one !== undefined) ?? ''
    if (!/^\s*(?:DROP|TRUNCATE|DELETE|ALTER|UPDATE|WITH)\b/i.test(text)) continue
    // A text that is only printed or parsed is none that is run.
    if (
      /(?:print|puts|echo|console\.log|say|logger?\.\w+|info|warn|\b(?:parse|tokeni[sz]e|lint)\w*\()\s*\(?\s*$/.test(
        code.slice(0, found.index),
      )
    )
      continue
    // A text that is looked for in another is none either: `'drop table' in line`, `line.includes('drop table')`.
    const behind = code.slice(found.index + found[0].length)
    const before = code.slice(0, found.index)
    if (
      /^\s+(?:not\s+)?in\s+[a-z_]/i.test(behind) ||
      /\.(?:includes|startsWith|startswith|endswith|indexOf|find)\(\s*$/.test(before)
    )
      continue
    const danger = sqlDanger(text)
    if (danger !== undefined) return danger
  }
  return undefined
}

/** Code without its texts: a method that is only written about is none. */
const withoutTexts = (code: string) =>
  code.replace(texts(), (found) => (/^["'`][@\w./-]+["'`]$/.test(found) ? found : '""'))

/** Code without names of what only reads SQL, and runs none: `pgsql-ast-parser`, `sql-formatter`. */
const withoutReaders = (code: string) =>
  code.replace(/[\w@./-]*(?:pars(?:e|er|ing)|lint(?:er)?|format(?:ter)?|lexer|tokeni[sz]er|highlight(?:er)?)\b/gi, '')

/** The danger of inline code: a statement in it, or the harm in words. */
type CodeDanger = { readonly effect: 'deny' | 'ask' } & ({ readonly what: string } | { readonly harm: string })

function dangerIn(code: string, mayChangeOwn: boolean): CodeDanger | undefined {
  const bare = withoutTexts(code)
  const sql = carriers.test(withoutReaders(bare)) ? sqlInTexts(code) : undefined
  if (sql !== undefined) return sql
  if (always.test(bare)) return { effect: 'deny', harm: 'drops or empties a whole store of data' }
  if (/mongo/i.test(bare)) {
    const mongo = mongoDanger(code)
    if (mongo?.effect === 'deny') return mongo
  }
  const urls = code.match(/https?:\/\/[^\s"'`]+/g) ?? []
  if (requests.test(bare)) {
    const isOwn = urls.length > 0 && urls.every(isLoopback)
    if (!isOwn || !mayChangeOwn) return { effect: isOwn ? 'ask' : 'deny', harm: 'sends a request that deletes' }
  }
  if (libraries.test(bare) && methods.test(bare)) return { effect: 'deny', harm: words.harm }
  if (libraries.test(bare) && granting.test(bare)) return { effect: 'ask', harm: grants }
  if (/stripe|braintree|paypal|adyen|square|mollie/i.test(bare) && paying.test(bare) && !namesTestKey(code))
    return { effect: 'ask', harm: pays }
  const system = changes.test(bare) && !namesTestKey(code) ? systemAt(urls, 'PATCH') : undefined
  return system === undefined ? undefined : { effect: 'ask', harm: `changes ${system.what}` }
}

/** The danger of code that a framework runs with the application's models. */
function dangerByModels(call: Call): CodeDanger | undefined {
  const code = frameworkCode(call)?.slice(0, charactersReadMax)
  if (code === undefined) return undefined
  const sql = sqlInTexts(code)
  if (sql !== undefined) return sql
  const bare = withoutTexts(code)
  if (promoting.test(bare)) return { effect: 'ask', harm: grants }
  if (/stripe|braintree|paypal|adyen/i.test(bare) && paying.test(bare)) return { effect: 'ask', harm: pays }
  const effect = destroysByModels(bare)
  return effect === undefined ? undefined : { effect, harm: "deletes data through the application's models" }
}

const grants = 'gives somebody rights, or opens something to all'
const pays = 'moves money'
const words = {
  harm: 'deletes data of a server, a database or a provider',
  instead: 'first write code that only reads, and show what it finds, or have the person run it',
}

const answerOf = (danger: CodeDanger, call: Call, given: Parameters<typeof answerTo>[2]): PolicyAnswer =>
  'what' in danger
    ? answerTo({ effect: danger.effect, words: `… ${danger.what}` }, call, given, words)
    : answerTo({ effect: danger.effect, words: '…' }, call, given, { ...words, harm: danger.harm })

export default definePolicy({
  id: 'inline-code',
  severity: 'high',
  description: 'Keeps code on the command line from deleting through databases, requests and provider libraries',
  on: 'PreToolUse',
  tool: 'shell',
  interest: { words: frameworks, code: true },
  params: { ...params, allowLocal, testDatabases },
  decide({ shell, params: given }) {
    const answers: PolicyAnswer[] = []
    for (const call of callsIn(shell)) {
      const { code } = call.command
      const byModels = dangerByModels(call)
      if (byModels !== undefined && !isAllowed(call, given.allowed) && !isForTests(call, given.testDatabases))
        answers.push(answerOf(byModels, call, given))
      if (code?.text === undefined || code.language === 'shell' || code.language === 'sql' || code.language === 'awk')
        continue
      const isCut = code.text.length > charactersReadMax
      const found = dangerIn(code.text.slice(0, charactersReadMax), given.allowLocal)
      const danger =
        found ?? (isCut ? { effect: 'ask' as const, harm: 'runs more code than can be read here' } : undefined)
      if (danger === undefined || isAllowed(call, given.allowed)) continue
      answers.push(answerOf(danger, call, given))
    }
    return strictest(answers)
  },
  examples: [
    denies(`python -c "import boto3; boto3.client('s3').delete_bucket(Bucket='logs')"`),
    denies(`python3 -c "import requests; requests.delete('https://api.example.com/users/7')"`),
    denies(
      `node -e "require('stripe')('k').customers.del('c'); fetch('https://api.example.com/a', { method: 'DELETE' })"`,
    ),
    denies(`python -c "import psycopg2; psycopg2.connect('').cursor().execute('DROP TABLE users')"`),
    denies(`python -c "import redis; redis.Redis().flushall()"`),
    denies(`ruby -e "require 'braintree'; Braintree::Customer.delete('a')"`),
    denies("rails runner 'User.delete_all'"),
    denies('bundle exec rails r \'ActiveRecord::Base.connection.execute("DROP TABLE users")\''),
    denies("python manage.py shell -c 'from shop.models import Order; Order.objects.all().delete()'"),
    denies("echo 'db.drop_all()' | flask shell"),
    denies("php artisan tinker --execute='User::truncate();'"),
    denies("mix run -e 'Repo.delete_all(User)'"),
    asks("rails runner 'User.where(old: true).destroy_all'"),
    asks("./manage.py shell -c 'Order.objects.filter(old=True).delete()'"),
    asks(`python3 -c "import requests; requests.patch('https://app.launchdarkly.com/api/v2/flags/a', json={})"`),
    asks(`node -e "fetch('https://api.pagerduty.com/incidents', { method: 'PUT', body: b })"`),
    abstains(`python3 -c "import requests; requests.get('https://api.stripe.com/v1/charges')"`),
    abstains(`node -e "fetch('http://localhost:3000/flags', { method: 'PUT', body: b })"`),
    abstains("rails runner 'puts User.count'"),
    abstains('rails runner scripts/delete_all.rb'),
    abstains("python manage.py shell -c 'print(Order.objects.count())'"),
    abstains('a database for tests', "RAILS_ENV=test rails runner 'User.delete_all'", {
      params: { testDatabases: ['test'] },
    }),
    asks(`python3 -c "import requests; requests.delete('http://localhost:3000/users/7')"`),
    abstains(`python -c "import boto3; print(boto3.client('s3').list_buckets())"`),
    abstains(`python3 -c "import requests; print(requests.get('https://api.example.com/delete'))"`),
    abstains(`python -c "print('DROP TABLE users')"`),
    abstains(`python -c "print('requests.delete(a)')"`),
    abstains('SQL that a client’s namesake parses', `node -e "require('pg-query').parse('DELETE FROM a')"`),
    abstains('SQL that is only parsed', `python -c "import sqlparse; sqlparse.parse('DROP TABLE users')"`),
    abstains(`node -e "new Map().delete('a')"`),
    abstains(`python -c "import sqlite3; sqlite3.connect(':memory:').execute('DROP TABLE a')"`),
    abstains(`node -e "console.log('DELETE FROM users')"`),
    allowed(`python -c "import boto3; boto3.client('s3').delete_bucket(Bucket='logs')"`, 'python'),
    answered(`python -c "import boto3; boto3.client('s3').delete_bucket(Bucket='logs')"`, 'ask'),
  ],
})
