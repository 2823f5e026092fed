import { abstains, asks, definePolicy, denies } from 'hookgate/policy'
import type { Call } from './cli/calls.ts'
import { allowed, answered } from './cli/example.ts'
import { type CliTable, judge, params } from './cli/judge.ts'
import { isForTests as isTest, testDatabases } from './data/test-databases.ts'
import { javascript } from './migrations/javascript.ts'
import { others } from './migrations/others.ts'
import { php } from './migrations/php.ts'
import { projectTasks } from './migrations/project-tasks.ts'
import { python } from './migrations/python.ts'
import { ruby } from './migrations/ruby.ts'

const table: CliTable = { ...ruby, ...php, ...python, ...javascript, ...others, ...projectTasks }

/** Frameworks read of these which of their databases is meant; an address goes before them. */
const environments = /^(?:RAILS|RACK|MIX|HANAMI|APP|NODE)_ENV$/

/** True if a command names the test database, which is rebuilt for each run of the tests. */
function isForTests({ program, args, environment }: Call): boolean {
  // Rake takes variables behind its tasks as well, and these win.
  const behind = /^(?:rails|rake)$/.test(program)
    ? args.flatMap((value) => {
        const [, name] = /^([A-Z]\w*)=/.exec(value.value) ?? []
        return name === undefined ? [] : [{ name, value: { ...value, value: value.value.slice(name.length + 1) } }]
      })
    : []
  const all = [...environment, ...behind]
  const says = all.filter(({ name }) => environments.test(name))
  return (
    /^(?:rails|rake|hanami|mix|php|artisan|sequelize|sequelize-cli|knex|npm|pnpm|yarn)$/.test(program) &&
    says.length > 0 &&
    says.every(({ value }) => /^test(?:ing)?$/.test(value.value)) &&
    !all.some(({ name }) => /DATABASE|DB_|_URL$|_HOST$/.test(name))
  )
}

export default definePolicy({
  id: 'migrations',
  severity: 'critical',
  description: 'Keeps databases from being dropped, reset or rolled back by migration tools and project tasks',
  on: 'PreToolUse',
  tool: 'shell',
  interest: { words: Object.keys(table) },
  params: { ...params, testDatabases },
  decide: ({ shell, params: given }) =>
    judge(
      shell,
      table,
      given,
      {
        harm: 'drops, empties or rolls back a database, with everything that is stored in it',
        instead:
          'look at what is pending first (`status`, `--pretend`, `--sql`), use a separate database, dump it first, or have the person run it',
      },
      (_, call) => isForTests(call) || isTest(call, given.testDatabases),
    ),
  examples: [
    denies('prisma migrate reset --force'),
    denies('prisma db push --force-reset'),
    denies('rails db:drop'),
    abstains('RAILS_ENV=test rails db:drop db:create'),
    abstains('rails db:drop RAILS_ENV=test'),
    denies('RAILS_ENV=test rails db:drop RAILS_ENV=production'),
    denies('RAILS_ENV=production rails db:drop'),
    denies('RAILS_ENV=test DATABASE_URL=postgres://db.example.com/shop rails db:drop'),
    abstains('an environment for tests', 'NODE_ENV=test prisma migrate reset --force', {
      params: { testDatabases: ['test'] },
    }),
    abstains('settings for tests', 'python manage.py flush --settings=app.settings.test', {
      params: { testDatabases: ['test'] },
    }),
    denies('an address beside it', 'NODE_ENV=test DATABASE_URL=$URL prisma migrate reset --force', {
      params: { testDatabases: ['test'] },
    }),
    denies('rake db:reset'),
    denies('php artisan migrate:fresh --seed'),
    denies('php bin/console doctrine:database:drop --force'),
    denies('python manage.py flush --noinput'),
    denies('alembic downgrade base'),
    denies('knex migrate:rollback --all'),
    denies('flyway -url=jdbc:postgresql://db/shop clean'),
    denies('liquibase dropAll'),
    denies('diesel database reset'),
    denies('dotnet ef database drop --force'),
    asks('alembic downgrade -1'),
    asks('prisma db push'),
    abstains('prisma migrate status'),
    abstains('prisma generate'),
    abstains('rails db:migrate'),
    abstains('rails server -e drop'),
    abstains('php artisan migrate:status'),
    abstains('make -j$(nproc)'),
    asks('make -j$(nproc) db-reset'),
    abstains('node --check "$FILE"'),
    abstains('python "$FILE" --verbose'),
    asks('prisma "$VERB" reset'),
    abstains('php artisan migrate:fresh --pretend'),
    abstains('python manage.py migrate'),
    abstains('python manage.py showmigrations flush'),
    abstains('alembic history'),
    abstains('flyway info'),
    abstains('liquibase status'),
    abstains('knex migrate:list'),
    abstains('python reset.py flush'),
    allowed('prisma migrate reset --force', 'prisma'),
    answered('prisma migrate reset --force', 'ask'),
  ],
})
