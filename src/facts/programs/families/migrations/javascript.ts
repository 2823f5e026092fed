import { liveByVerbs, type Deeds } from '../../deeds/deeds.ts'
import { platformStage, namesStage } from '../../deeds/stages.ts'
import { ownFiles } from './others.ts'
import type { Family } from '../../program.ts'

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
export const javascript: Family['programs'] = {
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
