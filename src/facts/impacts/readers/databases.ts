import { lineOf, onlyTries, type PreparedOptions, prepareOptions, readPrepared } from '../../../words/options.ts'
import type { SqlWords, StoreLanguage } from '../../programs/program.ts'
import { programNamed, sqlWordsOf, storeLanguageOf } from '../../programs/table.ts'
import { names } from '../../programs/words.ts'
import type { Impact, ImpactArea } from '../../../model/impact.ts'
import type { ShellWord } from '../../../model/shell.ts'
import type { Call } from '../../../words/calls.ts'
import { isLoopback } from '../../../words/request.ts'
import { lineIn } from '../../../words/loose-line.ts'
import { makeImpact, namesGiven, placeOf, targetsOf } from '../make-impact.ts'
import { mongoDeed, redisDeed } from '../texts/mongo-and-redis.ts'
import { changesRows, namesInSql, type SqlDanger, sqlDeeds, type TextDeed, worstIn } from '../texts/sql.ts'
import type { TextChange } from '../../../model/tool-facts.ts'
import { shownByCode } from '../code/shown-secrets.ts'

/** A text in the language of a data store that a client is given. */
interface GivenText {
  readonly text: ShellWord
  readonly host?: string | undefined
  /** No host is named, and one database of the server that then is meant: that of this machine. */
  readonly isOwn?: boolean
}

/** Finds the effects of statements on databases: SQL, code for MongoDB, commands of Redis and Memcached. */
export function impactsOnDatabases(call: Call): readonly Impact[] {
  const sql = isPassing(call) ? undefined : sqlGiven(call)
  if (sql !== undefined) {
    const found = impactsOf(call, 'sql', sql, (text) => sqlDeeds(text.value), mayBeAnySql)
    return found.length > 0 ? found : changed(call, sql)
  }
  const language = storeLanguageOf(call.program)
  if (language === undefined) return []
  const client = clients[language]
  return impactsOf(call, 'key-value-and-documents', client.given(call), client.deeds, client.mayBeAny)
}

/** True if nothing is known of where the first statement of an unknown text begins. */
const mayBeAnySql = (text: string) => !/^\s*[\w(\\.-]/.test(text)

/** Finds that rows are changed at all, or that a file of SQL is run: where users depend on the database, that is enough. */
function changed(call: Call, given: readonly GivenText[]): readonly Impact[] {
  const isFile =
    lineOf(call.command)?.has('f', 'file') === true ||
    call.command.redirections.some(({ operator }) => operator === '<')
  const changing = given.filter(({ text }) => changesRows(text.value))
  if (!isFile && changing.length === 0) return []
  const object = isFile ? 'the statements of a file' : 'rows of'
  const tables = isFile ? [] : changing.flatMap(({ text }) => namesInSql(text.value))
  const found = { kind: isFile ? 'run' : 'change', thing: isFile ? 'code' : 'data', object } as const
  const line = lineIn(call, {})
  return [
    makeImpact(call, line, {
      ...found,
      area: 'sql',
      names: tables,
      places: namesGiven(line),
      undo: 'easily',
      words: '…',
    }),
  ]
}

/** How a client of documents or keys is given its texts, and what these do. */
interface StoreClient {
  readonly given: (call: Call) => readonly GivenText[]
  readonly deeds: (text: ShellWord) => readonly TextDeed[]
  /** True if nothing is known of where the first command of an unknown text begins. */
  readonly mayBeAny: (text: string) => boolean
}

const listed = <One>(one: One | undefined): readonly One[] => (one === undefined ? [] : [one])
const beginsUnknown = (text: string) => !/^\s*\w/.test(text)

const mongo: StoreClient = {
  given: mongoGiven,
  deeds: ({ value }) => listed(mongoDeed(value)),
  mayBeAny: beginsUnknown,
}
const redis: StoreClient = {
  given: redisGiven,
  deeds: ({ value }) => listed(redisDeed(value)),
  mayBeAny: beginsUnknown,
}
/** Programs that pass what they read on to a socket, where Memcached or Redis may listen. */
const socket: StoreClient = {
  given: ({ command }) => listed(command.stdin).map((text) => ({ text })),
  deeds: ({ value }) => socketDeeds(value),
  mayBeAny: () => false,
}

const clients: Readonly<Record<StoreLanguage, StoreClient>> = { mongo, redis, socket }

function impactsOf(
  call: Call,
  area: ImpactArea,
  given: readonly GivenText[],
  deedsOf: StoreClient['deeds'],
  mayBeAny: StoreClient['mayBeAny'],
): readonly Impact[] {
  return given.flatMap(({ text, host, isOwn }) => {
    const found = deedsOf(text)
    const isUnsure = found.length === 0 && text.unresolved === true && mayBeAny(text.value)
    const deeds = isUnsure ? [unknown] : found
    if (deeds.length === 0) return []
    const line = lineIn(call, {})
    const isLocal = host === undefined ? isOwn === true && !ofServer.test(text.value) : isLoopback(host)
    return deeds.map(({ words, targets, ...deed }) =>
      makeImpact(call, line, {
        extent: 'unknown',
        ...deed,
        targets: { ...targetsOf(line), ...targets },
        area,
        words: `… ${words}`.trim(),
        ...(isUnsure && { unsure: true }),
        ...(isLocal && { where: 'local' }),
      }),
    )
  })
}

const unknown: TextDeed = { kind: 'delete', thing: 'data', names: [], undo: 'never', words: '' }

/** A database in memory or in a temporary folder, with no other at hand. */
const isPassing = ({ program, args, command }: Call): boolean =>
  sqlWordsOf(program)?.ofFile === true &&
  /^(?::memory:|\/tmp\/[\w.-]+)$/.test(args[0]?.value ?? '') &&
  args.length <= 2 &&
  (args.length === 2 || command.stdin !== undefined) &&
  ![...args, ...(command.stdin === undefined ? [] : [command.stdin])].some(
    ({ value, unresolved }) => unresolved === true || /attach|\.(?:open|read|restore)\b/i.test(value),
  )

const ofMongo = prepareOptions({
  valued: names('eval javascript.execute-string host port u username p password authenticationDatabase f file'),
})

function mongoGiven({ args, command }: Call): readonly GivenText[] {
  const { values, value, operands } = readPrepared(args, ofMongo)
  const host = (value('host') ?? operands[0])?.value
  return [...values('eval', 'javascript.execute-string'), ...listed(command.stdin)].map((text) => ({ text, host }))
}

const ofRedis = prepareOptions({
  valued: names('h p s a u n r i d D t user pass eval rdb pattern count tls-ca cacert cert key sni functions-rdb'),
  operandsLast: true,
})
/** Commands that are about the server and all of its databases. */
const ofServer = /\b(?:FLUSHALL|SHUTDOWN|SWAPDB|CONFIG|DEBUG|CLUSTER|ACL|MODULE|REPLICAOF|SLAVEOF|SENTINEL|EVAL\w*)\b/i

function redisGiven({ args, command }: Call): readonly GivenText[] {
  const line = readPrepared(args, ofRedis)
  const host = line.value('h', 'u')?.value
  const isOwn = line.has('n') && command.elsewhere !== true
  const [first, ...others] = line.operands
  if (first === undefined) return listed(command.stdin).map((text) => ({ text, host, isOwn }))
  const text: ShellWord = {
    value: [first, ...others].map(({ value }) => value).join(' '),
    ...((first.unresolved === true || first.several === true) && { unresolved: true }),
  }
  return [{ text, host, isOwn }]
}

/** Returns what is done by `flush_all` of Memcached, and by the worst of Redis, sent over a socket. */
function socketDeeds(text: string): readonly TextDeed[] {
  if (/^[ \t]*flush_all\b/im.test(text)) return [flushed]
  const deed = redisDeed(text)
  return deed?.undo === 'never' ? [deed] : []
}
const flushed: TextDeed = {
  kind: 'delete',
  thing: 'data',
  object: 'everything in the cache',
  names: [],
  extent: 'all',
  undo: 'never',
  words: 'flush_all',
}

/** Files that tests, new databases and steps back are made of. */
const rehearsing =
  /(?:^|\/)(?:tests?|__tests__|specs?|e2e|fixtures?|testdata|mocks?|examples?|docs?|samples?|seeds?)\/|(?:^|[/._-])(?:tests?|seeds?|down|undo|rollback|revert|fixtures?|schema|teardown|example|dev|local)(?=[._-])/i

/**
 * Steps of a schema's history, which are there to change it, and are asked about when they are run. What they do to rights,
 * users and the server is seldom seen again.
 */
const migration = /(?:^|\/)(?:migrations?|migrate|changelogs?|alembic|flyway|versions)\/|(?:^|\/)V\d[\w.]*__/i
const countsIn = (path: string) => (danger: SqlDanger) =>
  danger.opens === true ||
  (migration.test(path) ? /^(?:a |COPY|INTO|DROP (?:DATABASE|USER|ROLE))/.test(danger.what) : danger.what !== 'REVOKE')

/** The part of a migration before its step back. */
const forth = (text: string) => text.split(/^[^\S\n\r\u2028\u2029]*--\s*(?:\+?\w+[ :]\s*)?down\b/im, 1)[0] ?? ''

/** Finds what SQL and cells of notebooks do that are written to a file, to be run later. */
export const impactsOfFiles = (changes: readonly TextChange[]): readonly Impact[] =>
  changes.flatMap((change) => (change.path.endsWith('.ipynb') ? shownIn(change) : writtenIn(change)))

/** Returns what a notebook shows of variables: its output stays in the file. */
function shownIn({ path, added, at }: TextChange): readonly Impact[] {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const shared = { where: 'unknown', by: at ?? path, words: name, command: name } as const
  return shownByCode(added).map((found) => Object.assign({}, found, shared, { targets: {}, through: 'file' as const }))
}

function writtenIn({ path, removed, added, at }: TextChange): readonly Impact[] {
  if (rehearsing.test(path)) return []
  const counts = countsIn(path)
  const text = forth(added)
  const worst = worstIn(text, counts)
  // A right on a table that the same text creates takes nothing from anybody.
  if (worst?.opens === true && /\bcreate\s+table\b/i.test(added)) return []
  if (worst !== undefined && worstIn(removed, counts)?.what === worst.what) return []
  const name = path.slice(path.lastIndexOf('/') + 1)
  const shared = {
    area: 'sql',
    undo: 'work',
    where: placeOf([path], []),
    by: at ?? path,
    command: name,
    through: 'file',
  } as const
  return sqlDeeds(text, counts).map(({ words, extent = 'unknown', targets = {}, ...deed }) =>
    Object.assign(deed, shared, { extent, targets, words: `${name} … ${words}`.trim() }),
  )
}

/** Text that a client is given to run, and where. */
interface GivenSql {
  readonly text: ShellWord
  readonly host: string | undefined
}

const prepared = new Map<string, PreparedOptions>()

/** Returns the options of a client: those of its row, and those that are only known where SQL is looked for. */
function optionsOf(program: string, { options = '', valued = '', oneDash }: SqlWords): PreparedOptions {
  const ready = prepared.get(program)
  if (ready !== undefined) return ready
  const row = programNamed(program)?.options ?? prepareOptions({})
  const all = {
    ...row,
    valued: new Set([...row.valued, ...names(options), ...names(valued)]),
    oneDash: oneDash === true || row.oneDash,
    operandsLast: false,
  }
  prepared.set(program, all)
  return all
}

/** SQL that is given to a client on its command line or its stdin. `undefined` where the program is no client. */
function sqlGiven({ program, args, command }: Call): readonly GivenSql[] | undefined {
  const client = sqlWordsOf(program)
  if (client === undefined) return undefined
  if (onlyTries(args, 'readonly', 'read-only', 'dry_run', 'dry-run')) return []
  const { values, value, operands } = readPrepared(args, optionsOf(program, client))
  if (names(client.behind ?? '').some((name, place) => operands[place]?.value !== name)) return undefined
  const texts = [...values(...names(client.options ?? '')), ...operands.slice(client.from ?? operands.length)]
  if (client.stdin !== false && command.stdin !== undefined) texts.push(command.stdin)
  const url = operands.find((one) => /^[a-z0-9+]+:\/\//i.test(one.value))
  const host = value(...names(client.hosts ?? '')) ?? url
  return texts.map((text) => ({ text, host: host?.value }))
}
