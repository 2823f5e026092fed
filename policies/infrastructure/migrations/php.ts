import type { Cli, CliTable } from '../cli/judge.ts'

const artisanDeny = ['migrate:fresh|migrate:reset|migrate:refresh|db:wipe|schema:drop']

const artisanAsk = [
  'migrate:rollback',
  'migrate --force',
  'queue:clear|queue:flush|queue:forget',
  'down',
  'telescope:clear|horizon:terminate|horizon:purge|model:prune',
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

/** Laravel, Symfony and other frameworks in PHP. */
export const php: CliTable = {
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
  phinx: { deny: ['rollback --target=0|-t=0'], ask: ['rollback'], valued: 't target e' },
  spark: { deny: ['migrate:refresh|migrate:rollback'] },
  yii: { deny: ['migrate/fresh', 'migrate/down all', 'cache/flush-all'], ask: ['migrate/down|migrate/redo'] },
  cake: { deny: ['migrations rollback --target=0|-t=0'], ask: ['migrations rollback', 'schema drop'] },
}
