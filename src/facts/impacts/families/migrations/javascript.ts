import type { Deeds, Family } from '../../deeds.ts'

const prisma: Deeds = {
  never: ['migrate reset', 'db push --force-reset|--accept-data-loss', 'platform * delete'],
  work: ['db push', 'db execute', 'migrate resolve'],
}

const knex: Deeds = {
  never: ['migrate:rollback --all', 'migrate:unlock'],
  work: ['migrate:rollback', 'migrate:down', 'seed:run'],
  valued: 'knexfile env cwd',
}

const sequelize: Deeds = {
  never: ['db:drop', 'db:migrate:undo:all', 'db:seed:undo:all'],
  work: ['db:migrate:undo', 'db:seed:undo'],
  valued: 'env',
}

/** Object mappers, frameworks and content systems in JavaScript. */
export const javascript: Family['programs'] = {
  prisma,
  knex,
  objection: knex,
  sequelize,
  'sequelize-cli': sequelize,
  typeorm: {
    never: ['schema:drop', 'schema:sync', 'cache:clear --all'],
    work: ['migration:revert', 'query'],
    valued: 'd dataSource',
  },
  'typeorm-ts-node-commonjs': { never: ['schema:drop', 'schema:sync'], work: ['migration:revert'], valued: 'd' },
  'typeorm-ts-node-esm': { never: ['schema:drop', 'schema:sync'], work: ['migration:revert'], valued: 'd' },
  'mikro-orm': {
    never: ['schema:drop|schema:fresh|migration:fresh', 'database:drop'],
    work: ['schema:update --run|-r', 'migration:down'],
    harmless: ['schema:drop --dump|-d'],
  },
  'drizzle-kit': { never: ['drop', 'push --force'], work: ['push'] },
  'db-migrate': { never: ['reset', 'db:drop'], work: ['down'], valued: 'e m' },
  'node-pg-migrate': { work: ['down', 'redo'] },
  ghost: { never: ['uninstall'], work: ['stop'] },
  directus: { never: ['schema apply --yes|-y'], work: ['database migrate:down', 'schema apply'] },
  payload: { never: ['migrate:fresh|migrate:reset|migrate:refresh'], work: ['migrate:down'] },
  keystone: { never: ['dev --reset-db', 'prisma migrate reset', 'build --reset-db'] },
  redwood: { never: ['prisma migrate reset', 'prisma db push --force-reset'] },
  rw: { never: ['prisma migrate reset', 'prisma db push --force-reset'] },
  adonis: {
    never: ['migration:reset|migration:refresh|migration:fresh|db:wipe|db:truncate'],
    work: ['migration:rollback'],
  },
  ace: {
    never: ['migration:reset|migration:refresh|migration:fresh|db:wipe|db:truncate'],
    work: ['migration:rollback'],
  },
  node: {
    never: ['ace migration:reset|migration:refresh|migration:fresh|db:wipe|db:truncate'],
    valued: 'e p r eval require',
    runsAnything: true,
  },
  medusajs: { work: ['db:rollback'] },
}
