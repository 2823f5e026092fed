import type { Family } from '../program.ts'
import { others, ownFiles } from './migrations/others.ts'
import { php } from './migrations/php.ts'
import { python } from './migrations/python.ts'
import { platformStage, namesStage, liveByVerbs, type Deeds } from '../deeds/deeds.ts'

const knex: Deeds = {
  says: {
    'migrate:unlock': { kind: 'change', object: 'the lock of migrations' },
    'seed:run': { kind: 'overwrite', object: 'rows of the database' },
    '*': { kind: 'rollback' },
  },
  never: ['migrate:rollback --all', 'migrate:unlock'],
  work: ['migrate:rollback', 'migrate:down', 'seed:run'],
  valued: 'knexfile env cwd',
}

const sequelize: Deeds = {
  says: {
    'db:drop': { kind: 'delete', object: 'the database' },
    'db:seed:*': { kind: 'delete', object: 'rows of the database' },
    '*': { kind: 'rollback' },
  },
  never: ['db:drop', 'db:migrate:undo:all', 'db:seed:undo:all'],
  work: ['db:migrate:undo', 'db:seed:undo'],
  valued: 'env',
}

const typeormMigrations: Deeds = {
  says: {
    'schema:sync': { kind: 'change' },
    'cache:clear': { kind: 'delete', object: 'cached results' },
    'migration:revert': { kind: 'rollback' },
    query: { kind: 'change', object: 'the database' },
  },
  never: ['schema:drop', 'schema:sync', 'cache:clear --all'],
  work: ['migration:revert', 'query'],
  valued: 'd dataSource',
}

/** Object mappers, frameworks and content systems in JavaScript. */
const javascript: Family['programs'] = {
  prisma: {
    ...ownFiles,
    does: [
      {
        says: {
          'migrate reset': { kind: 'delete', object: 'the database' },
          'db push --force-reset': { kind: 'delete', object: 'the database' },
          'db push': { kind: 'change' },
          'db execute': { kind: 'change', object: 'the database' },
          'migrate resolve': { kind: 'change', object: 'the record of migrations' },
          platform: { kind: 'delete', object: 'what is named in the call' },
        },
        never: ['migrate reset', 'db push --force-reset|--accept-data-loss', 'platform * delete'],
        work: ['db push', 'db execute', 'migrate resolve'],
      },
      namesStage,
      liveByVerbs('publish', 'upload'),
    ],
    sql: { behind: 'db execute' },
  },
  knex: { ...ownFiles, does: [knex, platformStage] },
  sequelize: {
    ...ownFiles,
    does: [sequelize, namesStage],
  },
  objection: { does: knex },

  'sequelize-cli': { does: sequelize },
  typeorm: { does: [typeormMigrations, namesStage] },
  'typeorm-ts-node-commonjs typeorm-ts-node-esm': { does: typeormMigrations },
  'mikro-orm': {
    does: {
      says: {
        'database:drop': { kind: 'delete', object: 'the database' },
        'schema:update': { kind: 'change', trial: '--dump' },
        'migration:down': { kind: 'rollback' },
        '*': { kind: 'delete' },
      },
      never: ['schema:drop|schema:fresh|migration:fresh', 'database:drop'],
      work: ['schema:update --run|-r', 'migration:down'],
      harmless: ['schema:drop --dump|-d'],
    },
  },
  'drizzle-kit': {
    does: [
      {
        says: { drop: { kind: 'delete', thing: 'code', object: 'migration of the project' }, push: { kind: 'change' } },
        never: ['drop', 'push --force'],
        work: ['push'],
      },
      namesStage,
    ],
  },
  'db-migrate': {
    does: {
      says: { 'db:drop': { kind: 'delete', object: 'the database' }, '*': { kind: 'rollback' } },
      never: ['reset', 'db:drop'],
      work: ['down'],
      valued: 'e m',
    },
  },
  'node-pg-migrate': { does: { kind: 'rollback', work: ['down', 'redo'] } },
  ghost: {
    does: {
      says: {
        uninstall: { kind: 'delete', thing: 'deployment', object: 'the site and its data' },
        stop: { kind: 'stop', thing: 'deployment', object: 'the site' },
      },
      never: ['uninstall'],
      work: ['stop'],
    },
  },
  directus: {
    does: {
      says: { 'schema apply': { kind: 'change', trial: '--dry-run' }, '*': { kind: 'rollback' } },
      never: ['schema apply --yes|-y'],
      work: ['database migrate:down', 'schema apply'],
    },
  },
  payload: {
    does: {
      says: { 'migrate:down': { kind: 'rollback' }, '*': { kind: 'delete' } },
      never: ['migrate:fresh|migrate:reset|migrate:refresh'],
      work: ['migrate:down'],
    },
  },
  keystone: {
    does: {
      kind: 'delete',
      object: 'the database',
      never: ['dev --reset-db', 'prisma migrate reset', 'build --reset-db'],
    },
  },
  'redwood rw': {
    does: {
      kind: 'delete',
      object: 'the database',
      never: ['prisma migrate reset', 'prisma db push --force-reset'],
    },
  },
  'adonis ace': {
    does: {
      says: {
        'migration:rollback': { kind: 'rollback' },
        'db:truncate': { kind: 'delete', object: 'all rows of the database' },
        '*': { kind: 'delete' },
      },
      never: ['migration:reset|migration:refresh|migration:fresh|db:wipe|db:truncate'],
      work: ['migration:rollback'],
    },
  },

  medusajs: { does: { kind: 'rollback', work: ['db:rollback'] } },
}

export const rails: Deeds = {
  says: {
    'db:rollback|db:migrate:*': { kind: 'rollback' },
    'db:truncate_all': { kind: 'delete', object: 'all rows of the database' },
    'db:seed:replant': { kind: 'overwrite', object: 'all rows of the database' },
    'db:schema:load|db:structure:load|db:setup': { kind: 'overwrite', object: 'the database' },
    'db:environment:set': { kind: 'change', object: 'the protection of the database' },
    'app:update': { kind: 'overwrite', thing: 'code', object: 'the settings of the project' },
    'destroy|d': { kind: 'delete', thing: 'code', object: 'the generated code' },
    'db:*': { kind: 'delete', object: 'the database' },
  },
  never: [
    'db:drop|db:drop:*|db:reset|db:reset:*|db:purge|db:purge:*|db:truncate_all|db:migrate:reset|db:schema:load|db:structure:load|db:setup|db:seed:replant',
    'app:update --force',
  ],
  work: ['db:rollback|db:migrate:down|db:migrate:redo|db:environment:set', 'destroy', 'd'],
  valued: 'e',
}

/** Rails and other frameworks in Ruby. */
const ruby: Family['programs'] = {
  rails: { does: [rails, platformStage], sql: { behind: 'dbconsole' } },
  hanami: {
    does: {
      says: {
        'db rollback': { kind: 'rollback' },
        'db structure': { kind: 'overwrite', object: 'the database' },
        db: { kind: 'delete', object: 'the database' },
      },
      never: ['db drop|reset|clean', 'db structure load'],
      work: ['db rollback'],
    },
  },
  sequel: { does: { kind: 'rollback', work: ['-M=0'], valued: 'm M' } },
  lotus: { does: { kind: 'delete', object: 'the database', never: ['db drop'] } },
}

export const pnpmMigrations: Deeds = {
  kind: 'delete',
  object: 'the database',
  work: [
    'run db:reset|db:drop|db:wipe|db:truncate|reset-db|drop-db|migrate:reset|db-reset',
    'db:reset|db:drop|db:wipe|db:truncate|reset-db|drop-db|migrate:reset|db-reset',
  ],
}

/** Tasks that a project has by custom, of which only the name can be known. */
const projectTasks: Family['programs'] = {}

/** Tools that change the tables of a project's database, and what projects call their own tasks for that. */
export const migrations: Family = {
  area: 'migrations',

  programs: { ...ruby, ...php, ...python, ...javascript, ...others, ...projectTasks },
  examples: {
    'rails db:drop': 'deletes the database, for good',
    'RAILS_ENV=production rails db:drop': 'deletes the database, for good, in production',
    'export RAILS_ENV=production; rails db:drop': 'deletes the database, for good, in production',
    'RAILS_ENV=test rails db:drop': 'changes what runs',
    'rails db:rollback': 'rolls back the tables of the database',
    'rails destroy model Order': 'deletes the generated code',
    'prisma migrate reset --force': 'deletes the database, for good',
    'prisma db push': 'changes the tables of the database',
    'prisma migrate status': '',
    'php artisan migrate:fresh --seed': 'deletes all tables of the database, for good',
    'php artisan queue:clear': 'deletes all waiting jobs',
    'php artisan migrate --force': 'changes the tables of the database',
    'php bin/console doctrine:database:drop --force': 'deletes the database, for good',
    'python manage.py flush --noinput': 'deletes all rows of the database, for good',
    'python manage.py loaddata a.json': 'overwrites rows of the database',
    'python manage.py runserver': '',
    'alembic downgrade base': 'rolls back the tables of the database',
    'knex migrate:rollback --all': 'rolls back the tables of the database',
    'flyway clean': 'deletes everything in the schemas, for good',
    'flyway info': '',
    'liquibase dropAll': 'deletes everything in the schema, for good',
    'diesel database reset': 'deletes the database, for good',
    'dotnet ef database update 0': 'rolls back the tables of the database',
    'npm run db:reset': 'deletes the database',
    'make db-drop': 'deletes the database',
    'mix ecto.reset': 'deletes the database, for good',
    'atlas schema clean -u mysql://db.example.com/shop': 'deletes the tables of the database, for good',
    'sqlx database drop': 'deletes the database, for good',
    'typeorm schema:drop': 'deletes the tables of the database, for good',
    'goose down': 'rolls back the tables of the database',
    'dbmate drop': 'deletes the database, for good',
  },
}
