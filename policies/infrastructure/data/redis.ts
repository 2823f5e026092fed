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
