import { onlyTries } from '../../../words/options.ts'
import type { ShellWord } from '../../../model/shell.ts'
import type { Call } from '../../../words/calls.ts'

/** The options and operands in which a database client gets SQL. Options without dashes. */
interface SqlClient {
  /** Options whose value is SQL. */
  readonly sql: string
  /** Other options that take a value. */
  readonly valued?: string
  /** From which operand on they may be SQL: `sqlite3 FILE SQL`. Absent: none is. */
  readonly operandsFrom?: number
  /** Long options have one dash. */
  readonly oneDash?: true
  /** Stdin is SQL. */
  readonly stdin?: false
  /** Options that name where the server is. */
  readonly hosts?: string
  /** It opens a file, whose name is that of no server. */
  readonly ofFile?: true
  /** Words in front: `aws athena start-query-execution`. */
  readonly behind?: string
}

const psql: SqlClient = {
  sql: 'c command',
  valued:
    'd dbname f file h host p port U username v set variable o output L log-file F field-separator P pset R record-separator T table-attr',
  hosts: 'h host',
}
const mysql: SqlClient = {
  sql: 'e execute',
  valued:
    'h host u user P port D database S socket protocol default-character-set ssl-ca ssl-cert ssl-key defaults-file defaults-extra-file init-command',
  hosts: 'h host',
}

/** Clients, by their program's name. */
const clients: Readonly<Record<string, SqlClient>> = {
  psql,
  pgcli: { ...psql, sql: 'c command e execute' },
  cockroach: { sql: 'e execute', valued: 'host p port u user d database url certs-dir format', hosts: 'host' },
  usql: psql,
  ysqlsh: psql,
  vsql: psql,
  nzsql: psql,
  gsql: psql,
  edbpsql: psql,
  mysql,
  mariadb: mysql,
  mycli: mysql,
  mysqlsh: { ...mysql, sql: 'e execute sql' },
  mysqlslap: { sql: 'q query', valued: 'h u p' },
  sqlite3: {
    ofFile: true,
    sql: 'cmd',
    valued: 'init separator nullvalue newline mmap vfs maxsize',
    operandsFrom: 1,
    oneDash: true,
  },
  sqlite: { ofFile: true, sql: 'cmd', valued: 'init separator', operandsFrom: 1, oneDash: true },
  'sqlite-utils': { ofFile: true, sql: '', operandsFrom: 2 },
  litecli: { ofFile: true, sql: 'e execute', operandsFrom: 1 },
  sqlcipher: { ofFile: true, sql: 'cmd', operandsFrom: 1, oneDash: true },
  libsql: { ofFile: true, sql: '', operandsFrom: 1 },
  turso: { sql: '', operandsFrom: 3, behind: 'db shell' },
  duckdb: { ofFile: true, sql: 'c s cmd', valued: 'init separator nullvalue newline', operandsFrom: 1, oneDash: true },
  sqlcmd: {
    sql: 'Q q query initial-query',
    valued: 'S U P d i o E H s w h l t a b C server database',
    hosts: 'S server',
  },
  mssql: { sql: 'q query Q', valued: 'S U P d s u p' },
  'mssql-cli': { sql: 'Q query', valued: 'S U P d' },
  osql: { sql: 'Q q', valued: 'S U P d i o', hosts: 'S' },
  isql: { sql: 'Q q', valued: 'S U P d i o' },
  tsql: { sql: '', valued: 'S H p U P D' },
  sqlplus: { sql: '' },
  sql: { sql: '' },
  db2: { sql: '', operandsFrom: 0 },
  hdbsql: { sql: '', valued: 'n i u p d I o U A', operandsFrom: 0 },
  bteq: { sql: '' },
  'isql-fb': { sql: '' },
  monetdb: { sql: '' },
  mclient: { sql: 's statement', valued: 'd database u user h host p port' },
  'clickhouse-client': { sql: 'q query', valued: 'h host port u user password d database format', hosts: 'h host' },
  clickhouse: { sql: 'q query', valued: 'h host port u user password d database', hosts: 'h host' },
  'clickhouse-local': { ofFile: true, sql: 'q query', valued: 'd file structure format' },
  chdb: { ofFile: true, sql: '', operandsFrom: 0 },
  cqlsh: { sql: 'e execute', valued: 'u username p password k keyspace f file encoding request-timeout' },
  beeline: { sql: 'e', valued: 'u n p f d hiveconf hivevar', hosts: 'u' },
  hive: { sql: 'e', valued: 'f i hiveconf define database' },
  'spark-sql': { sql: 'e', valued: 'f conf master database packages jars' },
  impala: { sql: 'q query', valued: 'i f d' },
  'impala-shell': { sql: 'q query', valued: 'i f d o impalad' },
  presto: { sql: 'execute', valued: 'server catalog schema user file' },
  'presto-cli': { sql: 'execute', valued: 'server catalog schema user file' },
  trino: { sql: 'execute', valued: 'server catalog schema user file' },
  'trino-cli': { sql: 'execute', valued: 'server catalog schema user file' },
  drill: { sql: 'q e', oneDash: true },
  dremio: { sql: 'q' },
  snowsql: { sql: 'q query', valued: 'a u d s w r c f o' },
  snow: { sql: 'q query', valued: 'c connection f filename', behind: 'sql' },
  bq: { sql: '', valued: 'project_id dataset_id location format', operandsFrom: 1, behind: 'query' },
  rsql: psql,
  exaplus: { sql: 'sql', valued: 'c u p f s', oneDash: true },
  aws: {
    sql: 'query-string sql statement sqls query-statement',
    valued: 'region profile database db cluster-identifier work-group secret-arn resource-arn output endpoint-url',
    stdin: false,
  },
  gcloud: { sql: 'sql ddl', valued: 'instance project database', stdin: false },
  databricks: { sql: 'query statement json', stdin: false },
  wrangler: { sql: 'command', valued: 'config env file', behind: 'd1 execute', stdin: false },
  supabase: { sql: 'query', operandsFrom: 2, behind: 'db query', stdin: false },
  heroku: { sql: 'c command', valued: 'a app', behind: 'pg:psql' },
  pscale: { sql: '', behind: 'shell' },
  influx: { sql: 'execute', valued: 'host port database username password precision', oneDash: true },
  influxdb3: { sql: '', operandsFrom: 1, behind: 'query' },
  prisma: { sql: '', behind: 'db execute' },
  wp: { sql: '', operandsFrom: 2, behind: 'db query' },
  drush: { sql: '', operandsFrom: 1, behind: 'sql:query' },
  ksql: { sql: 'e execute', valued: 'f file' },
  'cypher-shell': { sql: '', valued: 'a u p d f P address username password database format param', operandsFrom: 0 },
  rails: { sql: '', behind: 'dbconsole' },
  osqueryi: { sql: '' },
  steampipe: { sql: '', operandsFrom: 1, behind: 'query' },
  tidb: mysql,
  'ob-client': mysql,
  obclient: mysql,
  taos: { sql: 's' },
  questdb: { sql: '' },
  surreal: { sql: '', behind: 'sql' },
  edgedb: { sql: 'c', operandsFrom: 1, behind: 'query' },
  gel: { sql: 'c', operandsFrom: 1, behind: 'query' },
}

/** Text that a client is given to run, and where. */
interface GivenSql {
  readonly text: ShellWord
  readonly host: string | undefined
}

/** True for a client of databases that are files. */
export const opensFile = (program: string): boolean =>
  Object.hasOwn(clients, program) && clients[program]?.ofFile === true

/** Returns the rest of a word from an offset. */
const behind = (word: ShellWord, at: number): ShellWord => ({ ...word, value: word.value.slice(at) })

const namesIn = (names: string | undefined) => (names === undefined || names === '' ? [] : names.split(' '))

/** SQL that is given to a client on its command line or its stdin. `undefined` where the program is no client. */
export function sqlGiven({ program, args, command }: Call): readonly GivenSql[] | undefined {
  const client = Object.hasOwn(clients, program) ? clients[program] : undefined
  if (client === undefined) return undefined
  const sql = new Set(namesIn(client.sql))
  const valued = new Set([...sql, ...namesIn(client.valued)])
  const hosts = new Set(namesIn(client.hosts))
  const texts: ShellWord[] = []
  const operands: ShellWord[] = []
  let host: string | undefined
  const give = (name: string, word: ShellWord | undefined) => {
    if (word === undefined) return
    if (sql.has(name)) texts.push(word)
    if (hosts.has(name)) host = word.value
  }

  for (let at = 0; at < args.length; at++) {
    const word = args[at]
    const text = word?.value ?? ''
    if (word === undefined) continue
    if (!text.startsWith('-') || text === '-') {
      operands.push(word)
      continue
    }
    const equals = text.indexOf('=')
    const dashes = text.startsWith('--') ? 2 : 1
    const whole = text.slice(dashes, equals === -1 ? undefined : equals)
    if (dashes === 2 || client.oneDash === true || whole.length === 1) {
      if (equals !== -1 && whole.length > 1) give(whole, behind(word, equals + 1))
      else if (valued.has(whole)) give(whole, args[++at])
      continue
    }
    for (let letter = 1; letter < text.length; letter++) {
      const name = text.charAt(letter)
      if (!valued.has(name)) continue
      give(name, letter + 1 < text.length ? behind(word, letter + 1) : args[++at])
      break
    }
  }
  if (onlyTries(args, 'readonly', 'read-only', 'dry_run', 'dry-run')) return []
  const subcommand = namesIn(client.behind)
  if (subcommand.some((name, place) => operands[place]?.value !== name)) return undefined
  texts.push(...operands.slice(client.operandsFrom ?? operands.length))
  if (client.stdin !== false && command.stdin !== undefined) texts.push(command.stdin)
  const url = operands.find((one) => /^[a-z0-9+]+:\/\//i.test(one.value))?.value
  return texts.map((text) => ({ text, host: host ?? url }))
}
