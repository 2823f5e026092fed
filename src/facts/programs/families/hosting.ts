import {
  pushes,
  liveAlsoBy,
  liveBy,
  liveByVerbs,
  byVerb,
  type Deeds,
  namesSecrets,
  platformStage,
  pushedStage,
} from '../deeds/deeds.ts'
import type { Family } from '../program.ts'
import { type Row, sshOption } from '../row.ts'

const fly: Deeds = {
  shows: { 'auth token': { object: 'Fly token', names: 'none' } },
  nicknames: { m: 'machine', pg: 'database' },
  says: {
    'scale count|vm 0': { kind: 'stop', object: 'all machines of the app' },
    'machine|machines|m cordon': { kind: 'stop', object: 'machine' },
    'postgres|pg failover': { kind: 'restart', object: 'the database' },
    'machine|machines|m destroy|remove|rm': { kind: 'delete', object: 'machine' },
    'secrets unset': { kind: 'delete', object: 'secret' },
  },
  valued: 'o',
  byVerb: 'never',
  nouns: 'logs status',
  work: [
    'machine|machines|m stop|kill|suspend',
    'scale count 0',
    'scale count|vm 0',
    'apps suspend',
    'machine cordon',
    'postgres failover|pg failover',
  ],
  harmless: ['auth logout', 'wireguard reset', 'agent *'],
}

const heroku: Deeds = {
  shows: {
    'auth:token': { object: 'Heroku token', names: 'none' },
    config: { object: 'the variables of an app', names: 'none' },
    'config:get': { object: 'variable', names: 'first', when: namesSecrets },
  },
  says: {
    'pg:reset': { kind: 'delete', object: 'everything in', thing: 'data' },
    'pg:killall|pg:kill': { kind: 'stop', object: 'the connections of', thing: 'data' },
    'pg:promote': { kind: 'change', object: 'the main database', thing: 'data' },
    'apps:leave': { kind: 'revoke', object: 'the access to the app', thing: 'account' },
    'redis:cli:flush': { kind: 'delete', object: 'everything in', thing: 'data' },
    'repo:reset': { kind: 'delete', object: 'the repository of the app', thing: 'repository' },
    'maintenance:on': { kind: 'stop', object: 'the app' },
    'ps:scale': { kind: 'change', object: 'process type' },
    'ps:stop|ps:kill': { kind: 'stop', object: 'process' },
    'releases:rollback|rollback': { kind: 'rollback', object: 'release' },
    'pg:restore|pg:backups:restore': { kind: 'overwrite', object: 'the database with a backup', thing: 'data' },
    'pg:copy|pg:push': { kind: 'overwrite', object: 'database', names: 'last' },
    'pg:unfollow': { kind: 'stop', object: 'the replication of', thing: 'data' },
    'config:unset': { kind: 'delete', object: 'variable', thing: 'deployment' },
    'addons:destroy': { kind: 'delete', object: 'add-on, with its data', thing: 'data' },
    'apps:destroy': { kind: 'delete', object: 'app' },
  },
  valued: 'a r',
  byVerb: 'never',
  nouns: 'status logs restart run ps',
  never: [
    'pg:reset|pg:killall|pg:promote|pg:kill',
    'apps:leave|spaces:destroy|pipelines:destroy|teams:destroy',
    'redis:cli:flush',
    'repo:reset',
  ],
  work: [
    'maintenance:on',
    'ps:scale',
    'ps:stop|ps:kill',
    'releases:rollback|rollback',
    'pg:restore|pg:backups:restore|pg:copy|pg:push|pg:unfollow',
    'features:disable',
    'apps:transfer|apps:rename',
  ],
  harmless: ['plugins:uninstall', 'auth:logout', 'git:remote', 'builds:cache:purge|repo:purge_cache'],
}

const netlify: Deeds = {
  ...byVerb,
  says: {
    'env:unset': { object: 'variable' },
    'api delete*': { kind: 'delete', object: 'what is named in the call' },
    unlink: { kind: 'change', object: 'the link to the site' },
    'sites:delete': { object: 'site' },
  },
  nouns: 'logs status',
  never: ['sites:delete', 'env:unset', 'blobs:delete', 'functions:delete', 'db destroy'],
  work: ['unlink', 'api deletesite|deletedeploy|deletednszone|deletednsrecord'],
  harmless: ['logout'],
}

export const deployer: Row = {
  options: 'dir=read d=read config=read c=read app a token t project env-file=variables cwd=names',
  effects(line, recorder) {
    if (line.operands.some(({ value }) => /^(?:deploy|publish|up|push|secrets|upload)$/.test(value)))
      recorder.network({ kind: 'service', direction: 'send' })
  },
}

const flyClient: Row = {
  ...deployer,
  subcommands: { 'ssh console': sshOption('a app s r region', 'C command', { container: () => ({}) }) },
}

const programs: Family['programs'] = {
  heroku: {
    ...deployer,
    subcommands: { 'run, run:detached': { options: 'a app r remote s size e env', starts: { elsewhere: true } } },
    does: [heroku, pushedStage, liveBy(/^(?:container:release|pipelines:promote)\b/)],
    looks: `
    apps|ps|releases|addons|domains|status|version ..0
    apps:info|ps|releases|releases:info|addons|addons:info|domains|logs|status|regions`,
    sql: { options: 'c command', behind: 'pg:psql' },
  },
  flyctl: {
    ...flyClient,
    does: [fly, platformStage],
    looks: 'status|logs|version|info; apps|machine|machines|volumes|regions list',
    rentsMachines: true,
  },
  fly: {
    ...flyClient,
    does: [
      {
        ...fly,
        // Concourse's client has this name too.
        says: {
          ...fly.says,
          'destroy-pipeline|dp|archive-pipeline': { object: 'pipeline', thing: 'pipeline', names: '-p|--pipeline' },
          'destroy-team|dt': { kind: 'delete', object: 'team', names: '-n|--team-name' },
          'prune-worker|land-worker|dw': {
            kind: 'delete',
            thing: 'pipeline',
            object: 'worker',
            names: '-w|--worker',
          },
          'clear-*': { kind: 'delete', thing: 'pipeline', object: 'cached results', names: 'none' },
          'pause-pipeline': { kind: 'stop', thing: 'pipeline', object: 'pipeline', names: '-p|--pipeline' },
          'pause-job|abort-build': { kind: 'stop', thing: 'pipeline', object: 'job', names: '-j|--job' },
        },
        valued: 'o p j b',
        never: [
          'destroy-pipeline|dp',
          'destroy-team|dt',
          'prune-worker',
          'clear-task-cache',
          'clear-versions',
          'clear-resource-cache',
          'archive-pipeline',
          'dw',
          'land-worker',
        ],
        work: [...(fly.work ?? []), 'pause-pipeline', 'abort-build', 'pause-job'],
      },
      platformStage,
    ],
    looks: 'status|logs|version|info; apps|machine|machines|volumes|regions list',
    rentsMachines: true,
  },
  railway: {
    ...deployer,
    subcommands: { run: { options: 's service e environment', starts: {} } },
    does: [
      {
        shows: { 'variables -k|--kv|--json': { object: 'the variables of an app', names: 'none' } },
        ...byVerb,
        says: {
          down: { object: 'deployment', names: 'none' },
          delete: { object: 'project' },
        },
        valued: 'e s p',
        nouns: 'logs status run',
        never: [
          'down',
          'volume delete|rm|detach',
          'environment delete|remove',
          'service delete',
          'delete',
          'variables|variable delete',
          'bucket delete',
        ],
        harmless: ['unlink', 'logout'],
      },
      platformStage,
      liveBy(/^(?:up|redeploy)\b/, { toNamed: true }),
    ],
    looks: 'status|logs|list|whoami|version',
  },
  // Alone or with a folder, it deploys.
  'vercel vc': {
    ...deployer,
    does: [
      {
        shows: { 'env pull': { object: 'the variables of an app', names: 'none' } },
        ...byVerb,
        says: {
          'env rm|remove': { object: 'variable', names: 'first' },
          'rm|remove': { object: 'deployment' },
          'alias rm|remove': { object: 'alias' },
          rollback: { kind: 'rollback', object: 'deployment' },
          promote: { kind: 'deploy', object: 'deployment' },
          'domains move|transfer-out': { kind: 'change', object: 'domain', names: 'first' },
        },
        valued: 'S A Q scope local-config',
        also: [{ kind: 'spend', thing: 'money', object: 'domain', work: ['domains buy|transfer-in', 'buy'] }],
        never: [
          'rm|remove',
          'env rm|remove',
          'domains|dns|certs|alias|secrets|project|projects|teams|blob|integration|edge-config rm|remove',
        ],
        work: ['rollback', 'promote', 'domains move|transfer-out', 'rolling-release abort'],
        harmless: ['git disconnect', 'logout'],
      },
      { area: 'stages', stage: { named: 'words', verb: 'deploy' }, harmless: ['build'] },
      liveByVerbs('publish', 'upload'),
    ],
    looks: 'ls|list|inspect|whoami|logs; env|domains|dns|certs|project|projects|alias|teams ls|list',
  },
  netlify: {
    ...deployer,
    does: [netlify, platformStage, liveByVerbs('publish', 'upload')],
    looks: 'status; sites:list',
  },
  render: {
    ...deployer,
    does: [
      {
        ...byVerb,
        nouns: 'logs',
        work: ['services suspend', 'jobs cancel', 'deploys cancel'],
      },
      platformStage,
      liveBy(/^deploys create\b/),
    ],
  },
  wrangler: {
    ...deployer,
    does: [
      {
        says: {
          delete: { object: 'worker' },
          'kv:key|kv:namespace|kv:bulk delete': { object: 'what is stored', names: 'none', thing: 'data' },
          'kv key': { object: 'entry', thing: 'data' },
          'kv namespace': { object: 'key-value store', thing: 'data', names: '--namespace-id' },
          'kv bulk': { object: 'many entries', thing: 'data', names: 'none' },
          'd1 delete': { object: 'database' },
          'd1 time-travel': { kind: 'rollback', object: 'database', thing: 'data', names: 'first' },
          'queues purge': { object: 'all messages of', thing: 'data' },
          'vectorize delete-vectors': { object: 'vectors of', thing: 'data', names: 'first' },
          'vectorize delete': { object: 'vector index', thing: 'data' },
          'hyperdrive delete': { object: 'database connection' },
          rollback: { kind: 'rollback', object: 'version' },
          'r2 object': { object: 'object', thing: 'data' },
        },
        valued: 'e env binding namespace-id preview local',
        byVerb: 'never',
        never: [
          'delete',
          'kv:key|kv:namespace|kv:bulk delete',
          'kv key|namespace|bulk delete',
          'r2 bucket|object delete|remove',
          'd1 delete',
          'd1 time-travel restore',
          'queues delete|purge',
          'queues consumer remove',
          'pages project|deployment delete',
          'secret|secret:bulk delete',
          'versions secret delete',
          'vectorize delete|delete-vectors',
          'hyperdrive delete',
          'workflows delete|terminate',
          'dispatch-namespace delete',
          'mtls-certificate delete',
          'triggers delete',
          'pipelines delete',
          'containers delete',
          'certificate delete',
        ],
        work: ['rollback', 'deployments rollback', 'pages secret delete'],
        harmless: [
          'logout',
          'kv key|namespace|bulk delete --local',
          'kv:key delete --local',
          'r2 object delete --local',
        ],
      },
      platformStage,
    ],
    looks: 'whoami|version|tail; * list; kv|r2|d1|queues|dispatch-namespace namespace|bucket list',
    sql: { options: 'command', valued: 'env file', behind: 'd1 execute', stdin: false },
  },
  surge: {
    ...deployer,
    does: [
      { kind: 'delete', object: 'site', never: ['teardown'] },
      liveBy(/^(?!list|whoami|login|logout|token|plans|teardown)/),
    ],
  },
  now: {
    does: [
      {
        says: {
          'rm|remove': { kind: 'delete', object: 'deployment' },
        },
        never: ['rm|remove', 'secrets rm', 'dns rm', 'domains rm', 'alias rm'],
      },
      liveBy(/--prod\b/),
    ],
  },
  ntl: { does: [netlify, platformStage, liveByVerbs('publish', 'upload')] },
  eas: {
    does: [
      {
        ...byVerb,
        says: {
          'branch:delete': { object: 'branch of updates', thing: 'deployment' },
          'env:delete': { object: 'variable', names: '--variable-name' },
          'update:delete': { object: 'update' },
        },
        nouns: 'logs',
        never: [
          'project:delete|channel:delete|branch:delete|update:delete|env:delete|secret:delete|build:delete|webhook:delete|device:delete',
        ],
        harmless: ['logout'],
      },
      platformStage,
      liveAlsoBy(
        /^submit\b|^build .*--auto-submit|^update\b.*(?:--(?:channel|branch)[ =](?:main|master|production|prod)|--auto)/,
      ),
    ],
  },
  deployctl: { does: { never: ['projects delete', 'deployments delete'] } },
  porter: { does: [{ ...byVerb, nouns: 'logs' }, platformStage, pushes({ publish: 'addresses' })] },
  northflank: { does: { ...byVerb, nouns: 'logs' } },
  koyeb: { does: { ...byVerb, nouns: 'logs', work: ['app|apps pause', 'service|services pause', 'databases delete'] } },
  qovery: { does: [{ ...byVerb, work: ['* stop', 'environment cancel'] }, platformStage] },
  'gigalixir piku': { does: pushedStage },
  scalingo: {
    does: [
      {
        says: {
          destroy: { kind: 'delete', object: 'app' },
          'addons-remove': { kind: 'delete', object: 'add-on, with its data', thing: 'data' },
          'env-unset': { kind: 'delete', object: 'variable' },
          'collaborators-remove': { kind: 'revoke', object: 'the access of', thing: 'account' },
          scale: { kind: 'change', object: 'the containers of the app', names: 'none' },
          restart: { kind: 'restart', object: 'the app', names: 'none' },
          'one-off-stop': { kind: 'stop', object: 'container' },
        },
        never: [
          'destroy',
          'addons-remove',
          'env-unset',
          'domains-remove',
          'collaborators-remove',
          'delete-database',
          'keys-remove',
          'notifiers-remove',
        ],
        work: ['scale', 'restart', 'one-off-stop'],
        valued: 'a',
      },
      pushedStage,
    ],
  },
  clever: {
    does: [
      {
        says: {
          delete: { kind: 'delete', object: 'app' },
          'addon delete': { kind: 'delete', object: 'add-on, with its data', thing: 'data' },
          'env rm': { kind: 'delete', object: 'variable' },
          drain: { kind: 'delete', object: 'drain of logs', thing: 'record' },
          'tcp-redirs': { kind: 'delete', object: 'redirection' },
          'service unlink-*': { kind: 'change', object: 'the links of the app' },
          stop: { kind: 'stop', object: 'the app' },
          'cancel-deploy': { kind: 'stop', object: 'the deployment' },
        },
        never: [
          'delete',
          'addon delete',
          'env rm',
          'domain rm',
          'drain remove',
          'tcp-redirs remove',
          'service unlink-*',
        ],
        work: ['stop', 'cancel-deploy'],
      },
      pushedStage,
    ],
  },
  zeabur: { does: { ...byVerb } },
  dapr: {
    does: {
      says: {
        uninstall: { kind: 'delete', object: 'the runtime' },
        stop: { kind: 'stop', object: 'app' },
      },
      work: ['uninstall', 'stop'],
    },
  },
  encore: {
    does: {
      says: {
        'db reset': { kind: 'delete', object: 'database' },
        'app unlink': { kind: 'change', object: 'the link to the app' },
      },
      never: ['db reset'],
      work: ['app unlink'],
    },
  },
  'platform upsun': {
    does: [
      {
        ...byVerb,
        nouns: 'logs',
        valued: 'p e',
        verbs: 'environment:delete project:delete',
        work: ['environment:deactivate|environment:pause'],
        harmless: ['auth:logout', 'ssh-cert:*'],
      },
      platformStage,
      liveAlsoBy(/^(?:environment:)?push\b/, { toNamed: true }),
    ],
  },
}

export const hosting: Family = {
  area: 'hosting',
  programs,
  examples: {
    'heroku config:get DATABASE_URL -a shop': 'shows variable `DATABASE_URL`',
    'heroku config:get NODE_ENV -a shop': '',
    'fly auth token': 'shows a Fly token',
    'railway variables --json': 'shows the variables of an app',
    'fly apps destroy web --yes': 'deletes app `web`, for good',
    'fly machine stop 12': 'stops machine `12`',
    'fly volumes destroy vol_1': 'deletes volume `vol_1`, for good',
    'fly -t ci destroy-pipeline -p shop': 'deletes pipeline `shop`, for good',
    'fly status': '',
    'heroku apps:destroy web --confirm web': 'deletes app `web`, for good',
    'heroku pg:reset DATABASE_URL --confirm web': 'deletes everything in `DATABASE_URL`, for good',
    'heroku config:unset KEY -a web': 'deletes variable `KEY`, for good',
    'heroku ps:scale web=0': 'changes process type `web=0`',
    'heroku maintenance:on -a shop-prod': 'stops the app',
    'vercel remove web --yes': 'deletes deployment `web`, for good',
    'vercel env rm KEY production --yes': 'deletes variable `KEY`, for good, in production',
    'vercel domains buy shop.example': 'pays for domain `shop.example`',
    'netlify sites:delete --force': 'deletes a site, for good',
    'netlify env:unset KEY': 'deletes variable `KEY`, for good',
    'railway down': 'deletes a deployment, for good',
    'railway volume delete data --yes': 'deletes volume `data`, for good',
    'wrangler d1 delete shop': 'deletes database `shop`, for good',
    'wrangler kv key delete --binding KV a': 'deletes entry `a`, for good',
    'wrangler kv key delete a --binding KV --local': '',
    'wrangler rollback': 'rolls back a version',
    'eas branch:delete preview': 'deletes a branch of updates `preview`, for good',
    'scalingo --app shop env-unset KEY': 'deletes variable `KEY`, for good',
    'clever addon delete shop-db': 'deletes add-on `shop-db`, with its data, for good',
    'surge teardown shop.surge.sh': 'deletes site `shop.surge.sh`, for good',
    'platform environment:delete feature': 'deletes environment `feature` and everything in it, for good',
  },
}
