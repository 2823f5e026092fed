import { describe, expect, it } from 'vitest'
import { charactersReadMax } from '../../../policies/infrastructure/data/bounds.ts'
import { sqlDanger } from '../../../policies/infrastructure/data/sql.ts'

/** Statements in pairs: the danger, and the same words harmless. */
const pairs: readonly (readonly [danger: string, harmless: string])[] = [
  ['DROP TABLE users', "SELECT 'DROP TABLE users'"],
  ['drop materialized view a; drop table b', 'create table dropped (id int)'],
  ['TRUNCATE users', 'SELECT truncate FROM users'],
  ['DELETE FROM users', 'DELETE FROM users WHERE id = 7'],
  ['DELETE FROM users WHERE 1 = 1', 'DELETE FROM users WHERE 1 = flag'],
  ['DELETE FROM users WHERE (true)', 'DELETE FROM users WHERE (removed)'],
  ['WITH a AS (SELECT 1) DELETE FROM users', 'WITH a AS (SELECT 1) SELECT * FROM a'],
  ['UPDATE users SET admin = 1', 'UPDATE users SET admin = 1 WHERE id = 7'],
  ['ALTER TABLE users DROP COLUMN mail', 'ALTER TABLE users ADD COLUMN mail text'],
  ['ALTER TABLE users DROP mail', 'ALTER TABLE users ALTER COLUMN mail DROP NOT NULL'],
  ['SELECT 1; DROP TABLE users', 'SELECT 1 -- ; DROP TABLE users'],
  ['/*!50000 DROP TABLE users */', '/* DROP TABLE users */ SELECT 1'],
  ['EXPLAIN ANALYZE DELETE FROM users', 'EXPLAIN DELETE FROM users'],
  ["DO $$ BEGIN EXECUTE 'DROP TABLE users'; END $$", "SELECT $$ a $$, 'DROP TABLE users'"],
  ["UPDATE posts SET body = 'a; where b'", "UPDATE posts SET body = 'a; b' WHERE id = 1"],
  ["INSERT INTO a VALUES ('b;'); DELETE FROM a", "INSERT INTO a VALUES ('it''s; DELETE FROM a')"],
  ["INSERT INTO a VALUES ('b\\'); DROP TABLE a; --')", `INSERT INTO a VALUES ("it's", '; DROP TABLE a')`],
  ["EXECUTE 'SELECT 1; DROP TABLE a'", "COMMENT ON TABLE a IS 'b; DROP TABLE a'"],
  ["INSERT INTO a SELECT dblink_exec('b; DROP TABLE a')", "DELETE FROM a WHERE b = 'c; d'"],
  ['DROP\n\tTABLE users', "COMMENT ON TABLE a IS 'DROP TABLE users'"],
]

describe('SQL that deletes data', () => {
  it.each(pairs)('%s is denied, and %s is not', (danger, harmless) => {
    expect(sqlDanger(danger)?.effect).toBe('deny')
    expect(sqlDanger(harmless)?.effect).not.toBe('deny')
  })

  it('needs confirmation if the object can be recreated: views, indexes, constraints', () => {
    for (const text of [
      'DROP VIEW a',
      'DROP INDEX a',
      'ALTER TABLE a DROP CONSTRAINT b',
      'CREATE OR REPLACE TABLE a',
    ]) {
      expect(sqlDanger(text)?.effect).toBe('ask')
    }
  })

  it('is judged by the worst of several statements, in any order', () => {
    expect(sqlDanger('DROP VIEW a; DROP TABLE b')?.what).toBe('DROP TABLE')
    expect(sqlDanger('DROP TABLE b; DROP VIEW a')?.what).toBe('DROP TABLE')
  })
})

describe('SQL beyond the size limit', () => {
  const filling = 'SELECT 1;'.repeat(charactersReadMax)

  it('needs confirmation, because the rest is unknown', () => {
    expect(sqlDanger(`${filling} DROP TABLE users`)?.effect).toBe('ask')
    expect(sqlDanger('SELECT 1;')).toBeUndefined()
  })

  it('is denied if the part that is read deletes data', () => {
    expect(sqlDanger(`DROP TABLE users; ${filling}`)?.effect).toBe('deny')
  })
})
