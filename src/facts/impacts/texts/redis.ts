import type { StatementEffect, TextDeed } from './text-deed.ts'

/** Commands of Redis that take data or the server away, by their first words. */
const refused =
  /^(?:FLUSHALL|FLUSHDB|SHUTDOWN|DEBUG\s+(?:SEGFAULT|RELOAD|FLUSHALL|OOM|PANIC|RESTART|CRASH-AND-RECOVER|CHANGE-REPL-ID|LOADAOF)|CLUSTER\s+(?:RESET|FORGET|FLUSHSLOTS|DELSLOTS\w*|FAILOVER\s+TAKEOVER)|ACL\s+DELUSER|SCRIPT\s+FLUSH|FUNCTION\s+(?:FLUSH|DELETE)|FT\.DROP(?:INDEX)?|GRAPH\.DELETE|(?:REPLICAOF|SLAVEOF)\s+(?!NO\b)|SENTINEL\s+(?:REMOVE|RESET)|XGROUP\s+DESTROY|SWAPDB|MODULE\s+UNLOAD|CONFIG\s+SET\s+(?:DIR|DBFILENAME)|JSON\.(?:DEL|FORGET|CLEAR)\s+\S+\s*$|TOPK\.RESET)\b/i
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
