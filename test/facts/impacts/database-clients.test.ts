import { expect, it } from 'vitest'
import { impactsIn } from '../../../src/facts/impacts/read-impacts.ts'
import { factsOf } from '../../support/shell-facts.ts'

const judgedBy = (text: string) =>
  impactsIn(factsOf(text)).map(({ kind, area, undo, where }) => ({ kind, area, undo, where }))

it.each([
  ['redis-cli -h localhost flushall', 'redis-cli -hlocalhost flushall'],
  ['redis-cli -n 1 flushdb', 'redis-cli -n1 flushdb'],
  ['keydb-cli -u redis://prod.example flushall', 'keydb-cli -uredis://prod.example flushall'],
  ["mongosh --host localhost --eval 'db.dropDatabase()'", "mongosh --host=localhost --eval='db.dropDatabase()'"],
  ["psql -h localhost -c 'drop table a'", "psql -hlocalhost -c'drop table a'"],
  ["mysql -p -h localhost -e 'drop table a'", "mysql -psecret --host=localhost --execute='drop table a'"],
  ["sqlcmd -S localhost -Q 'drop table a'", "sqlcmd -Slocalhost -Q'drop table a'"],
])('a client of a database does the same with its options joined: %s, %s', (apart, joined) => {
  expect(judgedBy(apart)).not.toEqual([])
  expect(judgedBy(joined)).toEqual(judgedBy(apart))
})
