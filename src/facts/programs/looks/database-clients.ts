import { type ShellWord, unknownPart } from '../../../model/shell.ts'
import { type SqlDialect, surelyReads } from '../sql-reads.ts'
import { isKnown, type Judge, type ProgramCall, readLook } from './look.ts'

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
export const onlyReadsBy =
  (client: SqlReader): Judge =>
  (look) =>
    readsBy(client, look)
