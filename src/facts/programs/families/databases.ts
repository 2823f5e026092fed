import type { Family } from '../program.ts'
import type { ShellCommand, ShellNetwork, ShellWord } from '../../../model/shell.ts'
import type { EffectRecorder } from '../effects.ts'
import { hostOf } from './http.ts'
import { looksLikePath } from '../looks.ts'
import { onlyReads } from '../sql-reads.ts'
import type { Line, OutputOf, Row } from '../row.ts'
import type { Starts } from '../starts.ts'
import { behind, changed } from '../words.ts'

const keyValueStore: Row = {
  options: 'endpoints cacert=read cert=read key=read address token',
  network: (line) => ({ kind: 'service', direction: 'both', ...hostName(line.value('endpoints', 'address')) }),
}

/** What a client puts out: what the database holds, where a word, or the text on stdin, asks for that. */
const asked =
  (words: RegExp): OutputOf =>
  (line, { args, stdin }) =>
    !line.has('help', 'version') && [...args, stdin].some((word) => words.test(word?.value ?? '')) ? 'rows' : undefined
/** What a program puts out that dumps a database, unless an option leaves nothing but the structure of its tables. */
const dumped =
  (...structure: readonly string[]): OutputOf =>
  (line) =>
    line.has('help', 'version', ...structure) ? undefined : 'rows'

const mysqlOptions =
  'h host P port u user p? password? S r=write result-file=write T=into tab=into w where B? ignore-table defaults-file=read defaults-extra-file=read'

const sqlClient: Row = {
  output: asked(/\b(?:select|copy)\b/i),
  options:
    'e execute f=execute file=execute q query query-file=execute i=execute o=write h host S server u U p P password d database',
  network: served,
}

/** Database clients: database files, script files, and the servers they connect to. */
export const databases: Family = {
  programs: {
    'sqlite3 sqlite duckdb': {
      output: asked(/^\.(?:dump|backup|clone)\b|\b(?:select|copy|from)\b/i),
      options: 'init=read cmd separator nullvalue newline mmap vfs maxsize c s',
      oneDash: true,
      starts: (line, starts, command) =>
        startSql([...line.values('cmd', 'c'), ...line.operands.slice(1)], starts, command),
      effects(line, recorder, { stdin }) {
        const [database, ...texts] = line.operands
        if (database === undefined || database.value === ':memory:') return
        const sql = [
          ...line.values('cmd', 'c'),
          ...texts,
          ...(texts.length === 0 && stdin !== undefined ? [stdin] : []),
        ]
        const isRead =
          line.has('readonly') ||
          /^file:.*[?&](?:mode=ro|immutable=1)\b/.test(database.value) ||
          (sql.length > 0 && sql.every(onlyReads))
        const file = /^file:(?:\/\/(?=\/))?([^?]*)/.exec(database.value)?.[1]
        recorder.touch(file === undefined ? database : changed(database, file), isRead ? 'read' : 'edit')
      },
    },
    'psql pgcli': {
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
    },
    'mysql mariadb mycli mysqlsh': {
      output: asked(/\b(?:select|show|table)\b/i),
      options:
        'e execute D database h host P port u user p? password? S socket default-character-set defaults-file=read defaults-extra-file=read ssl-ca=read ssl-cert=read ssl-key=read init-command tee=write',
      network: served,
      starts: (line, starts, command) => startSql(line.values('e', 'execute', 'init-command'), starts, command),
    },
    'mysqldump mariadb-dump': { output: dumped('d', 'no-data'), options: mysqlOptions, network: served },
    mysqlimport: {
      options: mysqlOptions,
      network: served,
      effects(line, recorder) {
        for (const word of line.operands.slice(1)) recorder.touch(word, 'read')
      },
    },
    mysqladmin: { options: mysqlOptions, network: served },
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
    },
    'createdb dropdb createuser dropuser vacuumdb reindexdb pg_isready': {
      options: 'h host p port U username O T E D maintenance-db',
      network: served,
    },
    'mongo mongosh': {
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
    'mongorestore mongoimport': {
      options: 'h host port u p d db c collection file=read archive?=read uri dir=read',
      operands: 'read',
      network: served,
    },
    'redis-cli valkey-cli keydb-cli': {
      output: asked(/^--rdb$|^(?:DUMP|KEYS|HGETALL|MGET)$/i),
      options: 'h p s a u n r i x? d D eval=execute pipe? rdb=write cacert=read cert=read key=read',
      operandsLast: true,
      network: served,
    },
    'cqlsh influx clickhouse-client clickhouse sqlcmd sqlplus isql osql presto trino hive beeline snowsql': sqlClient,
    bcp: { ...sqlClient, output: dumped() },
    // A query, or the export of a table.
    bq: { output: ({ operands: [verb] }) => (/^(?:query|extract)$/.test(verb?.value ?? '') ? 'rows' : undefined) },
    'mariadb-backup mysqlpump mydumper xtrabackup couchbackup influxd cypher-dump exp expdp sqlpackage': {
      output: dumped(),
    },
    vault: { ...keyValueStore, subcommands: { exec: { starts: { dashes: true } } } },
    nomad: { ...keyValueStore, obeys: { when: /^(?:job )?run\b/ } },
    'etcdctl consul boundary': keyValueStore,
    'dbmate flyway liquibase alembic prisma sequelize knex': { options: 'schema=read config=read url e env' },
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
