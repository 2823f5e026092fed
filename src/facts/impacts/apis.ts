import { thingNamed } from './naming.ts'
import type { Impact, ImpactArea, ImpactThing } from '../../model/impact.ts'
import { hostOf, isLoopback, type Request } from '../../words/request.ts'
import { namesTrial } from '../../words/names.ts'

/** The effect of a request on a server. */
export type RequestEffect = Pick<Impact, 'kind' | 'thing' | 'area' | 'undo' | 'object' | 'instead'>

/** Requests of one kind, by address, method and body. A missing field matches anything. */
interface Api {
  /** Default: every method that changes something. */
  readonly method?: RegExp
  readonly host?: RegExp
  /** Of the address: its path, or its query. */
  readonly path?: RegExp
  readonly body?: RegExp
  /** Of one of the headers. */
  readonly header?: RegExp
  /** It is none of these with a body like this. */
  readonly unless?: RegExp
  readonly does: RequestEffect
}

/** The effect of `DELETE`, and of other deleting requests of which no more is known. */
export const deletes: RequestEffect = { kind: 'delete', thing: 'data', area: 'http-requests', undo: 'never' }

const gone = (area: ImpactArea, object: string, more: Partial<RequestEffect> = {}): RequestEffect => ({
  ...deletes,
  area,
  object,
  ...more,
})
const stops: RequestEffect = {
  kind: 'stop',
  thing: 'infrastructure',
  area: 'http-requests',
  object: 'service',
  undo: 'never',
}

/** Requests that take something away, besides `DELETE`: of search engines, time series, queues, CI servers, storage. */
const takingAway: readonly Api[] = [
  { method: /^(?:PURGE|BAN)$/, does: gone('dns-and-cdn', 'cached page', { thing: 'network', undo: 'work' }) },
  { path: /\/_delete_by_query\b/, does: gone('data-platforms', 'documents') },
  { path: /\/alter(?:[/?]|$)/, body: /"?drop_(?:all|op|attr)"?\s*:/, does: gone('data-platforms', 'predicate at') },
  {
    path: /\/admin\/tsdb\/(?:delete_series|clean_tombstones)\b/,
    does: gone('monitoring', 'series', { thing: 'record' }),
  },
  {
    path: /\/(?:doDelete|doWipeOutWorkspace|doDeleteAll|doKill|doDisable|quietDown|safeExit|exit|kill)(?:[/?]|$)/,
    does: gone('ci-cd', 'job', { thing: 'pipeline' }),
  },
  {
    path: /\/(?:computer\/[^/?]+\/)?scriptText(?:[/?]|$)/,
    does: { kind: 'run', thing: 'code', area: 'ci-cd', object: 'script on the build server', undo: 'never' },
  },
  { path: /\/1\/indexes\/[^/?]+\/(?:clear|deleteByQuery|delete)\b/, does: gone('data-platforms', 'index') },
  { path: /\/indexes\/[^/?]+\/documents\/delete(?:-batch)?\b/, does: gone('data-platforms', 'documents') },
  {
    path: /\/collections\/[^/?]+\/points\/(?:delete|payload\/(?:delete|clear))\b/,
    does: gone('data-platforms', 'point'),
  },
  {
    path: /\/(?:containers|images|volumes|networks|build|system)\/prune\b/,
    does: gone('containers', 'the unused containers, images or volumes'),
  },
  {
    path: /\/containers\/[^/?]+\/(?:kill|stop)\b/,
    does: { ...stops, area: 'containers', thing: 'container', object: 'container' },
  },
  { path: /\/api\/v2\/delete\b/, does: gone('data-platforms', 'series') },
  { path: /\/_(?:close|purge|shutdown|flushdb|flushall)(?:[/?]|$)/, does: gone('data-platforms', 'index') },
  {
    path: /\/(?:deleteAll|delete_all|delete-all|bulk[-_]?delete|batch[-_]?delete|purge_everything|purge_cache|purge_queue|hard_?delete|destroy_all|truncate)\b/i,
    does: deletes,
  },
  { path: /\/(?:flush|flushall|flushdb|flush_all)(?:[?]|$)/i, does: deletes },
  // The procedure of a service, by gRPC or over HTTP: `shop.Users/DeleteUser`.
  {
    path: /\/(?:\w+\.)+[a-z]\w*[/.](?:batch|bulk|force|hard)?(?:delete|remove|destroy|purge|drop|wipe|erase|truncate|terminate)(?!d$|s$)\w*$/i,
    does: deletes,
  },
  { path: /[?&](?:_method|method|action|cmd)=(?:delete|unload|deleteindex|remove|destroy)/i, does: deletes },
  {
    path: /\/v1\/(?:agent\/(?:leave|force-leave|service\/deregister)|catalog\/deregister|sys\/(?:seal|step-down))\b/,
    does: stops,
  },
  {
    path: /\/v1\/sys\/(?:revoke|revoke-prefix|revoke-force)\b/,
    does: { kind: 'revoke', thing: 'secret', area: 'secret-stores', object: 'lease', undo: 'never' },
  },
  { path: /\/v3\/kv\/deleterange\b/, does: gone('database-servers', 'key') },
  { path: /\/(?:terminate|shutdown|deactivate|destroy)(?:[?]|$)/i, does: stops },
  { path: /[?&]Action=(?:Delete|Terminate|Purge|Remove|Deregister|Revoke)\w*/, does: { ...deletes, area: 'aws' } },
  { body: /<delete>\s*(?:<query>|<id>)/i, does: gone('data-platforms', 'documents') },
  { body: /"delete"\s*:\s*\{\s*"(?:query|id)"/, does: gone('data-platforms', 'documents') },
  { body: /"(?:action|_method|method|op)"\s*:\s*"(?:delete|destroy|remove|purge|terminate)"/i, does: deletes },
  { body: /"purge_everything"\s*:\s*true/, does: gone('dns-and-cdn', 'every page that is cached') },
  { body: /(?:^|[&\n])_method=delete\b/i, does: deletes },
  {
    body: /(?:^|[&\n])Action=(?:Delete|Terminate|Purge|Remove|Deregister|Revoke)\w*/,
    does: { ...deletes, area: 'aws' },
  },
]

/** Addresses by which even a `GET` deletes. */
const deletingGet: Api = {
  method: /^(?:GET|HEAD|OPTIONS)$/,
  path: /[?&](?:_method=delete|Action=(?:Delete|Terminate)\w*)/i,
  does: deletes,
}

const pays: RequestEffect = {
  kind: 'pay',
  thing: 'money',
  area: 'accounts-and-payments',
  object: 'money',
  undo: 'work',
}
const merges: RequestEffect = {
  kind: 'merge',
  thing: 'repository',
  area: 'code-hosting',
  object: 'request at',
  undo: 'work',
}
const approves: RequestEffect = {
  kind: 'weaken',
  thing: 'guard',
  area: 'code-hosting',
  object: 'request at',
  undo: 'work',
}
const graph = /\bgraphql\b/i

/** Requests that do something to others, on the hosts of others. */
const acting: readonly Api[] = [
  {
    host: /(?:^|\.)(?:stripe|paypal|adyen|squareup|mollie|wise|transferwise|razorpay|checkout|gocardless|braintreegateway|coinbase|plaid|paddle|chargebee)\.(?:com|io|net)$/,
    path: /\/(?:refunds?|payouts?|transfers?|topups|charges|withdrawals?|disbursements?|payments|payment_intents|captures)(?:[/?]|$)|\/(?:subscriptions|orders|invoices)\/[^/?]+\/(?:refund|pay)\b/i,
    does: pays,
  },
  { path: /\/(?:payouts|refunds?)(?:\?|$)|\/refund(?:\?|$)/i, does: pays },
  // Registries of everybody's packages, past the package managers.
  {
    method: /^PUT$/,
    host: /^(?:registry\.(?:npmjs\.org|yarnpkg\.com)|npm\.pkg\.github\.com|upload\.pypi\.org|crates\.io|rubygems\.org)$/,
    does: { kind: 'publish', thing: 'package', area: 'packages', object: 'package', undo: 'never' },
  },
  // GitLab, GitHub, CircleCI, Bitbucket
  {
    path: /\/api\/v4\/(?:(?:projects|groups)\/[^/?]+|admin\/ci)\/variables\b|\/actions\/(?:organization-)?(?:secrets|variables)\b|\/dependabot\/secrets\b|\/project\/[^?]+\/envvar\b|\/context\/[^/?]+\/environment-variable\b|\/pipelines_config\/variables\b/i,
    does: {
      kind: 'change',
      thing: 'variable',
      area: 'ci-cd',
      object: 'what all pipelines get',
      undo: 'work',
    },
  },
  // GitHub, GitLab, Gitea, Bitbucket; Azure says it in the body.
  {
    path: /\/(?:merge_requests|pulls|pullrequests)\/[^/?]+\/(?:merge|approve)\b|\/repos\/[^/?]+\/[^/?]+\/merges(?:[?]|$)/i,
    does: merges,
  },
  { path: /\/pulls\/[^/?]+\/reviews\b/i, body: /\bevent["']?\s*[:=]\s*["']?APPROVE/i, does: approves },
  { path: /\/actions\/runs\/[^/?]+\/approve\b/i, does: approves },
  { path: /\/pending_deployments\b/i, body: /\bstate["']?\s*[:=]\s*["']?approved/i, does: approves },
  { path: /\/pullrequests\/[^/?]+(?:[?]|$)/i, body: /"status"\s*:\s*"completed"/, does: merges },
  {
    path: /\/(?:repos\/[^/?]+\/[^/?]+|projects\/[^/?]+)\/releases(?:\?|$)/i,
    unless: /"?draft"?\s*[:=]\s*true/,
    does: { kind: 'publish', thing: 'package', area: 'code-hosting', object: 'release', undo: 'work' },
  },
]

/** Services that carry messages to people, and the paths by which they do. */
const sending: Api = {
  method: /^(?!(?:GET|HEAD|OPTIONS|DELETE)$)/,
  host: /^(?:api\.sendgrid\.com|api(?:\.eu)?\.mailgun\.net|api\.postmarkapp\.com|api\.twilio\.com|api\.resend\.com|api\.brevo\.com|api\.mailersend\.com|\w+\.api\.mailchimp\.com|mandrillapp\.com|fcm\.googleapis\.com|api\.pushover\.net|onesignal\.com|api\.onesignal\.com|rest\.nexmo\.com|graph\.facebook\.com|api\.(?:x|twitter)\.com|api\.linkedin\.com|gmail\.googleapis\.com|api\.telnyx\.com|api\.vonage\.com)$/,
  path: /^(?:\w+:\/\/)?[^/]*\/.*(?:send|messages|emails?(?:\/|$)|broadcasts?|campaigns|tweets|statuses|ugcposts|notifications|calls)/i,
  does: { kind: 'send', thing: 'message', area: 'outgoing-messages', undo: 'work' },
}

/** Chats of a team, or of a person's friends: what is posted there can be taken back. */
const posting: Api = {
  host: /^(?:hooks\.slack\.com|(?:www\.)?slack\.com|(?:canary\.|ptb\.)?discord(?:app)?\.com|api\.telegram\.org|[\w-]+\.webhook\.office\.com|chat\.googleapis\.com|ntfy\.sh)$/,
  path: /^(?:\w+:\/\/)?(?:hooks\.slack\.com\/(?:services|workflows|triggers)\/|(?:www\.)?slack\.com\/api\/(?:chat\.(?:post|schedule|me)|files\.)|[^/]*discord(?:app)?\.com\/api\/(?:v\d+\/)?(?:webhooks|channels\/\d+\/messages)|api\.telegram\.org\/bot[^/]+\/send|[^/]*\.webhook\.office\.com\/|chat\.googleapis\.com\/v1\/spaces\/[^/]+\/messages|ntfy\.sh\/[\w-]+)/i,
  does: { ...sending.does, object: 'chat message', undo: 'easily' },
}

const shown = (area: ImpactArea, object: string): RequestEffect => ({
  kind: 'show',
  thing: 'secret',
  area,
  object,
  undo: 'work',
})

/** Requests that are answered with a secret, by whoever keeps it. */
const showing: readonly Api[] = [
  // GitHub's and GitLab's have names alone.
  {
    method: /^GET$/,
    path: /\/v1\/(?!sys\/)[^?]{1,200}\/data\/[^/?]|\/v1\/(?:secret|kv|cubbyhole)\/(?!metadata\/)[^/?]/,
    does: shown('secret-stores', 'Vault secret'),
  },
  { method: /^GET$/, path: /\/v1\/vaults\/[^/?]+\/items\/[^/?]/, does: shown('secret-stores', '1Password secret') },
  {
    method: /^GET$/,
    host: /(?:^|\.)doppler\.com$/,
    path: /\/configs\/config\/secret/,
    does: shown('secret-stores', 'Doppler secrets'),
  },
  {
    method: /^GET$/,
    path: /\/api\/v[34]\/secrets\/(?:raw\/)?[^/?]/,
    does: shown('secret-stores', 'Infisical secrets'),
  },
  {
    method: /^POST$/,
    host: /^secretsmanager[.-]/,
    header: /x-amz-target:\s*secretsmanager\.(?:batch)?getsecretvalue/i,
    does: shown('aws', 'AWS secret'),
  },
  {
    method: /^(?:GET|POST)$/,
    host: /^ssm[.-]/,
    header: /x-amz-target:\s*amazonssm\.getparameter/i,
    body: /"WithDecryption"\s*:\s*true/i,
    does: shown('aws', 'AWS secret'),
  },
  {
    method: /^GET$/,
    path: /\/secrets\/[^/?]+\/versions\/[^/?]+:access\b/,
    does: shown('google-cloud', 'Google Cloud secret'),
  },
  { method: /^GET$/, host: /\.vault\.azure\.net$/, path: /\/secrets\/[^/?]/, does: shown('azure', 'Azure secret') },
  {
    method: /^GET$/,
    path: /\/api\/v1\/(?:namespaces\/[^/?]+\/)?secrets(?:[/?]|$)/,
    does: shown('kubernetes', 'Kubernetes secret'),
  },
  {
    method: /^GET$/,
    host: /^api\.heroku\.com$/,
    path: /\/config-vars(?:[?]|$)/,
    does: shown('hosting', 'the variables of an app'),
  },
]

/** Returns what an address names, by one of its last two words: a backup for `/v1/backups/9`. Default: data. */
export function thingAt(urls: readonly string[]): ImpactThing {
  for (const url of urls) {
    const words = (url.split(/[?#]/, 1)[0] ?? '').replace(/^\w+:\/\/[^/]*/, '').split('/')
    const named = words.slice(-2).toReversed().map(thingOfWord)
    const thing = named.find((one) => one !== undefined)
    if (thing !== undefined) return thing
  }
  return 'data'
}

/** Longer words of a path are names, in UTF-16 units. */
const thingWordMax = 40
const thingOfWord = (word: string): ImpactThing | undefined =>
  word.length > thingWordMax ? undefined : thingNamed(word.replaceAll(/[_-]/g, ' '))

const onlyReads = /^(?:GET|HEAD|OPTIONS)$/

/** True if a request is one of a kind, at one of these addresses. */
function isOf({ method, body, headers = [] }: Request, api: Api, urls: readonly string[]): boolean {
  const isMethod = api.method === undefined ? !onlyReads.test(method) : api.method.test(method)
  if (!isMethod || api.body?.test(body) === false || api.unless?.test(body) === true) return false
  if (api.header !== undefined && !headers.some((one) => api.header?.test(one))) return false
  if (api.host === undefined && api.path === undefined) return true
  return urls.some((url) => api.path?.test(url) !== false && api.host?.test(hostOf(url)) !== false)
}

/** Returns what a request takes away by its path or its body. */
export const takenAway = (request: Request): RequestEffect | undefined =>
  [deletingGet, ...takingAway].find((api) => isOf(request, api, request.urls))?.does

/** Returns what a request does to others: what it pays, merges, releases, sends or shows, or gives to pipelines. */
export function actsOf(request: Request): readonly RequestEffect[] {
  const seen = showing.find((api) => isOf(request, api, request.urls))?.does
  if (seen !== undefined) return [seen]
  if (onlyReads.test(request.method)) return []
  const others = request.urls.filter((url) => !isLoopback(url))
  const isMerge = request.urls.some((url) => graph.test(url)) && mergedByGraph(request.body) !== undefined
  const acted = isMerge ? { ...merges, object: 'pull request' } : acting.find((api) => isOf(request, api, others))?.does
  const sent = [sending, posting].find((api) => isOf(request, api, request.urls))?.does
  return [acted, sent].filter((one) => one !== undefined)
}

/** Ends of paths to which a search, a measure or an event is posted. */
const reads =
  /\/(?:search|query|queries|graphql|list|lookup|validate|preview|events?|track|identify|metrics|series|logs|input|intake|evaluate|tokens?|introspect|annotations)\/?$/i

/**
 * Returns the system at which one of several addresses is, unless what is sent there is for a try, or changes nothing.
 *
 * @param method `POST` at a list makes something anew, which counts where others get or pay it at once
 */
export function systemAt(urls: readonly string[], method: string): OutsideSystem | undefined {
  for (const url of urls) {
    const path = url.split(/[?#]/, 1)[0] ?? ''
    if (namesTrial(url) || reads.test(path)) continue
    const labels = hostOf(url).split('.').slice(0, -1)
    const found = outsideSystems.find(({ names }) => labels.some((label) => names.split(' ').includes(label)))
    if (found === undefined) continue
    const list = method === 'POST' ? /\/([a-z_-]+)s\/?$/i.exec(path)?.[1] : undefined
    if (list === undefined || found.made.split(' ').includes(list.toLowerCase())) return found
  }
  return undefined
}

/** True for a key of an account for tries, or the variable with it. */
export const namesTestKey = (text: string): boolean =>
  /\b[sr]k_test_|_(?:TEST|SANDBOX|STAGING)(?:_|\b)|\b(?:TEST|SANDBOX|STAGING)_/.test(text)

/** A field of a mutation that is called with arguments: `deleteUser(`. */
const called = /(?<!\w)\w{1,120}\s*\(/g

/**
 * Returns the fields of a GraphQL mutation that are called; none of a query. Names in a selection (`deletedAt`) and names
 * of operations are none.
 */
function fieldsOf(text: string): readonly string[] {
  if (!/\bmutation\b/.test(text)) return []
  // In JSON, a new line is written `\n`.
  const plain = text.replaceAll(String.raw`\n`, '  ')
  return [...plain.matchAll(called)].flatMap(({ 0: field, index }) =>
    /[{}\s,):]/.test(plain.charAt(index - 1)) ? field.slice(0, -1).trim() : [],
  )
}

const deletingFirst =
  /^(?:delete|remove(?!Labels|Assignees|Reaction|Star|Upvote)|destroy|purge|wipe|drop|terminate|revoke|truncate)(?!d(?:[A-Z_]|\b)|s\b)/
const deletingLast = /\w(?:Delete|_delete|Destroy|Remove|Purge)(?:_|[A-Z]|$)/
const merging =
  /^(?:merge(?!Request)[A-Z]|mergeRequest(?:Accept|Merge|SetAutoMerge)|enable\w*AutoMerge$|enqueuePullRequest$)/

/** Returns the field of a GraphQL mutation that deletes something: `deleteUser` of `mutation { deleteUser(id: 1) { id } }`. */
export const deletedByGraph = (text: string): string | undefined =>
  fieldsOf(text).find((field) => deletingFirst.test(field) || deletingLast.test(field))

/** Returns the field of a GraphQL mutation that merges a change, or has it merged as soon as its checks allow. */
const mergedByGraph = (text: string): string | undefined => fieldsOf(text).find((field) => merging.test(field))

/** Systems in which others live or work. */
interface OutsideSystem {
  /** The thing that a request changes, in words. */
  readonly object: string
  readonly thing: ImpactThing
  /** The consequence of a change, in words. */
  readonly consequence: string
  readonly area: ImpactArea
  /** Labels of their hosts, and words of the names of MCP servers, separated by blanks. */
  readonly names: string
  /** Things that count for others at once when they are made anew. */
  readonly made: string
}

export const outsideSystems: readonly OutsideSystem[] = [
  {
    object: 'what customers pay',
    thing: 'money',
    consequence: 'which decides what customers pay',
    area: 'accounts-and-payments',
    names:
      'stripe paypal square squareup adyen braintree mollie paddle chargebee recurly quickbooks xero shopify myshopify woocommerce magento bigcommerce lemonsqueezy wise mercury ramp brex razorpay plaid',
    made: 'price coupon discount promotion invoice subscription payout link refund order',
  },
  {
    object: 'what colleagues use',
    thing: 'account',
    consequence: 'on which colleagues rely',
    area: 'accounts-and-payments',
    names:
      'pagerduty opsgenie victorops okta auth0 entra onelogin workday bamboohr personio gusto rippling deel keycloak',
    made: 'override user rule policy role',
  },
  {
    object: 'what customers see',
    thing: 'message',
    consequence: 'which customers see',
    area: 'outgoing-messages',
    names:
      'hubspot hubapi salesforce intercom zendesk freshdesk mailchimp sendgrid klaviyo customerio braze twilio postmark resend mailgun',
    made: 'campaign broadcast message email call sms',
  },
  {
    object: 'what others use',
    thing: 'infrastructure',
    consequence: 'on which others rely',
    area: 'monitoring',
    names:
      'datadog datadoghq newrelic grafana honeycomb cloudflare fastly akamai route53 launchdarkly statsig statsigapi configcat unleash flagsmith argocd heroku consul nomad vault homeassistant hass home',
    made: 'downtime silence override',
  },
]

/** Names of fields that say who gets a message. */
const receiving =
  'to|cc|bcc|recipients?|to_?(?:emails?|address(?:es)?)|channel|channel_?id|phone|phone_?number|chat_?id|user_?id'

const receivingField = new RegExp(`^(?:${receiving})$`, 'i')

/** True for the name of a field that says who gets a message. */
export const namesReceiver = (field: string): boolean => receivingField.test(field)

const addresses = /(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g
/** Matches fields with a receiver: `"channel": "C1"`, `chat_id=42`, `channel='#ops'`. */
const fields = new RegExp(`(?<![\\w-])(?:${receiving})["']?\\s*[:=]\\s*["']?([#@+\\w][\\w.@+#-]{0,80})`, 'gi')
/** Matches the end of the text before a sender's address, which is no receiver. */
const sender = /\b(?:(?:from|sender|source|reply_?to)\w*\W{0,6}(?:\w*email\W{0,6})?|sendmail\(\W?)$/i
/** Length of the text before an address that is read, in UTF-16 units. */
const charactersBefore = 32

/** Returns the receivers of a message from the addresses and fields in a request's body, or in code. */
export function receiversIn(text: string): readonly string[] {
  const mails = [...text.matchAll(addresses)].filter(
    ({ index }) => !sender.test(text.slice(Math.max(0, index - charactersBefore), index)),
  )
  const named = [...text.matchAll(fields)].map(([, name = '']) => name)
  return [...new Set([...mails.map(([mail]) => mail), ...named])]
}
