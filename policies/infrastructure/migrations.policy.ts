import { definePolicy } from 'hookgate/policy'
import type { Call } from './cli/calls.ts'
import { allowed, answered, asked, passed, refused } from './cli/example.ts'
import { type Cli, type CliTable, judge, params } from './cli/judge.ts'

const rails: Cli = {
  deny: [
    'db:drop|db:drop:*|db:reset|db:reset:*|db:purge|db:purge:*|db:truncate_all|db:migrate:reset|db:schema:load|db:structure:load|db:setup|db:seed:replant',
    'app:update --force',
  ],
  ask: ['db:rollback|db:migrate:down|db:migrate:redo|db:environment:set|db:seed', 'destroy', 'd'],
  valued: 'e environment',
}

const artisanDeny = ['migrate:fresh|migrate:reset|migrate:refresh|db:wipe|schema:drop']
const artisanAsk = [
  'migrate:rollback',
  'migrate --force',
  'queue:clear|queue:flush|queue:forget',
  'down',
  'telescope:clear|horizon:terminate|horizon:purge|model:prune',
  'tinker --execute',
]
const artisan: Cli = {
  deny: artisanDeny,
  ask: artisanAsk,
  trials: 'pretend',
}

const symfonyDeny = [
  'doctrine:database:drop',
  'doctrine:schema:drop',
  'doctrine:migrations:migrate first',
  'doctrine:fixtures:load',
  'd:d:d|d:s:d',
  'doctrine:query:sql',
  'doctrine:mongodb:schema:drop',
  'messenger:failed:remove',
  'messenger:stop-workers',
]
const symfonyAsk = [
  'doctrine:schema:update --force',
  'doctrine:migrations:execute --down',
  'doctrine:migrations:rollup',
  'cache:pool:clear|cache:pool:prune',
]
const symfonyHarmless = [
  'doctrine:fixtures:load --append',
  'doctrine:schema:drop --dump-sql',
  'doctrine:query:sql select *',
]
const symfony: Cli = {
  deny: symfonyDeny,
  ask: symfonyAsk,
  harmless: symfonyHarmless,
}

const djangoDeny = [
  'flush',
  'reset_db',
  'sqlflush --execute',
  'migrate * zero',
  'delete_squashed_migrations',
  'drop_test_database',
  'clean_database',
  'reset_schema',
  'clear_index',
  'rebuild_index --noinput',
]
const djangoAsk = [
  'loaddata',
  'dbshell',
  'remove_stale_contenttypes',
  'clearsessions',
  'update_index --remove',
  'collectstatic --clear',
  'rebuild_index',
  'sqlsequencereset',
  'deleteorphaned*',
  'delete_*',
  'clean_*',
  'purge_*',
]
const django: Cli = {
  deny: djangoDeny,
  ask: djangoAsk,
  valued: 'settings pythonpath database',
}

const prisma: Cli = {
  valued: 'schema',
  deny: ['migrate reset', 'db push --force-reset|--accept-data-loss', 'platform * delete'],
  ask: ['db push', 'db execute', 'migrate resolve'],
}

const knex: Cli = {
  deny: ['migrate:rollback --all', 'migrate:unlock'],
  ask: ['migrate:rollback', 'migrate:down', 'seed:run'],
  valued: 'knexfile env cwd',
}

const sequelize: Cli = {
  deny: ['db:drop', 'db:migrate:undo:all', 'db:seed:undo:all'],
  ask: ['db:migrate:undo', 'db:seed:undo'],
  valued: 'env config url',
}

const table: CliTable = {
  rails,
  rake: rails,
  hanami: { deny: ['db drop|reset|clean', 'db structure load'], ask: ['db rollback'] },
  sequel: { ask: ['-M=0'], valued: 'm M' },
  lotus: { deny: ['db drop'] },
  artisan,
  php: {
    deny: [
      ...artisanDeny.map((one) => `artisan ${one}`),
      ...symfonyDeny.map((one) => `bin/console|console|app/console ${one}`),
    ],
    ask: [
      ...artisanAsk.map((one) => `artisan ${one}`),
      ...symfonyAsk.map((one) => `bin/console|console|app/console ${one}`),
    ],
    harmless: symfonyHarmless.map((one) => `bin/console|console|app/console ${one}`),
    valued: 'd c f r e env',
    trials: 'pretend',
    runsAnything: true,
  },
  sail: {
    ...artisan,
    deny: [...artisanDeny, 'artisan migrate:fresh|migrate:reset|migrate:refresh|db:wipe', 'down --volumes|-v'],
  },
  console: symfony,
  symfony: {
    deny: symfonyDeny.map((one) => `console ${one}`),
    byVerb: 'deny',
    nouns: 'console',
    harmless: symfonyHarmless.map((one) => `console ${one}`),
  },
  doctrine: { deny: ['orm:schema-tool:drop', 'dbal:run-sql'], ask: ['orm:schema-tool:update --force'] },
  'doctrine-migrations': { deny: ['migrate first'], ask: ['migrations:execute --down'] },
  phinx: { deny: ['rollback --target=0|-t=0'], ask: ['rollback'], valued: 't target e environment' },
  spark: { deny: ['migrate:refresh|migrate:rollback'] },
  yii: { deny: ['migrate/fresh', 'migrate/down all', 'cache/flush-all'], ask: ['migrate/down|migrate/redo'] },
  cake: { deny: ['migrations rollback --target=0|-t=0'], ask: ['migrations rollback', 'schema drop'] },
  manage: django,
  'django-admin': django,
  python: {
    deny: djangoDeny.map((one) => `manage.py|./manage.py ${one}`),
    ask: djangoAsk.map((one) => `manage.py|./manage.py ${one}`),
    valued: 'm c W X settings database',
    runsAnything: true,
  },
  flask: {
    deny: ['db downgrade base', 'drop-db|dropdb|db-drop|reset-db|resetdb', 'db drop*|db reset*'],
    ask: ['db downgrade', 'db stamp'],
    valued: 'app A env',
  },
  alembic: { deny: ['downgrade base'], ask: ['downgrade', 'stamp'], valued: 'c x n', trials: 'sql' },
  aerich: { ask: ['downgrade'] },
  yoyo: { deny: ['rollback --all|-a'], ask: ['rollback', 'break-lock'] },
  piccolo: { deny: ['migrations backwards all 1', 'schema drop'], ask: ['migrations backwards'] },
  prisma,
  knex,
  objection: knex,
  sequelize,
  'sequelize-cli': sequelize,
  typeorm: {
    deny: ['schema:drop', 'schema:sync', 'cache:clear --all'],
    ask: ['migration:revert', 'query'],
    valued: 'd dataSource',
  },
  'typeorm-ts-node-commonjs': { deny: ['schema:drop', 'schema:sync'], ask: ['migration:revert'], valued: 'd' },
  'typeorm-ts-node-esm': { deny: ['schema:drop', 'schema:sync'], ask: ['migration:revert'], valued: 'd' },
  'mikro-orm': {
    deny: ['schema:drop|schema:fresh|migration:fresh', 'database:drop'],
    ask: ['schema:update --run|-r', 'migration:down'],
    harmless: ['schema:drop --dump|-d'],
  },
  'drizzle-kit': { deny: ['drop', 'push --force'], ask: ['push'], valued: 'config' },
  'db-migrate': { deny: ['reset', 'db:drop'], ask: ['down'], valued: 'e m config' },
  'node-pg-migrate': { ask: ['down', 'redo'] },
  dbmate: { deny: ['drop'], ask: ['down|rollback', 'load'], valued: 'u url e env d migrations-dir s' },
  goose: {
    deny: ['reset', '* * reset', 'down-to 0', '* * down-to 0'],
    ask: ['down|redo|down-to', '* * down|redo|down-to'],
    valued: 'dir table',
    oneDash: true,
  },
  migrate: { deny: ['drop', 'down --all'], ask: ['down', 'force'], valued: 'path database source', oneDash: true },
  'sql-migrate': { ask: ['down', 'redo'] },
  atlas: {
    deny: ['schema clean', 'schema apply --auto-approve'],
    ask: ['schema apply', 'migrate down'],
    valued: 'u url to dev-url env',
  },
  tern: { ask: ['migrate --destination=0'] },
  soda: { deny: ['drop|reset'], ask: ['migrate down'] },
  buffalo: { deny: ['pop drop|reset', 'db drop|reset'] },
  bee: { ask: ['migrate rollback|reset|refresh'] },
  diesel: { deny: ['database reset|drop'], ask: ['migration revert|redo'], valued: 'database-url' },
  sqlx: {
    deny: ['database drop|reset', 'db drop|reset', 'migrate revert --target-version=0'],
    ask: ['migrate revert|rev'],
    valued: 'd database-url',
  },
  'sea-orm-cli': { deny: ['migrate fresh|refresh|reset'], ask: ['migrate down'], valued: 'd u s' },
  refinery: { ask: ['migrate --fake'] },
  flyway: {
    deny: ['clean', '* clean', 'migrate clean', 'undo', '--cleandisabled=false'],
    ask: ['repair', 'baseline', 'migrate'],
    oneDash: true,
  },
  liquibase: {
    deny: [
      'dropall|drop-all',
      'rollback-to-date|rollbacktodate|rollback|rollback-count|rollbackcount',
      'rollback-one-*',
      'clear-checksums|clearchecksums',
    ],
    ask: ['update', 'changelog-sync|changelogsync', 'release-locks'],
  },
  mvn: {
    deny: ['flyway:clean', 'liquibase:dropall', 'liquibase:rollback'],
    ask: ['flyway:undo|flyway:repair', 'hibernate:drop'],
  },
  mvnw: { deny: ['flyway:clean', 'liquibase:dropall', 'liquibase:rollback'] },
  gradle: { deny: ['flywayclean', 'dropall', 'liquibasedropall', 'rollback'], ask: ['flywayundo|flywayrepair'] },
  gradlew: { deny: ['flywayclean', 'dropall', 'liquibasedropall', 'rollback'] },
  dotnet: { deny: ['ef database drop', 'ef database update 0'], ask: ['ef migrations remove', 'ef database update'] },
  'dotnet-ef': { deny: ['database drop', 'database update 0'], ask: ['migrations remove'] },
  'update-database': { ask: [''] },
  'drop-database': { deny: [''] },
  sqitch: { deny: ['revert'], ask: ['rebase', 'checkout'], harmless: ['revert --log-only'] },
  bytebase: { ask: ['--reset'] },
  mix: {
    deny: ['ecto.drop|ecto.reset', 'ash.reset|ash.tear_down|ash_postgres.drop|event_store.drop', 'ecto.load'],
    ask: ['ecto.rollback'],
  },
  lein: { ask: ['migratus reset|rollback', 'ragtime rollback'] },
  sbt: { ask: ['flywayclean'] },
  ghost: { deny: ['uninstall'], ask: ['stop'] },
  directus: { deny: ['schema apply --yes|-y'], ask: ['database migrate:down', 'schema apply'] },
  payload: { deny: ['migrate:fresh|migrate:reset|migrate:refresh'], ask: ['migrate:down'] },
  keystone: { deny: ['dev --reset-db', 'prisma migrate reset', 'build --reset-db'] },
  redwood: { deny: ['prisma migrate reset', 'prisma db push --force-reset'] },
  rw: { deny: ['prisma migrate reset', 'prisma db push --force-reset'] },
  adonis: {
    deny: ['migration:reset|migration:refresh|migration:fresh|db:wipe|db:truncate'],
    ask: ['migration:rollback'],
  },
  ace: { deny: ['migration:reset|migration:refresh|migration:fresh|db:wipe|db:truncate'], ask: ['migration:rollback'] },
  node: {
    deny: ['ace migration:reset|migration:refresh|migration:fresh|db:wipe|db:truncate'],
    valued: 'e p r eval require',
    runsAnything: true,
  },
  medusajs: { ask: ['db:rollback'] },
  npm: {
    ask: [
      'run|run-script db:reset|db:drop|db:wipe|db:truncate|db:clean|db:nuke|db:flush|reset-db|drop-db|reset:db|drop:db|database:reset|database:drop|migrate:reset|migrate:fresh|migration:reset|db-reset|db-drop',
    ],
  },
  pnpm: {
    ask: [
      'run db:reset|db:drop|db:wipe|db:truncate|reset-db|drop-db|migrate:reset|db-reset',
      'db:reset|db:drop|db:wipe|db:truncate|reset-db|drop-db|migrate:reset|db-reset',
    ],
  },
  yarn: {
    ask: [
      'run db:reset|db:drop|db:wipe|db:truncate|reset-db|drop-db|migrate:reset|db-reset',
      'db:reset|db:drop|db:wipe|db:truncate|reset-db|drop-db|migrate:reset|db-reset',
    ],
  },
  bun: { ask: ['run db:reset|db:drop|db:wipe|db:truncate|reset-db|drop-db|migrate:reset|db-reset'] },
  make: {
    ask: [
      'db-reset|db-drop|dropdb|drop-db|reset-db|resetdb|clean-db|cleandb|wipe-db|db-wipe|nuke|nuke-db|db-clean|destroy|teardown|undeploy|purge',
    ],
    valued: 'C f j I',
  },
}

/** Frameworks read of these which of their databases is meant; an address goes before them. */
const environments = /^(?:RAILS|RACK|MIX|HANAMI|APP|NODE)_ENV$/

/** Whether a command says that it means the database of the tests, which is made anew for each run of them. */
function isForTests({ program, environment }: Call): boolean {
  const says = environment.filter(({ name }) => environments.test(name))
  return (
    /^(?:rails|rake|hanami|mix|php|artisan|sequelize|sequelize-cli|knex|npm|pnpm|yarn)$/.test(program) &&
    says.length > 0 &&
    says.every(({ value }) => /^test(?:ing)?$/.test(value.value)) &&
    !environment.some(({ name }) => /DATABASE|DB_|_URL$|_HOST$/.test(name))
  )
}

export default definePolicy({
  id: 'migrations',
  severity: 'critical',
  description:
    'Keeps databases from being dropped, reset or rolled back by tools for migrations and by tasks of the project',
  on: 'PreToolUse',
  tool: 'shell',
  params,
  decide: ({ shell, params: given }) =>
    judge(
      shell,
      table,
      given,
      {
        harm: 'drops, empties or rolls back a database, with everything that is stored in it',
        instead:
          'look at what is pending first (`status`, `--pretend`, `--sql`), use a database made for it, dump it before, or have the person run it',
      },
      (_, call) => isForTests(call),
    ),
  examples: [
    refused('prisma migrate reset --force'),
    refused('prisma db push --force-reset'),
    refused('rails db:drop'),
    passed('RAILS_ENV=test rails db:drop db:create'),
    refused('RAILS_ENV=production rails db:drop'),
    refused('RAILS_ENV=test DATABASE_URL=postgres://db.example.com/shop rails db:drop'),
    refused('rake db:reset'),
    refused('php artisan migrate:fresh --seed'),
    refused('php bin/console doctrine:database:drop --force'),
    refused('python manage.py flush --noinput'),
    refused('alembic downgrade base'),
    refused('knex migrate:rollback --all'),
    refused('flyway -url=jdbc:postgresql://db/shop clean'),
    refused('liquibase dropAll'),
    refused('diesel database reset'),
    refused('dotnet ef database drop --force'),
    asked('alembic downgrade -1'),
    asked('prisma db push'),
    passed('prisma migrate status'),
    passed('prisma generate'),
    passed('rails db:migrate'),
    passed('rails server -e drop'),
    passed('php artisan migrate:status'),
    passed('make -j$(nproc)'),
    asked('make -j$(nproc) db-reset'),
    passed('node --check "$FILE"'),
    passed('python "$FILE" --verbose'),
    asked('prisma "$VERB" reset'),
    passed('php artisan migrate:fresh --pretend'),
    passed('python manage.py migrate'),
    passed('python manage.py showmigrations flush'),
    passed('alembic history'),
    passed('flyway info'),
    passed('liquibase status'),
    passed('knex migrate:list'),
    passed('python reset.py flush'),
    allowed('prisma migrate reset --force', 'prisma'),
    answered('prisma migrate reset --force', 'ask'),
  ],
})
