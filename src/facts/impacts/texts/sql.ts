import { thingNamed } from '../naming.ts'
import type { Impact, ImpactKind, ImpactThing } from '../../../model/impact.ts'

/** A danger in SQL of any dialect. Comments and string literals are removed first, then each statement is checked. */
export interface SqlDanger {
  readonly effect: 'deny' | 'ask'
  /** Set if nothing is lost, but others come to see or change what they could not. */
  readonly opens?: true
  /** The statement's kind: `DROP TABLE`. */
  readonly what: string
}

/** A danger, and the name of what it is done to. */
interface NamedDanger extends SqlDanger {
  readonly names: readonly string[]
}

/** Comments are no code, but for those that MySQL runs: `/*!50000 DROP TABLE a *\/`. */
const withoutComments = (sql: string) =>
  sql
    .replace(/\/\*!\d*([\s\S]*?)\*\//g, ' $1 ')
    .replace(/'(?:[^'\\]|\\[\s\S]|'')*'|"(?:[^"\\]|\\[\s\S])*"|--[^\n]*|\/\*[\s\S]*?\*\/|^[ \t]*#[^\n]*/gm, (found) =>
      found.startsWith("'") || found.startsWith('"') ? found : ' ',
    )

/** Texts in quotes, which may have words of SQL in them. Names in double quotes go as well: nothing depends on them. */
const withoutTexts = (sql: string) => sql.replace(/'(?:[^'\\]|\\[\s\S]|'')*'|"(?:[^"\\]|\\[\s\S])*"|`[^`]*`/g, ' "" ')

const dropped =
  /\bDROP\s+(?:OR\s+\w+\s+)?(?:(?:TEMPORARY|FOREIGN|EXTERNAL|MATERIALIZED|PUBLIC|GLOBAL|VIRTUAL|CLUSTERED|UNIQUE)\s+)*(DATABASE|SCHEMA|TABLE|KEYSPACE|TABLESPACE|USER|ROLE|LOGIN|OWNED|PLUGGABLE\s+DATABASE|COLLECTION|GRAPH|CATALOG|BUCKET|MEASUREMENT|SERIES|SHARD|RETENTION\s+POLICY|STAGE|SHARE|WAREHOUSE|DICTIONARY|STREAM|TOPIC|PROJECT|SERVER|SUBSCRIPTION|PUBLICATION|EXTENSION|BACKUP|PARTITION|NAMESPACE|TABLES|DATABASES)\b/i
const droppedLess =
  /\bDROP\s+(?:(?:TEMPORARY|FOREIGN|EXTERNAL|MATERIALIZED|PUBLIC|GLOBAL|CONCURRENTLY)\s+)*(VIEW|INDEX|FUNCTION|PROCEDURE|ROUTINE|TRIGGER|SEQUENCE|TYPE|DOMAIN|POLICY|RULE|AGGREGATE|OPERATOR|CAST|COLLATION|EVENT|SYNONYM|PACKAGE|MACRO|TASK|PIPE|CONTINUOUS\s+QUERY|TRANSFORM|LANGUAGE|ASSEMBLY|CERTIFICATE|CREDENTIAL|MASKING\s+POLICY|RESOURCE)\b/i
const altered =
  /\bALTER\s+(?:FOREIGN\s+|EXTERNAL\s+)?TABLE\b[\s\S]*?\bDROP\s+(?!CONSTRAINT|INDEX|KEY|PRIMARY|FOREIGN|DEFAULT|NOT\b|IDENTITY|EXPRESSION|CHECK|TRIGGER|TAG)(?:COLUMN\s+|PARTITION\s+)?/i
const alteredLess =
  /\bALTER\s+(?:FOREIGN\s+|EXTERNAL\s+)?TABLE\b[\s\S]*?\bDROP\s+(?:CONSTRAINT|INDEX|KEY|PRIMARY|FOREIGN|CHECK)/i

const intoFile = /\bINTO\s+(?:OUTFILE|DUMPFILE)\b/i
const writesFile = 'INTO OUTFILE, which writes a file on the server'

/** Rules that a whole statement is held against, the first that fits. */
const rules: readonly (readonly [RegExp, SqlDanger['effect'], string])[] = [
  [/^TRUNCATE\b/i, 'deny', 'TRUNCATE'],
  [
    /^ALTER\s+TABLE\b[\s\S]*\b(?:TRUNCATE|DISCARD|DETACH|DROP)\s+(?:ALL\s+)?(?:PARTITION|TABLESPACE|PART)\b/i,
    'deny',
    'ALTER TABLE … DROP PARTITION',
  ],
  [altered, 'deny', 'ALTER TABLE … DROP COLUMN'],
  [alteredLess, 'ask', 'ALTER TABLE … DROP CONSTRAINT'],
  [
    /^(?:SHUTDOWN|RESET\s+(?:MASTER|SLAVE|REPLICA|BINARY)|PURGE\s+(?:BINARY|MASTER)\s+LOGS|FLUSH\s+(?:PRIVILEGES|LOGS)?\s*$)/i,
    'ask',
    'a statement on the whole server',
  ],
  [/^UNDROP\b/i, 'ask', 'UNDROP'],
  [/^REVOKE\b(?![\s\S]*\bFROM\s+(?:PUBLIC|anon|authenticated)\b)/i, 'ask', 'REVOKE'],
  [/^(?:ALTER|SET)\s+(?:USER|ROLE|LOGIN|PASSWORD)\b/i, 'ask', 'a change of users and passwords'],
  [/^INSERT\s+OVERWRITE\b/i, 'ask', 'INSERT OVERWRITE'],
  [
    /^CREATE\s+OR\s+REPLACE\s+(?:TRANSIENT\s+|EXTERNAL\s+)?(?:TABLE|DATABASE|SCHEMA|STAGE|STREAM)\b/i,
    'ask',
    'CREATE OR REPLACE TABLE',
  ],
  [/^RESTORE\s+(?:DATABASE|TABLE|LOG)\b/i, 'ask', 'RESTORE DATABASE'],
  [/^VACUUM\b[\s\S]*\bRETAIN\s+0\s+HOURS/i, 'deny', 'VACUUM … RETAIN 0 HOURS'],
  [
    /\bpg_(?:terminate_backend|drop_replication_slot|wal_replay_pause|switch_wal|resetwal)\s*\(/i,
    'ask',
    'a function that ends sessions or replication',
  ],
  [
    /\b(?:xp_cmdshell|sp_configure|lo_unlink|sp_delete_\w+|sp_dropserver|sp_droplogin|dbms_scheduler\.drop_\w+)\b/i,
    'ask',
    'a procedure that acts on the server',
  ],
  [/^COPY\b[\s\S]*\b(?:TO|FROM)\s+PROGRAM\b/i, 'ask', 'COPY … PROGRAM, which runs a program on the server'],
  [intoFile, 'ask', writesFile],
  [
    /\bLANGUAGE\s+["']?(?:plpython\w*|plperlu|pltclu|plsh)\b/i,
    'ask',
    'a function in a language that may do anything on the server',
  ],
  [/^KILL\b/i, 'ask', 'KILL'],
  [
    /^(?:DELETE\s+FROM|UPDATE)\s+(?:ONLY\s+)?(?:\w+\.)?\w{0,30}(?:audit|access_?logs?|login_?(?:history|attempts|events)|activity_?logs?|security_?(?:logs?|events))\w{0,30}\b/i,
    'ask',
    'a change of an audit or a log of logins',
  ],
  [/^DELETE\s+(?:DATABASE|SERIES|RETENTION)\b/i, 'deny', 'DELETE of a whole database'],
  // Of graphs: Cypher, which names what it deletes by properties or a condition; SurrealQL; SPARQL.
  [/^(?:OPTIONAL\s+)?MATCH\b(?![\s\S]*(?:\bWHERE\b|\{))[\s\S]*\bDELETE\b/i, 'deny', 'DELETE without WHERE'],
  [/^REMOVE\s+(?:NAMESPACE|NS|DATABASE|DB)\b/i, 'deny', 'REMOVE DATABASE'],
  [/^REMOVE\s+TABLE\b/i, 'deny', 'REMOVE TABLE'],
  [/^(?:CLEAR|DROP)\s+(?:SILENT\s+)?(?:ALL|DEFAULT|NAMED|GRAPH)\b/i, 'deny', 'CLEAR'],
]

const everyone = 'PUBLIC|anon|authenticated|guest|"?\'?%\'?"?'

/** Statements by which others come to see or change what they could not, the first that fits. */
const openings: readonly (readonly [RegExp, string])[] = [
  [/^ALTER\s+TABLE\b[\s\S]*\b(?:DISABLE|NO\s+FORCE)\s+ROW\s+LEVEL\s+SECURITY\b/i, 'DISABLE ROW LEVEL SECURITY'],
  [
    /\b(?:DROP|UNSET)\s+(?:ALL\s+)?(?:ROW\s+ACCESS|MASKING|AGGREGATION|PROJECTION)\s+POLIC(?:Y|IES)\b/i,
    'UNSET MASKING POLICY',
  ],
  [/^DROP\s+POLICY\b/i, 'DROP POLICY'],
  [
    // One for a role that no policy holds back opens nothing.
    /^(?:CREATE|ALTER)\s+POLICY\b(?![\s\S]*\bTO\s+(?:service_role|postgres)\s+(?:USING|WITH)\b)[\s\S]*\b(?:USING|CHECK)\s*\(\s*(?:true|1\s*=\s*1)\s*\)/i,
    'a POLICY that is always true',
  ],
  [
    /^(?:CREATE|ALTER)\s+(?:USER|ROLE)\b[\s\S]*(?<!NO)\b(?:SUPERUSER|BYPASSRLS|CREATEROLE)\b/i,
    'a role that may do everything',
  ],
  [/^ALTER\s+(?:SERVER\s+)?ROLE\s+\S+\s+ADD\s+MEMBER\b|\bsp_addsrvrolemember\b/i, 'a member of a role'],
  [/\bGRANT\s+ALL\b/i, 'GRANT ALL'],
  [
    new RegExp(`\\bGRANT\\b[\\s\\S]*\\bTO\\s+(?:ROLE\\s+)?(?:[\\w"]+\\s*,\\s*)*(?:${everyone})(?=[\\s,;]|$)`, 'i'),
    'GRANT',
  ],
  [
    /^GRANT\s+(?:ROLE\s+)?(?:pg_\w+|rds_superuser|\w*(?:admin|superuser|sysadmin|owner)\w*)\b(?![\s\S]*\bON\b)/i,
    'GRANT',
  ],
]

/** A condition that is always so is none. */
const always =
  /^[\s(]*(?:1\s*=\s*1|true|1|""\s*=\s*""|not\s+false|0\s*=\s*0|\d+\s*<\s*\d+)\s*\)*\s*(?:;|$|returning\b|limit\b|order\b)/i

/** Returns a statement's condition, if it has a WHERE. */
function conditionOf(statement: string): string | undefined {
  const found = /\bWHERE\b([\s\S]*)$/i.exec(statement)
  return found === null ? undefined : found[1]
}

const isForAll = (statement: string) => {
  const condition = conditionOf(statement)
  return condition === undefined || always.test(condition)
}

const ofPasswords =
  /^UPDATE\b[\s\S]*?\bSET\b(?:(?!\bWHERE\b)[\s\S])*?\b(?:password|passwd|pass_?word_?hash|encrypted_password|authentication_string)["`\]]?\s*=/i

/** A statement, or what an EXPLAIN would run: one that is only explained changes nothing. */
function dangerIn(statement: string, raw: string): SqlDanger | undefined {
  if (/^EXPLAIN\b/i.test(statement) && !/^EXPLAIN\s*\(?[^)]*\bANALY[SZ]E\b/i.test(statement)) return undefined
  if (/^(?:SHOW|DESCRIBE|DESC|USE|HELP|PRAGMA)\b/i.test(statement)) return undefined
  // Dynamic SQL: the content of the string literals is code.
  if (
    /\b(?:EXEC(?:UTE)?|PREPARE|DO|CALL|sp_executesql|query_to_xml|dblink\w*)\b/i.test(statement) &&
    /\b(?:DROP\s+\w|TRUNCATE\s+\w|DELETE\s+FROM)/i.test(raw)
  ) {
    return { effect: 'deny', what: 'DROP, TRUNCATE or DELETE in a text that is run' }
  }
  if (
    !/^(?:CREATE\s+(?:OR\s+REPLACE\s+)?(?:FUNCTION|PROCEDURE|TRIGGER|EVENT|ROLE|POLICY)|COMMENT)\b/i.test(statement)
  ) {
    const big = /^ALTER\b/i.test(statement) ? null : dropped.exec(statement)
    if (big?.[1] !== undefined) return { effect: 'deny', what: `DROP ${big[1].toUpperCase()}` }
    const isPolicy = /^DROP\s+(?:ROW\s+ACCESS\s+|MASKING\s+)?POLICY\b/i.test(statement)
    const small = isPolicy || /^ALTER\b/i.test(statement) ? null : droppedLess.exec(statement)
    if (small?.[1] !== undefined) return { effect: 'ask', what: `DROP ${small[1].toUpperCase()}` }
  }
  for (const [pattern, what] of openings) if (pattern.test(statement)) return { effect: 'ask', what, opens: true }
  for (const [pattern, effect, what] of rules) if (pattern.test(statement)) return { effect, what }
  if (/^TRUNCATE\b|[;(]\s*TRUNCATE\s+TABLE\b/i.test(statement)) return { effect: 'deny', what: 'TRUNCATE' }
  if (
    /^(?:DELETE|WITH|MERGE|BEGIN|EXPLAIN)\b[\s\S]*/i.test(statement) &&
    /\bDELETE\s+(?:\w+\s+)?FROM\b/i.test(statement) &&
    isForAll(statement)
  ) {
    return { effect: 'deny', what: 'DELETE without WHERE' }
  }
  // What a foreign key does `ON DELETE` changes no row now.
  if (/^ALTER\s+TABLE\b[\s\S]*\b(?<!\bON\s{1,9})(?:DELETE|UPDATE)\b/i.test(statement) && isForAll(statement)) {
    return { effect: 'deny', what: 'ALTER TABLE … DELETE of every row' }
  }
  if (
    /^(?:UPDATE|WITH)\b[\s\S]*\bUPDATE\b|^UPDATE\b/i.test(statement) &&
    /\bSET\b/i.test(statement) &&
    isForAll(statement)
  ) {
    return { effect: 'deny', what: 'UPDATE without WHERE' }
  }
  if (ofPasswords.test(statement)) return { effect: 'ask', what: 'a change of a password' }
  return undefined
}

/** The separator of statements, and the quoted texts that may contain it. */
const ends = () => /'(?:[^']|'')*'|"[^"]*"|;|\\g\b|^[ \t]*GO[ \t]*$/gim

/** Beginnings of statements whose texts are only stored. The texts of others may be run: `EXECUTE 'a; b'`. */
const keepsTexts = /^\s*(?:INSERT|UPDATE|DELETE|REPLACE|COMMENT)\b/i

function statementsIn(code: string): readonly string[] {
  // The end of a text with a backslash depends on the database, and some functions run their argument.
  const isPlain = !code.includes('\\') && !/\b(?:dblink|exec|query_to)/i.test(code)
  const statements: string[] = []
  let start = 0
  const end = (at: number, next: number): void => {
    statements.push(code.slice(start, at))
    start = next
  }
  for (const { 0: found, index } of code.matchAll(ends())) {
    if (!/^['"]/.test(found)) end(index, index + found.length)
    else if (!isPlain || !keepsTexts.test(code.slice(start, index))) {
      for (let at = found.indexOf(';'); at !== -1; at = found.indexOf(';', at + 1)) end(index + at, index + at + 1)
    }
  }
  return [...statements, code.slice(start)]
}

/** True if a statement of SQL text may change anything: rows, tables or rights. */
export const changesRows = (text: string): boolean =>
  statementsIn(withoutComments(text.slice(0, charactersReadMax))).some((statement) =>
    /^[\s(]*(?:INSERT|UPDATE|DELETE|MERGE|REPLACE|UPSERT|ALTER|CREATE|DROP|TRUNCATE|GRANT|REVOKE|CALL|REINDEX|COPY\b[\s\S]*\bFROM|WITH\b[\s\S]*\b(?:INSERT\s+INTO|UPDATE\s+\w+\s+SET|DELETE\s+FROM))\b/i.test(
      statement,
    ),
  )

/** A check of which dangers count in a text. */
type Counting = (danger: SqlDanger) => boolean

/** Returns everything dangerous that SQL text does; of what it may lose besides what it loses, nothing. */
export function sqlDeeds(text: string, counts: Counting = () => true): readonly TextDeed[] {
  const found = dangersIn(text.slice(0, charactersReadMax), counts)
  if (found.length === 0 && text.length > charactersReadMax) return [tooLong]
  const whats = [...new Set(found.map(({ what }) => what))]
  return whats.map((what) => {
    const same = found.filter((one) => one.what === what)
    return deedOf(
      what,
      same[0]?.effect ?? 'ask',
      new Set(same.flatMap(({ names }) => (names.length === 0 ? ['…'] : names))),
    )
  })
}

/** Returns the worst danger of SQL text; `undefined` if there is none. */
export const worstIn = (text: string, counts: Counting): SqlDanger | undefined =>
  dangersIn(text.slice(0, charactersReadMax), counts)[0]

const tooLong: TextDeed = {
  kind: 'run',
  thing: 'code',
  object: 'more SQL than can be read here',
  names: [],
  undo: 'work',
  words: '',
}

/** Returns the refused statements, or else the doubtful ones. */
function dangersIn(text: string, counts: Counting): readonly NamedDanger[] {
  const uncommented = withoutComments(text)
  const code = uncommented.replace(/\$(\w*)\$([\s\S]*?)\$\1\$/g, ' $2 ')
  let isRecreated: ((statement: string) => boolean) | undefined
  const dangers: NamedDanger[] = []
  for (const raw of statementsIn(code)) {
    const statement = withoutTexts(raw)
      .replace(/^[\s(]+/, '')
      .replace(
        /^(?:BEGIN|START\s+TRANSACTION|DO|AS|DECLARE|LANGUAGE\s+\w+|IF\s+EXISTS\s*\([^)]*\)|ELSE|THEN)\b\s*(?=\S)/i,
        '',
      )
      .trim()
    if (statement === '') continue
    const danger = dangerIn(statement, raw)
    if (danger === undefined || !counts(danger)) continue
    if (danger.effect === 'ask' && /\bDROP\b/.test(danger.what)) {
      isRecreated ??= recreatedIn(uncommented, statementsIn)
      if (isRecreated(raw)) continue
    }
    dangers.push({ ...danger, names: namesIn(raw) })
  }
  const refused = dangers.filter(({ effect }) => effect === 'deny')
  if (dangers.length > 0) return refused.length > 0 ? refused : dangers
  // A text of such a statement may have what looks like its end.
  return intoFile.test(withoutTexts(code)) ? [{ effect: 'ask', what: writesFile, names: [] }] : []
}

/** Returns the name of what a statement acts on; of a list, all names: `DROP TABLE a, b`. */
function namesIn(statement: string): readonly string[] {
  const found = named.exec(statement)
  if (found === null) return []
  const [begun, first = ''] = found
  const rest = /^[\s(]*(?:DROP|TRUNCATE)\b/i.test(statement) ? statement.slice(found.index + begun.length) : ''
  const [list = ''] = listed.exec(rest) ?? []
  return [first, ...list.split(',').slice(1)].map((one) => one.replaceAll(/["`[\]]/g, '').trim())
}
const listed = /^(?:\s*,\s*(?:"[^"\n]+"|`[^`\n]+`|[\w$]+)(?:\.(?:"[^"\n]+"|[\w$]+)){0,2})*/

/** Returns what the statements of a text are about, by name. */
export const namesInSql = (text: string): readonly string[] => [
  ...new Set(
    statementsIn(withoutComments(text.slice(0, charactersReadMax))).flatMap((one) => namesIn(one).slice(0, 1)),
  ),
]
const named =
  /\b(?:DATABASE|SCHEMA|KEYSPACE|TABLE|VIEW|INDEX|USER|ROLE|LOGIN|FUNCTION|PROCEDURE|TRIGGER|SEQUENCE|TYPE|POLICY|FROM|TRUNCATE|UPDATE|OVERWRITE|INTO)\s+(?:IF\s+EXISTS\s+|ONLY\s+|CONCURRENTLY\s+)*(?!(?:TABLE|INTO)\b)((?:"[^"\n]+"|`[^`\n]+`|\[[^\]\n]+\]|[\w$]+)(?:\.(?:"[^"\n]+"|[\w$]+)){0,2})/i

/** Effects of statements by their kind. The first match counts. */
const doings: readonly (readonly [RegExp, StatementEffect])[] = [
  [/^DROP POLICY|MASKING POLICY|^a POLICY/, ['weaken', 'guard', 'policy for rows']],
  [/ROW LEVEL SECURITY/, ['weaken', 'guard', 'the protection of the rows of']],
  [/^GRANT/, ['grant', 'account', 'what the statement names']],
  [/^a (?:role|member)/, ['grant', 'account', 'role that may do more']],
  [/^DROP, TRUNCATE/, ['delete', 'data', 'table or row']],
  [/DROP COLUMN/, ['delete', 'data', 'column']],
  [/DROP PARTITION/, ['delete', 'data', 'partition']],
  [/DROP CONSTRAINT/, ['delete', 'data', 'constraint']],
  [/^DELETE of/, ['delete', 'data', 'database']],
  [/^TRUNCATE|DELETE/, ['delete', 'data', 'row', 'all']],
  [/^CLEAR/, ['delete', 'data', 'graph', 'all']],
  [/^UPDATE/, ['overwrite', 'data', 'row', 'all']],
  [/^INSERT/, ['overwrite', 'data', 'row']],
  [/^CREATE/, ['overwrite', 'data', 'table']],
  [/^RESTORE/, ['overwrite', 'data', 'database']],
  [/^UNDROP/, ['rollback', 'data', 'table']],
  [/^VACUUM/, ['delete', 'backup', 'the old versions of the table']],
  [/^REVOKE/, ['revoke', 'account', 'right']],
  [/password/, ['change', 'account', 'password']],
  [/^KILL|sessions/, ['stop', 'infrastructure', 'session']],
  [/PROGRAM/, ['run', 'code', 'program on the server']],
  [/OUTFILE/, ['create', 'data', 'file on the server']],
  [/audit/, ['change', 'record', 'log of what people did']],
  [/^a function in/, ['run', 'code', 'function that may do anything on the server']],
  [/server/, ['change', 'infrastructure', 'the whole server']],
]

function deedOf(what: string, effect: SqlDanger['effect'], given: ReadonlySet<string>): TextDeed {
  const kindDropped = /^(?:DROP|REMOVE) (.*)$/.exec(what)?.[1]?.toLowerCase()
  const [kind, thing, object = kindDropped, extent] = doings.find(([like]) => like.test(what))?.[1] ?? [
    'delete',
    thingNamed(kindDropped ?? '') ?? 'data',
  ]
  // What a query reads is not what it writes to a file.
  const isAbout = /^(?:data|account|record|guard)$/.test(thing) && kind !== 'create'
  // A name that is not known only counts beside others: it may be that of anything.
  const names = !isAbout || kind === 'grant' || (given.size === 1 && given.has('…')) ? [] : [...given]
  return {
    kind,
    thing,
    ...(object !== undefined && { object }),
    names,
    ...(/^(?:database|schema)$/.test(kindDropped ?? '') && { targets: { database: names } }),
    ...(extent && { extent }),
    undo: effect === 'deny' ? 'never' : 'work',
    words: /^[A-Z]{3}/.test(what) ? what.replace(/,? (?:which|of every|without|of a|in a) .*$/, '') : '',
  }
}

/** Finds what SQL drops only to create it again under the same name: as a change of a view or a trigger is written. */

const name = String.raw`(?:"[^"]*"|\`[^\`]*\`|\[[^\]]*\]|[\w$]+)(?:\.(?:"[^"]*"|\`[^\`]*\`|\[[^\]]*\]|[\w$]+)){0,2}`
const kinds = 'VIEW|INDEX|FUNCTION|PROCEDURE|TRIGGER|POLICY|RULE|TYPE|EVENT'
const keys = String.raw`CONSTRAINT|INDEX|KEY|FOREIGN\s+KEY|CHECK`

/** A statement that drops one object, and nothing that depends on it. */
const drop = new RegExp(
  String.raw`^\s*DROP\s+(?:MATERIALIZED\s+)?(${kinds})\s+(?:CONCURRENTLY\s+)?(?:IF\s+EXISTS\s+)?(${name})\s*(?:\([^()]*\)\s*)?(?:ON\s+(${name})\s*)?(?:RESTRICT\s*)?$`,
  'i',
)
const create = new RegExp(
  String.raw`^\s*CREATE\s+(?:OR\s+(?:REPLACE|ALTER)\s+)?(?:\w+\s+){0,3}?(${kinds})\s+(?:CONCURRENTLY\s+)?(?:IF\s+NOT\s+EXISTS\s+)?(${name})`,
  'i',
)
const table = new RegExp(String.raw`^\s*ALTER\s+TABLE\s+(?:IF\s+EXISTS\s+)?(?:ONLY\s+)?(${name})\s`, 'i')
const droppedKeys = () => new RegExp(String.raw`\bDROP\s+(?:(?:${keys})\s+)?(?:IF\s+EXISTS\s+)?(${name})`, 'gi')
const addedKeys = () =>
  new RegExp(String.raw`\bADD\s+(?:UNIQUE\s+|FULLTEXT\s+)?(?:${keys})\s+(?:IF\s+NOT\s+EXISTS\s+)?(${name})`, 'gi')
const tables = () => new RegExp(String.raw`\bON\s+(${name})`, 'gi')

const plain = (written = '') =>
  written
    .replaceAll(/["`[\]]/g, '')
    .toLowerCase()
    .replace(/^(?:public|dbo)\./, '')
const all = (pattern: RegExp, text: string): readonly string[] =>
  [...text.matchAll(pattern)].map(([, found]) => plain(found))
const keyOf = (kind: string, owner: string, object: string) => [kind.toUpperCase(), owner, object].join(' ')

/** Returns what a statement drops; nothing if it drops more than these, or what depends on them as well. */
function dropsOf(statement: string): readonly string[] {
  const [, kind, object, on] = drop.exec(statement) ?? []
  if (kind !== undefined) return [keyOf(kind, plain(on), plain(object))]
  const [, changed] = table.exec(statement) ?? []
  return changed === undefined ||
    /\bCASCADE\b/i.test(statement.replaceAll(/\bON\s+(?:DELETE|UPDATE)\s+CASCADE\b/gi, ''))
    ? []
    : all(droppedKeys(), statement).map((one) => keyOf('KEY', plain(changed), one))
}

function createsOf(statement: string): readonly string[] {
  const [, kind, object] = create.exec(statement) ?? []
  if (kind !== undefined) return ['', ...all(tables(), statement)].map((owner) => keyOf(kind, owner, plain(object)))
  const [, changed] = table.exec(statement) ?? []
  return changed === undefined ? [] : all(addedKeys(), statement).map((one) => keyOf('KEY', plain(changed), one))
}

/**
 * Returns a check of statements: true for one that drops only what the same SQL creates again after it.
 *
 * @param code without comments
 * @param split into statements
 */
function recreatedIn(code: string, split: (code: string) => readonly string[]): (statement: string) => boolean {
  const bodies = /\$(\w*)\$([\s\S]*?)\$\1\$/g
  // What a body or a text drops, or creates, may never run.
  if ([...code.matchAll(bodies)].some(([, , body = '']) => /\bDROP\b/i.test(body))) return () => false
  if ([...code.matchAll(/"[^"]*"/g)].some(([found]) => found.includes(';'))) return () => false
  const droppedAt = new Map<string, number>()
  const created = new Map<string, number>()
  for (const [at, statement] of split(code.replace(bodies, ' ').replace(/'(?:[^']|'')*'/g, "''")).entries()) {
    for (const key of dropsOf(statement)) droppedAt.set(key, at)
    for (const key of createsOf(statement)) created.set(key, at)
  }
  return (statement) => {
    const own = dropsOf(statement)
    return own.length > 0 && own.every((key) => (created.get(key) ?? -1) >= (droppedAt.get(key) ?? Infinity))
  }
}

/** The effect of a text in the language of a data store: SQL, code for MongoDB, commands of Redis. */
export interface TextDeed extends Pick<Impact, 'kind' | 'thing' | 'undo' | 'object' | 'names'> {
  readonly extent?: Impact['extent']
  /** Default: as the call's options say. */
  readonly targets?: Impact['targets']
  /** The words of the text that say so: `DROP TABLE`. Empty if there are too many. */
  readonly words: string
}

/** The effect of one kind of statement. */
export type StatementEffect = readonly [kind: ImpactKind, thing: ImpactThing, object?: string, extent?: 'all']

/**
 * How much of a text of another language is read, in UTF-16 units. Patterns that look for what closes a text or a
 * comment take time by the square of it; statements on a command line are far shorter. What is
 * longer is asked about.
 */
export const charactersReadMax = 8_192

/**
 * How much of code on a command line is searched for a start of what it fetches, decodes or receives, in UTF-16 units. These
 * patterns take linear time. Code that is longer than what is read above is asked about.
 */
export const codeSearchedMax = 65_536
