import type { Deeds } from '../../deeds/deeds.ts'
import type { Family } from '../../program.ts'

export const pnpmMigrations: Deeds = {
  kind: 'delete',
  object: 'the database',
  work: [
    'run db:reset|db:drop|db:wipe|db:truncate|reset-db|drop-db|migrate:reset|db-reset',
    'db:reset|db:drop|db:wipe|db:truncate|reset-db|drop-db|migrate:reset|db-reset',
  ],
}

/** Tasks that a project has by custom, of which only the name can be known. */
export const projectTasks: Family['programs'] = {}
