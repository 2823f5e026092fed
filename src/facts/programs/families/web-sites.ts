import { liveBy, platformStage } from '../deeds/deeds.ts'
import type { Family } from '../program.ts'

/** Systems that keep and show the content of web sites, and shops. */
export const webSites: Family = {
  area: 'hosting',
  programs: {
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
          'user create|set-role|add-role': {
            kind: 'change',
            object: 'the rights of',
            thing: 'account',
            names: 'first',
          },
          'super-admin add': { kind: 'change', object: 'the rights of', thing: 'account' },
          'user update': { kind: 'change', object: 'the password or the rights of', thing: 'account', names: 'first' },
          'user reset-password': { kind: 'change', object: 'the password of', thing: 'account' },
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
          'user update --user_pass|--role=administrator',
          'user reset-password',
          'super-admin add',
          'plugin deactivate',
        ],
        harmless: ['cache flush', 'transient delete'],
        valued: 'role user_pass',
      },
      sql: { from: 2, behind: 'db query' },
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
          'user:password|upwd': { kind: 'change', object: 'the password of', thing: 'account', names: 'first' },
          'user:role:add|urol': { kind: 'grant', object: 'user', thing: 'account', names: 'last' },
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
        work: [
          'user:password|upwd',
          'user:role:add|urol',
          'sql:sync|sql-sync',
          'sql:query|sqlq',
          'config:import|cim',
          'core:rsync|rsync',
          'migrate:rollback',
        ],
      },
      sql: { from: 1, behind: 'sql:query' },
    },
    'gh-pages': { does: [{ kind: 'deploy', object: 'the site', names: 'none', work: ['-f|--force'] }, liveBy(/^/)] },
  },
  examples: {
    'wp post list': '',
    'shopify theme push --allow-live': 'deploys a theme',
    'wp db reset --yes': 'deletes the database, for good',
    'wp search-replace http://a.example http://b.example': 'changes every text in the database',
    'wp user update admin --user_pass=a': 'changes the password or the rights of `admin`',
    'wp user update bob --display_name=Bob': '',
    'drush sql:drop': 'deletes every table of the database, for good',
    'drush sql:sync @live @self': 'overwrites the database of `@self`',
    'terminus env:wipe shop.dev': 'deletes everything in `shop.dev`, for good',
  },
}
