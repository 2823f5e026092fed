/** What a database's own client calls itself. */
export type Dialect = 'postgres' | 'mysql' | 'sqlite' | 'duckdb' | 'mssql' | 'athena'

const changes = new RegExp(
  String.raw`\b(insert|update|delete|drop|alter|create|truncate|merge|upsert|grant|revoke|copy|call|exec|execute|do|vacuum|reindex|cluster|refresh|attach|detach|load|import|export|install|set|into|outfile|dumpfile|lock|unlock|prepare|deallocate|declare|begin|commit|rollback|savepoint|listen|notify|kill|shutdown|backup|restore|use|rename|optimize|repair|flush|reset|handler|nextval|setval|msck|unload|comment|security|discard|checkpoint|openrowset|opendatasource|openquery|bulk|waitfor|reconfigure|analyze)\b`,
  'i',
)
/** Functions that read or write files, start programs, reach other servers, or change how the server runs. */
const reaching =
  /\b(pg_(read|write|ls|file|stat_file|terminate|cancel|reload|rotate|switch|start|stop|logical|create|drop|replication|promote|advisory|log|export|import|notify|sleep)\w*|lo_\w+|dblink\w*|xp_\w+|sp_\w+|load_(extension|file)|writefile|readfile|edit|fts3_tokenizer|read_(csv|text|blob|json|parquet)\w*|sys_(exec|eval)|getenv|query_to_xml\w*|database_to_xml\w*|set_config|current_setting|benchmark|sleep|get_lock|release_lock|shell|system|http_\w+|url\w*|remote\w*)\s*\(/i

/**
 * Whether a query only reads: one statement that begins as those do that read, and holds no word of those that change.
 * Strings and comments are taken out first, so that the words in them do not count.
 */
export function isHarmlessSql(query: string | undefined, dialect: Dialect): boolean {
  if (query === undefined || query.includes('\uFDD0')) return false
  // What MySQL finds in these comments it runs.
  if (query.includes('/*!')) return false
  const bare = query
    .replace(/'(?:[^'\\]|''|\\.)*'/g, "''")
    .replace(/\/\*[^]*?\*\//g, ' ')
    .replace(/--[^\n]*/g, ' ')
    .trim()
    .replace(/;$/, '')
  if (bare.includes(';') || bare.includes('\\') || bare.includes('$$')) return false
  const first = /^[a-z]+/i.exec(bare)?.[0].toLowerCase() ?? ''
  if (
    dialect === 'sqlite' &&
    /^\.(tables|schema|indexes|indices|databases|dbinfo|help|show|fullschema|version)\b[^|]*$/.test(bare)
  )
    return true
  const reads = ['select', 'show', 'describe', 'desc', 'explain', 'with']
  return (
    reads.includes(first) &&
    !changes.test(
      bare
        .replace(/\breplace\s*\(/gi, '(')
        .replace(/\bshow\s+create\b/i, 'show')
        .replace(/`[^`]*`|"[^"]*"/g, ' x '),
    ) &&
    !reaching.test(bare) &&
    !/\bfor\s+(no\s+key\s+)?(update|share)\b/i.test(bare)
  )
}
