import type { Family } from '../../deeds.ts'

/** Tasks that a project has by custom, of which only the name can be known. */
export const projectTasks: Family['programs'] = {
  npm: {
    work: [
      'run|run-script db:reset|db:drop|db:wipe|db:truncate|db:clean|db:nuke|db:flush|reset-db|drop-db|reset:db|drop:db|database:reset|database:drop|migrate:reset|migrate:fresh|migration:reset|db-reset|db-drop',
    ],
  },
  pnpm: {
    work: [
      'run db:reset|db:drop|db:wipe|db:truncate|reset-db|drop-db|migrate:reset|db-reset',
      'db:reset|db:drop|db:wipe|db:truncate|reset-db|drop-db|migrate:reset|db-reset',
    ],
  },
  yarn: {
    work: [
      'run db:reset|db:drop|db:wipe|db:truncate|reset-db|drop-db|migrate:reset|db-reset',
      'db:reset|db:drop|db:wipe|db:truncate|reset-db|drop-db|migrate:reset|db-reset',
    ],
  },
  bun: { work: ['run db:reset|db:drop|db:wipe|db:truncate|reset-db|drop-db|migrate:reset|db-reset'] },
  make: {
    work: [
      'db-reset|db-drop|dropdb|drop-db|reset-db|resetdb|clean-db|cleandb|wipe-db|db-wipe|nuke|nuke-db|db-clean|destroy|teardown|undeploy|purge',
    ],
    valued: 'C f j I',
  },
}
