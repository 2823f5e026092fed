import { abstains, asks, definePolicy, denies } from 'hookgate/policy'
import { allowed, answered } from './cli/example.ts'
import { type Cli, type CliTable, judge, params } from './cli/judge.ts'
import { isForTests, testDatabases } from './data/test-databases.ts'

const mysqladmin: Cli = {
  valued: 'h u P S socket',
  hIsNoHelp: true,
  deny: ['drop|shutdown|kill|stop-slave|stop-replica'],
  ask: ['flush-*', 'refresh|reload', 'password', 'stop-*'],
}

const table: CliTable = {
  dropdb: { deny: [''], valued: 'h p U maintenance-db', hIsNoHelp: true },
  dropuser: { deny: [''], valued: 'h p U', hIsNoHelp: true },
  pg_dropcluster: { deny: [''] },
  pg_resetwal: { deny: [''], trials: 'n' },
  pg_resetxlog: { deny: [''], trials: 'n' },
  pg_ctl: {
    deny: ['stop --mode=immediate|-m=immediate', 'kill'],
    ask: ['stop', 'promote', 'restart'],
    valued: 'D m pgdata mode',
  },
  pg_ctlcluster: { ask: ['* * stop'] },
  initdb: { ask: [''] },
  pg_restore: {
    deny: ['--clean|-c'],
    ask: ['--create|-C', '--dbname|-d'],
    valued: 'd dbname h p U f file n t j',
    hIsNoHelp: true,
    trials: 'l list',
  },
  pg_rewind: { deny: [''] },
  pg_archivecleanup: { deny: [''], trials: 'n' },
  pg_drop: { deny: [''] },
  repmgr: { deny: ['* unregister', 'standby clone --force'], ask: ['standby promote|switchover'] },
  patronictl: {
    deny: ['remove', 'reinit', 'failover --force'],
    ask: ['failover|switchover', 'restart', 'pause', 'edit-config'],
    valued: 'c d',
  },
  mysqladmin,
  'mariadb-admin': mysqladmin,
  mysql_install_db: { ask: [''] },
  mysql_secure_installation: { ask: [''] },
  mysqlimport: { deny: ['--delete|-D'], ask: ['--replace|-r'], valued: 'h u p P', hIsNoHelp: true },
  mongorestore: {
    deny: ['--drop'],
    valued: 'uri db collection u p d c h nsinclude nsexclude nsfrom nsto',
    hIsNoHelp: true,
    trials: 'dryrun',
  },
  mongoimport: {
    deny: ['--drop'],
    ask: ['--mode=delete'],
    valued: 'uri db collection u p d c h file type mode',
    hIsNoHelp: true,
  },
  mongod: { ask: ['--repair|--shutdown'] },
  nodetool: {
    deny: [
      'decommission|removenode|assassinate|clearsnapshot|stopdaemon|disableautocompaction|truncatehints|resetlocalschema|drain',
      'forceremovetoken',
    ],
    ask: ['cleanup|move|disablegossip|disablebinary|garbagecollect|rebuild|scrub'],
    valued: 'h p u pw',
    hIsNoHelp: true,
  },
  neo4j: { ask: ['stop', 'restart'] },
  'neo4j-admin': {
    deny: [
      'database load --overwrite-destination',
      'database import full --overwrite-destination',
      'server unbind',
      'load --force',
      'restore --force',
      'database delete',
    ],
    ask: ['load', 'restore', 'database load'],
  },
  arangorestore: { ask: [''] },
  'couchbase-cli': {
    deny: [
      'bucket-delete|bucket-flush|server-remove|reset-admin-password',
      'user-manage --delete',
      'collection-manage --drop-collection|--drop-scope',
      'group-manage --delete',
    ],
    ask: ['rebalance', 'failover', 'node-reset'],
    valued: 'c u p',
  },
  cbbackupmgr: { deny: ['remove', 'merge'], ask: ['restore'], valued: 'a r' },
  tiup: { deny: ['cluster destroy|clean|prune', 'uninstall', 'clean', 'dm destroy'], ask: ['cluster stop|scale-in'] },
  rman: { ask: [''] },
  dgmgrl: { ask: [''] },
  srvctl: { deny: ['remove *'], ask: ['stop *'] },
  dbca: { deny: ['-deletedatabase', '-silent -deletedatabase', '-deleteinstance'], oneDash: true },
  sqlpackage: { ask: ['/action:publish', '--action=publish'] },
  skeema: { deny: ['push --allow-unsafe'], ask: ['push'], trials: 'dry-run' },
  'gh-ost': { ask: ['--execute'] },
  'pt-online-schema-change': { ask: ['--execute'] },
  'pt-archiver': { deny: ['--purge'], trials: 'dry-run' },
  'pt-kill': { ask: ['--kill'] },
}

export default definePolicy({
  id: 'database-servers',
  severity: 'critical',
  description: "Keeps databases from being dropped, overwritten or stopped by their servers' own tools",
  on: 'PreToolUse',
  tool: 'shell',
  interest: { words: Object.keys(table) },
  params: { ...params, testDatabases },
  decide: ({ shell, params: given }) =>
    judge(
      shell,
      table,
      given,
      {
        harm: 'drops, overwrites or stops a database, with everything that is stored in it',
        instead:
          'look at it first (`status`, `list`), dump it first, restore into another database, or have the person run it',
      },
      (_, call) => isForTests(call, given.testDatabases),
    ),
  examples: [
    denies('dropdb shop'),
    denies('dropdb -h db.example.com shop'),
    abstains('one for tests', 'dropdb --if-exists shop_test', { params: { testDatabases: ['*_test'] } }),
    denies('one whose user is called so', 'dropdb -U test shop', { params: { testDatabases: ['test'] } }),
    denies('mysqladmin -u root -f drop shop'),
    denies('pg_restore --clean -d shop shop.dump'),
    denies('mongorestore --drop dump/'),
    abstains('createdb drop'),
    abstains('pg_dump --clean shop'),
    abstains('mysqladmin status'),
    denies('patronictl remove shop'),
    denies('nodetool decommission'),
    asks('pg_ctl stop -D /data'),
    abstains('pg_restore --list shop.dump'),
    abstains('nodetool status'),
    abstains('echo dropdb shop'),
    allowed('dropdb shop', 'dropdb'),
    answered('dropdb shop', 'ask'),
  ],
})
