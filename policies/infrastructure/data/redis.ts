/** Commands of Redis that take data or the server away, by their first words. */
const refused =
  /^(?:FLUSHALL|FLUSHDB|SHUTDOWN|DEBUG\s+(?:SEGFAULT|RELOAD|FLUSHALL|OOM|PANIC|RESTART|CRASH-AND-RECOVER|CHANGE-REPL-ID|LOADAOF)|CLUSTER\s+(?:RESET|FORGET|FLUSHSLOTS|DELSLOTS\w*|FAILOVER\s+TAKEOVER)|ACL\s+DELUSER|SCRIPT\s+FLUSH|FUNCTION\s+(?:FLUSH|DELETE)|FT\.DROP(?:INDEX)?|GRAPH\.DELETE|(?:REPLICAOF|SLAVEOF)\s+(?!NO\b)|SENTINEL\s+(?:REMOVE|RESET)|XGROUP\s+DESTROY|SWAPDB|MODULE\s+UNLOAD|CONFIG\s+SET\s+(?:DIR|DBFILENAME)|JSON\.(?:DEL|FORGET|CLEAR)\s+\S+\s*$|TOPK\.RESET)\b/i
const doubtfulCommands =
  /^(?:DEL|UNLINK|GETDEL|CONFIG\s+(?:SET|REWRITE|RESETSTAT)|XDEL|XTRIM|LTRIM|RENAME|MIGRATE|RESTORE|FAILOVER|(?:REPLICAOF|SLAVEOF)\s+NO|CLIENT\s+(?:KILL|PAUSE)|CLUSTER\s+\w*SLOT\w*|HDEL|ZREMRANGE\w*|BGREWRITEAOF|DEBUG|EVAL\w*|FCALL|EXPIRE\s+\S+\s+0|JSON\.DEL|FT\.ALTER|ACL\s+SETUSER|MEMORY\s+PURGE|LATENCY\s+RESET|SLOWLOG\s+RESET)\b/i
/** A script that calls one of the worst: `redis.call('FLUSHALL')`. */
const inScript = /redis\.p?call\s*\(\s*["'](?:flushall|flushdb|shutdown)/i

/** The worst of what a line or several of Redis' own language do. */
export function redisDanger(text: string): { effect: 'deny' | 'ask'; what: string } | undefined {
  let question: { effect: 'ask'; what: string } | undefined
  for (const line of text.split(/\r?\n|\\n/)) {
    const command = line.trim().replace(/^["']|["']$/g, '')
    const bad = refused.exec(command)?.[0] ?? inScript.exec(command)?.[0]
    if (bad !== undefined) return { effect: 'deny', what: bad.trim() }
    const doubtful = doubtfulCommands.exec(command)?.[0]
    if (doubtful !== undefined) question ??= { effect: 'ask', what: doubtful.trim() }
  }
  return question
}

/** Harm of commands, by their first words; the first that fits says it. */
const harms: readonly (readonly [RegExp, string])[] = [
  [/FLUSHALL/i, 'empties every database of the server'],
  [/FLUSHDB/i, 'empties a whole database'],
  [/^(?:SHUTDOWN|DEBUG)|shutdown/i, 'stops the server, or makes it fail, for everybody who uses it'],
  [/^(?:CLUSTER|FAILOVER|REPLICAOF|SLAVEOF|SENTINEL|MIGRATE)/i, 'changes which servers hold the data'],
  [/^(?:ACL|CLIENT)/i, 'takes users or clients their access'],
  [/^CONFIG/i, 'changes the settings of the running server'],
  [/^(?:SCRIPT|FUNCTION|MODULE)/i, 'takes away code that the server runs for others'],
  [/^(?:EVAL|FCALL)/i, 'runs a script on the server that may delete anything'],
  [/^SWAPDB/i, 'exchanges two databases under everybody who uses them'],
  [/^(?:FT|GRAPH|XGROUP|TOPK)/i, 'deletes an index, a graph or a group with what only it holds'],
  [/^(?:RENAME|RESTORE)/i, 'overwrites the key of that name'],
  [/^(?:BGREWRITEAOF|MEMORY|LATENCY|SLOWLOG)/i, 'takes away what the server has recorded'],
]

/** The harm that a command of Redis does, as `redisDanger` names it. */
export const redisHarm = (what: string): string =>
  harms.find(([pattern]) => pattern.test(what))?.[1] ?? 'deletes keys with what they hold'
