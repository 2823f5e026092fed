import { abstains, asks, definePolicy, denies } from 'hookgate/policy'
import { allowed, answered } from './cli/example.ts'
import { allowLocal, params } from './cli/judge.ts'
import { isForTests, testDatabases } from './data/test-databases.ts'
import { callAt, judge } from './impacts.ts'

export default definePolicy({
  id: 'key-value-and-documents',
  severity: 'critical',
  description:
    'Keeps databases, collections, documents and keys of MongoDB, Redis, Memcached and the like from being deleted',
  on: 'PreToolUse',
  tool: 'shell',
  carried: ['prompt'],
  interest: { impacts: ['key-value-and-documents'] },
  params: { ...params, allowLocal, testDatabases },
  decide: ({ shell, impacts, params: given }) =>
    judge(
      impacts,
      'key-value-and-documents',
      given,
      ({ by, where }) => (given.allowLocal && where === 'local') || isForTests(callAt(shell, by), given.testDatabases),
    ),
  examples: [
    denies("mongosh shop --eval 'db.dropDatabase()'"),
    denies("mongosh 'mongodb://db.example.com/shop' --eval 'db.users.drop()'"),
    denies("mongosh --eval 'db.users.deleteMany({})'"),
    denies("mongo shop --eval 'db.users.remove({})'"),
    denies(`mongosh --eval 'db.runCommand({ "dropDatabase": 1 })'`),
    {
      name: 'every database of a server',
      given: { input: { command: 'redis-cli FLUSHALL' } },
      want: { effect: 'deny', reason: 'deletes every key in all databases of the server' },
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
