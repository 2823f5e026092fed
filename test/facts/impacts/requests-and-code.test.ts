import { describe, expect, it } from 'vitest'
import { impactsIn } from '../../../src/facts/impacts/read-impacts.ts'
import { impactReason, impactText } from '../../../src/model/impact-words.ts'
import { factsOf } from '../../support/shell-facts.ts'

const textsOf = (command: string) => impactsIn(factsOf(command)).map(impactText)

/** Ways to do the same: by a program, a request, code, a statement. The first says what it is. */
const same: readonly (readonly [does: string, ...ways: readonly string[]])[] = [
  [
    'deletes `shop.example.com/v2/carts/9`, for good',
    'curl -X DELETE https://shop.example.com/v2/carts/9',
    'curl https://shop.example.com/v2/carts/9 -sSXDELETE',
    'curl --request=DELETE https://ci:pw@shop.example.com/v2/carts/9?force=1',
    "curl -X POST -H 'X-HTTP-Method-Override: DELETE' https://shop.example.com/v2/carts/9",
    'wget -q --method DELETE https://shop.example.com/v2/carts/9',
    'xh DELETE https://shop.example.com/v2/carts/9',
    'iwr -Method Delete -Uri https://shop.example.com/v2/carts/9',
    `python3 -c "import httpx; httpx.delete('https://shop.example.com/v2/carts/9')"`,
    `node -e "fetch('https://shop.example.com/v2/carts/9', { method: 'DELETE' })"`,
    `ruby -e "HTTParty.delete('https://shop.example.com/v2/carts/9')"`,
  ],
  [
    'deletes bucket `raw`, for good',
    `python3 -c "import boto3; boto3.client('s3').delete_bucket(Bucket='raw')"`,
    `node -e "const { DeleteBucketCommand } = require('@aws-sdk/client-s3'); c.send(new DeleteBucketCommand({ Bucket: 'raw' }))"`,
  ],
  [
    'deletes table `carts`, for good',
    "psql -c 'DROP TABLE carts'",
    "mysql shop -e 'drop table if exists `carts`'",
    "echo 'DROP TABLE carts' | duckdb shop.db",
    "curl 'http://clickhouse.example.com:8123/?query=DROP+TABLE+carts+SYNC' -d ''",
    `python3 -c "import psycopg2; c = psycopg2.connect(''); c.cursor().execute('DROP TABLE carts')"`,
    `node -e "require('pg'); client.query('DROP TABLE carts')"`,
    `rails runner 'ActiveRecord::Base.connection.execute("DROP TABLE carts")'`,
  ],
  [
    'deletes every row of `carts`, for good',
    "psql -c 'DELETE FROM carts'",
    "sqlite3 shop.db 'TRUNCATE carts'",
    `php -r '$pdo = new PDO(""); $pdo->exec("DELETE FROM carts");'`,
  ],
  ['deletes collection `carts`, for good', "mongosh shop --eval 'db.carts.drop()'"],
  [
    'moves money, at `api.adyen.com/v71/payouts`',
    'curl https://api.adyen.com/v71/payouts -d @p.json',
    'http POST https://api.adyen.com/v71/payouts amount=5',
  ],
  [
    'merges `gitea.example.com/api/v1/repos/a/b/pulls/7/merge`',
    'curl -X POST https://gitea.example.com/api/v1/repos/a/b/pulls/7/merge',
  ],
  ['sends a mail to `all@shop.example`', 'mutt -s Sale all@shop.example < sale.txt', 'msmtp all@shop.example < m'],
]

describe.each(same)('what %s', (does, ...ways) => {
  it.each(ways)('is the same impact of each way to do it: %s', (way) => {
    expect(textsOf(way)).toContain(does)
  })
})

describe('a request or code that changes nothing', () => {
  it.each([
    'curl https://shop.example.com/v2/carts/9',
    "curl -X POST https://search.example.com/carts/_search -d '{}'",
    'gh api repos/a/b/pulls/7/merge',
    `python3 -c "import boto3; print(boto3.client('s3').list_buckets())"`,
    `node -e "console.log('DROP TABLE carts')"`,
    "psql -c 'SELECT 1'",
    'redis-cli GET carts',
    'mail -s a me@localhost < m',
    "rails runner 'puts Cart.count'",
    'npm run payouts:preview',
  ])('has no impact: %s', (command) => {
    expect(textsOf(command)).toEqual([])
  })
})

describe('an impact of a request', () => {
  const impactOf = (command: string) => impactsIn(factsOf(command))[0]

  it('has the hosts as its targets, and nothing of what logs in', () => {
    const impact = impactOf('curl -X DELETE https://ci:hunter2@api.example.com:8443/v1/a?token=abc')
    expect(impact).toMatchObject({ through: 'request', targets: { host: ['api.example.com'] } })
    expect(JSON.stringify(impact?.names)).toBe('["api.example.com:8443/v1/a"]')
  })

  it('is local at a server of this machine, and only a store of data there is lost for good', () => {
    expect(impactOf('curl -X DELETE http://127.0.0.1:3000/a')).toMatchObject({ where: 'local', undo: 'work' })
    expect(impactOf('curl -X DELETE http://localhost:9200/a')).toMatchObject({ where: 'local', undo: 'never' })
    expect(impactOf('http DELETE :3000/a')).toMatchObject({ where: 'local', targets: { host: ['localhost'] } })
  })

  it('is unsure where the method is only known when it runs', () => {
    expect(impactOf('curl -X "$HOW" https://api.example.com/a')).toMatchObject({ kind: 'delete', unsure: true })
  })
})

it('reasons name what is lost, and one way out', () => {
  const reasons = [
    'redis-cli -h cache.example.com FLUSHALL',
    'curl https://api.stripe.com/v1/payouts -d amount=5',
    "mongosh --eval 'db.carts.deleteMany({})'",
    `python3 -c "import redis; redis.Redis().flushdb()"`,
    "psql -c 'ALTER TABLE carts DROP COLUMN note'",
  ].map((command) => impactsIn(factsOf(command)).map(impactReason).at(-1))
  expect(reasons).toEqual([
    '`redis-cli … FLUSHALL` deletes every key in all databases of the server, for good: look at it, and have the person delete it',
    '`curl POST` moves money, at `api.stripe.com/v1/payouts`: use an account for tests, or have the person do it',
    '`mongosh … deleteMany` deletes every document of `carts`, for good: look at it, and have the person delete it',
    '`python … flushdb` deletes everything in the store, for good: look at it, and have the person delete it',
    '`psql … ALTER TABLE … DROP COLUMN` deletes a column of `carts`, for good: look at it, and have the person delete it',
  ])
})
