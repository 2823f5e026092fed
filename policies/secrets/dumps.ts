import { setOf, type ShellCommand } from 'hookgate/policy'

/** Programs that write out what a database holds. */
const dumpers = setOf(
  `pg_dump pg_dumpall pg_basebackup mysqldump mariadb-dump mariadb-backup mysqlpump mydumper xtrabackup mongodump
  mongoexport couchbackup influxd cypher-dump exp expdp sqlpackage bcp`.split(/\s+/),
)
/** Their options without data: the tables' structure alone. */
const structure = /^(?:-s|--schema-only|--no-data|-d)$/

/** Clients that print what they are asked for, by the words that ask. */
const asked: Readonly<Record<string, RegExp>> = {
  psql: /\b(?:select|copy|table|with)\b/i,
  mysql: /\b(?:select|show|table)\b/i,
  mariadb: /\b(?:select|show|table)\b/i,
  sqlite3: /^\.(?:dump|backup|clone)\b|\bselect\b/i,
  duckdb: /\b(?:select|copy|from)\b/i,
  mongosh: /\bfind\(|\baggregate\(/,
  'redis-cli': /^--rdb$|^(?:DUMP|KEYS|HGETALL|MGET)$/i,
  'clickhouse-client': /\bselect\b/i,
  cqlsh: /\b(?:select|copy)\b/i,
  bq: /^(?:query|extract)$/,
}

/** True if a command gives out what a database holds: a dump of it, or the rows that it is asked for. */
export function givesOutData({ program, args, stdin }: ShellCommand): boolean {
  const words = args.map(({ value }) => value)
  if (words.some((word) => word === '--help' || word === '--version')) return false
  if (dumpers.has(program))
    return !(/^(?:pg_dump|mysqldump|mariadb-dump)/.test(program) && words.some(isStructure(program)))
  const asks = Object.hasOwn(asked, program) ? asked[program] : undefined
  return asks !== undefined && [...words, stdin?.value ?? ''].some((word) => asks.test(word))
}

/** `-d` names the database for `pg_dump`. */
const isStructure = (program: string) => (word: string) =>
  structure.test(word) && !(word === '-d' && program.startsWith('pg_'))
