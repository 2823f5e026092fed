import { byVerb, type Deeds, namesStage, platformStage } from '../deeds/deeds.ts'
import type { Family } from '../program.ts'
import { pipelines } from './data-platforms/pipelines.ts'
import { deployer } from './hosting.ts'

/** A function of Convex that reads, by its name behind its module: `messages:list`. */
const query =
  /^[\w/]+(?:[.:]\w+)*[.:](?:get|list|count|find|search|show|is|has)(?:(?!\w*(?:And|Or|Delete|Remove|Clear|Set|Update|Reset|Create))[A-Z_]\w*)?$/

const neonctlDataPlatforms: Deeds = {
  ...byVerb,
  says: {
    'branches|branch reset': { kind: 'overwrite', object: 'branch', thing: 'data' },
    'branches|branch restore': { kind: 'overwrite', object: 'branch', thing: 'data', names: 'first' },
    'branches|branch delete': { object: 'database branch', thing: 'data' },
  },
  work: ['branches restore|reset', 'branch restore|reset', 'databases delete'],
}

const programs: Family['programs'] = {
  firebase: {
    ...deployer,
    does: [
      {
        ...byVerb,
        says: {
          'firestore:delete': { object: 'the data of Firestore at', names: 'first' },
          'database:remove': { object: 'the data at' },
          'database:set|database:update': { kind: 'overwrite', object: 'the data at', names: 'first' },
          'hosting:disable': { kind: 'stop', object: 'the site' },
          'auth:import': { kind: 'change', object: 'the user accounts', thing: 'account' },
          'remoteconfig:rollback': { kind: 'rollback', object: 'the remote settings' },
          'ext:uninstall': { object: 'extension' },
          'dataconnect:sql:reset': { object: 'everything in the database', thing: 'data' },
          'dataconnect:sql:migrate': { kind: 'change', object: 'the tables of the database', thing: 'data' },
          deploy: {
            kind: 'deploy',
            thing: 'deployment',
            object: 'the project, deleting what its files no longer have',
          },
          'functions:config:unset': { object: 'setting' },
          'apphosting:rollouts:*': { kind: 'deploy', thing: 'deployment', object: 'version of' },
          'target:clear|target:remove': { object: 'the name of a target' },
          'functions:secrets:prune': { object: 'unused secrets', thing: 'secret' },
        },
        valued: 'P only',
        also: [{ kind: 'send', thing: 'message', names: '--topic', work: ['messaging:send'] }],
        nouns: 'logs',
        never: [
          'projects:delete',
          'firestore:delete',
          'firestore:databases:delete|firestore:backups:delete|firestore:backups:schedules:delete',
          'database:remove',
          'database:set|database:update --force|-f|--confirm|-y',
          'functions:delete',
          'hosting:disable|hosting:sites:delete|hosting:channel:delete',
          'auth:delete',
          'apps:delete|remoteconfig:rollback|appdistribution:testers:remove|functions:secrets:destroy|functions:secrets:prune',
          'apphosting:backends:delete',
          'ext:uninstall',
          'dataconnect:sql:reset',
          'deploy --force',
        ],
        work: [
          'database:set',
          'auth:import',
          'dataconnect:sql:migrate',
          'functions:config:unset',
          'apphosting:rollouts:*',
          'target:clear|target:remove',
        ],
        harmless: ['logout', 'use --clear|--unalias', 'experiments:disable', 'emulators:*', 'functions:artifacts:*'],
      },
      platformStage,
    ],
    looks: 'projects:list|apps:list|functions:list|functions:log|hosting:sites:list|use ..0',
  },
  supabase: {
    does: [
      {
        ...byVerb,
        says: {
          'db reset --linked|--db-url': { object: 'everything in the remote database', thing: 'data', names: 'none' },
          'db reset': { object: 'everything in the local database', thing: 'data', names: 'none' },
          'db push': { kind: 'change', object: 'the tables of the remote database', thing: 'data', trial: '--dry-run' },
          'migration repair': { kind: 'change', object: 'the record of migrations', thing: 'data' },
          'migration squash': { kind: 'change', object: 'the record of migrations', thing: 'data' },
          'migration down': { kind: 'rollback', object: 'the tables of the database', thing: 'data' },
          stop: { kind: 'delete', object: 'the local data of the project', thing: 'data' },
          'storage rm': { object: 'files in' },
          'ssl-enforcement update': { kind: 'change', object: 'the encryption of connections', thing: 'guard' },
          'config push': { kind: 'change', object: 'the settings of the project' },
          'postgres-config delete': { object: 'the settings of the database' },
          'network-bans remove': { kind: 'weaken', object: 'the ban of an address', thing: 'guard' },
          'secrets unset': { kind: 'delete', object: 'secret' },
        },
        valued: 'project-ref workdir dns-resolver db-url',
        never: [
          'db reset --linked|--db-url',
          'projects|branches|functions|domains|sso|secrets delete|remove|unset',
          'storage rm',
          'stop --no-backup',
          'vanity-subdomains|custom-hostname delete',
          'postgres-config delete',
          'network-bans remove',
        ],
        work: [
          'db reset',
          'db push --include-all',
          'migration repair|squash|down',
          'branches pause|disable',
          'db push',
          'ssl-enforcement update',
          'config push',
        ],
        harmless: [
          'stop !--no-backup',
          'db push --dry-run|--local',
          'unlink',
          'logout',
          'migration list',
          'branches get',
        ],
      },
      platformStage,
    ],
    looks: 'projects|functions|branches|orgs list',
    sql: { options: 'query', from: 2, behind: 'db query', stdin: false },
  },

  pscale: {
    does: [
      {
        ...byVerb,
        says: {
          'branch demote': { kind: 'change', object: 'branch', names: 'last' },
          'branch delete': { object: 'database branch', thing: 'data', names: 'last' },
          'branch promote': { kind: 'deploy', object: 'database branch', thing: 'data', names: 'last' },
          'branch safe-migrations': { kind: 'weaken', object: 'the protection of branch', thing: 'guard' },
          'deploy-request revert': { kind: 'rollback', object: 'change of tables', thing: 'data', names: 'last' },
          'deploy-request deploy': { kind: 'deploy', object: 'change of tables', thing: 'data', names: 'last' },
          'deploy-request': { object: 'deploy request', names: 'last' },
          '* delete': { names: 'last' },
        },
        never: [
          'database|branch|password|backup|service-token|deploy-request delete|revert',
          'branch demote',
          'data-imports cancel',
        ],
        work: ['deploy-request deploy|cancel|close', 'branch promote', 'branch safe-migrations disable'],
      },
      platformStage,
    ],
    sql: { behind: 'shell' },
  },
  neonctl: { does: [neonctlDataPlatforms, platformStage] },
  neon: { does: neonctlDataPlatforms },
  turso: {
    does: [
      {
        ...byVerb,
        says: {
          'db|group tokens': { kind: 'revoke', object: 'all tokens of', thing: 'secret' },
          'group destroy': { object: 'group of databases', thing: 'data' },
          'org destroy': { object: 'organization' },
        },
        never: ['db destroy', 'group destroy', 'org destroy', 'db tokens invalidate', 'group tokens invalidate'],
        harmless: ['auth logout'],
      },
      platformStage,
    ],
    sql: { from: 3, behind: 'db shell' },
  },
  'xata mongocli realm realm-cli appservices ccloud': { does: byVerb },
  upstash: {
    does: {
      ...byVerb,
      says: {
        'redis reset-password': { kind: 'overwrite', object: 'the password of', thing: 'secret', names: '--id' },
      },
      work: ['redis reset-password'],
    },
  },
  atlas: {
    does: [
      {
        ...byVerb,
        says: {
          'clusters failover': { kind: 'restart' },
          'backups restores': {
            kind: 'overwrite',
            object: 'cluster',
            thing: 'data',
            names: '--targetClusterName|--clusterName',
          },
          'clusters upgrade': { kind: 'change', object: 'cluster' },
          'clusters delete|terminate': { object: 'cluster', thing: 'data' },
        },
        valued: 'P projectid',
        nouns: 'logs',
        verbs: 'terminate',
        work: ['clusters pause|failover', 'backups restores start', 'clusters upgrade'],
        harmless: ['config delete', 'auth logout'],
      },
      {
        area: 'migrations',
        says: {
          'schema clean': { kind: 'delete' },
          'schema apply': { kind: 'change', trial: '--dry-run' },
          'migrate down': { kind: 'rollback', trial: '--dry-run' },
        },
        never: ['schema clean', 'schema apply --auto-approve'],
        work: ['schema apply', 'migrate down'],
        valued: 'u to dev-url env',
      },
      namesStage,
    ],
  },
  avn: {
    does: {
      ...byVerb,
      says: {
        'service update --power-off': { kind: 'stop', object: 'service' },
        'service update': { kind: 'weaken', object: 'the protection of', thing: 'guard' },
        'service topic-delete': { object: 'topic', thing: 'data', names: 'last' },
        'service *-delete': { names: 'last' },
        'service terminate': { object: 'service' },
      },
      nouns: 'logs',
      never: [
        'service terminate',
        'service update --power-off|--disable-termination-protection',
        'project delete',
        'account delete',
        'service topic-delete|database-delete|user-delete|acl-delete|index-delete',
        'service *-delete',
      ],
    },
  },
  confluent: {
    does: {
      ...byVerb,
      says: {
        'connect cluster pause': { kind: 'stop', object: 'connector' },
        'flink statement stop': { kind: 'stop', object: 'statement' },
        'kafka topic delete': { object: 'topic' },
      },
      nouns: 'logs',
      work: ['connect cluster pause', 'flink statement stop'],
    },
  },
  ...pipelines,
  sanity: {
    does: {
      ...byVerb,
      says: {
        'dataset alias delete': { object: 'alias' },
        undeploy: { object: 'the studio', thing: 'deployment' },
        'graphql undeploy': { object: 'the GraphQL interface', thing: 'deployment' },
        'cors delete': { object: 'origin' },
        'backup disable': { kind: 'stop', object: 'the backups of', thing: 'backup' },
        'documents delete': { object: 'document', thing: 'data' },
      },
      never: [
        'dataset delete',
        'documents delete',
        'dataset alias delete',
        'undeploy',
        'cors delete',
        'hook delete',
        'graphql undeploy',
        'backup disable',
        'tokens delete',
      ],
      harmless: ['logout', 'telemetry disable'],
    },
  },
  contentful: { does: { ...byVerb, valued: 'space-id environment-id', harmless: ['logout'] } },
  strapi: {
    does: {
      says: {
        'transfer|import': { kind: 'overwrite', object: 'the content of the site', names: 'none' },
        'configuration:restore': { kind: 'overwrite', object: 'the settings of the site', names: 'none' },
      },
      work: ['transfer --force', 'import --force', 'configuration:restore'],
    },
  },
  hasura: {
    does: [
      {
        says: {
          metadata: { kind: 'delete', object: 'the metadata of the server', thing: 'data' },
          'migrate delete': { kind: 'delete', object: 'the record of migrations', thing: 'data' },
          'migrate apply': {
            kind: 'rollback',
            object: 'the tables of the database',
            thing: 'data',
            names: 'none',
            trial: '--dry-run',
          },
          'migrate squash': { kind: 'change', object: 'the migrations of the project', names: 'none' },
        },
        never: ['metadata clear', 'migrate delete'],
        work: ['migrate apply --down|--rollback', 'migrate squash'],
        valued: 'down',
      },
      namesStage,
    ],
  },
  appwrite: { does: [{ ...byVerb, verbs: 'delete-document delete-collection' }, platformStage] },
  convex: {
    does: [
      {
        says: {
          env: { kind: 'delete', object: 'variable', thing: 'deployment' },
          import: { kind: 'overwrite', object: 'the data of tables', thing: 'data', names: 'none' },
        },
        work: ['env remove', 'import --replace|--replace-all'],
        also: [
          {
            kind: 'change',
            object: 'data by function',
            work: ['run'],
            when: (_, { words: [, named] }) => named?.unknown !== false || !query.test(named.text),
          },
        ],
      },
      platformStage,
    ],
  },
  nhost: {
    does: {
      says: {
        down: { kind: 'delete', object: 'the local data of the project', thing: 'data', names: 'none' },
      },
      work: ['down --volumes', 'env delete', 'secrets delete'],
    },
  },
  'gel edgedb': {
    does: {
      says: {
        'instance revert': { kind: 'rollback', object: 'instance' },
        'instance destroy': { kind: 'delete', object: 'instance', thing: 'data', names: '-I|--instance' },
        'database|branch wipe': { kind: 'delete', object: 'everything in', thing: 'data' },
        'database|branch drop': { kind: 'delete', object: 'database branch', thing: 'data' },
        'project unlink': { kind: 'delete', object: 'the server instance of the project', thing: 'data' },
        restore: { kind: 'overwrite', object: 'the database with a backup', thing: 'data', names: 'none' },
      },
      never: ['instance destroy', 'database drop|wipe', 'branch drop|wipe', 'project unlink --destroy-server-instance'],
      work: ['instance revert|stop', 'restore'],
    },
    sql: { options: 'c', from: 1, behind: 'query' },
  },
  surreal: {
    does: { kind: 'change', object: 'the database', names: 'none', work: ['import'] },
    sql: {
      behind: 'sql',
      valued: 'e endpoint conn u user p pass ns namespace db database token',
      hosts: 'e endpoint conn',
    },
  },
}

export const dataPlatforms: Family = {
  area: 'data-platforms',

  programs,
  examples: {
    'surreal sql -e ws://db:8000 <<< "REMOVE TABLE users;"': 'deletes table `users`, for good',
    'surreal sql -e ws://db:8000 <<< "SELECT * FROM users;"': '',
    'supabase db reset --linked': 'deletes everything in the remote database, for good',
    'supabase db reset': 'deletes everything in the local database',
    'supabase projects delete abc': 'deletes project `abc` and everything in it, for good',
    'supabase db push --dry-run': '',
    'firebase firestore:delete --all-collections': 'deletes the data of Firestore, for good',
    'firebase database:set /users users.json --force': 'overwrites the data at `/users`, for good',
    'firebase hosting:disable': 'stops the site',
    'pscale branch delete shop try': 'deletes database branch `try`, for good',
    'neonctl branches reset main --parent': 'overwrites branch `main`',
    'turso db destroy shop --yes': 'deletes database `shop`, for good',
    'atlas clusters delete shop': 'deletes cluster `shop`, for good',
    'avn service terminate shop-db': 'deletes service `shop-db`, for good',
    'databricks fs rm -r dbfs:/shop': 'deletes file `dbfs:/shop`, for good',
    'databricks bundle destroy': 'deletes everything that the bundle has deployed, for good',
    'dbt run --full-refresh': 'overwrites all tables of the models',
    'airflow dags delete shop': 'deletes DAG `shop`, for good',
    'airflow db reset': 'deletes the records of Airflow, for good',
    'temporal workflow terminate -w w1': 'stops workflow `w1`',
    'modal volume rm data /a': 'deletes files of volume `data`, for good',
    'hf repo delete shop/model': 'deletes repository `shop/model`, for good',
    'dagster run wipe': 'deletes the records of all runs, for good',
    'sanity dataset delete production': 'deletes dataset `production`, for good, in production',
    'hasura migrate apply --down 1': 'rolls back the tables of the database',
    'convex run users:getAndDelete': 'changes data by function `users:getAndDelete`',
    'convex run users:list': 'runs a command',
    'prefect deployment delete shop/web': 'deletes deployment `shop/web`, for good',
    'mlflow runs delete --run-id r1': 'deletes run `r1`, which people watch, for good',
    'dolt branch -d try': 'deletes a branch',
    'gel database wipe': 'deletes everything, for good',
    'openai api files.delete -i file-1': 'deletes file or model `file-1`, for good',
    'openai api models.list': '',
    'mistral files delete f1': 'deletes file `f1`, for good',
    'wandb sweep --cancel a/b/c': 'stops a sweep',
    'dvc gc -w': 'deletes unused versions of data',
    'nhost secrets delete KEY': 'deletes secret `KEY`, which programs may need',
  },
}
