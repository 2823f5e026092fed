import type { Cli, CliTable } from '../cli/judge.ts'

const prisma: Cli = {
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
  valued: 'env',
}

/** Object mappers, frameworks and content systems in JavaScript. */
export const javascript: CliTable = {
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
  'drizzle-kit': { deny: ['drop', 'push --force'], ask: ['push'] },
  'db-migrate': { deny: ['reset', 'db:drop'], ask: ['down'], valued: 'e m' },
  'node-pg-migrate': { ask: ['down', 'redo'] },
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
}
