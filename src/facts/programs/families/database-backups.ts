import type { Deeds } from '../deeds/deeds.ts'
import type { Family } from '../program.ts'
import { dumped } from './databases.ts'

const xtrabackup: Deeds = {
  kind: 'overwrite',
  object: 'the data of the server',
  names: 'none',
  thing: 'data',
  work: ['--move-back|--copy-back'],
}

/** Programs that back up databases. */
export const databaseBackups: Family = {
  area: 'backups',
  programs: {
    barman: {
      does: {
        says: {
          'backup-delete|delete': { kind: 'delete', object: 'backup', names: 'last' },
          'recover|restore': { kind: 'overwrite', object: 'the data of a server', thing: 'data', names: 'none' },
          keep: { kind: 'weaken', object: 'the hold on', thing: 'guard', names: 'last' },
          'archive-wal|switch-wal': { kind: 'change', object: 'the archived logs of', names: 'last' },
        },
        never: ['delete', 'backup-delete'],
        work: ['recover|restore', 'switch-wal', 'keep --release', 'archive-wal --delete'],
      },
    },
    pgbackrest: {
      does: {
        says: {
          expire: { kind: 'delete', object: 'old backups', names: 'none', trial: '--dry-run' },
          'stanza-delete': { kind: 'delete', object: 'all backups of', names: '--stanza' },
          restore: { kind: 'overwrite', object: 'the data of', thing: 'data', names: '--stanza' },
          stop: { kind: 'stop', object: 'the backups of', names: '--stanza' },
          'stanza-upgrade': { kind: 'change', object: 'the backups of', names: '--stanza' },
        },
        never: ['expire', 'stanza-delete'],
        work: ['restore', 'stop', 'stanza-upgrade'],
        trials: 'dry-run',
      },
    },
    'wal-g': {
      does: {
        says: {
          'delete everything': { kind: 'delete', object: 'every backup', names: 'none' },
          delete: { kind: 'delete', object: 'old backups', names: 'none' },
          st: { kind: 'delete', object: 'file of the storage' },
          'backup-fetch': { kind: 'overwrite', object: 'what is at', thing: 'data', names: 'first' },
          'wal-purge': { kind: 'delete', object: 'old logs', names: 'none' },
          'backup-mark': { kind: 'change', object: 'backup' },
        },
        never: ['delete', 'st rm'],
        work: ['backup-fetch', 'wal-purge', 'backup-mark'],
        harmless: ['delete --confirm=false'],
      },
    },
    'wal-e': { does: { kind: 'delete', object: 'old backups', names: 'none', never: ['delete'] } },
    mariabackup: { does: xtrabackup },
    medusa: {
      does: {
        says: {
          'delete-backup': { kind: 'delete', object: 'backup', names: '--backup-name' },
          'purge*': { kind: 'delete', object: 'old backups', names: 'none' },
          'restore-*': { kind: 'overwrite', object: 'the data of the cluster', thing: 'data', names: 'none' },
        },
        never: ['delete-backup', 'purge', 'purge-decommissioned'],
        work: ['restore-cluster|restore-node'],
      },
    },
    xtrabackup: { output: dumped(), does: xtrabackup },
  },
  examples: {
    'pgbackrest info': '',
    'pgbackrest stanza-delete --stanza=shop':
      'deletes all backups of `shop`, from which other things are restored, for good',
    'pgbackrest restore --stanza=shop': 'overwrites the data of `shop`',
    'wal-g delete everything': 'deletes every backup, from which other things are restored, for good',
    'barman delete shop 20260101T000000':
      'deletes backup `20260101T000000`, from which other things are restored, for good',
    'medusa purge': 'deletes old backups, from which other things are restored, for good',
  },
}
