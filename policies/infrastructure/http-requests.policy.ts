import { abstains, asks, definePolicy, denies } from 'hookgate/policy'
import { allowed, answered } from './cli/example.ts'
import { params } from './cli/judge.ts'
import { hostsAllowed, judge } from './impacts.ts'

export default definePolicy({
  id: 'http-requests',
  severity: 'high',
  description:
    'Keeps requests from deleting data on servers, and asks before one changes a system that customers or colleagues rely on',
  on: 'PreToolUse',
  tool: ['shell', 'fetch'],
  interest: { impacts: ['request'] },
  params: {
    ...params,
    allowedHosts: {
      type: 'strings',
      default: [],
      description:
        'hosts whose resources may be deleted, without port: `localhost` (this machine, by all of its names), `api.test`',
    },
  },
  decide: ({ impacts, params: given }) => judge(impacts, 'http-requests', given, hostsAllowed(given.allowedHosts)),
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
    denies('an address that deletes', { tool: 'fetch', input: { url: 'https://a.example/users/7?_method=delete' } }),
    abstains('an address that looks', { tool: 'fetch', input: { url: 'https://a.example/users/7' } }),
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
