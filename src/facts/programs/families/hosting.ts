import { platformStage } from '../deeds/stages.ts'
import type { Family } from '../program.ts'
import type { Deeds } from '../deeds/deeds.ts'
import { namesSecrets } from '../deeds/secrets.ts'

/** Most of them are `<things> <verb> <name>`: the first verb decides. */
export const byVerb: Deeds = { byVerb: 'never' }

export const fly: Deeds = {
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

export const heroku: Deeds = {
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

export const netlifyHosting: Deeds = {
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

const programs: Family['programs'] = {
  now: {
    does: {
      says: {
        'rm|remove': { kind: 'delete', object: 'deployment' },
      },
      never: ['rm|remove', 'secrets rm', 'dns rm', 'domains rm', 'alias rm'],
    },
  },
  ntl: { does: [netlifyHosting, platformStage] },

  shopify: {
    does: [
      {
        says: {
          'theme push|publish': { kind: 'deploy', object: 'theme', names: '-t|--theme' },
          'app release': { kind: 'deploy', object: 'version of the app', names: '--version' },
          'hydrogen unlink': { kind: 'change', object: 'the link to the shop' },
        },
        never: ['theme delete', 'app function delete', 'hydrogen unlink'],
        work: ['theme push --allow-live|--live', 'theme publish', 'app release'],
      },
      platformStage,
    ],
  },
  magento: {
    does: {
      says: {
        'setup:uninstall': { kind: 'delete', object: 'the shop and its database' },
        'setup:rollback': { kind: 'rollback', object: 'the shop' },
        'maintenance:enable': { kind: 'stop', object: 'the shop' },
      },
      work: ['setup:uninstall', 'setup:rollback', 'maintenance:enable'],
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
    ],
  },
  terminus: {
    does: [
      {
        says: {
          'env:wipe': { object: 'everything in', thing: 'data' },
          'site:team:remove': { kind: 'revoke', object: 'the access of a member', thing: 'account' },
          'env:deploy': { kind: 'deploy', object: 'environment' },
          'env:clone-content': { kind: 'overwrite', object: 'environment', names: 'last' },
          'import:*': { kind: 'overwrite', object: 'site', names: 'first' },
          'multidev:delete': { object: 'environment' },
        },
        never: [
          'site:delete|multidev:delete|env:wipe|branch:delete',
          'domain:remove',
          'backup:*:delete',
          'site:team:remove',
        ],
        work: ['env:deploy|env:clone-content|import:*'],
        harmless: ['auth:logout'],
      },
      platformStage,
    ],
  },

  wp: {
    options: 'path=names url ssh=none http user skip-plugins? skip-themes? require=execute exec context',
    subcommands: {
      eval: {
        options: '+skip-wordpress',
        starts({ operands: [code] }, starts) {
          if (code !== undefined) starts.code('php', code)
        },
      },
      'eval-file': { operands: 'execute' },
    },
    obeysFolder: true,
    codeOnStdin: 'language',
    does: {
      says: {
        'db reset|drop|clean': { object: 'the database', names: 'none' },
        'site empty': { kind: 'delete', object: 'all posts of the site', names: 'none', thing: 'data' },
        'option delete': { object: 'setting' },
        'super-admin remove': { kind: 'revoke', object: 'rights of', thing: 'account' },
        'db query': { kind: 'change', object: 'the database', names: 'none' },
        'db import': { kind: 'overwrite', object: 'the database', names: 'none' },
        'search-replace': { kind: 'change', object: 'every text in the database', thing: 'data', trial: '--dry-run' },
        'user create|set-role|add-role': { kind: 'change', object: 'the rights of', thing: 'account', names: 'first' },
        'super-admin add': { kind: 'change', object: 'the rights of', thing: 'account' },
      },
      never: [
        'db reset|drop|clean',
        'site delete|empty',
        'user delete',
        'post delete --force',
        'plugin delete|uninstall',
        'theme delete',
        'media delete',
        'comment delete',
        'option delete',
        'super-admin remove',
      ],
      work: [
        'db query',
        'db import',
        'search-replace',
        'term delete',
        'post delete',
        'user create|set-role|add-role --role=administrator',
        'super-admin add',
        'plugin deactivate',
      ],
      harmless: ['cache flush', 'transient delete'],
      valued: 'role',
    },
  },
  drush: {
    does: {
      says: {
        'sql:drop|sql-drop|sql:create|sql-create': {
          kind: 'delete',
          object: 'every table of the database',
          thing: 'data',
        },
        'site:install|site-install|si': { kind: 'overwrite', object: 'the site and its database', thing: 'data' },
        'entity:delete': { object: 'entity', thing: 'data', names: 'first' },
        'user:cancel': { kind: 'stop', object: 'user' },
        'config:delete': { object: 'setting' },
        'pm:uninstall|pmu': { kind: 'delete', object: 'module' },
        'sql:sync|sql-sync': { kind: 'overwrite', object: 'the database of', names: 'last', thing: 'data' },
        'sql:query|sqlq': { kind: 'change', object: 'the database', thing: 'data' },
        'config:import|cim': { kind: 'overwrite', object: 'the settings of the site' },
        'core:rsync|rsync': { kind: 'overwrite', object: 'files of', names: 'last', thing: 'data' },
        'migrate:rollback': { kind: 'rollback', object: 'import of content' },
      },
      never: [
        'sql:drop|sql-drop',
        'sql:create|sql-create',
        'site:install|site-install|si',
        'entity:delete',
        'user:cancel',
        'config:delete',
        'pm:uninstall|pmu',
      ],
      work: ['sql:sync|sql-sync', 'sql:query|sqlq', 'config:import|cim', 'core:rsync|rsync', 'migrate:rollback'],
    },
  },
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
    ],
  },
  deployctl: { does: { never: ['projects delete', 'deployments delete'] } },

  'gh-pages': { does: { kind: 'deploy', object: 'the site', names: 'none', work: ['-f|--force'] } },
  porter: { does: [{ ...byVerb, nouns: 'logs' }, platformStage] },
  northflank: { does: { ...byVerb, nouns: 'logs' } },
  koyeb: { does: { ...byVerb, nouns: 'logs', work: ['app|apps pause', 'service|services pause', 'databases delete'] } },
  qovery: { does: [{ ...byVerb, work: ['* stop', 'environment cancel'] }, platformStage] },
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
      platformStage,
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
      platformStage,
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
    'shopify theme push --allow-live': 'deploys a theme',
    'wp db reset --yes': 'deletes the database, for good',
    'wp search-replace http://a.example http://b.example': 'changes every text in the database',
    'drush sql:drop': 'deletes every table of the database, for good',
    'drush sql:sync @live @self': 'overwrites the database of `@self`',
    'terminus env:wipe shop.dev': 'deletes everything in `shop.dev`, for good',
    'eas branch:delete preview': 'deletes branch of updates `preview`, for good',
    'scalingo --app shop env-unset KEY': 'deletes variable `KEY`, for good',
    'clever addon delete shop-db': 'deletes add-on `shop-db`, with its data, for good',
    'surge teardown shop.surge.sh': 'deletes site `shop.surge.sh`, for good',
    'platform environment:delete feature': 'deletes environment `feature`, for good',
  },
}
