import { onlyReadsBy } from '../looks/database-clients.ts'
import type { ShellCommand, ShellNetwork, ShellWord } from '../../../model/shell.ts'
import { behind } from '../../../words/options.ts'
import { appliesFetched } from '../deeds/fetched.ts'
import { namesStage, platformStage } from '../deeds/stages.ts'
import type { EffectRecorder } from '../effects.ts'
import { looksLikePath } from '../looks.ts'
import { isKnown } from '../looks/look.ts'
import type { Family } from '../program.ts'
import type { Line, OutputOf, Row } from '../row.ts'
import { onlyReads } from '../sql-reads.ts'
import type { Starts } from '../starts.ts'
import { changed } from '../words.ts'
import { mysqladmin } from './database-servers.ts'
import { hostOf } from './http.ts'
import { knex, prisma, sequelize } from './migrations/javascript.ts'

export const keyValueStore: Row = {
  options: 'endpoints cacert=read cert=read key=read address token',
  network: (line) => ({ kind: 'service', direction: 'both', ...hostName(line.value('endpoints', 'address')) }),
}

/** What a client puts out: what the database holds, where a word, or the text on stdin, asks for that. */
const asked =
  (words: RegExp): OutputOf =>
  (line, { args, stdin }) =>
    !line.has('help', 'version') && [...args, stdin].some((word) => words.test(word?.value ?? '')) ? 'rows' : undefined
/** What a program puts out that dumps a database, unless an option leaves nothing but the structure of its tables. */
export const dumped =
  (...structure: readonly string[]): OutputOf =>
  (line) =>
    line.has('help', 'version', ...structure) ? undefined : 'rows'

const mysqlOptions =
  'h host P port u user p? password? S r=write result-file=write T=into tab=into w where B? ignore-table defaults-file=read defaults-extra-file=read'

export const sqlClient: Row = {
  logsIn: true,
  output: asked(/\b(?:select|copy)\b/i),
  options:
    'e execute f=execute file=execute q query query-file=execute i=execute o=write h host S server u U p P password d database',
  network: served,
}

const createdbRow: Row = { options: 'h host p port U username O T E D maintenance-db', network: served }

const mongorestoreRow: Row = {
  options: 'h host port u p d db c collection file=read archive?=read uri dir=read',
  operands: 'read',
  network: served,
}

const redisCliRow: Row = {
  logsIn: true,
  output: asked(/^--rdb$|^(?:DUMP|KEYS|HGETALL|MGET)$/i),
  options: 'h p s a u n r i x? d D eval=execute pipe? rdb=write cacert=read cert=read key=read',
  operandsLast: true,
  network: served,
}

const embedded: Row = {
  output: asked(/^\.(?:dump|backup|clone)\b|\b(?:select|copy|from)\b/i),
  options: 'init=read cmd separator nullvalue newline mmap vfs maxsize c s',
  oneDash: true,
  starts: (line, starts, command) => startSql([...line.values('cmd', 'c'), ...line.operands.slice(1)], starts, command),
  effects(line, recorder, { stdin }) {
    const [database, ...texts] = line.operands
    if (database === undefined || database.value === ':memory:') return
    const sql = [...line.values('cmd', 'c'), ...texts, ...(texts.length === 0 && stdin !== undefined ? [stdin] : [])]
    const isRead =
      line.has('readonly') ||
      /^file:.*[?&](?:mode=ro|immutable=1)\b/.test(database.value) ||
      (sql.length > 0 && sql.every(onlyReads))
    const file = /^file:(?:\/\/(?=\/))?([^?]*)/.exec(database.value)?.[1]
    recorder.touch(file === undefined ? database : changed(database, file), isRead ? 'read' : 'edit')
  },
}

const psqlRow: Row = {
  logsIn: true,
  output: asked(/\b(?:select|copy|table|with)\b/i),
  options:
    'c command d dbname f=execute file=execute v set variable o=write output=write L=write log-file=write F R T P p port h host U username',
  network: served,
  // The client itself reads the file of `\\copy`, and that of `\\i`.
  effects(line, recorder, { stdin }) {
    for (const word of [...line.values('c', 'command'), ...(stdin === undefined ? [] : [stdin])])
      for (const [, value = ''] of word.value.matchAll(/\\copy\s[^;\n]{1,400}?\sfrom\s+'([^'\n]+)'/gi))
        recorder.touch({ ...word, value }, 'read')
  },
  starts(line, starts, command) {
    const files = line.values('f', 'file').flatMap((file) => starts.content(file) ?? [])
    startSql([...line.values('c', 'command'), ...files], starts, command)
  },
}

const mysqlRow: Row = {
  logsIn: true,
  output: asked(/\b(?:select|show|table)\b/i),
  options:
    'e execute D database h host P port u user p? password? S socket default-character-set defaults-file=read defaults-extra-file=read ssl-ca=read ssl-cert=read ssl-key=read init-command tee=write',
  network: served,
  starts: (line, starts, command) => startSql(line.values('e', 'execute', 'init-command'), starts, command),
}

/** Database clients: database files, script files, and the servers they connect to. */
export const databases: Family = {
  programs: {
    'sqlite3 sqlite': {
      ...embedded,
      looks: onlyReadsBy({
        dialect: 'sqlite',
        queries: ['cmd'],
        valued: 'cmd separator nullvalue newline mmap maxsize vfs lookaside pagecache heap',
        refused: 'init A archive append unsafe-testing zip deserialize',
        oneDash: true,
        locks: true,
        operandsFrom: 1,
      }),
    },
    duckdb: {
      ...embedded,
      looks: onlyReadsBy({
        dialect: 'duckdb',
        queries: ['c', 's', 'cmd'],
        valued: 'c s cmd separator nullvalue newline maxrows maxwidth',
        refused: 'init f unsigned unredacted',
        oneDash: true,
        locks: true,
        operandsFrom: 1,
      }),
    },
    psql: {
      ...psqlRow,
      looks: onlyReadsBy({
        dialect: 'postgres',
        queries: ['c', 'command'],
        valued: 'h host p port U username d dbname F field-separator P pset R record-separator T table-attr c command',
        refused: 'f file o output L log-file v set variable s single-step',
      }),
    },
    pgcli: psqlRow,
    'mysql mariadb': {
      ...mysqlRow,
      looks: onlyReadsBy({
        dialect: 'mysql',
        queries: ['e', 'execute'],
        valued: 'h host P port u user D database S socket e execute default-character-set protocol',
        refused:
          'tee pager init-command plugin-dir default-auth local-infile defaults-file defaults-extra-file load-data-local-dir',
      }),
    },
    'mycli mysqlsh': mysqlRow,
    'mysqldump mariadb-dump': { output: dumped('d', 'no-data'), options: mysqlOptions, network: served },
    mysqlimport: {
      options: mysqlOptions,
      network: served,
      effects(line, recorder) {
        for (const word of line.operands.slice(1)) recorder.touch(word, 'read')
      },
      does: {
        area: 'database-servers',
        kind: 'change',
        object: 'tables in',
        names: 'first',
        thing: 'data',
        says: {
          '--delete|-D': { kind: 'overwrite', object: 'all rows of tables in', names: 'first' },
        },
        never: ['--delete|-D'],
        work: ['--replace|-r'],
        valued: 'p',
        hIsNoHelp: true,
      },
    },
    mysqladmin: {
      options: mysqlOptions,
      network: served,
      does: { area: 'database-servers', ...mysqladmin },
      looks: {
        options: 'h P u host port user',
        lines: 'status|processlist|ping|version|variables|extended-status ..0',
      },
    },
    'pg_dump pg_dumpall pg_basebackup': {
      output: dumped('s', 'schema-only', 'no-data'),
      options:
        'd dbname f=write file=write D=into pgdata=into F format h host p port U username n schema t table N T j Z',
      network: served,
    },
    pg_restore: {
      options: 'd dbname f=write file=write F format h host p port U username n schema t table j L=read',
      operands: 'read',
      network: served,
      does: {
        area: 'database-servers',
        kind: 'change',
        object: 'database',
        names: '-d|--dbname',
        says: {
          '--clean|-c': { kind: 'overwrite', object: 'database', names: '-d|--dbname' },
        },
        never: ['--clean|-c'],
        work: ['--create|-C', '--dbname|-d'],
        hIsNoHelp: true,
        trials: 'l list',
      },
    },
    dropdb: {
      ...createdbRow,
      does: { area: 'database-servers', object: 'database', names: 'first', never: [''], hIsNoHelp: true },
    },
    dropuser: {
      ...createdbRow,
      does: {
        area: 'database-servers',
        kind: 'delete',
        object: 'database user',
        thing: 'account',
        never: [''],
        hIsNoHelp: true,
      },
    },
    pg_isready: { ...createdbRow, looks: isKnown },
    'createdb createuser vacuumdb reindexdb': { ...createdbRow },
    'mongo mongosh': {
      logsIn: true,
      output: asked(/\bfind\(|\baggregate\(/),
      options:
        'eval host port u username p password authenticationDatabase f=execute file=execute tlsCAFile=read tlsCertificateKeyFile=read',
      network: served,
      effects: scripts,
    },
    'mongodump mongoexport': {
      output: dumped(),
      options: 'h host port u p d db c collection o=write out=write archive?=write uri q query',
      network: served,
    },
    mongorestore: {
      ...mongorestoreRow,
      does: {
        area: 'database-servers',
        kind: 'overwrite',
        object: 'collections of',
        names: '-d|--db|--nsInclude',
        thing: 'data',
        trial: '--dryRun',
        never: ['--drop'],
        valued: 'nsinclude nsexclude nsfrom nsto',
        hIsNoHelp: true,
        flags: 'drop',
        trials: 'dryrun dryRun',
      },
    },
    mongoimport: {
      ...mongorestoreRow,
      does: {
        area: 'database-servers',
        says: {
          '--drop': { kind: 'overwrite', object: 'collection', names: '-c|--collection' },
          '--mode=delete': { kind: 'delete', object: 'documents of', thing: 'data', names: '-c|--collection' },
        },
        never: ['--drop'],
        work: ['--mode=delete'],
        valued: 'type mode',
        hIsNoHelp: true,
      },
    },
    'redis-cli': {
      ...redisCliRow,
      looks: {
        options: 'h p n a u user s +raw +no-raw +json +csv +no-auth-warning +tls',
        lines: `
      ping|info|dbsize|time|lastsave|role|PING|INFO|DBSIZE|TIME|LASTSAVE|ROLE []
      get|mget|strlen|getrange|keys|scan|exists|type|ttl|pttl|hget|hgetall|hkeys|hvals|hlen|hmget|hexists|hscan|llen|lrange|lindex []
      scard|smembers|sismember|sscan|zcard|zrange|zscore|zcount|zrank|zscan|xlen|xrange|xinfo|bitcount|getbit|pfcount []
      GET|MGET|STRLEN|GETRANGE|KEYS|SCAN|EXISTS|TYPE|TTL|PTTL|HGET|HGETALL|HKEYS|HVALS|HLEN|HMGET|HEXISTS|HSCAN|LLEN|LRANGE|LINDEX []
      SCARD|SMEMBERS|SISMEMBER|SSCAN|ZCARD|ZRANGE|ZSCORE|ZCOUNT|ZRANK|ZSCAN|XLEN|XRANGE|XINFO|BITCOUNT|GETBIT|PFCOUNT []
      cluster info|nodes|slots|shards []
      client list|info []
      memory usage|stats|doctor []
      slowlog get|len []
      object encoding|freq|idletime|refcount []
      command count|info|docs []
      --scan [--pattern=|--count=|--type=] ..0`,
      },
    },
    'valkey-cli keydb-cli': { ...redisCliRow },
    'cqlsh cockroach usql clickhouse-client clickhouse sqlplus isql osql presto trino hive beeline snowsql': sqlClient,
    sqlcmd: {
      ...sqlClient,
      looks: onlyReadsBy({
        dialect: 'mssql',
        queries: ['Q', 'q', 'query'],
        valued: 'S U P d Q q h s w t l H a c D server database-name query user-name',
        refused: 'i o input-file output-file',
        operandsFrom: 1,
      }),
    },
    mysqlshow: { looks: isKnown },
    bcp: { ...sqlClient, output: dumped() },

    sqlpackage: {
      output: dumped(),
      does: {
        area: 'database-servers',
        kind: 'change',
        object: 'the tables of the database',
        names: 'none',
        thing: 'data',
        work: ['/action:publish', '--action=publish'],
      },
    },
    'mariadb-backup mysqlpump mydumper couchbackup cypher-dump exp expdp': {
      output: dumped(),
    },
    nomad: {
      ...keyValueStore,
      obeys: { when: /^(?:job )?run\b/ },
      does: [
        {
          area: 'releases',
          flags: 'purge detach yes enable disable no-shutdown-delay',
          says: {
            'job stop|purge': { kind: 'stop', object: 'job', names: 'last' },
            stop: { kind: 'stop', object: 'job', names: 'last' },
            'system gc': { kind: 'delete', object: 'what has ended', names: 'none' },
            'node drain|eligibility': { kind: 'stop', object: 'node', names: 'last' },
            'node purge': { kind: 'delete', object: 'node' },
            'operator raft': { kind: 'delete', object: 'server of the cluster', names: 'none' },
            'var purge': { kind: 'delete', object: 'variable', names: 'last' },
            server: { kind: 'delete', object: 'server of the cluster' },
            'deployment fail': { kind: 'stop', object: 'deployment' },
            'alloc stop': { kind: 'stop', object: 'allocation' },
            'job revert': { kind: 'rollback', object: 'job', names: 'first' },
          },
          // A file of its own beside a pipe would make the pipe pointless.
          also: appliesFetched(['job run http:*|https:*|git::*', 'run http:*|https:*|git::*'], ['job run *', 'run *']),
          oneDash: true,
          never: [
            'job stop',
            'stop',
            'job purge',
            'namespace delete',
            'volume delete|deregister',
            'system gc',
            'node drain',
            'node purge',
            'operator raft remove-peer',
            'acl token delete',
            'acl policy delete',
            'acl role delete',
            'var purge',
            'quota delete',
            'server force-leave',
            'sentinel delete',
          ],
          work: ['deployment fail', 'alloc stop', 'job revert', 'node eligibility --disable'],
        },
        platformStage,
      ],
      looks: {
        oneDash: true,
        options: 'namespace region',
        never: '--address|--token',
        lines: `
      status|version
      server members
      job|node|alloc|deployment|eval status
      job history|inspect|plan
      alloc logs
      namespace|volume|plugin list|status
      operator raft list-peers`,
      },
    },
    etcdctl: {
      ...keyValueStore,
      does: {
        area: 'kubernetes',
        says: {
          'del --prefix|--from-key': {
            kind: 'delete',
            object: 'all keys from a prefix on',
            thing: 'data',
            names: 'none',
          },
          'del|rm': { kind: 'delete', object: 'key', thing: 'data' },
          'rmdir|rm': { kind: 'delete', object: 'folder of keys', thing: 'data' },
          'member remove': { kind: 'delete', object: 'member of the cluster', thing: 'infrastructure' },
          'auth disable': {
            kind: 'weaken',
            object: 'the authentication of the cluster',
            thing: 'guard',
            names: 'none',
          },
          'snapshot restore': { kind: 'overwrite', object: 'the data with a snapshot', thing: 'data', names: 'none' },
          compaction: { kind: 'delete', object: 'all older revisions of keys', thing: 'data', names: 'none' },
        },
        never: [
          'del --prefix',
          'del --from-key',
          'rm --recursive',
          'member remove',
          'rmdir',
          'user|role delete|remove',
          'auth disable',
        ],
        work: ['del', 'rm', 'snapshot restore', 'compaction', 'lease revoke'],
      },
    },
    consul: {
      ...keyValueStore,
      does: {
        area: 'releases',
        flags: 'recurse',
        says: {
          'kv delete': { kind: 'delete', object: 'entry', thing: 'data', names: 'last' },
          'leave|force-leave': { kind: 'stop', object: 'node of the cluster' },
          'operator raft': { kind: 'delete', object: 'server of the cluster', names: 'none' },
          'snapshot restore': { kind: 'overwrite', object: 'the data of the cluster', thing: 'data', names: 'none' },
          'acl *': { kind: 'delete', names: '-id|-name' },
          config: { kind: 'delete', object: 'setting', names: '-name' },
          maint: { kind: 'stop', object: 'this node or service', names: 'none' },
          'services deregister': { kind: 'delete', object: 'service', names: '-id' },
          lock: { kind: 'change', object: 'the lock of a key', names: 'none' },
        },
        oneDash: true,
        never: [
          'kv delete',
          'leave',
          'force-leave',
          'services deregister',
          'config delete',
          'acl token|policy|role|auth-method|binding-rule delete',
          'intention delete',
          'namespace delete',
          'partition delete',
          'peering delete',
          'operator raft remove-peer',
          'snapshot restore',
        ],
        work: ['maint', 'lock'],
        harmless: ['maint --disable'],
      },
      looks: {
        oneDash: true,
        never: '--http-addr|--token',
        lines: 'members|info|version; catalog *; operator raft list-peers',
      },
    },
    boundary: {
      ...keyValueStore,
      does: {
        area: 'releases',
        oneDash: true,
        byVerb: 'never',
        verbs: 'remove-principals remove-grants remove-host-sets remove-members',
      },
    },
    prisma: { options: 'schema=read config=read url e env', does: [{ area: 'migrations', ...prisma }, namesStage] },
    knex: { options: 'schema=read config=read url e env', does: [{ area: 'migrations', ...knex }, platformStage] },
    sequelize: {
      options: 'schema=read config=read url e env',
      does: [{ area: 'migrations', ...sequelize }, namesStage],
    },
    dbmate: {
      options: 'schema=read config=read url e env',
      does: [
        {
          area: 'migrations',
          says: {
            drop: { kind: 'delete', object: 'the database' },
            load: { kind: 'overwrite' },
            '*': { kind: 'rollback' },
          },
          never: ['drop'],
          work: ['down|rollback', 'load'],
          valued: 'u d migrations-dir s',
        },
        namesStage,
      ],
    },
    flyway: {
      options: 'schema=read config=read url e env',
      does: [
        {
          area: 'migrations',
          says: {
            undo: { kind: 'rollback' },
            'repair|baseline': { kind: 'change', object: 'the record of migrations' },
            migrate: { kind: 'change', trial: 'flyway info' },
            '*': { kind: 'delete', object: 'everything in the schemas' },
          },
          never: ['clean', '* clean', 'migrate clean', 'undo', '--cleandisabled=false'],
          work: ['repair', 'baseline', 'migrate'],
          oneDash: true,
        },
        namesStage,
      ],
    },
    liquibase: {
      options: 'schema=read config=read url e env',
      does: [
        {
          area: 'migrations',
          says: {
            'dropall|drop-all': { kind: 'delete', object: 'everything in the schema' },
            'rollback*': { kind: 'rollback' },
            update: { kind: 'change', trial: 'liquibase update-sql' },
            '*': { kind: 'change', object: 'the record of migrations' },
          },
          never: [
            'dropall|drop-all',
            'rollback-to-date|rollbacktodate|rollback|rollback-count|rollbackcount',
            'rollback-one-*',
            'clear-checksums|clearchecksums',
          ],
          work: ['update', 'changelog-sync|changelogsync', 'release-locks'],
        },
        namesStage,
      ],
    },
    alembic: {
      options: 'schema=read config=read url e env',
      does: [
        {
          area: 'migrations',
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
      ],
    },
  },
}

function hostName(word: ShellWord | undefined): { readonly host?: string } {
  const host = word === undefined ? undefined : hostOf(word.value)
  return host === undefined ? {} : { host }
}

const local = new Set(['localhost', '127.0.0.1', '::1', '[::1]'])

/** Returns the connection to a named server. Without a name, or with the local one, no network is used. */
function served(line: Line): ShellNetwork | undefined {
  const url =
    line.operands.find(({ value }) => /^[a-z][\w+]*:\/\//i.test(value)) ?? line.value('uri', 'url', 'u', 'd', 'dbname')
  const named =
    line.value('h', 'host', 'server', 'S') ?? (url !== undefined && url.value.includes('://') ? url : undefined)
  if (named === undefined || named.value.startsWith('/')) return undefined
  const { host } = hostName(named)
  return host !== undefined && local.has(host)
    ? undefined
    : { kind: 'service', direction: 'both', ...(host !== undefined && { host }) }
}

function scripts(line: Line, recorder: EffectRecorder): void {
  for (const word of line.operands)
    if (looksLikePath(word.value) && word.value.endsWith('.js')) recorder.touch(behind(word, 0), 'execute')
}

/** Starts the scripts of a database client, which may contain shell commands; without any, the text on stdin. */
function startSql(texts: readonly ShellWord[], starts: Starts, { stdin }: ShellCommand): void {
  for (const text of texts) if (text.unresolved !== true || !onlyReads(text)) starts.code('sql', text)
  if (texts.length === 0 && stdin !== undefined) starts.code('sql', stdin)
}
