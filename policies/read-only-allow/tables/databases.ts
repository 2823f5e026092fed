import { unknownPart } from 'hookgate/policy'
import { type Dialect, isHarmlessSql } from '../code/sql.ts'
import { type Call, type Judge, isKnown } from '../call.ts'
import { optionsOf } from '../table.ts'

interface Client {
  readonly dialect: Dialect
  /** Options that hold a query; long ones without their dashes. */
  readonly queries: readonly string[]
  readonly valued: string
  /** Options that run something else, write, or read a script. */
  readonly refused: string
  readonly oneDash?: true
  /** Options with which nothing can be changed, whatever the query. */
  readonly locked?: readonly string[]
  /** Which operand is a query: the second, behind the database. */
  readonly operand?: number
}

const clients: Readonly<Record<string, Client>> = {
  psql: {
    dialect: 'postgres',
    queries: ['c', 'command'],
    valued: 'h host p port U username d dbname F field-separator P pset R record-separator T table-attr c command',
    refused: 'f file o output L log-file v set variable L s single-step',
  },
  mysql: {
    dialect: 'mysql',
    queries: ['e', 'execute'],
    valued: 'h host P port u user D database S socket e execute default-character-set protocol',
    refused:
      'tee pager init-command plugin-dir default-auth local-infile defaults-file defaults-extra-file load-data-local-dir',
  },
  duckdb: {
    dialect: 'duckdb',
    queries: ['c', 's', 'cmd'],
    valued: 'c s cmd separator nullvalue newline maxrows maxwidth',
    refused: 'init f unsigned unredacted',
    oneDash: true,
    locked: ['readonly'],
    operand: 1,
  },
  sqlite3: {
    dialect: 'sqlite',
    queries: ['cmd'],
    valued: 'cmd separator nullvalue newline mmap maxsize vfs lookaside pagecache heap',
    refused: 'init A archive append unsafe-testing zip deserialize',
    oneDash: true,
    locked: ['readonly'],
    operand: 1,
  },
  sqlcmd: {
    dialect: 'mssql',
    queries: ['Q', 'q', 'query'],
    valued: 'S U P d Q q h s w t l H a c D server database-name query user-name',
    refused: 'i o input-file output-file',
    operand: 1,
  },
}
const aliases: Readonly<Record<string, string>> = { mariadb: 'mysql', sqlite: 'sqlite3' }

/** Clients of databases: with a query on their command line that only reads, or none and nothing to read it from. */
export function databases(program: string): Judge | undefined {
  const client = clients[aliases[program] ?? program]
  if (client === undefined) return program === 'pg_isready' || program === 'mysqlshow' ? isKnown : undefined
  return (call) => isReading(call, client)
}

/** Matches a database's address as one variable of the environment: `"$DATABASE_URL"`. */
const isAddress = ({ value, variable, several }: Call['args'][number]) =>
  value === unknownPart && several !== true && variable !== undefined && /(?:^|_)(?:URL|URI|DSN)$/.test(variable)

function isReading(written: Call, client: Client): boolean {
  const call = {
    ...written,
    args: written.args.map((word, at) => (at === 0 && isAddress(word) ? { value: 'postgres://' } : word)),
  }
  if (!isKnown(call) || call.command?.stdin?.unresolved === true) return false
  const valued = client.valued.split(' ')
  const form = client.oneDash === true ? { oneDash: true as const } : {}
  const { names } = optionsOf(call.args, valued, form)
  if (
    client.refused
      .split(' ')
      .some((one) => names.some((name) => name === one || (name.length > 2 && one.startsWith(name))))
  )
    return false
  if (
    client.dialect === 'sqlite' &&
    call.args.some((word) =>
      /^\.(shell|system|output|once|open|read|import|save|backup|restore|clone|load|cd|excel|edit|www|log)/.test(
        word.value.trim(),
      ),
    )
  )
    return false
  if (
    client.dialect === 'postgres' &&
    names.some((name) => name === 'l' || name === 'list') &&
    names.every((name) => !client.queries.includes(name))
  )
    return true
  const { queries, operands } = readQueries(call, client, valued)
  const fromStdin = call.command?.stdin === undefined ? [] : [call.command.stdin.value]
  const given = [...queries, ...(client.operand === undefined ? [] : operands.slice(client.operand)), ...fromStdin]
  if (given.length === 0 && locks(names, client, given)) return call.isFed !== true
  if (given.length === 0 || given.some((query) => /^\s*[.\\]/.test(query) && !isListing(query, client))) return false
  return (
    locks(names, client, given) ||
    given.every((query) => isListing(query, client) || isHarmlessSql(query, client.dialect))
  )
}

/** A database that is opened to be read cannot be changed: but files can be written, and others opened. */
const locks = (names: readonly string[], { locked = [], dialect }: Client, given: readonly string[]): boolean =>
  locked.some((one) => names.includes(one)) &&
  given.every(
    (query) => !/\b(attach|copy|export|install|load|writefile|edit|load_extension|readfile)\b|^\s*\./i.test(query),
  ) &&
  dialect !== 'mssql'

/** `.tables`, `\\d users`: commands of the client itself that list. */
const isListing = (query: string, { dialect }: Client): boolean =>
  (dialect === 'sqlite' || dialect === 'postgres') && isHarmlessSql(query, dialect)

function readQueries({ args }: Call, client: Client, valued: readonly string[]) {
  const queries: string[] = []
  const operands: string[] = []
  for (let at = 0; at < args.length; at++) {
    const value = args[at]?.value ?? ''
    if (!value.startsWith('-') || value === '-') {
      operands.push(value)
      continue
    }
    const [, name = '', given] = /^--?([^=]*)(?:=([^]*))?$/.exec(value) ?? []
    const isLong = value.startsWith('--') || client.oneDash === true
    if (isLong) {
      const next = given ?? (valued.includes(name) ? (args[++at]?.value ?? '') : undefined)
      if (client.queries.includes(name)) queries.push(next ?? '')
      continue
    }
    for (let letter = 1; letter < value.length; letter++) {
      if (!valued.includes(value.charAt(letter))) continue
      const own = value.slice(letter + 1)
      const next = own === '' ? (args[++at]?.value ?? '') : own
      if (client.queries.includes(value.charAt(letter))) queries.push(next)
      break
    }
  }
  return { queries, operands }
}
