import { definePolicy } from 'hookgate/policy'
import type { Call } from './cli/calls.ts'
import { allowed, answered, asked, passed, refused } from './cli/example.ts'
import { type CliTable, judge, params } from './cli/judge.ts'
import { javascript } from './migrations/javascript.ts'
import { others } from './migrations/others.ts'
import { php } from './migrations/php.ts'
import { projectTasks } from './migrations/project-tasks.ts'
import { python } from './migrations/python.ts'
import { ruby } from './migrations/ruby.ts'

const table: CliTable = { ...ruby, ...php, ...python, ...javascript, ...others, ...projectTasks }

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
  description: 'Keeps databases from being dropped, reset or rolled back by migration tools and project tasks',
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
          'look at what is pending first (`status`, `--pretend`, `--sql`), use a separate database, dump it first, or have the person run it',
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
