import { lineOf } from '../../../words/options.ts'
import type { Impact } from '../../../model/impact.ts'
import { tokensOf } from '../../../words/names.ts'
import type { Call } from '../../../words/calls.ts'
import { findPrintedSecrets } from '../code/shown-secrets.ts'
import {
  catchingMail,
  changingRequest,
  deletedByModels,
  deletingRequest,
  emptying,
  frameworkCode,
  granting,
  libraryArea,
  mailing,
  payers,
  paying,
  promoting,
  sentByLibrary,
  takingAway,
} from '../code/sdk.ts'
import { hostOf, isLoopback } from '../../../words/request.ts'
import { lineIn } from '../../../words/loose-line.ts'
import { type ImpactFound, makeImpact } from '../make-impact.ts'
import { thingNamed } from '../naming.ts'
import { actsOf, namesTestKey, receiversIn, type RequestEffect, systemAt, takenAway, thingAt } from '../apis.ts'
import { charactersReadMax, sqlDeeds, type TextDeed } from '../texts/sql.ts'
import { mongoDeed } from '../texts/mongo-and-redis.ts'

type CodeDeed = Omit<ImpactFound, 'words'> & { readonly words?: string }

/** Finds what code on the command line does by databases, requests, client libraries and the application's models. */
export function impactsOfCode(call: Call): readonly Impact[] {
  const deeds = [...deedsByModels(call), ...deedsInCode(call)]
  if (deeds.length === 0) return []
  const line = lineIn(call, {})
  return deeds.map(({ words = '', ...deed }) =>
    makeImpact(call, line, {
      ...deed,
      words: `… ${words}`.trim(),
      through: 'code',
      extent: deed.extent ?? 'unknown',
      where: deed.where ?? 'unknown',
    }),
  )
}

const grants: CodeDeed = {
  kind: 'grant',
  thing: 'account',
  area: 'accounts-and-payments',
  object: 'method that opens something, or makes somebody an administrator',
  names: [],
  undo: 'work',
}
const pays: CodeDeed = {
  kind: 'pay',
  thing: 'money',
  area: 'accounts-and-payments',
  object: 'money',
  names: [],
  undo: 'work',
}

/** Returns the message that code sends, to whom its texts say. */
function sends(code: string, object: 'mail' | 'message' | 'chat message'): CodeDeed {
  const names = receiversIn(code)
  const undo = object === 'chat message' ? 'easily' : 'work'
  return { kind: 'send', thing: 'message', area: 'outgoing-messages', object, names, undo }
}

const bySql = (deeds: readonly TextDeed[]): readonly CodeDeed[] => deeds.map((deed) => ({ ...deed, area: 'sql' }))

/** Returns what code does that a framework runs with the application's models. */
function deedsByModels(call: Call): readonly CodeDeed[] {
  const code = frameworkCode(call)?.slice(0, charactersReadMax)
  if (code === undefined) return []
  const sql = sqlInTexts(code)
  if (sql.length > 0) return bySql(sql)
  const bare = withoutTexts(code)
  if (promoting.test(bare)) return [grants]
  if (payers.test(bare) && paying.test(bare)) return [pays]
  const deleted = deletedByModels(bare)
  if (deleted === undefined) return []
  const isTable = deleted === 'table'
  return [
    {
      kind: 'delete',
      thing: 'data',
      area: 'sql',
      object: "the data of the application's models",
      names: [],
      extent: isTable ? 'all' : 'unknown',
      undo: isTable ? 'never' : 'work',
    },
  ]
}

function deedsInCode({ args, command }: Call): readonly CodeDeed[] {
  const { code } = command
  // A program that another starts has no code of its own.
  if (code?.text === undefined || args !== command.args) return []
  const mail =
    mailing.test(code.text) && !catchingMail.test(code.text)
      ? [sends(code.text.slice(0, charactersReadMax), 'mail')]
      : []
  if (code.language === 'shell' || code.language === 'sql' || code.language === 'awk') return mail
  const text = code.text.slice(0, charactersReadMax)
  const isPrinted = lineOf(command)?.has('p', 'print') === true
  const found = [...deedsIn(text), ...findPrintedSecrets(isPrinted ? `console.log(${text})` : text)]
  return [...mail, ...(found.length === 0 && code.text.length > charactersReadMax ? [tooLong] : found)]
}

const tooLong: CodeDeed = {
  kind: 'run',
  thing: 'code',
  area: 'system-services',
  object: 'more code than can be read here',
  names: [],
  undo: 'work',
}

/** Returns the first thing that code does, and what else it may do besides a request to this machine. */
function deedsIn(code: string): readonly CodeDeed[] {
  const bare = withoutTexts(code)
  const sql = carriesSql(bare) ? sqlInTexts(code) : []
  if (sql.length > 0) return bySql(sql)
  const emptied = emptying.exec(bare)?.[0]
  if (emptied !== undefined) return [byMethod(emptied, code, libraryArea(bare) ?? 'key-value-and-documents')]
  const mongo = /mongo/i.test(bare) ? mongoDeed(code) : undefined
  if (mongo?.undo === 'never') return [{ ...mongo, area: 'key-value-and-documents' }]
  const urls = code.match(/https?:\/\/[^\s"'`]+/g) ?? []
  const deleting = deletingRequest.exec(bare)?.[0]
  if (deleting === undefined) return deedsByLibrary(code, bare, urls)
  const isOwn = urls.length > 0 && urls.every(isLoopback)
  const request: CodeDeed = {
    kind: 'delete',
    thing: thingAt(urls),
    area: 'http-requests',
    ...(urls.length === 0 && { object: 'what a request names' }),
    names: urls.map((url) => (url.split(/[?#]/, 1)[0] ?? '').replace(/^https?:\/\/(?:[^@/]*@)?/, '')),
    undo: isOwn ? 'work' : 'never',
    words: /^[\w.]+(?=\()/.exec(deleting)?.[0] ?? '',
    targets: { host: urls.map(hostOf) },
    ...(isOwn && { where: 'local' }),
  }
  return isOwn ? [request, ...deedsByLibrary(code, bare.replace(deletingRequest, ''), urls)] : [request]
}

/** Returns what code does by a method of a client library, or by a request to a system in which others live. */
function deedsByLibrary(code: string, bare: string, urls: readonly string[]): readonly CodeDeed[] {
  const area = libraryArea(bare)
  const taking = area === undefined ? undefined : takingAway.exec(bare)?.[0]
  if (area !== undefined && taking !== undefined) return [byMethod(taking, code, area)]
  if (area !== undefined && granting.test(bare)) return [{ ...grants, area }]
  if (payers.test(bare) && paying.test(bare) && !namesTestKey(code)) return [pays]
  const sent = namesTestKey(code) ? undefined : sentByLibrary(bare)
  if (sent !== undefined) return [sends(code, sent)]
  const request = changingRequest.test(bare) ? { method: 'POST', urls, body: code } : undefined
  // Code has more in it than the body, so what is taken away is known by the address.
  const taken = request === undefined ? undefined : takenAway({ ...request, body: '' })
  if (taken !== undefined) return [byRequest(urls.every(isLoopback) ? { ...taken, undo: 'work' } : taken, code, urls)]
  const acts = request === undefined || namesTestKey(code) ? [] : actsOf(request)
  if (acts.length > 0) return acts.map((act) => byRequest(act, code, urls))
  const system = changingRequest.test(bare) && !namesTestKey(code) ? systemAt(urls, 'PATCH') : undefined
  if (system === undefined) return []
  return [{ kind: 'change', thing: system.thing, area: system.area, object: system.object, names: [], undo: 'work' }]
}

/** Returns what a request in code does to others. */
const byRequest = (act: RequestEffect, code: string, urls: readonly string[]): CodeDeed => ({
  ...act,
  names:
    act.kind === 'send' ? receiversIn(code) : urls.map((url) => url.replace(/[?#].*|^https?:\/\/(?:[^@/]*@)?/g, '')),
  targets: { host: urls.map(hostOf) },
})

/** Returns the word that a text ends with. */
function wordBefore(text: string): string {
  let at = text.length
  while (at > 0 && /\w/.test(text.charAt(at - 1))) at -= 1
  return text.slice(at)
}

/** Returns what a method does, by its name and the text that it is given: `delete_bucket(Bucket='logs')`. */
function byMethod(found: string, code: string, area: Impact['area']): CodeDeed {
  const method = wordBefore(found.endsWith('(') ? found.slice(0, -1).trimEnd() : '')
  const [verb = '', ...rest] = tokensOf(method.replace(/Command$/, ''))
  const isAll = /^flush|^all$/.test(rest[0] ?? verb)
  const object = isAll ? 'everything in the store' : rest.join(' ')
  const at = code.lastIndexOf(`${method}(`) + method.length
  const given = code.slice(at, at + givenMax)
  const name = /^\s*\([^)'"]*['"]([\w.:/ -]{1,60})['"]/.exec(given)?.[1]
  return {
    kind: verb === 'revoke' ? 'revoke' : 'delete',
    thing: isAll ? 'data' : (thingNamed(object) ?? 'data'),
    area,
    ...(object !== '' && { object }),
    names: name === undefined ? [] : [name],
    undo: 'never',
    words: method,
  }
}

/** Of a method's arguments, no more is read to find the first text, in UTF-16 units. */
const givenMax = 200

/** Texts in quotes that are SQL. */
const texts = () => /"""([\s\S]*?)"""|'''([\s\S]*?)'''|"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`/g

/** Carriers of SQL from code to a database: a driver, a connection, a started client, a method that runs text. */
const carriers =
  /connect|cursor|session|engine|execut|database|quer(?:y|ies)\w*\s*\(|\bexec|\braw\b|\bdbh?\b|\bdb[A-Z_]|\bDB\w|\bconn\b|(?:\.|->|::)\s*(?:do|run|prepare|migrate|batch|begin|transaction|unsafe)\b|\brun\w*\s*\(|\bsql\s*["(`]|\w+sql\b|\bsql(?!parse\b|glot\b|fluff\b|lint\b)\w+|\bPDO\b|\bpg\b|postgres|duckdb|maria|oracle|knex|prisma|drizzle|sequelize|typeorm|activerecord|eloquent|\brepo\b|snowflake|bigquery|clickhouse|cassandra|subprocess|child_process|popen|spawn|system|\beval|getattr|__import__|import_module|importlib|base64|\bsend\b/i

/** Returns what the SQL in the texts of code does, of the first text that does anything. */
function sqlInTexts(code: string): readonly TextDeed[] {
  if (code.includes(':memory:')) return []
  for (const found of code.matchAll(texts())) {
    const text = found.slice(1).find((one) => one !== undefined) ?? ''
    if (!/^\s*(?:DROP|TRUNCATE|DELETE|ALTER|UPDATE|WITH|MATCH|REMOVE|CLEAR)\b/i.test(text)) continue
    // A text that is only printed or parsed is none that is run.
    if (
      /(?:print|puts|echo|console\.log|say|logger?\.\w+|info|warn|\b(?:parse|tokeni[sz]e|lint)\w*\()\s*\(?\s*$/.test(
        code.slice(0, found.index),
      )
    )
      continue
    // A text that is looked for in another is none either: `'drop table' in line`, `line.includes('drop table')`.
    const behind = code.slice(found.index + found[0].length)
    const before = code.slice(0, found.index)
    if (
      /^\s+(?:not\s+)?in\s+[a-z_]/i.test(behind) ||
      /\.(?:includes|startsWith|startswith|endswith|indexOf|find)\(\s*$/.test(before)
    )
      continue
    const deeds = sqlDeeds(text)
    if (deeds.length > 0) return deeds
  }
  return []
}

/** Returns code without its texts: a method that is only written about is none. */
const withoutTexts = (code: string): string =>
  code.replace(texts(), (found) => (/^["'`][@\w./-]+["'`]$/.test(found) ? found : '""'))

/** True if code carries SQL to a database. What only reads SQL runs none: `pgsql-ast-parser`, `sql-formatter`. */
const carriesSql = (bare: string): boolean =>
  carriers.test(
    bare.replace(
      /[\w@./-]*(?:pars(?:e|er|ing)|lint(?:er)?|format(?:ter)?|lexer|tokeni[sz]er|highlight(?:er)?)\b/gi,
      '',
    ),
  )
