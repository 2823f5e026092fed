import { abstains, asks, definePolicy, denies, type PolicyAnswer, setOf, type ShellWord } from 'hookgate/policy'
import { type Call, callsIn } from './cli/calls.ts'
import { allowed, answered } from './cli/example.ts'
import { allowLocal, answerTo, isAllowed, params, strictest } from './cli/judge.ts'
import { isForTests, testDatabases } from './data/test-databases.ts'
import { mongoDanger } from './data/mongo.ts'
import { redisDanger, redisHarm } from './data/redis.ts'
import { isLoopback } from './hosts.ts'

const mongoShells = setOf(['mongosh', 'mongo'])
const redisShells = setOf(['redis-cli', 'valkey-cli', 'keydb-cli', 'iredis', 'dragonfly-cli', 'kvrocks-cli'])
/** Programs that pass what they read on to a socket, where Memcached or Redis may listen. */
const toSockets = setOf(['nc', 'ncat', 'netcat', 'telnet', 'socat'])

const mongoValued = setOf([
  '--eval',
  '--host',
  '--port',
  '-u',
  '--username',
  '-p',
  '--password',
  '--authenticationDatabase',
  '-f',
  '--file',
])
const redisValued = setOf(
  '-h -p -s -a -u -n -r -i -d -D -x -X -t -c --user --pass --eval --rdb --pattern --count --tls-ca --cacert --cert --key --sni --functions-rdb'.split(
    ' ',
  ),
)
/** Of those, in spite of the letter, what has no value. */
const redisFlags = setOf(['-c', '-x', '-X'])

interface Given {
  readonly text: ShellWord
  readonly host: string | undefined
  /** No host is named, and one database of the server that then is meant: that of this machine. */
  readonly ownDatabase?: boolean
}

function mongoGiven({ args, command }: Call): readonly Given[] {
  const texts: ShellWord[] = []
  let host: string | undefined
  for (let at = 0; at < args.length; at++) {
    const word = args[at]
    if (word === undefined) continue
    if (word.value.startsWith('--eval=')) texts.push({ ...word, value: word.value.slice('--eval='.length) })
    else if (mongoValued.has(word.value)) {
      const value = args[++at]
      if (word.value === '--eval' && value !== undefined) texts.push(value)
      if (word.value === '--host') host = value?.value
    } else if (!word.value.startsWith('-')) host ??= word.value
  }
  if (command.stdin !== undefined) texts.push(command.stdin)
  return texts.map((text) => ({ text, host }))
}

function redisGiven({ args, command }: Call): readonly Given[] {
  let host: string | undefined
  let isChosen = false
  let at = 0
  for (; at < args.length; at++) {
    const option = args[at]?.value ?? ''
    if (!option.startsWith('-')) break
    if (!redisValued.has(option) || redisFlags.has(option)) continue
    const value = args[++at]?.value
    if (option === '-h' || option === '-u') host = value
    if (option === '-n') isChosen = true
  }
  const ownDatabase = host === undefined && isChosen && command.elsewhere !== true
  const rest = args.slice(at)
  const line: ShellWord = {
    value: rest.map((word) => word.value).join(' '),
    ...(rest[0]?.unresolved === true || rest[0]?.several === true ? { unresolved: true as const } : {}),
  }
  const stdin = command.stdin === undefined ? [] : [{ text: command.stdin, host, ownDatabase }]
  return rest.length === 0 ? stdin : [{ text: line, host, ownDatabase }]
}

/** Commands that are about the server and all of its databases. */
const ofServer = /\b(?:FLUSHALL|SHUTDOWN|SWAPDB|CONFIG|DEBUG|CLUSTER|ACL|MODULE|REPLICAOF|SLAVEOF|SENTINEL|EVAL\w*)\b/i

const ofMongo = {
  harm: 'changes or removes what the database keeps',
  instead:
    'look first (`find`, `countDocuments`), make a dump (`mongodump`), use a database of your own, or have the person run it',
}

/** The words of a command of Redis, by what it does. */
const ofRedis = (what: string) => ({
  harm: redisHarm(what),
  instead: 'look first (`SCAN`, `DBSIZE`), use a database of your own (`-n 15`), or have the person run it',
})

const ofMemcached = {
  harm: 'empties the whole cache, for everybody who uses it',
  instead: 'delete the one key that is meant, or have the person run it',
}

/** `flush_all` of Memcached, and the worst of Redis, sent over a socket. */
function socketDanger(text: string): { effect: 'deny' | 'ask'; what: string } | undefined {
  if (/^\s*flush_all\b/im.test(text)) return { effect: 'deny', what: 'flush_all' }
  const danger = redisDanger(text)
  return danger?.effect === 'deny' ? danger : undefined
}

export default definePolicy({
  id: 'key-value-and-documents',
  severity: 'critical',
  description:
    'Keeps databases, collections, documents and keys of MongoDB, Redis, Memcached and the like from being deleted',
  on: 'PreToolUse',
  tool: 'shell',
  carried: ['prompt'],
  interest: { words: [...mongoShells.members, ...redisShells.members, ...toSockets.members] },
  params: { ...params, allowLocal, testDatabases },
  decide({ shell, params: given }) {
    const answers: PolicyAnswer[] = []
    for (const call of callsIn(shell)) {
      const isMongo = mongoShells.has(call.program)
      const isRedis = redisShells.has(call.program)
      if (!isMongo && !isRedis && !toSockets.has(call.program)) continue
      if (isAllowed(call, given.allowed) || (isMongo && isForTests(call, given.testDatabases))) continue
      const texts: readonly Given[] = isMongo
        ? mongoGiven(call)
        : isRedis
          ? redisGiven(call)
          : [{ text: call.command.stdin ?? { value: '' }, host: undefined }]
      for (const { text, host, ownDatabase } of texts) {
        if (given.allowLocal && host !== undefined && isLoopback(host)) continue
        if (given.allowLocal && ownDatabase === true && !ofServer.test(text.value)) continue
        const danger = isMongo ? mongoDanger(text.value) : isRedis ? redisDanger(text.value) : socketDanger(text.value)
        const words = isMongo ? ofMongo : danger?.what === 'flush_all' ? ofMemcached : ofRedis(danger?.what ?? '')
        if (danger !== undefined)
          answers.push(answerTo({ effect: danger.effect, words: `… ${danger.what}` }, call, given, words))
        else if ((isMongo || isRedis) && text.unresolved === true && !/^\s*\w/.test(text.value)) {
          answers.push(answerTo({ effect: 'ask', words: '…', maybe: true }, call, given, words))
        }
      }
    }
    return strictest(answers)
  },
  examples: [
    denies("mongosh shop --eval 'db.dropDatabase()'"),
    denies("mongosh 'mongodb://db.example.com/shop' --eval 'db.users.drop()'"),
    denies("mongosh --eval 'db.users.deleteMany({})'"),
    denies("mongo shop --eval 'db.users.remove({})'"),
    denies(`mongosh --eval 'db.runCommand({ "dropDatabase": 1 })'`),
    {
      name: 'every database of a server',
      given: { input: { command: 'redis-cli FLUSHALL' } },
      want: { effect: 'deny', reason: 'empties every database of the server' },
    },
    {
      name: 'a server that is stopped',
      given: { input: { command: 'redis-cli SHUTDOWN' } },
      want: { effect: 'deny', reason: 'stops the server' },
    },
    denies('redis-cli -h cache.example.com -p 6380 -n 2 flushdb async'),
    denies('redis-cli EVAL "redis.call(\'FLUSHALL\')" 0'),
    denies('valkey-cli shutdown nosave'),
    denies('redis-cli CLUSTER RESET HARD'),
    asks('redis-cli DEL session:1'),
    asks("mongosh --eval 'db.users.deleteMany({ old: true })'"),
    abstains('a database for tests', "mongosh mongodb://db/app_test --eval 'db.dropDatabase()'", {
      params: { testDatabases: ['*_test'] },
    }),
    abstains("mongosh --eval 'db.users.find({})'"),
    abstains(`mongosh --eval 'print("db.dropDatabase()")'`),
    abstains("mongosh --eval 'db.users.countDocuments() // db.users.drop()'"),
    abstains('redis-cli GET flushall'),
    abstains('redis-cli -h flushall PING'),
    abstains('redis-cli INFO'),
    abstains('redis-cli --scan --pattern "flushdb*"'),
    abstains('echo FLUSHALL'),
    abstains('a cache on this machine, where that is allowed', 'redis-cli -h 127.0.0.1 FLUSHALL', {
      params: { allowLocal: true },
    }),
    abstains('a database of this machine, where that is allowed', 'redis-cli -n 15 FLUSHDB', {
      params: { allowLocal: true },
    }),
    denies('all of them', 'redis-cli -n 15 FLUSHALL', { params: { allowLocal: true } }),
    denies('the one that everything uses', 'redis-cli FLUSHDB', { params: { allowLocal: true } }),
    denies('one in a container', 'kubectl exec redis -- redis-cli -n 1 FLUSHDB', { params: { allowLocal: true } }),
    allowed("mongosh shop --eval 'db.dropDatabase()'", 'mongosh'),
    answered("mongosh shop --eval 'db.dropDatabase()'", 'ask'),
  ],
})
