import { liveBy, liveByVerbs, type Deed, platformStage } from '../deeds/deeds.ts'
import { type Judge, leadingWords, mayBeOption } from '../looks/look.ts'
import type { Family } from '../program.ts'
import { startOverSsh, storeClient, storeOptions } from './object-stores.ts'

const policyBinding = 'add-iam-policy-binding'

const grants: Deed = {
  kind: 'grant',
  thing: 'account',
  never: [policyBinding, `* ${policyBinding}`, `* * ${policyBinding}`].map(
    (pattern) => `${pattern} --member=allusers|--member=allauthenticatedusers`,
  ),
  work: [
    policyBinding,
    `* ${policyBinding}`,
    `* * ${policyBinding}`,
    `* * * ${policyBinding}`,
    'iam roles update',
    'compute os-login ssh-keys add',
    'compute project-info|instances add-metadata --metadata-from-file~ssh-keys|--metadata~ssh-keys',
    '* set-iam-policy',
    '* * set-iam-policy',
  ],
  says: {
    'projects *': { object: 'project', names: 'first' },
    'organizations *': { object: 'organization', names: 'first' },
    'run services *': { thing: 'deployment', object: 'service', names: 'first' },
    'storage buckets *': { thing: 'data', object: 'bucket', names: 'first' },
    'iam roles update': { object: 'role', names: 'first' },
    'iam service-accounts *': { object: 'service account', names: 'first' },
    'compute project-info|instances': { thing: 'machine', object: 'the machines of the project' },
    'compute os-login': { object: 'ssh key', names: 'none' },
    '*': { names: 'last' },
  },
}

/** Contracts, and what keeps bills small. */
const payments: Deed = {
  kind: 'spend',
  thing: 'money',
  work: [
    'compute commitments create|update',
    'billing projects unlink|link',
    'billing budgets delete|update',
    'domains registrations register',
  ],
  says: {
    'compute commitments': { object: 'commitment', names: 'first' },
    'billing projects': { object: 'the payment of the project' },
    'billing budgets': { object: 'the limit of a budget' },
    'domains registrations': { object: 'domain', names: 'first' },
  },
}

/** Verbs of gcloud that read, besides those that begin with `list`, `describe` and `get`. */
const gcloudReads: ReadonlySet<string> = new Set(
  'info help search tail read lookup analyze-iam-policy search-all-resources search-all-iam-policies ls du query-activity log'.split(
    ' ',
  ),
)

const isGcloudRead = (word: string): boolean =>
  (/^(?:list|describe|get)(?:-|$)/.test(word) && !/credential|token|secret|password/.test(word)) ||
  gcloudReads.has(word)

/** Words of gcloud that are verbs, or begin like a verb, and so are no group of commands. */
const startsAsVerb =
  /^(?:abandon|abort|access|acknowledge|activate|add|apply|approve|attach|authorize|begin|browse|bulk|call|cancel|clear|clone|complete|configure|connect|convert|copy|cp|create|deactivate|decrypt|delete|deploy|deprecate|destroy|detach|disable|drain|enable|encrypt|evict|exec|execute|export|failover|fetch|flush|force|generate|grant|import|init|insert|install|invalidate|invoke|issue|join|kill|launch|login|logout|mac-sign|migrate|modify|mount|move|mv|open|patch|pause|perform|print|promote|publish|pull|purge|push|reboot|recreate|redeploy|refresh|register|remove|rename|repair|replace|request|reschedule|reset|resize|restart|restore|resume|retry|revert|revoke|rm|rollback|rotate|rsync|save|scale|scp|seek|send|set|sign|simulate|snapshot|ssh|start|stop|submit|suspend|swap|switch|sync|terminate|trigger|truncate|undelete|undeploy|undeprecate|unlink|unlock|unset|update|upgrade|upload|wait|withdraw|write)(?:-|$)/

const gcloudOptions =
  'format project configuration account verbosity filter region zone billing-project impersonate-service-account flatten sort-by limit page-size location trace-token access-token-file +quiet +q +log-http +no-user-output-enabled +user-output-enabled'

/** Judges `gcloud`, in which groups come first, then a verb, then names. The verb has to be one that reads. */
const judgeGcloud: Judge = ({ args }) => {
  const words = leadingWords(args, gcloudOptions)
  const [first = '', second = '', third = ''] = words
  if (args.some(mayBeOption)) return false
  if (args.some(({ value }) => /^--(?:flags-file|log-file|output-file|destination)/.test(value))) return false
  if (/^(?:help|info|version|topic)$/.test(first)) return true
  if (first === 'auth') return second === 'list'
  if (first === 'config')
    return /^(?:list|get|get-value)$/.test(second) || (second === 'configurations' && /^(?:list|describe)$/.test(third))
  const verb = words.findIndex(isGcloudRead)
  return verb > 0 && words.slice(0, verb).every((word) => /^[a-z][a-z0-9-]*$/.test(word) && !startsAsVerb.test(word))
}

const programs: Family['programs'] = {
  gcloud: {
    typed: /^(?: -\S+)*(?: (?:alpha|beta))? compute ssh(?!.* (?:--command|--dry-run|--|-N|--help)(?:[ =]|$))/,
    abbreviates: true,
    obeys: { when: /\bdeployments (?:create|update)\b/, looks: 'preview' },
    ...storeClient,
    options: `${storeOptions} command`,
    starts: (line, starts) => startOverSsh(line, starts, 'command'),
    does: [
      {
        shows: {
          'auth print-*': { object: 'Google Cloud token', names: 'none' },
          'auth application-default print-*': { object: 'Google Cloud token', names: 'none' },
          'secrets versions access': { object: 'Google Cloud secret', names: '--secret' },
          'iam service-accounts keys create': { object: 'Google Cloud key', names: 'none' },
        },
        says: {
          'projects remove-iam-policy-binding': { kind: 'revoke', object: 'the role of a member', thing: 'account' },
          '* remove-iam-policy-binding|* * remove-iam-policy-binding': {
            kind: 'revoke',
            object: 'the role of a member',
            thing: 'account',
          },
          'storage rm -r|--recursive': { kind: 'delete', object: 'everything in', thing: 'data' },
          'storage rm': { kind: 'delete', object: 'object' },
          'storage rsync': {
            kind: 'delete',
            object: 'files that are only in',
            thing: 'data',
            names: 'last',
            trial: '--dry-run',
          },
          'storage mv': { kind: 'change', object: 'object', names: 'first' },
          'container clusters resize': { kind: 'stop', object: 'all nodes of', thing: 'infrastructure' },
          'compute instance-groups managed resize': {
            kind: 'stop',
            object: 'all machines of',
            thing: 'infrastructure',
          },
          'compute instances reset': { kind: 'restart', object: 'instance' },
          'compute instances detach-disk': { kind: 'stop', object: 'disk', names: '--disk' },
          'sql instances patch': { kind: 'weaken', object: 'the deletion protection of', thing: 'guard' },
          'compute instances set-scheduling|update': {
            kind: 'weaken',
            object: 'the deletion protection of',
            thing: 'guard',
          },
          'sql instances delete': { kind: 'delete', object: 'database instance', thing: 'data' },
          'sql backups restore': {
            kind: 'overwrite',
            object: 'database instance',
            thing: 'data',
            names: '--restore-instance',
          },
          'sql import sql': { kind: 'overwrite', object: 'database instance', thing: 'data', names: 'first' },
          'app versions migrate': { kind: 'deploy', object: 'version' },
          'dns record-sets transaction': { kind: 'change', object: 'DNS zone', names: '-z|--zone' },
          'auth revoke': { kind: 'revoke', object: 'the sign-in of', thing: 'account' },
          'components remove': { kind: 'delete', object: 'component of the program', thing: 'machine' },
          'pubsub subscriptions seek': { kind: 'change', object: 'the position of', thing: 'data' },
          'services disable': { kind: 'stop', object: 'service' },
          'run services update-traffic': { kind: 'deploy', object: 'service' },
          'firestore import': { kind: 'overwrite', object: 'the database', thing: 'data', names: 'none' },
          'secrets versions': { kind: 'delete', object: 'version of secret', thing: 'secret', names: '--secret' },
        },
        also: [grants, payments],
        valued:
          'member role condition metadata metadata-from-file key-file verbosity impersonate-service-account billing-project flags-file trace-token access-token-file flatten sort-by limit page-size',
        groupFirst: true,
        byVerb: 'never',
        verbs: 'disable delete-all dismiss abandon abandon-instances recreate-instances',
        nouns: 'logs',
        never: [
          'storage rm',
          'storage rsync --delete-unmatched-destination-objects',
          'container clusters resize --num-nodes=0|--size=0',
          'compute instance-groups managed resize --size=0',
        ],
        work: [
          'compute instances stop|suspend|reset',
          'compute instances detach-disk',
          'sql instances patch --no-deletion-protection',
          'sql instances restart|failover',
          'sql backups restore',
          'sql import sql',
          'compute instances set-scheduling|update --no-deletion-protection',
          'app versions stop|migrate',
          'dns record-sets transaction remove|execute',
          'storage mv',
          'auth revoke',
          'components remove',
          'builds cancel',
          'pubsub subscriptions seek',
          'services disable --async',
          'run services update-traffic',
          'firestore import',
        ],
        harmless: ['config unset', 'config configurations delete', 'compute config-ssh --remove'],
      },
      platformStage,
      liveBy(
        /^(?:run services replace|app services set-traffic|compute instance-groups managed rolling-action start-update)\b/,
        {
          verbs: ['upload', 'deploy'],
          toNamed: true,
          kindFirst: true,
        },
      ),
    ],
    looks: judgeGcloud,
    namesSecrets: true,
    fetches: true,
    rentsMachines: true,
    sql: { options: 'sql ddl', valued: 'instance database', stdin: false },
  },
  gsutil: {
    abbreviates: true,
    ...storeClient,
    does: [
      {
        says: {
          rb: { kind: 'delete', object: 'bucket' },
          'rm -r|-R|-a': { kind: 'delete', object: 'everything in', thing: 'data' },
          rm: { kind: 'delete', object: 'object' },
          rsync: { kind: 'delete', object: 'files that are only in', thing: 'data', names: 'last', trial: '-n' },
          kms: { kind: 'change', object: 'the encryption of', thing: 'data' },
          retention: { kind: 'weaken', object: 'the retention of', thing: 'guard' },
          hmac: { kind: 'delete', object: 'access key', thing: 'secret' },
          mv: { kind: 'change', object: 'object', names: 'first' },
          'iam|acl ch': { kind: 'revoke', object: 'the rights of others', thing: 'account', names: 'none' },
          lifecycle: { kind: 'change', object: 'the lifecycle rules of', thing: 'data', names: 'last' },
          versioning: { kind: 'change', object: 'the versioning of', thing: 'data', names: 'last' },
          label: { kind: 'change', object: 'the labels of', thing: 'data', names: 'last' },
        },
        valued: 'u i p',
        never: ['rb', 'rm -r|-R|-a', 'rsync -d', 'kms clear', 'retention clear', 'hmac delete', 'notification delete'],
        work: ['rm', 'mv', 'iam ch -d', 'lifecycle set', 'versioning set', 'acl ch -d', 'label ch -d'],
        trials: 'n',
        also: [
          {
            kind: 'grant',
            thing: 'account',
            object: 'bucket',
            names: 'last',
            work: ['iam ch', 'acl ch|set', 'defacl ch|set'],
          },
        ],
      },
      liveByVerbs('publish', 'deploy'),
    ],
    looks: {
      options: '+q +m +D',
      lines: `
      ls|cat|du|stat|hash|version|help
      acl|iam|lifecycle|versioning|cors|logging|web|label|notification get|list`,
    },
  },
  // A query, or the export of a table.
  bq: {
    output: ({ operands: [verb] }) => (/^(?:query|extract)$/.test(verb?.value ?? '') ? 'rows' : undefined),
    does: {
      says: {
        'rm|remove -d|--dataset': { kind: 'delete', object: 'dataset' },
        'rm|remove': { kind: 'delete', object: 'table or dataset', thing: 'data' },
        load: { kind: 'overwrite', object: 'table', names: 'first' },
        cp: { kind: 'overwrite', object: 'table', names: 'last' },
        truncate: { kind: 'delete', object: 'the rows of', thing: 'data' },
        cancel: { kind: 'stop', object: 'job' },
        update: { kind: 'change', object: 'the expiration of', thing: 'data' },
        query: { kind: 'overwrite', object: 'table', names: '--destination_table', trial: '--dry_run' },
        partition: { kind: 'change', object: 'table', names: 'last' },
      },
      valued: 'project_id dataset_id job_id api',
      flags: 'replace',
      never: ['rm', 'remove', 'load --replace', 'cp --force|-f', 'truncate'],
      work: ['cancel', 'update --expiration|--default_table_expiration', 'query --replace', 'partition'],
    },
    looks: {
      options: 'project_id dataset_id location format max_results +q +quiet +headless',
      never: '--apilog|--flagfile|--bigqueryrc',
      lines: 'ls|show|head|version|help; query --dry_run !=',
    },
    sql: { from: 1, valued: 'project_id dataset_id location format', behind: 'query' },
  },
  cbt: {
    does: {
      says: {
        deleteallrows: { kind: 'delete', object: 'all rows of', thing: 'data' },
        deletefamily: { kind: 'delete', object: 'column family', thing: 'data', names: 'last' },
        'deleterow|deletecolumn': { kind: 'delete', object: 'row of table', thing: 'data', names: 'first' },
        deleteappprofile: { kind: 'delete', object: 'app profile', names: 'last' },
      },
      never: [
        'deletetable|deletefamily|deleteallrows|deleteinstance|deletecluster|deleteappprofile|deleterow|deletecolumn',
      ],
      valued: 'instance',
      oneDash: true,
    },
  },
  apigeecli: { does: { byVerb: 'never', work: ['apis undeploy'], verbs: 'undeploy' } },
  anthoscli: { does: { byVerb: 'never' } },
  nomos: { does: { object: 'the configuration of the cluster', names: 'none', work: ['migrate'] } },
  gam: {
    does: {
      says: {
        delete: { kind: 'delete', objectLast: true },
        'user * delete|deprovision': { kind: 'delete', object: 'what user accounts have', thing: 'account' },
        'update * remove': { kind: 'revoke', object: 'the membership of users', thing: 'account' },
        remove: { kind: 'revoke', objectLast: true },
        undelete: { kind: 'rollback', object: 'account' },
        suspend: { kind: 'stop', object: 'account' },
        wipe: { kind: 'delete', object: 'the data of a device', thing: 'machine' },
      },
      never: ['delete *', 'user * delete', 'user * deprovision', 'update * remove', 'remove *', 'undelete'],
      work: ['suspend', 'wipe'],
      also: [{ kind: 'send', thing: 'message', work: ['sendemail', 'user * sendemail'] }],
    },
  },
  clasp: {
    does: {
      says: {
        'delete|delete-script': { kind: 'delete', object: 'the script', names: 'none' },
        undeploy: { kind: 'delete', object: 'deployment' },
      },
      never: ['delete|delete-script', 'undeploy'],
    },
  },
}

export const googleCloud: Family = {
  area: 'google-cloud',
  programs,
  examples: {
    'gcloud secrets versions access latest --secret=db': 'shows Google Cloud secret `db`',
    'gcloud auth print-access-token': 'shows a Google Cloud token',
    'gcloud compute instances delete web-1 --zone europe-west1-b': 'deletes instance `web-1`, for good',
    'gcloud sql instances delete db': 'deletes database instance `db`, for good',
    'gcloud --project prod-shop run services delete web': 'deletes service `web`, for good, in production',
    'gcloud secrets versions destroy 3 --secret db':
      'deletes a version of secret `db`, which programs may need, for good',
    'gcloud projects remove-iam-policy-binding shop --member user:a@example.com --role roles/owner':
      'revokes the role of a member',
    'gcloud projects add-iam-policy-binding shop --member=allUsers --role=roles/owner':
      'grants rights on project `shop`',
    'gcloud container clusters resize main --num-nodes 0': 'stops all nodes of `main`',
    'gcloud compute instances list': '',
    'gsutil -m rm -r gs://shop-logs': 'deletes everything in `gs://shop-logs`, for good',
    'gsutil rsync -d -r ./empty gs://shop': 'deletes files that are only in `gs://shop`, for good',
    'gsutil rsync -n -d -r ./empty gs://shop': '',
    'bq rm -r -f shop:orders': 'deletes table or dataset `shop:orders`, for good',
    'bq load --replace shop.orders ./orders.csv': 'overwrites table `shop.orders`, for good',
    'cbt -instance i deletetable orders': 'deletes table `orders`, for good',
    'gam delete user alice': 'deletes user `alice`, for good',
    'clasp undeploy abc': 'deletes deployment `abc`, for good',
  },
}
