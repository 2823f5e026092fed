import { abstains, asks, definePolicy, denies } from 'hookgate/policy'
import { allowed, answered } from './cli/example.ts'
import { params } from './cli/judge.ts'
import { isForTests, testDatabases } from './data/test-databases.ts'
import { callAt, judge } from './impacts.ts'

export default definePolicy({
  id: 'database-servers',
  severity: 'critical',
  description: "Keeps databases from being dropped, overwritten or stopped by their servers' own tools",
  on: 'PreToolUse',
  tool: 'shell',
  carried: ['prompt'],
  interest: { impacts: ['database-servers'] },
  params: { ...params, testDatabases },
  decide: ({ shell, impacts, params: given }) =>
    judge(impacts, 'database-servers', given, ({ by }) => isForTests(callAt(shell, by), given.testDatabases)),
  examples: [
    denies('dropdb shop'),
    denies('dropdb -h db.example.com shop'),
    abstains('one for tests', 'dropdb --if-exists shop_test', { params: { testDatabases: ['*_test'] } }),
    denies('one whose user is called so', 'dropdb -U test shop', { params: { testDatabases: ['test'] } }),
    denies('mysqladmin -u root -f drop shop'),
    denies('pg_restore --clean -d shop shop.dump'),
    denies('mongorestore --drop dump/'),
    abstains('createdb drop'),
    abstains('pg_dump --clean shop'),
    abstains('mysqladmin status'),
    denies('patronictl remove shop'),
    denies('nodetool decommission'),
    asks('pg_ctl stop -D /data'),
    abstains('pg_restore --list shop.dump'),
    abstains('nodetool status'),
    abstains('echo dropdb shop'),
    allowed('dropdb shop', 'dropdb'),
    answered('dropdb shop', 'ask'),
  ],
})
