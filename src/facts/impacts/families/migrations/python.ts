import type { Deeds, Family } from '../../deeds.ts'

const djangoDeny = [
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

const djangoAsk = [
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

const django: Deeds = {
  never: djangoDeny,
  work: djangoAsk,
  valued: 'settings pythonpath',
}

/** Django and other tools in Python. */
export const python: Family['programs'] = {
  manage: django,
  'django-admin': django,
  python: {
    never: djangoDeny.map((one) => `manage.py|./manage.py ${one}`),
    work: djangoAsk.map((one) => `manage.py|./manage.py ${one}`),
    valued: 'm c W X settings',
    runsAnything: true,
  },
  flask: {
    never: ['db downgrade base', 'drop-db|dropdb|db-drop|reset-db|resetdb', 'db drop*|db reset*'],
    work: ['db downgrade', 'db stamp'],
    valued: 'A env',
  },
  alembic: { never: ['downgrade base'], work: ['downgrade', 'stamp'], valued: 'c x n', trials: 'sql' },
  aerich: { work: ['downgrade'] },
  yoyo: { never: ['rollback --all|-a'], work: ['rollback', 'break-lock'] },
  piccolo: { never: ['migrations backwards all 1', 'schema drop'], work: ['migrations backwards'] },
}
