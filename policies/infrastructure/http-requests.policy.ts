import { abstains, asks, definePolicy, denies, type PolicyAnswer, setOf } from 'hookgate/policy'
import { type Call, callsIn } from './cli/calls.ts'
import { allowed, answered } from './cli/example.ts'
import { answerTo, isAllowed, params, strictest } from './cli/judge.ts'
import { destroysByGraph } from './data/graphql.ts'
import { type Request, requestOf, requestPrograms } from './data/requests.ts'
import { sqlDanger } from './data/sql.ts'
import { namesTestKey, type System, systemAt } from './data/systems.ts'
import { hostOf, isLoopback, portOf } from './hosts.ts'

/** Paths that delete by a POST or a PUT: search engines, time series, queues, CI servers, storage. */
const destroyingPaths: readonly RegExp[] = [
  /\/_delete_by_query\b/,
  /\/admin\/tsdb\/(?:delete_series|clean_tombstones)\b/,
  /\/(?:doDelete|doWipeOutWorkspace|doDeleteAll|doKill|doDisable|quietDown|safeExit|exit|kill)(?:[/?]|$)/,
  /\/(?:computer\/[^/?]+\/)?scriptText(?:[/?]|$)/,
  /\/1\/indexes\/[^/?]+\/(?:clear|deleteByQuery|delete)\b/,
  /\/indexes\/[^/?]+\/documents\/delete(?:-batch)?\b/,
  /\/collections\/[^/?]+\/points\/(?:delete|payload\/(?:delete|clear))\b/,
  /\/(?:containers|images|volumes|networks|build|system)\/prune\b/,
  /\/containers\/[^/?]+\/(?:kill|stop)\b/,
  /\/api\/v2\/delete\b/,
  /\/_(?:close|purge|shutdown|flushdb|flushall)(?:[/?]|$)/,
  /\/(?:deleteAll|delete_all|delete-all|bulk[-_]?delete|batch[-_]?delete|purge_everything|purge_cache|purge_queue|hard_?delete|destroy_all|truncate)\b/i,
  /\/(?:flush|flushall|flushdb|flush_all)(?:[?]|$)/i,
  /[?&](?:_method|method|action|cmd)=(?:delete|unload|deleteindex|remove|destroy)/i,
  /\/v1\/(?:agent\/(?:leave|force-leave|service\/deregister)|catalog\/deregister|sys\/(?:seal|step-down|revoke|revoke-prefix|revoke-force))\b/,
  /\/v3\/kv\/deleterange\b/,
  /\/(?:terminate|shutdown|deactivate|destroy)(?:[?]|$)/i,
  /[?&]Action=(?:Delete|Terminate|Purge|Remove|Deregister|Revoke)\w*/,
]

/** Bodies that delete, whatever the path. */
const destroyingBodies: readonly RegExp[] = [
  /<delete>\s*(?:<query>|<id>)/i,
  /"delete"\s*:\s*\{\s*"(?:query|id)"/,
  /"(?:action|_method|method|op)"\s*:\s*"(?:delete|destroy|remove|purge|terminate)"/i,
  /"purge_everything"\s*:\s*true/,
  /(?:^|[&\n])_method=delete\b/i,
  /(?:^|[&\n])Action=(?:Delete|Terminate|Purge|Remove|Deregister|Revoke)\w*/,
]

/** Ports of data stores and control planes, which an application in development does not use. */
const portsOfStores = setOf(
  '2375 2376 2379 4001 4646 5601 5984 6333 6443 7474 7700 8001 8086 8108 8123 8200 8428 8444 8500 8529 8983 9000 9001 9090 9091 9093 9200 9201 9300 9443 10250 15672 16443 19530 3100 8091 8098 8161 8888 9042 9180 2181 8083 9428'.split(
    ' ',
  ),
)

interface Found {
  readonly effect: 'deny' | 'ask'
  readonly what: string
}

/** Rates a deletion: on a server of this machine it is only asked about, unless that stores data. */
function rated(request: Request, what: string): Found {
  const isOwn = request.urls.some((url) => isLoopback(url) && !portsOfStores.has(portOf(url) ?? ''))
  return { effect: isOwn ? 'ask' : 'deny', what }
}

function dangerOf(request: Request): Found | undefined {
  const { method, urls, body } = request
  if (method === 'DELETE') return rated(request, 'DELETE')
  if (method === 'PURGE' || method === 'BAN') return { effect: 'ask', what: method }
  if (urls.some((url) => /\bgraphql\b|\/graph\b|\/gql\b/i.test(url)) && destroysByGraph(body))
    return { effect: 'deny', what: 'a mutation that deletes' }
  const sql = sqlDanger(sqlIn(urls, body))
  if (sql !== undefined) return { effect: sql.effect, what: sql.what }
  if (method === '?') return { effect: 'ask', what: 'an unknown method' }
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') {
    return urls.some((url) => /[?&](?:_method=delete|Action=(?:Delete|Terminate)\w*)/i.test(url))
      ? rated(request, 'DELETE')
      : undefined
  }
  if (urls.some((url) => destroyingPaths.some((one) => one.test(url)))) return rated(request, 'a request that deletes')
  return destroyingBodies.some((one) => one.test(body)) ? rated(request, 'a body that deletes') : undefined
}

/** Returns the system of others that a request changes. */
function systemChanged({ method, urls }: Request, { args }: Call): System | undefined {
  if (method !== 'PUT' && method !== 'PATCH' && method !== 'POST') return undefined
  return args.some(({ value, variable = '' }) => namesTestKey(value) || namesTestKey(variable))
    ? undefined
    : systemAt(urls, method)
}

/** SQL that is sent to a database over HTTP, in the URL or as the whole body. */
function sqlIn(urls: readonly string[], body: string): string {
  const inUrls = urls
    .flatMap((url) =>
      [...url.matchAll(/[?&](?:query|q|sql|statement)=([^&#]*)/gi)].map((found) => decoded(found[1] ?? '')),
    )
    .filter((text) => statement.test(text))
  const inBody = /^\s*(?:(?:query|q|sql|statement)=)?\s*((?:DROP|TRUNCATE|DELETE|ALTER|UPDATE)\b[\s\S]*)/i.exec(
    body,
  )?.[1]
  const inJson = /"(?:query|sql|stmt|statement|q)"\s*:\s*"((?:[^"\\]|\\.)*)"/i.exec(body)?.[1]
  return [...inUrls, inBody ?? '', inJson ?? ''].join(';\n')
}

/** Matches more than the two words of a possible search. */
const statement = /^\s*(?:truncate|\w+\s+\S+)\s+\S/i

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

/** True for a host that is allowed: `localhost` stands for this machine by all of its names. */
const isAllowedHost = (url: string, allowedHosts: readonly string[]) =>
  allowedHosts.includes(hostOf(url)) || (allowedHosts.includes('localhost') && isLoopback(url))

const words = {
  harm: 'deletes data on a server, usually without confirmation',
  instead: 'GET it first and keep the response, do it on a server of your own, or have the person run it',
}

export default definePolicy({
  id: 'http-requests',
  severity: 'high',
  description:
    'Keeps requests from deleting data on servers, and asks before one changes a system that customers or colleagues rely on',
  on: 'PreToolUse',
  tool: 'shell',
  interest: { words: requestPrograms },
  params: {
    ...params,
    allowedHosts: {
      type: 'strings',
      default: [],
      description:
        'hosts whose resources may be deleted, without port: `localhost` (this machine, by all of its names), `api.test`',
    },
  },
  decide({ shell, params: given }) {
    const answers: PolicyAnswer[] = []
    for (const call of callsIn(shell)) {
      const request = requestOf(call)
      if (request === undefined || isAllowed(call, given.allowed)) continue
      if (request.urls.length > 0 && request.urls.every((url) => isAllowedHost(url, given.allowedHosts))) continue
      const danger = dangerOf(request)
      if (danger !== undefined) {
        answers.push(answerTo({ effect: danger.effect, words: `… ${danger.what}` }, call, given, words))
        continue
      }
      const system = systemChanged(request, call)
      if (system === undefined) continue
      const changing = { harm: `changes ${system.what}`, instead: 'have the person agree, or do it themselves' }
      answers.push(answerTo({ effect: 'ask', words: `… ${request.method}` }, call, given, changing))
    }
    return strictest(answers)
  },
  examples: [
    denies('curl -X DELETE http://localhost:9200/orders'),
    denies('curl -sXDELETE https://api.example.com/v1/users/7'),
    denies('curl --request=DELETE https://api.example.com/v1/users/7'),
    denies("curl -X POST http://search.example.com:9200/orders/_delete_by_query -d '{}'"),
    denies('curl -XPOST -g "http://prometheus.example.com:9090/api/v1/admin/tsdb/delete_series?match[]=up"'),
    denies('curl -X POST https://ci.example.com/job/shop/doDelete'),
    denies("curl http://clickhouse.example.com:8123/ -d 'DROP TABLE orders'"),
    denies('curl https://api.example.com/graphql -d \'{"query":"mutation { deleteUser(id: 1) { id } }"}\''),
    denies("curl -H 'X-HTTP-Method-Override: DELETE' -X POST https://api.example.com/v1/users/7"),
    denies('http DELETE https://api.example.com/v1/users/7'),
    denies('wget --method=DELETE https://api.example.com/v1/users/7'),
    denies(
      "curl 'http://solr.example.com:8983/solr/a/update' -H 'Content-Type: text/xml' -d '<delete><query>*:*</query></delete>'",
    ),
    asks('curl -X DELETE http://localhost:3000/users/7'),
    asks('curl -X "$METHOD" https://api.example.com/v1/users/7'),
    asks('curl -X PATCH https://app.launchdarkly.com/api/v2/flags/shop/checkout -H "Authorization: $LD" -d @p.json'),
    asks('curl https://api.stripe.com/v1/refunds -u $STRIPE_KEY: -d charge=ch_1'),
    asks('http PUT https://acme.zendesk.com/api/v2/tickets/1.json status=closed'),
    abstains('a search', "curl -X POST https://api.hubapi.com/crm/v3/objects/contacts/search -d '{}'"),
    abstains('something anew', 'curl https://api.stripe.com/v1/customers -u $STRIPE_KEY: -d email=a@b.example'),
    abstains('a key for tries', 'curl https://api.stripe.com/v1/refunds -u $STRIPE_TEST_KEY: -d charge=ch_1'),
    asks(
      'a word in what is sent',
      'curl https://api.stripe.com/v1/refunds -u $STRIPE_KEY: -d note=test -d charge=ch_1',
    ),
    abstains('a place for tries', 'curl -X POST https://api-m.sandbox.paypal.com/v2/checkout/orders -d @o.json'),
    abstains('a look', 'curl https://api.pagerduty.com/incidents -H "Authorization: Token token=$T"'),
    abstains("somebody's own server", 'curl -X POST https://shop.example.com/api/orders -d @o.json'),
    abstains('curl https://api.example.com/v1/delete'),
    abstains('curl -X GET http://localhost:9200/_cat/indices'),
    abstains('curl -X POST http://localhost:9200/orders/_search -d \'{"query":{"match_all":{}}}\''),
    abstains("curl -d 'X DELETE' https://api.example.com/notes"),
    abstains("curl 'http://localhost:8080/search?q=drop+table&limit=5'"),
    denies("curl -G 'http://localhost:8086/query?q=DROP+DATABASE+metrics'"),
    abstains('curl -o DELETE https://api.example.com/v1/users'),
    abstains('curl https://api.example.com/graphql -d \'{"query":"query { deletedUsers { id } }"}\''),
    abstains('http GET https://api.example.com/v1/DELETE'),
    abstains('echo curl -X DELETE http://localhost:9200/orders'),
    abstains('a host that is allowed', 'curl -X DELETE http://localhost:9200/t', {
      params: { allowedHosts: ['localhost'] },
    }),
    abstains('by another of its names', "curl -X DELETE 'http://[::1]:3000/t'", {
      params: { allowedHosts: ['localhost'] },
    }),
    allowed('curl -X DELETE http://localhost:9200/orders', 'curl'),
    answered('curl -X DELETE http://localhost:9200/orders', 'ask'),
  ],
})
