import { describe, expect, it } from 'vitest'
import { charactersReadMax, sqlDeeds } from '../../../src/facts/impacts/texts/sql.ts'

/** Returns the worst that SQL does. */
const worstOf = (text: string) => sqlDeeds(text)[0]

/** Statements that change the rows of an audit or a log of logins, and ones that read them or change others. */
const records: readonly (readonly [question: string, harmless: string])[] = [
  ['delete from audit_log where actor_id = 4411', 'select * from audit_log where actor_id = 4411'],
  ['DELETE FROM app.login_history WHERE user_id = 1', 'DELETE FROM app.carts WHERE user_id = 1'],
  ["update audit_events set actor = 'system' where id = 3", "insert into audit_events values (3, 'system')"],
  ["delete from access_log where ip = '10.0.0.1'", "delete from blog where slug = 'a'"],
]

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

describe('SQL that changes an audit or a log of logins', () => {
  it.each(records)('%s is asked about, and %s is not', (question, harmless) => {
    expect(worstOf(question)?.undo).toBe('work')
    expect(worstOf(harmless)).toBeUndefined()
  })
})

describe('SQL that deletes data', () => {
  it.each(pairs)('%s is denied, and %s is not', (danger, harmless) => {
    expect(worstOf(danger)?.undo).toBe('never')
    expect(worstOf(harmless)?.undo).not.toBe('never')
  })

  it('needs confirmation if the object can be recreated: views, indexes, constraints', () => {
    for (const text of [
      'DROP VIEW a',
      'DROP INDEX a',
      'ALTER TABLE a DROP CONSTRAINT b',
      'CREATE OR REPLACE TABLE a',
    ]) {
      expect(worstOf(text)?.undo).toBe('work')
    }
  })

  it('is judged by the worst of several statements, in any order', () => {
    expect(worstOf('DROP VIEW a; DROP TABLE b')?.words).toBe('DROP TABLE')
    expect(worstOf('DROP TABLE b; DROP VIEW a')?.words).toBe('DROP TABLE')
  })
})

/** A drop in pairs: the same object comes again after it, and it does not. */
const recreations: readonly (readonly [again: string, gone: string])[] = [
  ['DROP VIEW a; CREATE VIEW a AS SELECT 1', 'CREATE VIEW a AS SELECT 1; DROP VIEW a'],
  ['DROP VIEW IF EXISTS public.a; CREATE OR REPLACE VIEW a AS SELECT 1', 'DROP VIEW a; CREATE VIEW b AS SELECT 1'],
  ['DROP MATERIALIZED VIEW a; CREATE MATERIALIZED VIEW a AS SELECT 1', 'DROP VIEW a, b; CREATE VIEW a AS SELECT 1'],
  ['DROP VIEW a RESTRICT; CREATE VIEW a AS SELECT 1', 'DROP VIEW a CASCADE; CREATE VIEW a AS SELECT 1'],
  ['BEGIN; DROP INDEX a; CREATE UNIQUE INDEX a ON b (c); COMMIT', 'DROP INDEX a; CREATE INDEX b ON a (c)'],
  ['DROP PROCEDURE a\nGO\nCREATE PROCEDURE a AS SELECT 1', 'DROP PROCEDURE a\nGO\nEXEC b'],
  ['DROP TYPE a; CREATE TYPE a AS (b int)', 'DROP SEQUENCE a; CREATE SEQUENCE a'],
  [
    'DROP FUNCTION IF EXISTS a(int, text); CREATE FUNCTION a(b int) RETURNS int AS $$ SELECT 1; $$ LANGUAGE sql',
    'DROP FUNCTION a(int), b(int); CREATE FUNCTION a() RETURNS int AS $$ SELECT 1; $$ LANGUAGE sql',
  ],
  [
    'DROP TRIGGER IF EXISTS a ON b; CREATE TRIGGER a BEFORE UPDATE ON b FOR EACH ROW EXECUTE FUNCTION c()',
    'DROP TRIGGER IF EXISTS a ON b; CREATE TRIGGER a BEFORE UPDATE ON c FOR EACH ROW EXECUTE FUNCTION c()',
  ],
  ['DROP TRIGGER a ON b; CREATE TRIGGER a AFTER INSERT ON b', "DROP TRIGGER a ON b; SELECT '; CREATE TRIGGER a ON b'"],
  ['DROP TRIGGER a ON b; CREATE TRIGGER a AFTER DELETE ON b', 'DROP TRIGGER a ON b; -- CREATE TRIGGER a ON b'],
  [
    'DROP TRIGGER a ON b; CREATE TRIGGER a ON b; DO $$ BEGIN PERFORM 1; END $$',
    'DROP TRIGGER a ON b; CREATE TRIGGER a ON b; DO $$ BEGIN PERFORM 1; DROP TRIGGER a ON b; END $$',
  ],
  [
    'DROP TRIGGER a ON b; CREATE TRIGGER a ON b',
    'DROP TRIGGER a ON b; CREATE FUNCTION c() RETURNS int AS $$ BEGIN; CREATE TRIGGER a ON b; END $$ LANGUAGE plpgsql',
  ],
  [
    'DROP POLICY IF EXISTS "own rows" ON a; CREATE POLICY "own rows" ON a FOR SELECT USING (auth.uid() = b)',
    'DROP POLICY IF EXISTS "own rows" ON a; CREATE POLICY "own rows" ON a FOR SELECT USING (true)',
  ],
  [
    'ALTER TABLE a DROP CONSTRAINT b, ADD CONSTRAINT b CHECK (c > 0)',
    'ALTER TABLE a DROP CONSTRAINT b, DROP CONSTRAINT c, ADD CONSTRAINT b CHECK (c > 0)',
  ],
  [
    'ALTER TABLE a DROP CONSTRAINT IF EXISTS b; ALTER TABLE a ADD CONSTRAINT b FOREIGN KEY (c) REFERENCES d (e) ON DELETE CASCADE',
    'ALTER TABLE a DROP CONSTRAINT b CASCADE; ALTER TABLE a ADD CONSTRAINT b FOREIGN KEY (c) REFERENCES d (e)',
  ],
  ['ALTER TABLE a DROP INDEX b, ADD INDEX b (c)', 'ALTER TABLE a DROP INDEX b; ALTER TABLE c ADD INDEX b (d)'],
]

describe('SQL that drops what it creates again', () => {
  it.each(recreations)('%s is no danger, and %s needs confirmation', (again, gone) => {
    expect(worstOf(again)).toBeUndefined()
    expect(worstOf(gone)?.undo).toBe('work')
  })

  it('is denied for a table, whose rows are lost', () => {
    expect(worstOf('DROP TABLE a; CREATE TABLE a (b int)')?.undo).toBe('never')
    expect(worstOf('ALTER TABLE a DROP COLUMN b, ADD COLUMN b int')?.undo).toBe('never')
  })
})

describe('Statements that only say what will happen', () => {
  it('tells the action of a foreign key from rows that are deleted now', () => {
    for (const action of ['ON DELETE SET NULL', 'ON DELETE CASCADE', 'ON UPDATE CASCADE ON\nDELETE RESTRICT']) {
      expect(worstOf(`ALTER TABLE a ADD CONSTRAINT b FOREIGN KEY (c) REFERENCES d (e) ${action}`)).toBeUndefined()
    }
    for (const text of ['ALTER TABLE a DELETE WHERE 1', 'ALTER TABLE a ON CLUSTER b UPDATE c = 1 WHERE true']) {
      expect(worstOf(text)?.undo).toBe('never')
    }
  })

  it('tells a policy for a role that passes all policies from one for others', () => {
    const policy = (to: string) => `CREATE POLICY a ON b FOR INSERT ${to} WITH CHECK (true)`
    expect(worstOf(policy('TO service_role'))).toBeUndefined()
    for (const to of ['', 'TO authenticated', 'TO service_role, anon', 'TO service_roles']) {
      expect(worstOf(policy(to))?.undo).toBe('work')
    }
  })
})

describe('SQL beyond the size limit', () => {
  const filling = 'SELECT 1;'.repeat(charactersReadMax)

  it('needs confirmation, because the rest is unknown', () => {
    expect(worstOf(`${filling} DROP TABLE users`)?.undo).toBe('work')
    expect(worstOf('SELECT 1;')).toBeUndefined()
  })

  it('is denied if the part that is read deletes data', () => {
    expect(worstOf(`DROP TABLE users; ${filling}`)?.undo).toBe('never')
  })
})
