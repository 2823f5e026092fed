import type { Family } from '../program.ts'
import { javascript } from './migrations/javascript.ts'
import { others } from './migrations/others.ts'
import { php } from './migrations/php.ts'
import { python } from './migrations/python.ts'
import type { Deeds } from '../deeds/deeds.ts'
import { platformStage } from '../deeds/stages.ts'

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
  rails: { does: [rails, platformStage] },
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
    'RAILS_ENV=test rails db:drop': 'changes what runs there',
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
