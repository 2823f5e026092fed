import type { Family } from '../../program.ts'

/** Tasks that a project has by custom, of which only the name can be known. */
export const projectTasks: Family['programs'] = {
  npm: {
    does: {
      kind: 'delete',
      object: 'the database',
      work: [
        'run|run-script db:reset|db:drop|db:wipe|db:truncate|db:clean|db:nuke|db:flush|reset-db|drop-db|reset:db|drop:db|database:reset|database:drop|migrate:reset|migrate:fresh|migration:reset|db-reset|db-drop',
      ],
    },
  },
  'pnpm yarn': {
    does: {
      kind: 'delete',
      object: 'the database',
      work: [
        'run db:reset|db:drop|db:wipe|db:truncate|reset-db|drop-db|migrate:reset|db-reset',
        'db:reset|db:drop|db:wipe|db:truncate|reset-db|drop-db|migrate:reset|db-reset',
      ],
    },
  },
  bun: {
    does: {
      kind: 'delete',
      object: 'the database',
      work: ['run db:reset|db:drop|db:wipe|db:truncate|reset-db|drop-db|migrate:reset|db-reset'],
    },
  },
  make: {
    does: {
      says: {
        'nuke|destroy|teardown|undeploy|purge': {
          kind: 'delete',
          thing: 'infrastructure',
          object: 'what the project has set up',
        },
        '*': { kind: 'delete', object: 'the database' },
      },
      work: [
        'db-reset|db-drop|dropdb|drop-db|reset-db|resetdb|clean-db|cleandb|wipe-db|db-wipe|nuke|nuke-db|db-clean|destroy|teardown|undeploy|purge',
      ],
      valued: 'j',
    },
  },
}
