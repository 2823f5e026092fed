import type { ImpactKind, ImpactThing } from '../../../model/impact.ts'
import { charactersReadMax, type StatementEffect, type TextDeed } from './sql.ts'

/** Texts and comments are no code, but a text may be the name of a command: `{"dropDatabase": 1}`. */
const withoutTexts = (code: string) =>
  code.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\[\s\S])*`/g, (found) =>
    /^['"`]\w+['"`]$/.test(found) ? found.slice(1, -1) : found.startsWith('/') ? ' ' : '""',
  )

type Danger = readonly [RegExp, TextDeed['undo'], kind: ImpactKind, thing: ImpactThing, object: string, extent?: 'all']

/** Methods and commands of the MongoDB shell that take something away, the worst first. */
const dangers: readonly Danger[] = [
  [/\._?dropDatabase\s*\(|\bdropDatabase\s*:/, 'never', 'delete', 'data', 'database'],
  [/\._?drop\s*\(|\bdrop\s*:\s*\w|\.dropCollection\s*\(/, 'never', 'delete', 'data', 'collection'],
  [/\.(?:deleteMany|remove)\s*\(\s*(?:\{\s*\}\s*[,)]|\))/, 'never', 'delete', 'data', 'document', 'all'],
  [/\.bulkWrite\s*\([\s\S]*deleteMany\s*:\s*\{\s*filter\s*:\s*\{\s*\}/, 'never', 'delete', 'data', 'document', 'all'],
  [/\bdelete\s*:\s*\w+\s*,\s*deletes\s*:\s*\[\s*\{\s*q\s*:\s*\{\s*\}/, 'never', 'delete', 'data', 'document', 'all'],
  [
    /\.(?:dropUser|dropAllUsers|dropRole|dropAllRoles|removeUser)\s*\(|\b(?:dropUser|dropAllUsersFromDatabase|dropRole)\s*:/,
    'never',
    'delete',
    'account',
    'user or role',
  ],
  [/\.shutdownServer\s*\(|\bshutdown\s*:\s*(?:1|true)/, 'never', 'stop', 'infrastructure', 'the server'],
  [
    /\b(?:rs\.remove|sh\.removeShard|sh\.removeRange\w*)\s*\(|\bremoveShard\s*:/,
    'never',
    'delete',
    'infrastructure',
    'server of the cluster',
  ],
  [/\.updateMany\s*\(\s*\{\s*\}\s*,/, 'work', 'overwrite', 'data', 'document', 'all'],
  [/\.dropIndex(?:es)?\s*\(|\bdropIndexes\s*:/, 'work', 'delete', 'data', 'index'],
  [/\.renameCollection\s*\([^)]*true\s*\)/, 'never', 'overwrite', 'data', 'collection'],
  [/\.(?:deleteMany|remove|findOneAndDelete|deleteOne)\s*\(/, 'work', 'delete', 'data', 'documents'],
  [
    /\b(?:rs\.stepDown|rs\.reconfig|sh\.disableBalancing|sh\.stopBalancer)\s*\(/,
    'work',
    'change',
    'infrastructure',
    'the cluster',
  ],
  [/\$out\b\s*["']?\s*:/, 'work', 'overwrite', 'data', 'collection'],
]

/** The worst of what JavaScript for MongoDB does. */
export function mongoDeed(code: string): TextDeed | undefined {
  const text = withoutTexts(code.slice(0, charactersReadMax))
  for (const undo of ['never', 'work'] as const) {
    for (const [pattern, own, kind, thing, object, extent] of dangers) {
      const found = own === undo ? pattern.exec(text) : null
      if (found === null) continue
      const names = collectionBefore(text, found.index)
      return {
        kind,
        thing,
        object,
        names,
        ...(extent && { extent }),
        undo,
        words: /[a-z]\w+/i.exec(found[0])?.[0] ?? '',
      }
    }
  }
  if (code.length <= charactersReadMax) return undefined
  return { kind: 'run', thing: 'code', object: 'more code than can be read here', names: [], undo: 'work', words: '' }
}

/** Returns the collection that a method is called of: `users` in `db.users.drop()`. */
function collectionBefore(text: string, at: number): readonly string[] {
  const name = /\bdb\.(\w{1,80})$/.exec(text.slice(Math.max(0, at - 84), at))?.[1]
  return name === undefined ? [] : [name]
}

/** Commands of Redis that take data or the server away, by their first words. */
const refused =
  /^(?:FLUSHALL|FLUSHDB|SHUTDOWN|DEBUG\s+(?:SEGFAULT|RELOAD|FLUSHALL|OOM|PANIC|RESTART|CRASH-AND-RECOVER|CHANGE-REPL-ID|LOADAOF)|CLUSTER\s+(?:RESET|FORGET|FLUSHSLOTS|DELSLOTS\w*|FAILOVER\s+TAKEOVER)|ACL\s+DELUSER|SCRIPT\s+FLUSH|FUNCTION\s+(?:FLUSH|DELETE)|FT\.DROP(?:INDEX)?|GRAPH\.DELETE|GRAPH\.QUERY\b.*\bDELETE|(?:REPLICAOF|SLAVEOF)\s+(?!NO\b)|SENTINEL\s+(?:REMOVE|RESET)|XGROUP\s+DESTROY|SWAPDB|MODULE\s+UNLOAD|CONFIG\s+SET\s+(?:DIR|DBFILENAME)|JSON\.(?:DEL|FORGET|CLEAR)\s+\S+\s*$|TOPK\.RESET)\b/i
const doubtfulCommands =
  /^(?:DEL|UNLINK|GETDEL|CONFIG\s+(?:SET|REWRITE|RESETSTAT)|XDEL|XTRIM|LTRIM|RENAME|MIGRATE|RESTORE|FAILOVER|(?:REPLICAOF|SLAVEOF)\s+NO|CLIENT\s+(?:KILL|PAUSE)|CLUSTER\s+\w*SLOT\w*|HDEL|ZREMRANGE\w*|BGREWRITEAOF|DEBUG|EVAL\w*|FCALL|EXPIRE\s+\S+\s+0|JSON\.DEL|FT\.ALTER|ACL\s+SETUSER|MEMORY\s+PURGE|LATENCY\s+RESET|SLOWLOG\s+RESET)\b/i
/** A script that calls one of the worst: `redis.call('FLUSHALL')`. */
const inScript = /redis\.p?call\s*\(\s*["'](?:flushall|flushdb|shutdown)/i

/** The worst of what a line or several of Redis' own language do, with the words that say so. */
export function redisDeed(text: string): TextDeed | undefined {
  let question: TextDeed | undefined
  for (const line of text.split(/\r?\n|\\n/)) {
    const command = line.trim().replace(/^["']|["']$/g, '')
    const bad = refused.exec(command)?.[0] ?? inScript.exec(command)?.[0]
    if (bad !== undefined) return deedOf(bad.trim(), 'never', command)
    const doubtful = doubtfulCommands.exec(command)?.[0]
    if (doubtful !== undefined) question ??= deedOf(doubtful.trim(), 'work', command)
  }
  return question
}

/** Effects of commands by their first words. The first match counts. */
const doings: readonly (readonly [RegExp, StatementEffect])[] = [
  [/FLUSHALL/i, ['delete', 'data', 'every key in all databases of the server', 'all']],
  [/FLUSHDB/i, ['delete', 'data', 'every key of the database', 'all']],
  [/^(?:SHUTDOWN|DEBUG)|shutdown/i, ['stop', 'infrastructure', 'the server']],
  [
    /^(?:CLUSTER|FAILOVER|REPLICAOF|SLAVEOF|SENTINEL|MIGRATE)/i,
    ['change', 'infrastructure', 'the servers that hold the data'],
  ],
  [/^(?:ACL|CLIENT)/i, ['revoke', 'account', 'the access of users or clients']],
  [/^CONFIG/i, ['change', 'infrastructure', 'the settings of the running server']],
  [/^(?:SCRIPT|FUNCTION|MODULE)/i, ['delete', 'code', 'the code that the server runs for others']],
  [/^(?:EVAL|FCALL)/i, ['run', 'code', 'script on the server']],
  [/^SWAPDB/i, ['overwrite', 'data', 'the database that others use']],
  [/^(?:FT|GRAPH|XGROUP|TOPK)/i, ['delete', 'data', 'index, graph or group']],
  [/^(?:RENAME|RESTORE)/i, ['overwrite', 'data', 'key']],
  [/^(?:BGREWRITEAOF|MEMORY|LATENCY|SLOWLOG)/i, ['delete', 'record', 'the records of the server']],
]

function deedOf(words: string, undo: TextDeed['undo'], command: string): TextDeed {
  const [kind, thing, object = 'key', extent] = doings.find(([like]) => like.test(words))?.[1] ?? ['delete', 'data']
  const behind = object === 'key' ? command.slice(words.length).trim().split(/\s+/).filter(Boolean) : []
  return { kind, thing, object, names: behind, ...(extent && { extent }), undo, words }
}
