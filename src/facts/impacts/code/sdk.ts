import type { ImpactArea } from '../../../model/impact.ts'
import type { ShellWord } from '../../../model/shell.ts'
import type { Call } from '../../../words/calls.ts'

/** Client libraries of outside services, by the area of these: with one of them, a method that deletes really does. */
const libraries: readonly (readonly [ImpactArea, string])[] = [
  ['aws', 'boto3|botocore|aws-sdk|@aws-sdk'],
  ['google-cloud', 'google\\.cloud|googleapiclient|@google-cloud'],
  ['azure', 'azure|msrest'],
  ['kubernetes', 'kubernetes'],
  ['containers', 'docker|dockerode'],
  ['cloud-providers', 'digitalocean|hcloud|openstack'],
  ['infrastructure-as-code', 'pulumi'],
  [
    'accounts-and-payments',
    'stripe|braintree|square|paypal\\w*|shopify\\w*|auth0|okta|launchdarkly\\w*|mailgun\\w*|postmark\\w*|mailchimp\\w*|twilio|sendgrid|discord|slack_sdk|@slack',
  ],
  [
    'data-platforms',
    'algoliasearch|meilisearch|elasticsearch|opensearch\\w*|typesense|qdrant\\w*|pinecone|weaviate|chromadb|pymilvus|lancedb|arango|firebase\\w*|firebase-admin|supabase',
  ],
  ['key-value-and-documents', 'pymongo|mongodb|mongoose|redis|ioredis|cassandra|couchdb|etcd3'],
  ['sql', 'prisma|@prisma|sequelize|typeorm'],
  ['messaging', 'kafka\\w*|confluent_kafka|pika|amqplib|nats'],
  ['secret-stores', 'hvac'],
  ['releases', 'consul'],
  ['monitoring', 'datadog\\w*'],
  ['code-hosting', 'github|octokit|gitlab'],
  ['ci-cd', 'jenkins\\w*'],
  ['dns-and-cdn', 'cloudflare'],
]
const byArea = libraries.map(([area, names]) => [area, new RegExp(`\\b(?:${names})\\b`, 'i')] as const)

/** Returns the area of the client library that code uses. */
export const libraryArea = (code: string): ImpactArea | undefined => byArea.find(([, names]) => names.test(code))?.[0]

/** Methods that take something away. */
export const takingAway =
  /\.\s*(?:delete|destroy|remove|terminate|purge|drop|deregister|revoke|truncate|wipe|flush(?:all|db)?)(?:_\w+|[A-Z]\w*)?\s*\(|\bnew\s+(?:Delete|Terminate|Purge|Remove|Deregister)\w+Command\s*\(|::(?:delete|destroy|cancel)\w*\s*\(/

/** Methods that empty a whole store, of whatever library. */
export const emptying =
  /\.\s*(?:drop_database|dropDatabase|drop_all|flushall|flushdb|flushAll|flushDb|drop_collection|dropCollection|delete_index|deleteIndex)\s*\(/

/** Methods that give rights to somebody, or open something to all. */
export const granting =
  /(?:\.|->|::)\s*(?:attach_(?:user|role|group)_policy|put_(?:user|role|group|bucket)_policy|put_(?:bucket|object)_acl|create_(?:access|service_account)_key|add_user_to_group|set_iam_policy|add_iam_policy_binding|add_?collaborator|set_?custom_?user_?claims|make_?public|add_permission|add_to_collaborators|add_?or_?update_?membership\w*|create_?cluster_?role_?binding)\s*\(|\bnew\s+(?:(?:Attach|Put)(?:User|Role|Group)Policy|PutBucket(?:Policy|Acl)|PutObjectAcl|CreateAccessKey|AddUserToGroup|AddPermission)Command\s*\(/i

/** Services that move money, and the methods by which they do. */
export const payers = /stripe|braintree|paypal|adyen|square|mollie/i
export const paying =
  /\b(?:refunds?|charges?|transfers?|payouts?|payment_?intents?)\s*(?:\.|::|->)\s*(?:create|capture|confirm)\w*\s*\(|\binvoices?\s*(?:\.|::|->)\s*pay\s*\(/i

/** Statements on an application's own models that make somebody an administrator. */
export const promoting =
  /\b(?:update|create|insert|save)\w*!?\s*\([^)\n]*\b(?:is_?superuser|is_?staff|is_?admin|admin|superuser)['"]?\s*(?:=>?|:)\s*(?:true|1)\b|\.(?:is_?superuser|is_?staff|is_?admin|admin)\s*=\s*true\b|\bassignRole\s*\(|\badd_role\b|\bcreate_superuser\s*\(/i

/** Requests that delete: `requests.delete(…)`, `fetch(…, { method: 'DELETE' })`. */
export const deletingRequest =
  /\b(?:requests|httpx|axios|got|superagent|ky|session|client|http|needle|urllib3|aiohttp|HTTParty|Faraday|RestClient|conn|agent)\s*\.\s*(?:delete|del)\s*\(|\bmethod\s*[:=]\s*["'`]DELETE["'`]|\brequest\s*\(\s*["'`]DELETE["'`]|Net::HTTP::Delete|CURLOPT_CUSTOMREQUEST\W+DELETE|HTTP::Tiny[\s\S]*->\s*delete\s*\(|\b(?:invoke-restmethod|irm|invoke-webrequest|iwr)\b[^|;\n]{0,400}\s-m(?:eth?o?d?)?[\s:]{1,9}delete\b/i

/** Requests that change something: `requests.patch(…)`, `fetch(…, { method: 'PUT' })`. */
export const changingRequest =
  /\b(?:requests|httpx|axios|got|superagent|ky|session|client|http|needle|aiohttp|HTTParty|Faraday|RestClient|conn)\s*\.\s*(?:post|put|patch)\s*\(|\bmethod\s*[:=]\s*["'`](?:POST|PUT|PATCH)["'`]|\brequest\s*\(\s*["'`](?:POST|PUT|PATCH)["'`]|Net::HTTP::(?:Post|Put|Patch)\b|\b(?:invoke-restmethod|irm|invoke-webrequest|iwr)\b[^|;\n]{0,400}\s-m(?:eth?o?d?)?[\s:]{1,9}(?:post|put|patch)\b/i

/** Code that sends mail, and the servers of this machine that only catch it. */
export const mailing =
  /\bsmtplib\b[^]{0,4000}?\.(?:send_message|sendmail)\(|\bsendMail\(|\bNet::SMTP\b[^]{0,2000}?\b(?:send_?(?:message|mail)|sendmail)\b|\bMIME::Lite\b|\bPHPMailer\b[^]{0,2000}?->send\(/i
/** Client libraries that send messages, the methods by which they do, and whether it is a chat. */
const messengers: readonly (readonly [library: RegExp, method: RegExp, chat?: true])[] = [
  [/twilio/i, /\b(?:messages|calls)\s*\.\s*create\s*\(/],
  [/boto3|aws-sdk/i, /\.\s*send_(?:\w+_)?email\s*\(|\bnew\s+Send\w*EmailCommand\s*\(|\.\s*sendEmail\s*\(/],
  [/sendgrid|@sendgrid|resend|mailgun|postmark|mailersend|brevo/i, /\.\s*send\w*\s*\(|\bmessages\s*\.\s*create\s*\(/],
  [/slack/i, /\bchat_?\.?\s*[pP]ost_?(?:[mM]essage|[eE]phemeral)\s*\(|\bwebhook\s*\.\s*send\s*\(/, true],
  [/discord|telegram|telebot/i, /\.\s*send(?:_?[mM]essage)?\s*\(/, true],
]

/** Returns what code sends by a client library: a message, or one in a chat. */
export function sentByLibrary(code: string): 'message' | 'chat message' | undefined {
  const found = messengers.find(([library, method]) => library.test(code) && method.test(code))
  if (found === undefined) return undefined
  return found[2] === true ? 'chat message' : 'message'
}
export const catchingMail = /['"](?:smtps?:\/\/)?(?:localhost|127\.0\.0\.1|mailhog|mailpit|mailcatcher)\b/i

/** A command of a framework that runs code with the application, and so with its database. */
interface Runner {
  /** The words that stand first, one of several each. */
  readonly words: readonly RegExp[]
  /** Options whose value is code. */
  readonly options?: RegExp
  /** The words behind are code, or a file's name. */
  readonly operand?: true
  /** Without code it reads its stdin. */
  readonly stdin?: true
}

const django: Runner = { words: [/^shell(?:_plus)?$/], options: /^(?:-c|--command)$/, stdin: true }
const rails: readonly Runner[] = [
  { words: [/^r(?:unner)?$/], operand: true },
  { words: [/^c(?:onsole)?$/], stdin: true },
]

const runners: Readonly<Record<string, readonly Runner[]>> = {
  rails,
  'gitlab-rails': rails,
  manage: [django],
  'django-admin': [django],
  python: [{ ...django, words: [/^(?:.*\/)?manage\.py$/, ...django.words] }],
  flask: [{ words: [/^shell$/], stdin: true }],
  artisan: [{ words: [/^tinker$/], options: /^--execute$/, stdin: true }],
  php: [{ words: [/^(?:.*\/)?artisan$/, /^tinker$/], options: /^--execute$/, stdin: true }],
  mix: [{ words: [/^run$/], options: /^(?:-e|--eval)$/ }],
  iex: [{ words: [], options: /^(?:-e|--eval)$/, stdin: true }],
  wp: [
    { words: [/^eval$/], operand: true },
    { words: [/^shell$/], stdin: true },
  ],
  drush: [{ words: [/^(?:php:eval|php-eval|ev|eval)$/], operand: true }],
}

/** Returns the code that a command hands to a framework; `undefined` if it hands none. */
export function frameworkCode({ program, args, command }: Call): string | undefined {
  for (const { words, options, operand, stdin } of Object.hasOwn(runners, program) ? (runners[program] ?? []) : []) {
    const behind = behindWords(args, words)
    if (behind === undefined) continue
    const code = behind.flatMap(({ value }, at) => {
      const equals = value.indexOf('=')
      if (options?.test(behind[at - 1]?.value ?? '') === true) return [value]
      if (value.startsWith('--') && equals > 0 && options?.test(value.slice(0, equals)) === true)
        return [value.slice(equals + 1)]
      return operand === true && !value.startsWith('-') ? [value] : []
    })
    if (code.length > 0) return code.join('\n')
    if (stdin === true && command.stdin !== undefined) return command.stdin.value
  }
  return undefined
}

/** Returns the arguments behind words that stand in this order, options between. */
function behindWords(args: readonly ShellWord[], words: readonly RegExp[]): readonly ShellWord[] | undefined {
  let wanted = 0
  for (const [at, { value }] of args.entries()) {
    const word = words[wanted]
    if (word === undefined) return args.slice(at)
    if (word.test(value)) wanted++
    else if (!value.startsWith('-') && wanted > 0) return undefined
  }
  return wanted === words.length ? [] : undefined
}

/** Calls that empty a table, or drop it. */
const whole =
  /\b[A-Z]\w*(?:::[A-Z]\w*)*(?:\.(?:all|unscoped))?\.(?:delete_all|destroy_all)\b|\.objects(?:\.all\(\))?\.delete\(|\bRepo\.delete_all\(\s*[A-Z][\w.]*\s*\)|(?:::|->|\.)truncate\(|\b(?:drop_all|drop_table|drop_database|dropDatabase|delete_all_tables|truncate_tables|dropIfExists|dropAllTables)\b|::query\(\)\s*->\s*delete\(|\bdeleteMany\(\s*(?:\{\s*\})?\s*\)/
/** Calls that take some of it away. */
const some =
  /(?:\.|->|::)(?:delete|destroy|delete_all|destroy_all|forceDelete|deleteMany|purge|deleteOrFail|delete_by|destroy_by)(?:!|\(|\b)|\bRepo\.delete/

/** Returns what code deletes through an application's models: whole tables, or rows. */
export function deletedByModels(code: string): 'table' | 'row' | undefined {
  if (whole.test(code)) return 'table'
  return some.test(code) ? 'row' : undefined
}
