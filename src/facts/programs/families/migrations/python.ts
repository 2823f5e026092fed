import { liveByVerbs, type Deed, type Deeds, namesStage } from '../../deeds/deeds.ts'
import { ownFiles } from './others.ts'
import type { Family } from '../../program.ts'

export const djangoDeny = [
  'flush',
  'reset_db',
  'sqlflush --execute',
  'migrate * zero',
  'delete_squashed_migrations',
  'drop_test_database',
  'clean_database',
  'reset_schema',
  'clear_index',
  'rebuild_index --noinput',
]

export const djangoAsk = [
  'loaddata',
  'dbshell',
  'remove_stale_contenttypes',
  'clearsessions',
  'update_index --remove',
  'collectstatic --clear',
  'rebuild_index',
  'sqlsequencereset',
  'deleteorphaned*',
  'delete_*',
  'clean_*',
  'purge_*',
]

export const djangoSays: NonNullable<Deed['says']> = {
  flush: { kind: 'delete', object: 'all rows of the database' },
  'sqlflush|clean_database': { kind: 'delete', object: 'all rows of the database' },
  'reset_db|drop_test_database': { kind: 'delete', object: 'the database' },
  'migrate * zero': { kind: 'rollback', object: 'all tables of the application' },
  'clear_index|rebuild_index|update_index': { kind: 'delete', object: 'the search index' },
  loaddata: { kind: 'overwrite', object: 'rows of the database' },
  'dbshell|sqlsequencereset': { kind: 'change', object: 'the database' },
  collectstatic: { kind: 'delete', thing: 'deployment', object: 'the collected files' },
  clearsessions: { kind: 'delete', object: 'old sessions' },
  delete_squashed_migrations: { kind: 'delete', thing: 'code', object: 'migrations of the project' },
  reset_schema: { kind: 'delete' },
  '*': { kind: 'delete', object: 'rows of the database' },
}

const django: Deeds = { says: djangoSays, never: djangoDeny, work: djangoAsk, valued: 'settings pythonpath' }

/** Django and other tools in Python. */
export const python: Family['programs'] = {
  'manage django-admin': { does: [django, namesStage] },
  alembic: {
    ...ownFiles,
    does: [
      {
        says: {
          downgrade: { kind: 'rollback', trial: '--sql' },
          stamp: { kind: 'change', object: 'the record of migrations' },
        },
        never: ['downgrade base'],
        work: ['downgrade', 'stamp'],
        valued: 'c x n',
        trials: 'sql',
      },
      namesStage,
      liveByVerbs('publish', 'upload'),
    ],
  },

  flask: {
    does: [
      {
        says: {
          'db downgrade': { kind: 'rollback' },
          'db stamp': { kind: 'change', object: 'the record of migrations' },
          '*': { kind: 'delete', object: 'the database' },
        },
        never: ['db downgrade base', 'drop-db|dropdb|db-drop|reset-db|resetdb', 'db drop*|db reset*'],
        work: ['db downgrade', 'db stamp'],
        valued: 'A env',
      },
      namesStage,
    ],
  },

  aerich: { does: { kind: 'rollback', work: ['downgrade'] } },
  yoyo: {
    does: {
      says: { 'break-lock': { kind: 'change', object: 'the lock of migrations' }, '*': { kind: 'rollback' } },
      never: ['rollback --all|-a'],
      work: ['rollback', 'break-lock'],
    },
  },
  piccolo: {
    does: {
      says: { schema: { kind: 'delete' }, '*': { kind: 'rollback' } },
      never: ['migrations backwards all 1', 'schema drop'],
      work: ['migrations backwards'],
    },
  },
}
