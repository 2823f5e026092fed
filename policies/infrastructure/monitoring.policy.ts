import { abstains, asks, definePolicy, denies } from 'hookgate/policy'
import { allowed, answered } from './cli/example.ts'
import { params } from './cli/judge.ts'
import { judge } from './impacts.ts'

export default definePolicy({
  id: 'monitoring',
  severity: 'high',
  description: 'Keeps monitors, dashboards, alerts, schedules, indexes and recorded data from being deleted',
  on: 'PreToolUse',
  tool: 'shell',
  interest: { impacts: ['monitoring'] },
  params,
  decide: ({ impacts, params: given }) => judge(impacts, 'monitoring', given),
  examples: [
    denies('dog monitor delete 12'),
    denies('pd service delete -i P1'),
    denies('newrelic workload delete --guid abc'),
    denies('sentry-cli releases delete v1'),
    denies('splunk remove index main'),
    denies('splunk clean eventdata -index main -f'),
    denies('mimirtool rules delete-namespace shop'),
    denies('algolia indices delete orders --confirm'),
    denies('algolia indices clear orders -y'),
    denies('solr delete -c orders'),
    denies('influx bucket delete -n shop'),
    denies('influx delete --bucket shop --start 2020-01-01T00:00:00Z --stop 2021-01-01T00:00:00Z'),
    asks('amtool silence expire abc'),
    asks('splunk restart'),
    abstains('dog monitor show 12'),
    abstains('pd service list'),
    abstains('sentry-cli releases list'),
    abstains('sentry-cli releases new delete'),
    abstains('splunk search "index=main delete"'),
    abstains('splunk list index'),
    abstains('promtool check rules delete.yml'),
    abstains('algolia search orders --query delete'),
    abstains('algolia indices list'),
    abstains('influx bucket list'),
    abstains('solr status'),
    allowed('dog monitor delete 12', 'dog'),
    answered('dog monitor delete 12', 'ask'),
  ],
})
