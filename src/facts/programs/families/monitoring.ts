import { byVerb } from '../deeds/deeds.ts'
import type { Family } from '../program.ts'
import { dumped, sqlClient } from './databases.ts'

const programs: Family['programs'] = {
  dogshell: { does: { ...byVerb, work: ['monitor mute|mute_all'] } },
  'datadog-ci': {
    does: {
      ...byVerb,
      nouns: 'synthetics',
      work: ['lambda uninstrument', 'cloud-run uninstrument', 'aas uninstrument', 'stepfunctions uninstrument'],
    },
  },
  'datadog-agent': { does: { work: ['stop', 'integration remove'] } },
  'ddog pagerduty opsgenie grafanactl sumologic typesense honeycomb rollbar bugsnag lightstep chronosphere statuspage betterstack logdna':
    { does: byVerb },
  pd: {
    does: {
      ...byVerb,
      never: ['service|schedule|user|team|ep|escalation-policy|rest delete', 'rest delete'],
      work: ['service disable', 'incident resolve|merge'],
      harmless: ['auth remove|logout'],
    },
  },
  lamp: { does: { never: ['delete*', 'remove*'], work: ['disable*', 'close*'] } },
  newrelic: {
    does: {
      ...byVerb,
      nouns: 'nrql',
      never: [
        'entity tags delete|delete-values|replace',
        'entity delete',
        'apm deployment delete',
        'workload delete',
        'synthetics delete',
        'alerts * delete',
      ],
      harmless: ['profile delete'],
    },
  },
  'newrelic-agent': { does: { work: ['stop'] } },
  'sentry-cli': {
    does: {
      valued: 'o p auth-token',
      byVerb: 'never',
      nouns: 'logs',
      never: [
        'releases delete|archive',
        'releases files * delete',
        'files delete',
        'monitors delete',
        'projects delete',
        'sourcemaps delete',
      ],
      work: ['issues resolve|mute'],
    },
  },
  'grafana-cli': {
    does: {
      never: ['admin reset-admin-password', 'admin data-migration *', 'plugins remove|uninstall', 'admin delete*'],
      work: ['admin flush-rbac-seed-assignment'],
    },
  },
  grafana: { does: { never: ['cli admin reset-admin-password', 'cli plugins remove|uninstall'] } },
  grr: { does: { kind: 'deploy', object: 'dashboards and alerts', names: 'none', work: ['apply'] } },
  gdg: {
    does: { never: ['backup * clear', 'dashboards clear', 'b dash clear', 'connections clear', 'folders clear'] },
  },
  promtool: {
    does: { never: ['tsdb delete*', 'tsdb clean*'], work: ['tsdb create-blocks-from rules'] },
    looks: 'check config|rules|metrics|healthy|ready|web-config; query *; tsdb list|analyze|dump',
  },
  amtool: {
    does: {
      says: {
        'silence add': { kind: 'stop', object: 'alerts', names: 'none' },
        'silence expire': { kind: 'delete', object: 'silence' },
      },
      work: ['silence expire', 'silence add'],
      valued: 'alertmanager.url',
    },
    looks: 'alert|silence query; config show; check-config',
  },
  thanos: { does: { never: ['tools bucket cleanup|mark|rewrite|retention'], work: ['tools bucket downsample'] } },
  mimirtool: {
    does: {
      never: ['rules delete|delete-namespace|sync', 'alertmanager delete'],
      work: ['rules load', 'alertmanager load'],
      harmless: ['rules sync --dry-run'],
    },
  },
  cortextool: { does: { never: ['rules delete|delete-namespace', 'alertmanager delete'], work: ['rules sync'] } },
  lokitool: { does: { never: ['rules delete|delete-namespace'], work: ['rules sync'] } },
  logcli: {
    does: { never: ['delete create'], work: ['delete cancel'] },
    looks: 'query|labels|series|stats|volume|instant-query !--part-path-prefix|--addr',
  },
  splunk: {
    does: {
      says: {
        clean: { kind: 'delete', object: 'data of', names: '-index' },
        'offline|stop|restart|rolling-restart': { object: 'the server', names: 'none' },
        'reload-deploy-server|apply|rollback|fsck': { kind: 'change', object: 'the server', names: 'none' },
        'disable|edit': { objectLast: true },
      },
      valued: 'auth uri owner',
      oneDash: true,
      never: [
        'remove *',
        'clean *',
        'delete *',
        'disable index',
        'offline',
        'rolling-restart',
        'clean-dispatch',
        'reload-deploy-server',
        'remove index|user|monitor|forward-server|search-server|shcluster-member|cluster-peers|saved-search|licenses|excess-buckets',
      ],
      work: ['stop', 'restart', 'disable *', 'edit *', 'apply *', 'rollback *', 'fsck repair'],
    },
  },
  curator_cli: {
    does: {
      hIsNoHelp: true,
      never: ['delete-indices|delete_indices|delete-snapshots|delete_snapshots|close|shrink'],
      work: ['forcemerge', 'restore', 'rollover', 'replicas'],
    },
  },
  curator: { does: { kind: 'change', object: 'indices', names: 'none', thing: 'data', work: [''] } },
  'elasticsearch-users': { does: { never: ['userdel'], work: ['passwd', 'roles --remove|-r'] } },
  'elasticsearch-node': {
    does: {
      kind: 'change',
      object: 'the state of the node',
      names: 'none',
      thing: 'data',
      never: ['unsafe-bootstrap|detach-cluster|remove-settings|remove-customs|repurpose|override-version'],
    },
  },
  'elasticsearch-shard': {
    does: {
      kind: 'delete',
      object: 'damaged data of an index',
      names: 'none',
      thing: 'data',
      never: ['remove-corrupted-data'],
    },
  },
  'elasticsearch-keystore': { does: { never: ['remove|remove-setting'], work: ['create', 'add --force|-f'] } },
  'elasticsearch-reset-password': {
    does: {
      kind: 'overwrite',
      object: 'the password of',
      names: '-u|--username',
      thing: 'secret',
      work: [''],
    },
  },
  'elasticsearch-plugin opensearch-plugin cronitor': { does: { work: ['remove'] } },
  'opensearch-cli': { does: { ...byVerb, never: ['ad delete'], work: ['ad stop'] } },
  algolia: {
    does: {
      valued: 'p application-id admin-api-key',
      byVerb: 'never',
      nouns: 'search',
      never: [
        'indices|index delete|clear|move|config-delete',
        'objects delete|browse-delete',
        'rules|synonyms delete|clear',
        'apikeys|apikey delete',
        'dictionary entries|settings clear|delete',
        'crawler delete|pause',
      ],
      work: [
        'settings import',
        'objects import --clear-existing',
        'rules import --clear-existing-rules',
        'synonyms import --replace-existing-synonyms',
      ],
      harmless: ['profile remove'],
    },
  },
  meilisearch: {
    does: {
      kind: 'overwrite',
      object: 'all indexes',
      names: 'none',
      thing: 'data',
      work: ['--import-dump', '--experimental-dumpless-upgrade'],
    },
  },
  solr: {
    does: {
      says: {
        delete: { kind: 'delete', object: 'index', names: '-c', thing: 'data' },
        stop: { kind: 'stop', object: 'the server', names: 'none' },
        auth: { kind: 'weaken', object: 'the authentication of the server', thing: 'guard' },
        zk: { kind: 'change', object: 'settings of the cluster', names: 'none' },
      },
      never: ['delete', 'zk rm'],
      work: ['stop', 'zk mv|upconfig', 'auth disable'],
      valued: 'c p z s',
    },
  },
  vespa: { does: { never: ['destroy', 'document remove'], work: ['prod deploy'] } },
  icinga2: { does: { never: ['node *', 'object delete'], work: ['api setup', 'feature disable'] } },
  icingacli: { does: { never: ['director * delete', 'module disable'], work: ['module *'] } },
  checkly: {
    does: { never: ['destroy', 'env rm', 'delete'], work: ['deploy --force|-f'], harmless: ['deploy --preview'] },
  },
  honeymarker: { does: { never: ['rm'] } },
  chronoctl: { does: { ...byVerb, nouns: 'logs' } },
  'papertrail-remove-system': { does: { kind: 'delete', object: 'system', never: [''] } },
  'papertrail-remove-group': { does: { kind: 'delete', object: 'group of systems', never: [''] } },
  prometheus: { looks: '--version|--help|--help-long|--help-man|-h []' },
  influx: {
    ...sqlClient,
    does: {
      says: {
        delete: { kind: 'delete', object: 'points of', thing: 'data', names: '-b|--bucket' },
        restore: { kind: 'overwrite', object: 'data with a backup', thing: 'data', names: 'none' },
        'bucket update': { kind: 'change', object: 'the retention of', thing: 'data', names: '-i|--id|-n|--name' },
        'bucket delete': { kind: 'delete', object: 'bucket', names: '-n|--name|-i|--id' },
      },
      valued: 'b t host-url org-id bucket-id precision',
      hIsNoHelp: true,
      never: [
        'bucket|org|user|task|telegrafs|secret|auth|v1 delete|rm',
        'delete',
        'bucket-schema delete',
        'v1 auth|dbrp delete',
        'v1 auth delete',
        'remote|replication|stacks|template|scripts delete|rm',
        'stacks rm',
        'restore --full',
        'invokable-scripts delete',
      ],
      work: ['restore', 'auth inactive', 'user password', 'bucket update --retention|-r', 'v1 auth set-inactive'],
      harmless: ['config rm|remove|delete'],
    },
    sql: { options: 'execute', valued: 'port username precision', oneDash: true },
  },
  influxd: {
    output: dumped(),
    does: {
      never: ['inspect delete-tsm', 'downgrade', 'recovery auth|user *'],
      work: ['restore', 'upgrade'],
    },
  },
}

export const monitoring: Family = {
  area: 'monitoring',
  programs,
  examples: {
    'dog monitor delete 12': 'deletes monitor `12`, which people watch, for good',
    'dog monitor mute 12': 'stops monitor `12`, which people watch',
    'dog monitor show 12': '',
    'pd service delete -i P1': 'deletes a service, for good',
    'newrelic workload delete --guid abc': 'deletes a workload, which people watch, for good',
    'sentry-cli releases delete v1': 'deletes release `v1`, for good',
    'splunk remove index main': 'deletes index `main`, for good',
    'splunk clean eventdata -index main -f': 'deletes data of `main`, which people watch, for good',
    'splunk restart': 'restarts the server',
    'mimirtool rules delete-namespace shop':
      'deletes namespace `shop` and everything in it, which people watch, for good',
    'algolia indices delete orders --confirm': 'deletes index `orders`, for good',
    'solr delete -c orders': 'deletes index `orders`, for good',
    'influx bucket delete -n shop': 'deletes bucket `shop`, for good',
    'influx delete --bucket shop --start 2020-01-01T00:00:00Z --stop 2021-01-01T00:00:00Z':
      'deletes points of `shop`, for good',
    'amtool silence expire abc': 'deletes silence `abc`, which people watch',
    'amtool silence add alertname=a': 'stops alerts, which people watch',
    'promtool tsdb delete-blocks': 'deletes a block, which people watch, for good',
    'elasticsearch-reset-password -u elastic': 'overwrites the password of `elastic`',
  },
}
