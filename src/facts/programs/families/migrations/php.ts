import { liveByVerbs, type Deed, type Deeds, namesStage } from '../../deeds/deeds.ts'
import type { Family } from '../../program.ts'

export const artisanDeny = ['migrate:fresh|migrate:reset|migrate:refresh|db:wipe|schema:drop']

export const artisanAsk = [
  'migrate:rollback',
  'migrate --force',
  'queue:clear|queue:flush|queue:forget',
  'down',
  'telescope:clear|horizon:terminate|horizon:purge|model:prune',
]

const artisanSays: NonNullable<Deed['says']> = {
  'migrate:rollback': { kind: 'rollback', trial: '--pretend' },
  migrate: { kind: 'change', trial: '--pretend' },
  'queue:*': { kind: 'delete', object: 'all waiting jobs' },
  down: { kind: 'stop', thing: 'deployment', object: 'the application' },
  'horizon:terminate': { kind: 'stop', thing: 'deployment', object: 'all workers' },
  'telescope:*|horizon:*|model:*': { kind: 'delete', object: 'old records' },
  '*': { kind: 'delete', object: 'all tables of the database' },
}

/** The same behind the script that a program starts. */
const behind = (scripts: string, says: NonNullable<Deed['says']>): NonNullable<Deed['says']> =>
  Object.fromEntries(Object.entries(says).map(([pattern, saying]) => [`${scripts} ${pattern}`, saying]))

export const artisanSaysBehind = behind('artisan', artisanSays)

const artisan: Deeds = { says: artisanSays, never: artisanDeny, work: artisanAsk, trials: 'pretend' }

export const symfonyDeny = [
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

export const symfonyAsk = [
  'doctrine:schema:update --force',
  'doctrine:migrations:execute --down',
  'doctrine:migrations:rollup',
  'cache:pool:clear|cache:pool:prune',
]

export const symfonyHarmless = [
  'doctrine:fixtures:load --append',
  'doctrine:schema:drop --dump-sql',
  'doctrine:query:sql select *',
]

const symfonySays: NonNullable<Deed['says']> = {
  'doctrine:query:sql': { kind: 'change', object: 'the database' },
  'doctrine:schema:update': { kind: 'change', trial: '--dump-sql' },
  'doctrine:fixtures:load': { kind: 'overwrite', object: 'all rows of the database' },
  'doctrine:migrations:rollup': { kind: 'change', object: 'the record of migrations' },
  'doctrine:migrations:*': { kind: 'rollback', trial: '--dry-run' },
  'messenger:stop-workers': { kind: 'stop', thing: 'deployment', object: 'all workers' },
  'messenger:*': { kind: 'delete', object: 'failed messages' },
  'cache:*': { kind: 'delete', object: 'cached values' },
  'doctrine:schema:*|doctrine:mongodb:*|d:s:d': { kind: 'delete', object: 'all tables of the database' },
  '*': { kind: 'delete', object: 'the database' },
}

export const symfonySaysBehind = behind('bin/console|console|app/console', symfonySays)

const symfony: Deeds = { says: symfonySays, never: symfonyDeny, work: symfonyAsk, harmless: symfonyHarmless }

/** Laravel, Symfony and other frameworks in PHP. */
export const php: Family['programs'] = {
  artisan: { does: [artisan, namesStage, liveByVerbs('upload', 'deploy')], startsTools: true },

  sail: {
    does: {
      ...artisan,
      says: {
        'down --volumes|-v': {
          kind: 'delete',
          thing: 'infrastructure',
          object: 'the containers of the project, with their data',
        },
        'artisan *': { kind: 'delete', object: 'all tables of the database' },
        ...artisanSays,
      },
      never: [...artisanDeny, 'artisan migrate:fresh|migrate:reset|migrate:refresh|db:wipe', 'down --volumes|-v'],
    },
    startsTools: true,
  },
  console: { does: symfony },
  symfony: {
    does: {
      says: behind('console', symfonySays),
      never: symfonyDeny.map((one) => `console ${one}`),
      byVerb: 'never',
      nouns: 'console',
      harmless: symfonyHarmless.map((one) => `console ${one}`),
    },
  },
  doctrine: {
    does: {
      says: {
        'dbal:run-sql': { kind: 'change', object: 'the database' },
        'orm:schema-tool:update': { kind: 'change' },
      },
      never: ['orm:schema-tool:drop', 'dbal:run-sql'],
      work: ['orm:schema-tool:update --force'],
    },
  },
  'doctrine-migrations': {
    does: {
      kind: 'rollback',
      trial: '--dry-run',
      never: ['migrate first'],
      work: ['migrations:execute --down'],
    },
  },
  phinx: {
    does: {
      kind: 'rollback',
      trial: '--dry-run',
      never: ['rollback --target=0|-t=0'],
      work: ['rollback'],
      valued: 't target e',
    },
  },
  spark: { does: { kind: 'delete', never: ['migrate:refresh|migrate:rollback'] } },
  yii: {
    does: {
      says: {
        'cache/flush-all': { kind: 'delete', object: 'all caches' },
        'migrate/fresh': { kind: 'delete', object: 'the database' },
        '*': { kind: 'rollback' },
      },
      never: ['migrate/fresh', 'migrate/down all', 'cache/flush-all'],
      work: ['migrate/down|migrate/redo'],
    },
  },
  cake: {
    does: {
      says: { 'schema drop': { kind: 'delete' }, migrations: { kind: 'rollback' } },
      never: ['migrations rollback --target=0|-t=0'],
      work: ['migrations rollback', 'schema drop'],
    },
  },
}
