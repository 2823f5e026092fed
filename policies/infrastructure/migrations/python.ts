import type { Cli, CliTable } from '../cli/judge.ts'

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

const django: Cli = {
  deny: djangoDeny,
  ask: djangoAsk,
  valued: 'settings pythonpath',
}

/** Django and other tools in Python. */
export const python: CliTable = {
  manage: django,
  'django-admin': django,
  python: {
    deny: djangoDeny.map((one) => `manage.py|./manage.py ${one}`),
    ask: djangoAsk.map((one) => `manage.py|./manage.py ${one}`),
    valued: 'm c W X settings',
    runsAnything: true,
  },
  flask: {
    deny: ['db downgrade base', 'drop-db|dropdb|db-drop|reset-db|resetdb', 'db drop*|db reset*'],
    ask: ['db downgrade', 'db stamp'],
    valued: 'A env',
  },
  alembic: { deny: ['downgrade base'], ask: ['downgrade', 'stamp'], valued: 'c x n', trials: 'sql' },
  aerich: { ask: ['downgrade'] },
  yoyo: { deny: ['rollback --all|-a'], ask: ['rollback', 'break-lock'] },
  piccolo: { deny: ['migrations backwards all 1', 'schema drop'], ask: ['migrations backwards'] },
}
