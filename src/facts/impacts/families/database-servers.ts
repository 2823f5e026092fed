import type { Deeds, Family } from '../deeds.ts'

const mysqladmin: Deeds = {
  valued: 'h u P S socket',
  hIsNoHelp: true,
  never: ['drop|shutdown|kill|stop-slave|stop-replica'],
  work: ['flush-*', 'refresh|reload', 'password', 'stop-*'],
}

const programs: Family['programs'] = {
  dropdb: { never: [''], valued: 'h p U maintenance-db', hIsNoHelp: true },
  dropuser: { never: [''], valued: 'h p U', hIsNoHelp: true },
  pg_dropcluster: { never: [''] },
  pg_resetwal: { never: [''], trials: 'n' },
  pg_resetxlog: { never: [''], trials: 'n' },
  pg_ctl: {
    never: ['stop --mode=immediate|-m=immediate', 'kill'],
    work: ['stop', 'promote', 'restart'],
    valued: 'D m pgdata mode',
  },
  pg_ctlcluster: { work: ['* * stop'] },
  initdb: { work: [''] },
  pg_restore: {
    never: ['--clean|-c'],
    work: ['--create|-C', '--dbname|-d'],
    valued: 'd dbname h p U f file n t j',
    hIsNoHelp: true,
    trials: 'l list',
  },
  pg_rewind: { never: [''] },
  pg_archivecleanup: { never: [''], trials: 'n' },
  pg_drop: { never: [''] },
  repmgr: { never: ['* unregister', 'standby clone --force'], work: ['standby promote|switchover'] },
  patronictl: {
    never: ['remove', 'reinit', 'failover --force'],
    work: ['failover|switchover', 'restart', 'pause', 'edit-config'],
    valued: 'c d',
  },
  mysqladmin,
  'mariadb-admin': mysqladmin,
  mysql_install_db: { work: [''] },
  mysql_secure_installation: { work: [''] },
  mysqlimport: { never: ['--delete|-D'], work: ['--replace|-r'], valued: 'h u p P', hIsNoHelp: true },
  mongorestore: {
    never: ['--drop'],
    valued: 'uri db collection u p d c h nsinclude nsexclude nsfrom nsto',
    hIsNoHelp: true,
    trials: 'dryrun',
  },
  mongoimport: {
    never: ['--drop'],
    work: ['--mode=delete'],
    valued: 'uri db collection u p d c h file type mode',
    hIsNoHelp: true,
  },
  mongod: { work: ['--repair|--shutdown'] },
  nodetool: {
    never: [
      'decommission|removenode|assassinate|clearsnapshot|stopdaemon|disableautocompaction|truncatehints|resetlocalschema|drain',
      'forceremovetoken',
    ],
    work: ['cleanup|move|disablegossip|disablebinary|garbagecollect|rebuild|scrub'],
    valued: 'h p u pw',
    hIsNoHelp: true,
  },
  neo4j: { work: ['stop', 'restart'] },
  'neo4j-admin': {
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
  arangorestore: { work: [''] },
  'couchbase-cli': {
    never: [
      'bucket-delete|bucket-flush|server-remove|reset-admin-password',
      'user-manage --delete',
      'collection-manage --drop-collection|--drop-scope',
      'group-manage --delete',
    ],
    work: ['rebalance', 'failover', 'node-reset'],
    valued: 'c u p',
  },
  cbbackupmgr: { never: ['remove', 'merge'], work: ['restore'], valued: 'a r' },
  tiup: { never: ['cluster destroy|clean|prune', 'uninstall', 'clean', 'dm destroy'], work: ['cluster stop|scale-in'] },
  rman: { work: [''] },
  dgmgrl: { work: [''] },
  srvctl: { never: ['remove *'], work: ['stop *'] },
  dbca: { never: ['-deletedatabase', '-silent -deletedatabase', '-deleteinstance'], oneDash: true },
  sqlpackage: { work: ['/action:publish', '--action=publish'] },
  skeema: { never: ['push --allow-unsafe'], work: ['push'], trials: 'dry-run' },
  'gh-ost': { work: ['--execute'] },
  'pt-online-schema-change': { work: ['--execute'] },
  'pt-archiver': { never: ['--purge'], trials: 'dry-run' },
  'pt-kill': { work: ['--kill'] },
}

export const databaseServers: Family = { area: 'database-servers', thing: 'data', programs }
