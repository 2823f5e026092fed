import { type ShellWord, unknownPart } from '../../model/shell.ts'

const mayShow =
  /^(?:select|explain|values|with)\b|^pragma\s+(?:\w+\.)?(?:(?:table|index|foreign_key|database|collation|function|module)_\w*info|\w+_list|\w+_check|\w+$)|^\.(?:tables|schema|fullschema|indexes|indices|databases|dbinfo|show|dump|headers?|mode|width|nullvalue|separator|timer|stats|limit|quit|exit)\b[^|]*$/i
/** Words of SQL that change something, and functions that reach out of the database. */
const mayChange =
  /\b(?:insert|update|delete|drop|alter|create|truncate|merge|grant|revoke|copy|call|exec|execute|do|attach|vacuum|reindex|into|lock|set|import|export|install|load|begin|commit)\b|\breplace\s+into\b|\b(?:pg_\w+|lo_\w+|dblink\w*|xp_\w+|sp_\w+|setval|nextval|load_\w+|writefile|edit|sys_\w+|readfile|shell|system)\s*\(|\\/i

/**
 * True if statements only read, wherever a part of theirs is not known: that part is taken for a value or a name. Texts
 * and comments are left out; a backslash is none of SQL's own.
 */
export function onlyReads({ value }: ShellWord): boolean {
  const bare = value
    .replaceAll(quoted(), (one) => (/^[-/]/.test(one) ? ' ' : '""'))
    .split(value.trimStart().startsWith('.') ? '\n' : ';')
    .map((one) => one.trim())
    .filter((one) => one !== '')
  return bare.length > 0 && bare.every((one) => mayShow.test(one) && !mayChange.test(one))
}

/** Whose commands a client has, besides SQL. */
export type SqlDialect = 'postgres' | 'mysql' | 'sqlite' | 'duckdb' | 'mssql' | 'athena'

const changes = new RegExp(
  String.raw`\b(insert|update|delete|drop|alter|create|truncate|merge|upsert|grant|revoke|copy|call|exec|execute|do|vacuum|reindex|cluster|refresh|attach|detach|load|import|export|install|set|into|outfile|dumpfile|lock|unlock|prepare|deallocate|declare|begin|commit|rollback|savepoint|listen|notify|kill|shutdown|backup|restore|use|rename|optimize|repair|flush|reset|handler|nextval|setval|msck|unload|comment|security|discard|checkpoint|openrowset|opendatasource|openquery|bulk|waitfor|reconfigure|analyze)\b`,
  'i',
)
/** Functions that read or write files, start programs, reach other servers, or change how the server runs. */
const reaching =
  /\b(pg_(read|write|ls|file|stat_file|terminate|cancel|reload|rotate|switch|start|stop|logical|create|drop|replication|promote|advisory|log|export|import|notify|sleep)\w*|lo_\w+|dblink\w*|xp_\w+|sp_\w+|load_(extension|file)|writefile|readfile|edit|fts3_tokenizer|read_(csv|text|blob|json|parquet)\w*|sys_(exec|eval)|getenv|query_to_xml\w*|database_to_xml\w*|set_config|current_setting|benchmark|sleep|get_lock|release_lock|shell|system|http_\w+|url\w*|remote\w*)\s*\(/i

/** Quoted texts and comments, which may contain anything. The last alternative is an unclosed one. */
const quoted = () => /'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|--[^\n]*|\/\*[^]*?\*\/|['"`]|\/\*/g

/**
 * A query without its strings, quoted names and comments, read from its beginning on: the quote in `"it's"` opens nothing.
 * `undefined` where a database may see other borders than those, behind a backslash for one.
 */
function bareOf(query: string, dialect: SqlDialect): string | undefined {
  if (query.includes('\\') || /\$\w*\$/.test(query)) return undefined
  // MySQL runs the content of these comments, and `--1` is a number to it.
  if (dialect === 'mysql' && (/\/\*!|#/.test(query) || /--(?!\s|$)/.test(query))) return undefined
  // A bracket quotes a name for some.
  if ((dialect === 'mssql' || dialect === 'sqlite') && /\[[^[\]'"`]*['"`]/.test(query)) return undefined
  let isBroken = false
  const bare = query.replace(quoted(), (one) => {
    if (one.length === 1 || one === '/*') isBroken = true
    if (one.startsWith("'")) return "''"
    return one.startsWith('-') || one.startsWith('/') ? ' ' : ' "" '
  })
  return isBroken ? undefined : bare.trim()
}

/** One-line commands of sqlite3 that only show something or set the output format. */
const shows =
  /^\.(tables|schema|indexes|indices|databases|dbinfo|help|show|fullschema|version|mode|headers?|width|nullvalue|separator|timer|stats|dump)\b[^|\n]*$/

/** Pragmas of SQLite that read, if they are given no value. */
const pragma =
  /^pragma\s+(\w+\.)?((table_x?info|table_list|index_list|index_x?info|foreign_key_(list|check)|integrity_check|quick_check)\s*(\(\s*('')?[\w\s]*\))?|(database|collation|function|module|pragma)_list|compile_options|user_version|schema_version|application_id|encoding|journal_mode|foreign_keys|page_(size|count)|freelist_count|data_version)$/i

/** psql's own commands that list and describe: nothing in a word of theirs is run. */
const describes = /^\\(d[a-zA-Z]*|l|z|sf|sv|conninfo|encoding|x|dconfig)\+?(\s+[\w.*?"]+)*$/

/**
 * True if a query only reads: a single statement with a reading verb, and without any word that changes data.
 * Strings and comments are taken out first, so that the words in them do not count.
 */
export function surelyReads(query: string | undefined, dialect: SqlDialect): boolean {
  if (query === undefined || query.includes(unknownPart)) return false
  if (dialect === 'postgres' && describes.test(query.trim())) return true
  if (dialect === 'sqlite' && shows.test(query.trim())) return true
  const bare = bareOf(query, dialect)?.replace(/;$/, '').trim()
  return bare !== undefined && !bare.includes(';') && isReading(bare, dialect)
}

const reads = /^(select|show|describe|desc|explain|with)\b/i

function isReading(statement: string, dialect: SqlDialect): boolean {
  if (dialect === 'sqlite' && pragma.test(statement)) return true
  return (
    reads.test(statement) &&
    !changes.test(statement.replace(/\breplace\s*\(/gi, '(').replace(/\bshow\s+create\b/i, 'show')) &&
    // A name in quotes may be any function's.
    !/""\s*\(/.test(statement) &&
    !reaching.test(statement) &&
    !/\bfor\s+(no\s+key\s+)?(update|share)\b/i.test(statement)
  )
}
