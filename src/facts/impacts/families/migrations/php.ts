import type { Deeds, Family } from '../../deeds.ts'

const artisanDeny = ['migrate:fresh|migrate:reset|migrate:refresh|db:wipe|schema:drop']

const artisanAsk = [
  'migrate:rollback',
  'migrate --force',
  'queue:clear|queue:flush|queue:forget',
  'down',
  'telescope:clear|horizon:terminate|horizon:purge|model:prune',
]

const artisan: Deeds = {
  never: artisanDeny,
  work: artisanAsk,
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

const symfony: Deeds = {
  never: symfonyDeny,
  work: symfonyAsk,
  harmless: symfonyHarmless,
}

/** Laravel, Symfony and other frameworks in PHP. */
export const php: Family['programs'] = {
  artisan,
  php: {
    never: [
      ...artisanDeny.map((one) => `artisan ${one}`),
      ...symfonyDeny.map((one) => `bin/console|console|app/console ${one}`),
    ],
    work: [
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
    never: [...artisanDeny, 'artisan migrate:fresh|migrate:reset|migrate:refresh|db:wipe', 'down --volumes|-v'],
  },
  console: symfony,
  symfony: {
    never: symfonyDeny.map((one) => `console ${one}`),
    byVerb: 'never',
    nouns: 'console',
    harmless: symfonyHarmless.map((one) => `console ${one}`),
  },
  doctrine: { never: ['orm:schema-tool:drop', 'dbal:run-sql'], work: ['orm:schema-tool:update --force'] },
  'doctrine-migrations': { never: ['migrate first'], work: ['migrations:execute --down'] },
  phinx: { never: ['rollback --target=0|-t=0'], work: ['rollback'], valued: 't target e' },
  spark: { never: ['migrate:refresh|migrate:rollback'] },
  yii: { never: ['migrate/fresh', 'migrate/down all', 'cache/flush-all'], work: ['migrate/down|migrate/redo'] },
  cake: { never: ['migrations rollback --target=0|-t=0'], work: ['migrations rollback', 'schema drop'] },
}
