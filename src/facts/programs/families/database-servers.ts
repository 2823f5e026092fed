import type { Family } from '../program.ts'
import type { Deeds } from '../deeds/deeds.ts'
import { dumped } from './databases.ts'

export const databaseServers: Family = {
  area: 'database-servers',
  programs: {
    pg_dropcluster: { does: { object: 'database server with its data', names: 'last', never: [''] } },
    'pg_resetwal pg_resetxlog': {
      does: {
        object: 'the recovery log of the server',
        thing: 'data',
        names: 'none',
        never: [''],
        trials: 'n',
      },
    },
    pg_ctl: {
      does: {
        says: {
          'stop|kill': { kind: 'stop', object: 'the database server', thing: 'data', names: 'none' },
          promote: { kind: 'change', object: 'the standby server', thing: 'data', names: 'none' },
          restart: { kind: 'restart', object: 'the database server', thing: 'data', names: 'none' },
        },
        never: ['stop --mode=immediate|-m=immediate', 'kill'],
        work: ['stop', 'promote', 'restart'],
        valued: 'D m pgdata mode',
      },
    },
    pg_ctlcluster: {
      does: { kind: 'stop', object: 'the database server', names: 'none', thing: 'data', work: ['* * stop'] },
    },
    'initdb mysql_install_db': {
      does: { kind: 'create', object: 'database server', names: 'none', thing: 'data', work: [''] },
    },

    pg_rewind: {
      does: { kind: 'overwrite', object: 'the data of the server', names: 'none', thing: 'data', never: [''] },
    },
    pg_archivecleanup: {
      does: {
        object: 'the archived logs before',
        names: 'last',
        thing: 'backup',
        trial: '-n',
        never: [''],
        trials: 'n',
      },
    },
    pg_drop: { does: { object: 'database', thing: 'data', never: [''] } },
    repmgr: {
      does: {
        says: {
          '* unregister': { kind: 'delete', object: 'server from the cluster', names: 'none' },
          'standby clone': { kind: 'overwrite', object: 'the data of the server', thing: 'data', names: 'none' },
          'standby promote|switchover': {
            kind: 'restart',
            object: 'the main database server',
            thing: 'data',
            names: 'none',
          },
        },
        never: ['* unregister', 'standby clone --force'],
        work: ['standby promote|switchover'],
      },
    },
    patronictl: {
      does: {
        says: {
          remove: { kind: 'delete', object: 'cluster', names: 'first' },
          reinit: { kind: 'overwrite', object: 'the data of a member of', thing: 'data', names: 'first' },
          'failover|switchover|restart': { kind: 'restart', object: 'cluster', names: 'first' },
          pause: { kind: 'stop', object: 'the failover of', thing: 'data', names: 'first' },
          'edit-config': { kind: 'change', object: 'the settings of', thing: 'data', names: 'first' },
        },
        never: ['remove', 'reinit', 'failover --force'],
        work: ['failover|switchover', 'restart', 'pause', 'edit-config'],
        valued: 'c d',
      },
    },
    mysql_secure_installation: {
      does: {
        kind: 'change',
        object: 'the accounts of the server',
        names: 'none',
        thing: 'account',
        work: [''],
      },
    },

    mongod: {
      does: {
        says: {
          '--shutdown': { kind: 'stop', object: 'the database server', names: 'none' },
          '--repair': { kind: 'change', object: 'the data of the server', names: 'none' },
        },
        work: ['--repair|--shutdown'],
      },
    },
    nodetool: {
      does: {
        kind: 'change',
        object: 'the data of the node',
        names: 'none',
        thing: 'data',
        says: {
          clearsnapshot: { kind: 'delete', object: 'snapshots', names: 'none' },
          'decommission|removenode|assassinate|forceremovetoken': {
            kind: 'delete',
            object: 'node of the cluster',
            names: 'first',
          },
          'stopdaemon|drain|disable*': { kind: 'stop', object: 'node of the cluster', names: 'none' },
          truncatehints: { kind: 'delete', object: 'the writes kept for other nodes', thing: 'data', names: 'none' },
          resetlocalschema: { kind: 'overwrite', object: 'the local schema', thing: 'data', names: 'none' },
        },
        never: [
          'decommission|removenode|assassinate|clearsnapshot|stopdaemon|disableautocompaction|truncatehints|resetlocalschema|drain',
          'forceremovetoken',
        ],
        work: ['cleanup|move|disablegossip|disablebinary|garbagecollect|rebuild|scrub'],
        valued: 'h p u pw',
        hIsNoHelp: true,
      },
    },
    neo4j: { does: { object: 'the database server', names: 'none', thing: 'data', work: ['stop', 'restart'] } },
    'neo4j-admin': {
      does: {
        says: {
          'database load|import': { kind: 'overwrite', object: 'database', names: 'last' },
          'database delete': { kind: 'delete', object: 'database' },
          'server unbind': { kind: 'delete', object: 'the membership in the cluster', names: 'none' },
          'load|restore': { kind: 'overwrite', object: 'database', names: '--database' },
        },
        never: [
          'database load --overwrite-destination',
          'database import full --overwrite-destination',
          'server unbind',
          'load --force',
          'restore --force',
          'database delete',
        ],
        work: ['load', 'restore', 'database load'],
      },
    },
    arangorestore: { does: { kind: 'overwrite', object: 'database', names: '--server.database', work: [''] } },
    'couchbase-cli': {
      does: {
        says: {
          'bucket-*': { kind: 'delete', object: 'bucket', names: '--bucket' },
          'server-remove': { kind: 'delete', object: 'server', names: '--server-remove' },
          'reset-admin-password': { kind: 'overwrite', object: 'the password of the administrator', names: 'none' },
          'user-manage': { kind: 'delete', object: 'user', names: '--rbac-username' },
          'collection-manage': { kind: 'delete', object: 'collection', names: '--drop-collection|--drop-scope' },
          'group-manage': { kind: 'delete', object: 'group', names: '--group-name' },
          rebalance: { kind: 'change', object: 'the spread of data', thing: 'data', names: 'none' },
          failover: { kind: 'restart', object: 'server', names: '--server-failover' },
          'node-reset': { kind: 'delete', object: 'the node from the cluster', names: 'none' },
        },
        never: [
          'bucket-delete|bucket-flush|server-remove|reset-admin-password',
          'user-manage --delete',
          'collection-manage --drop-collection|--drop-scope',
          'group-manage --delete',
        ],
        work: ['rebalance', 'failover', 'node-reset'],
        valued: 'c u p',
      },
    },
    cbbackupmgr: {
      does: {
        says: {
          remove: { kind: 'delete', object: 'backup', names: '-r|--repo' },
          merge: { kind: 'change', object: 'backups of', thing: 'backup', names: '-r|--repo' },
          restore: { kind: 'overwrite', object: 'the buckets of the cluster', thing: 'data', names: 'none' },
        },
        never: ['remove', 'merge'],
        work: ['restore'],
        valued: 'a r',
      },
    },
    tiup: {
      does: {
        says: {
          'cluster|dm destroy': { kind: 'delete', object: 'cluster', names: 'first' },
          'cluster clean|prune': { kind: 'delete', object: 'the data of', thing: 'data', names: 'first' },
          'cluster stop': { kind: 'stop', object: 'cluster', names: 'first' },
          'cluster scale-in': { kind: 'delete', object: 'nodes of', names: 'first' },
          uninstall: { kind: 'delete', object: 'component' },
          clean: { kind: 'delete', object: 'the data of local clusters', thing: 'data' },
        },
        never: ['cluster destroy|clean|prune', 'uninstall', 'clean', 'dm destroy'],
        work: ['cluster stop|scale-in'],
      },
    },
    rman: {
      does: { kind: 'change', object: 'the backups of the database', names: 'none', thing: 'backup', work: [''] },
    },
    dgmgrl: { does: { kind: 'change', object: 'the standby databases', names: 'none', thing: 'data', work: [''] } },
    srvctl: {
      does: {
        says: {
          remove: { kind: 'delete', names: '-d|-db|--db|-s|-service', objectLast: true },
          stop: { kind: 'stop', names: '-d|-db|--db|-s|-service', objectLast: true },
        },
        never: ['remove *'],
        work: ['stop *'],
        oneDash: true,
      },
    },
    dbca: {
      does: {
        object: 'database',
        names: '-sourceDB|-sid',
        kind: 'delete',
        never: ['-deletedatabase', '-silent -deletedatabase', '-deleteinstance'],
        oneDash: true,
      },
    },

    skeema: {
      does: {
        kind: 'change',
        object: 'the tables of the database',
        names: 'none',
        thing: 'data',
        trial: 'skeema diff',
        never: ['push --allow-unsafe'],
        work: ['push'],
        trials: 'dry-run',
      },
    },
    hbase: {
      does: {
        kind: 'delete',
        object: 'tables',
        names: 'none',
        thing: 'data',
        never: ['shell'],
        when: ({ command }) =>
          /^[^\S\n]*(?:drop|drop_all|disable_all|truncate\w*|deleteall|drop_namespace)\b/m.test(
            command.stdin?.value ?? '',
          ),
      },
    },
    'gh-ost': { does: { kind: 'change', object: 'table', names: '--table', thing: 'data', work: ['--execute'] } },
    'pt-online-schema-change': {
      does: {
        kind: 'change',
        object: 'table',
        names: 'none',
        thing: 'data',
        trial: '--dry-run',
        work: ['--execute'],
      },
    },
    'pt-archiver': {
      does: {
        flags: 'purge',
        kind: 'delete',
        object: 'the rows of a table',
        names: 'none',
        thing: 'data',
        trial: '--dry-run',
        never: ['--purge'],
        trials: 'dry-run',
      },
    },
    'pt-kill': { does: { kind: 'stop', object: 'connections', names: 'none', thing: 'data', work: ['--kill'] } },
  },
  examples: {
    'pg_ctl stop -D /data': 'stops the database server',
    'patronictl remove shop': 'deletes cluster `shop`, for good',
    'nodetool decommission': 'deletes a node of the cluster, for good',
    'nodetool clearsnapshot': 'deletes snapshots, for good',
    'neo4j-admin database load --overwrite-destination shop': 'overwrites a database, for good',
    'couchbase-cli bucket-delete -c db.example.com --bucket shop': 'deletes bucket `shop`, for good',
    'cbbackupmgr remove -a /backup -r shop': 'deletes backup `shop`, perhaps the only copy, for good',
    'tiup cluster destroy shop': 'deletes cluster `shop`, for good',
    'repmgr standby clone --force': 'overwrites the data of the server, for good',
    'skeema push --dry-run': '',
    'skeema push': 'changes the tables of the database',
    'pt-archiver --purge': 'deletes the rows of a table, for good',
    'srvctl stop database -d shop': 'stops database `shop`',
  },
}

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
      does: [
        {
          says: {
            'delete-backup': { kind: 'delete', object: 'backup', names: '--backup-name' },
            'purge*': { kind: 'delete', object: 'old backups', names: 'none' },
            'restore-*': { kind: 'overwrite', object: 'the data of the cluster', thing: 'data', names: 'none' },
          },
          never: ['delete-backup', 'purge', 'purge-decommissioned'],
          work: ['restore-cluster|restore-node'],
        },
        // Another program of this name tries passwords.
        { area: 'attacks', work: ['-M -h|-H'], hIsNoHelp: true },
      ],
    },
    xtrabackup: { output: dumped(), does: xtrabackup },
  },
  examples: {
    'pgbackrest info': '',
    'pgbackrest stanza-delete --stanza=shop': 'deletes all backups of `shop`, perhaps the only copy, for good',
    'pgbackrest restore --stanza=shop': 'overwrites the data of `shop`',
    'wal-g delete everything': 'deletes every backup, perhaps the only copy, for good',
    'barman delete shop 20260101T000000': 'deletes backup `20260101T000000`, perhaps the only copy, for good',
    'medusa purge': 'deletes old backups, perhaps the only copy, for good',
  },
}
