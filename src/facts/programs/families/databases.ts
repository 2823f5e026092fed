import { hostName } from './http.ts'
import { liveByVerbs, type Deeds } from '../deeds/deeds.ts'
import { behind } from '../../../words/options.ts'
import type { EffectRecorder } from '../effects.ts'
import { looksLikePath, changed } from '../words.ts'
import { isKnown, type Judge, type ProgramCall, readLook } from '../looks/look.ts'
import type { Family } from '../program.ts'
import type { Line, OutputOf, Row } from '../row.ts'
import { onlyReads, type SqlDialect, surelyReads } from '../sql-reads.ts'
import type { Starts } from '../starts.ts'
import { type ShellWord, unknownPart, type ShellCommand } from '../../../model/shell.ts'
import type { ShellNetwork } from '../../../model/shell-network.ts'

/** How a database's client gets its queries. */
interface SqlReader {
  readonly dialect: SqlDialect
  /** Options that hold a query. */
  readonly queries: readonly string[]
  readonly valued: string
  /** Options that run something else, write, or read a script. */
  readonly refused: string
  readonly oneDash?: true
  /** Set if the option `readonly` opens the database so that no query can change it. */
  readonly locks?: true
  /** The index of the first operand that is a query: 1 if the database stands before it. */
  readonly operandsFrom?: number
}

/** True for a variable that holds a database's address: `"$DATABASE_URL"`. */
const isAddress = ({ value, variable, several }: ShellWord) =>
  value === unknownPart && several !== true && variable !== undefined && /(?:^|_)(?:URL|URI|DSN)$/.test(variable)

/** Commands of sqlite3 that write, read or start something. */
const sqliteActs =
  /^\.(?:shell|system|output|once|open|read|import|save|backup|restore|clone|load|cd|excel|edit|www|log)/

/** True if a client gets only queries that read. Without queries, only `psql -l` and a locked database without stdin count. */
function readsBy(client: SqlReader, { args, command, isFed }: ProgramCall): boolean {
  const words = args.map((word, at) => (at === 0 && isAddress(word) ? { value: 'postgres://' } : word))
  if (!isKnown({ args: words }) || command?.stdin?.unresolved === true) return false
  const { dialect, operandsFrom } = client
  const { names, operands, values } = readLook(words, client.valued, client.oneDash)
  const refused = client.refused.split(' ')
  if (names.some((name) => refused.some((one) => name === one || (name.length > 2 && one.startsWith(name)))))
    return false
  if (dialect === 'sqlite' && words.some(({ value }) => sqliteActs.test(value.trim()))) return false
  const asks = names.some((name) => client.queries.includes(name))
  if (dialect === 'postgres' && !asks && names.some((name) => name === 'l' || name === 'list')) return true
  const texts = [
    ...values(...client.queries),
    ...(operandsFrom === undefined ? [] : operands.slice(operandsFrom)),
    ...(command?.stdin === undefined ? [] : [command.stdin]),
  ]
  const queries = texts.map(({ value }) => value)
  const isLocked = client.locks === true && names.includes('readonly') && !queries.some(reachesOut)
  if (queries.length === 0) return isLocked && isFed !== true
  if (isLocked && queries.every((query) => !/^\s*[.\\]/.test(query) || isListing(query, client))) return true
  return queries.every((query) => surelyReads(query, dialect) && (!/^\s*[.\\]/.test(query) || isListing(query, client)))
}

/** True for a query that may write files or open other databases, which `readonly` does not prevent. */
const reachesOut = (query: string): boolean =>
  /\b(?:attach|copy|export|install|load|writefile|edit|load_extension|readfile)\b|^\s*\./i.test(query)

/** True for a listing command of the client itself: `.tables`, `\\d users`. */
const isListing = (query: string, { dialect }: SqlReader): boolean =>
  (dialect === 'sqlite' || dialect === 'postgres') && surelyReads(query, dialect)

/** Makes the judge of a client: it only looks if it gets only queries that read. */
const onlyReadsBy =
  (client: SqlReader): Judge =>
  (look) =>
    readsBy(client, look)

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

/** One that reads statements from a terminal, if it is given none. */
const sqlPrompt: Row = {
  ...sqlClient,
  typed:
    /^(?! (?:install|create|config|query|start|stop|delete|open)(?: |$))(?!.* (?:-[eqQciVvf]|--(?:execute|query|query-file|queries-file|command|file|input-file|help|version)|@\S+)(?:[ =]|$))/,
}

const postgresTool: Row = { options: 'h host p port U username O T E D maintenance-db', network: served }

const mongoImporter: Row = {
  options: 'h host port u p d db c collection file=read archive?=read uri dir=read',
  operands: 'read',
  network: served,
}

const redisClient: Row = {
  typed:
    /^(?: -(?:[hpnauirtD]|-user|-pass|-sni|-cacert|-cert|-key) \S+| -[23c]| --(?:tls|raw|no-raw|json|csv|insecure|verbose|no-auth-warning))*$/,
  logsIn: true,
  output: asked(/^--rdb$|^(?:DUMP|KEYS|HGETALL|MGET)$/i),
  options: 'h p s a u n r i x? d D eval=execute pipe? rdb=write cacert=key cert=key key=key',
  operandsLast: true,
  network: served,
}

const mysqlAdmin: Deeds = {
  says: {
    drop: { kind: 'delete', object: 'database' },
    shutdown: { kind: 'stop', object: 'the database server', names: 'none' },
    kill: { kind: 'stop', object: 'connection' },
    'stop-*': { kind: 'stop', object: 'the replication', names: 'none' },
    'flush-*|refresh|reload': { kind: 'change', object: 'the caches of the server', names: 'none' },
    password: { kind: 'change', object: 'the password', names: 'none' },
  },
  valued: 'h u P S socket',
  hIsNoHelp: true,
  never: ['drop|shutdown|kill|stop-slave|stop-replica'],
  work: ['flush-*', 'refresh|reload', 'password', 'stop-*'],
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

const postgresClient: Row = {
  logsIn: true,
  output: asked(/\b(?:select|copy|table|with)\b/i),
  options:
    'c command d dbname f=execute file=execute v set variable o=write output=write L=write log-file=write F field-separator R record-separator T table-attr P pset p port h host U username',
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

const mysqlClient: Row = {
  logsIn: true,
  output: asked(/\b(?:select|show|table)\b/i),
  options:
    'e execute D database h host P port u user p? password? S socket protocol default-character-set defaults-file=read defaults-extra-file=read ssl-ca=read ssl-cert=key ssl-key=key init-command tee=write',
  network: served,
  starts: (line, starts, command) => startSql(line.values('e', 'execute', 'init-command'), starts, command),
}

/** Clients of databases: database files, script files, and the servers they connect to. */
export const databases: Family = {
  area: 'database-servers',
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
      sql: { options: 'cmd', from: 1, ofFile: true },
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
      sql: { options: 'c s cmd', from: 1, ofFile: true },
    },
    'psql edb-psql': {
      ...postgresClient,
      looks: onlyReadsBy({
        dialect: 'postgres',
        queries: ['c', 'command'],
        valued: 'h host p port U username d dbname F field-separator P pset R record-separator T table-attr c command',
        refused: 'f file o output L log-file v set variable s single-step',
      }),
      sql: { options: 'c command', hosts: 'h host' },
    },
    pgcli: { ...postgresClient, sql: { options: 'c command e execute', hosts: 'h host' } },
    'mysql mariadb': {
      ...mysqlClient,
      looks: onlyReadsBy({
        dialect: 'mysql',
        queries: ['e', 'execute'],
        valued: 'h host P port u user D database S socket e execute default-character-set protocol',
        refused:
          'tee pager init-command plugin-dir default-auth local-infile defaults-file defaults-extra-file load-data-local-dir',
      }),
      sql: { options: 'e execute', hosts: 'h host' },
    },
    mysqlsh: { ...mysqlClient, sql: { options: 'e execute', hosts: 'h host' } },
    mycli: { ...mysqlClient, sql: { options: 'e execute', hosts: 'h host' } },
    'mysqldump mariadb-dump': { output: dumped('d', 'no-data'), options: mysqlOptions, network: served },
    mysqlimport: {
      options: mysqlOptions,
      network: served,
      effects(line, recorder) {
        for (const word of line.operands.slice(1)) recorder.touch(word, 'read')
      },
      does: {
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
      abbreviates: true,
      options: mysqlOptions,
      network: served,
      does: mysqlAdmin,
      looks: {
        options: 'h P u host port user',
        lines: 'status|processlist|ping|version|variables|extended-status ..0',
      },
    },
    'mariadb-admin': { does: mysqlAdmin },
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
      ...postgresTool,
      does: { object: 'database', names: 'first', never: [''], hIsNoHelp: true },
    },
    dropuser: {
      ...postgresTool,
      does: {
        kind: 'delete',
        object: 'database user',
        thing: 'account',
        never: [''],
        hIsNoHelp: true,
      },
    },
    pg_isready: { ...postgresTool, looks: isKnown },
    'createdb createuser vacuumdb reindexdb': { ...postgresTool },
    'mongo mongosh': {
      logsIn: true,
      output: asked(/\bfind\(|\baggregate\(/),
      options:
        'eval host port u username p password authenticationDatabase f=execute file=execute tlsCAFile=read tlsCertificateKeyFile=key',
      network: served,
      effects: scripts,
      store: 'mongo',
      typed: /^(?!.* (?:--eval|-f|--file|--version|--help|\S+\.js)(?:[ =]|$))/,
    },
    'mongodump mongoexport': {
      output: dumped(),
      options: 'h host port u p d db c collection o=write out=write archive?=write uri q query',
      network: served,
    },
    mongorestore: {
      ...mongoImporter,
      does: {
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
      ...mongoImporter,
      does: {
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
      ...redisClient,
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
      does: liveByVerbs('upload', 'deploy'),
      store: 'redis',
    },
    'valkey-cli keydb-cli rdcli': { ...redisClient, store: 'redis' },
    memcflush: {
      does: { kind: 'delete', object: 'every key of the cache', thing: 'data', names: 'none', never: [''] },
    },
    snowsql: { ...sqlPrompt, sql: { options: 'q query', valued: 'a s w r c' } },
    'presto trino': { ...sqlPrompt, sql: { options: 'execute', valued: 'catalog schema user' } },
    hive: { ...sqlPrompt, sql: { options: 'e', valued: 'hiveconf define' } },
    beeline: { ...sqlPrompt, sql: { options: 'e', valued: 'n hiveconf hivevar', hosts: 'u' } },
    'cqlsh ycqlsh': {
      ...sqlPrompt,
      sql: { options: 'e execute', valued: 'username k keyspace encoding request-timeout' },
    },
    clickhouse: { ...sqlClient, sql: { options: 'q query', valued: 'port user', hosts: 'h host' } },
    'clickhouse-client chc': { ...sqlPrompt, sql: { options: 'q query', valued: 'port user format', hosts: 'h host' } },
    sqlplus: { ...sqlPrompt, sql: {} },
    isql: { ...sqlPrompt, sql: { options: 'Q q' } },
    osql: { ...sqlPrompt, sql: { options: 'Q q', hosts: 'S' } },
    cockroach: { ...sqlClient, sql: { options: 'e execute', valued: 'port user url certs-dir format', hosts: 'host' } },
    usql: {
      ...sqlPrompt,
      sql: {
        options: 'c command',
        valued:
          'dbname port username v set variable output L log-file F field-separator pset R record-separator T table-attr',
        hosts: 'h host',
      },
    },
    sqlcmd: {
      ...sqlPrompt,
      looks: onlyReadsBy({
        dialect: 'mssql',
        queries: ['Q', 'q', 'query'],
        valued: 'S U P d Q q h s w t l H a c D server database-name query user-name',
        refused: 'i o input-file output-file',
        operandsFrom: 1,
      }),
      sql: { options: 'Q q query initial-query', valued: 'E H s w l t a b C', hosts: 'S server' },
    },
    mysqlshow: { looks: isKnown },
    bcp: { ...sqlClient, output: dumped() },

    sqlpackage: {
      output: dumped(),
      does: {
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
  },
  examples: {
    'memcflush --servers=cache1': 'deletes every key of the cache, for good',
    'dropdb shop': 'deletes database `shop`, for good',
    'dropdb -h db.example.com shop': 'deletes database `shop`, for good',
    'dropuser alice': 'deletes database user `alice`, for good',
    'mysqladmin -u root -f drop shop': 'deletes database `shop`, for good',
    'mysqladmin shutdown': 'stops the database server',
    'pg_restore --clean -d shop shop.dump': 'overwrites database `shop`, for good',
    'pg_restore -l shop.dump': '',
    'mongorestore --drop -d shop dump/': 'overwrites collections of `shop`, for good',
    'mongorestore --drop --dryRun dump/': '',
    'mongoimport --drop -c orders orders.json': 'overwrites collection `orders`, for good',
  },
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
