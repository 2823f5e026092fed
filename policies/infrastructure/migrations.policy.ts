import { abstains, asks, definePolicy, denies } from 'hookgate/policy'
import { allowed, answered } from './cli/example.ts'
import { params } from './cli/judge.ts'
import { isForTests, testDatabases } from './data/test-databases.ts'
import { callAt, judge } from './impacts.ts'

export default definePolicy({
  id: 'migrations',
  severity: 'critical',
  description: 'Keeps databases from being dropped, reset or rolled back by migration tools and project tasks',
  on: 'PreToolUse',
  tool: 'shell',
  interest: { impacts: ['migrations'] },
  params: { ...params, testDatabases },
  decide: ({ shell, impacts, params: given }) =>
    judge(impacts, 'migrations', given, ({ by }) => isForTests(callAt(shell, by), given.testDatabases)),
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
