import type { DatabaseSync } from 'node:sqlite'
import { whyFailed } from '../files/disk.ts'
import { codeOf, errorText, HookgateError } from '../model/errors.ts'
import { Json, parsedJson } from '../model/json.ts'
import { pastLimits } from '../model/past-limits.ts'
import { type KeptStep, type SeenStep, Step } from '../model/past.ts'
import { makePlainFile } from '../files/lock.ts'
import { makeFolders } from '../files/entries.ts'
import { dirname } from 'node:path'
import { existsSync } from 'node:fs'
import { SavedStep } from './fold.ts'
import { newValueKey, seenValue } from './seen-values.ts'
import { type KeptSession, scopeOf, type StepScope, type StepStore } from './store.ts'

const tablesVersion = 2

/**
 * The tables of `past.db`. `steps`: one row for each step; `session` and `workspace` are ids of scopes, `step` is a
 * `Step` as JSON. `value_keys`, `seen_values`, `seen_windows`: secrets that outputs have shown, as keyed digests only. `folds`: states as they were after a step, which only spare reading the steps before it.
 */
const tables = `
CREATE TABLE IF NOT EXISTS steps (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  at_ms INTEGER NOT NULL,
  session TEXT NOT NULL,
  workspace TEXT NOT NULL,
  call TEXT,
  step TEXT NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS steps_session ON steps (session);
CREATE INDEX IF NOT EXISTS steps_workspace ON steps (workspace);
CREATE INDEX IF NOT EXISTS steps_call ON steps (session, call) WHERE call IS NOT NULL;
CREATE TABLE IF NOT EXISTS folds (key TEXT PRIMARY KEY, seq INTEGER NOT NULL, state TEXT NOT NULL, at_ms INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS value_keys (session TEXT PRIMARY KEY, key TEXT NOT NULL, overflow TEXT, at_ms INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS seen_values (id INTEGER PRIMARY KEY, session TEXT NOT NULL, windows INTEGER NOT NULL, step TEXT NOT NULL) STRICT;
CREATE INDEX IF NOT EXISTS seen_values_session ON seen_values (session);
CREATE TABLE IF NOT EXISTS seen_windows (session TEXT NOT NULL, digest TEXT NOT NULL, value INTEGER NOT NULL, PRIMARY KEY (session, digest)) STRICT, WITHOUT ROWID;
PRAGMA user_version = ${tablesVersion};
`

/** How long one process waits for another that is writing, ms: a write takes less than one. */
const busyMs = 2000

/** States that are kept. One is some hundred bytes; each session has as many as its rules declare. */
const foldsKeptMax = 5000
/** Writes of one process after which it looks for what is too much. */
const writesPerLook = 500

/** Steps that a process has written itself and keeps in memory: those that its next decisions read. */
const ownStepsMax = 256

/** Returns the SQL condition of a scope, whose id is its only value. */
const where = ({ kind }: StepScope): string => (kind === 'user' ? `'' = ?` : `${kind} = ?`)

const headOf = (scope: StepScope): string => `SELECT max(seq) AS seq FROM steps WHERE ${where(scope)}`

/**
 * Opens the file in which gates and cold runs keep the steps that they share. Every write is a transaction, so a process
 * that is killed leaves whole steps only.
 *
 * @throws HookgateError `unavailable` if the file cannot be used
 */
export function openStepDatabase(file: string): StepStore {
  const database = opened(file)
  const statements = new Map<string, ReturnType<DatabaseSync['prepare']>>()
  const prepared = (sql: string) => {
    const known = statements.get(sql)
    if (known !== undefined) return known
    const made = database.prepare(sql)
    statements.set(sql, made)
    return made
  }
  let writes = 0
  const own = new Map<number, KeptStep>()

  function head(scope: StepScope): number {
    const row = prepared(headOf(scope)).get(scope.id)
    return Number(row?.['seq'] ?? 0)
  }

  /** One statement, and so one transaction: where it looks for later steps, nobody can add one before it does. */
  function insert(step: Step, after?: { readonly scope: StepScope; readonly head: number }): number | undefined {
    const isLast = after === undefined ? '' : ` WHERE ifnull((${headOf(after.scope)}), 0) = ?`
    const sql = `INSERT INTO steps (at_ms, session, workspace, call, step) SELECT ?, ?, ?, ?, ?${isLast}`
    const { changes, lastInsertRowid } = prepared(sql).run(
      Math.trunc(step.atMs),
      scopeOf(step, 'session').id,
      scopeOf(step, 'workspace').id,
      step.call ?? null,
      JSON.stringify(step),
      ...(after === undefined ? [] : [after.scope.id, after.head]),
    )
    if (changes === 0) return undefined
    const seq = Number(lastInsertRowid)
    own.set(seq, { ...step, seq })
    const [oldest] = own.keys()
    if (own.size > ownStepsMax && oldest !== undefined) own.delete(oldest)
    return seq
  }

  /** Reads a row. What this process has written itself need not be parsed. */
  const keptStep = (row: Record<string, unknown>): readonly KeptStep[] => {
    const known = own.get(Number(row['seq']))
    return known === undefined ? stepIn(row) : [known]
  }

  /** Runs several writes as one. */
  function atOnce<Result>(work: () => Result): Result {
    database.exec('BEGIN IMMEDIATE')
    try {
      const result = work()
      database.exec('COMMIT')
      return result
    } catch (error) {
      if (database.isTransaction) database.exec('ROLLBACK')
      throw error
    }
  }

  function forget(session: string): void {
    for (const table of ['seen_windows', 'seen_values', 'value_keys'])
      prepared(`DELETE FROM ${table} WHERE session = ?`).run(session)
  }

  /** Returns the key of a session's digests, made with the first of them. Sessions that are too old go meanwhile. */
  function keyOf(session: string): string {
    const known = prepared('SELECT key FROM value_keys WHERE session = ?').get(session)?.['key']
    if (typeof known === 'string') return known
    const old = prepared('SELECT session FROM value_keys WHERE at_ms < ?').all(Date.now() - pastLimits.valuesAgeMs)
    for (const row of old) forget(String(row['session']))
    const key = newValueKey()
    prepared('INSERT INTO value_keys (session, key, at_ms) VALUES (?, ?, ?)').run(session, key, Date.now())
    return key
  }

  function prune(): void {
    prepared('DELETE FROM steps WHERE seq <= (SELECT max(seq) FROM steps) - ?').run(pastLimits.stepsKeptMax)
    const old = 'SELECT key FROM folds ORDER BY at_ms DESC LIMIT -1 OFFSET ?'
    prepared(`DELETE FROM folds WHERE key IN (${old})`).run(foldsKeptMax)
  }

  return {
    head,
    append(step, after) {
      try {
        if (++writes % writesPerLook === 0) prune()
        return insert(step, after)
      } catch (error) {
        throw new HookgateError('unavailable', `the call cannot be kept for later ones: ${errorText(error)}`, {
          cause: error,
          place: { file },
          remedy: 'see that hookgate can write the file, its folder, and more on the disk',
        })
      }
    },
    after(scope, seq) {
      const sql = `SELECT seq, step FROM steps WHERE ${where(scope)} AND seq > ? ORDER BY seq`
      return prepared(sql).all(scope.id, seq).flatMap(keptStep)
    },
    ofCall({ id }, call) {
      const sql = 'SELECT seq, step FROM steps WHERE session = ? AND call = ? ORDER BY seq DESC LIMIT 1'
      return prepared(sql).all(id, call).flatMap(keptStep)[0]
    },
    sessions() {
      // SQLite takes the other columns from the row with the largest `seq`.
      const sql = 'SELECT max(seq) AS seq, step, count(*) AS steps FROM steps GROUP BY session ORDER BY max(seq) DESC'
      return prepared(sql)
        .all()
        .flatMap((row) => keptStep(row).map((latest): KeptSession => ({ steps: Number(row['steps']), latest })))
    },
    savedFold(key) {
      const row = prepared('SELECT seq, state FROM folds WHERE key = ?').get(key)
      const read = Json.safeParse(typeof row?.['state'] === 'string' ? parsedJson(row['state']) : undefined)
      return row !== undefined && read.success ? { seq: Number(row['seq']), state: read.data } : undefined
    },
    foldsUnder(prefix) {
      // No text has a later character.
      const rows = prepared('SELECT state FROM folds WHERE key >= ? AND key < ?').all(prefix, `${prefix}\u{10FFFF}`)
      return rows.flatMap(({ state }) => Json.safeParse(parsedJson(String(state))).data ?? [])
    },
    saveFold(key, { seq, state }) {
      const sql = 'INSERT OR REPLACE INTO folds (key, seq, state, at_ms) VALUES (?, ?, ?, ?)'
      prepared(sql).run(key, seq, JSON.stringify(state), Date.now())
    },
    valuesOf({ id }) {
      const row = prepared('SELECT key, overflow FROM value_keys WHERE session = ?').get(id)
      if (row === undefined) return undefined
      const find = prepared(
        'SELECT id, windows, step FROM seen_windows JOIN seen_values ON id = value ' +
          'WHERE seen_windows.session = ? AND digest = ?',
      )
      return {
        key: String(row['key']),
        overflow: keptSeen(row['overflow']),
        find(digest) {
          const found = find.get(id, digest)
          const step = keptSeen(found?.['step'])
          return found && step && { id: Number(found['id']), windows: Number(found['windows']), step }
        },
      }
    },
    keepValues({ id }, values, step) {
      if (values.length === 0) return
      atOnce(() => {
        const key = keyOf(id)
        const shown = JSON.stringify(step)
        const known = prepared('SELECT value FROM seen_windows WHERE session = ? AND digest = ?')
        for (const value of values) {
          const { digests } = seenValue(value, key)
          if (digests.every((digest) => known.get(id, digest) !== undefined)) continue
          const count = prepared('SELECT count(*) AS count FROM seen_values WHERE session = ?').get(id)?.['count']
          if (Number(count) >= pastLimits.valuesMax) {
            prepared('UPDATE value_keys SET overflow = ? WHERE session = ? AND overflow IS NULL').run(shown, id)
            return
          }
          const made = prepared('INSERT INTO seen_values (session, windows, step) VALUES (?, ?, ?)')
          const { lastInsertRowid } = made.run(id, digests.length, shown)
          const sql = 'INSERT OR REPLACE INTO seen_windows (session, digest, value) VALUES (?, ?, ?)'
          for (const digest of digests) prepared(sql).run(id, digest, lastInsertRowid)
        }
      })
    },
    forgetValues: ({ id }) => atOnce(() => forget(id)),
    close: () => database.close(),
  }
}

const keptSeen = (text: unknown): SeenStep | undefined =>
  SavedStep.safeParse(typeof text === 'string' ? parsedJson(text) : undefined).data

/** Parses a row. One that is no step counts for nothing: only the user, or a newer hookgate, can have written it. */
function stepIn(row: Record<string, unknown>): readonly KeptStep[] {
  const read = Step.safeParse(typeof row['step'] === 'string' ? parsedJson(row['step']) : undefined)
  return read.success ? [{ ...read.data, seq: Number(row['seq']) }] : []
}

function opened(file: string): DatabaseSync {
  try {
    makeFolders(dirname(file), 0o700)
    if (!existsSync(file)) makePlainFile(file)
    // Loaded late: it takes milliseconds, and most gates have no rule that counts.
    const { DatabaseSync: Database } = process.getBuiltinModule('node:sqlite')
    const database = new Database(file, { timeout: busyMs })
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON')
    const version = Number(database.prepare('PRAGMA user_version').get()?.['user_version'] ?? 0)
    if (version > tablesVersion) {
      database.close()
      throw new Error('a newer hookgate has made it')
    }
    if (version < tablesVersion) database.exec(`BEGIN IMMEDIATE; ${tables} COMMIT`)
    return database
  } catch (cause) {
    throw new HookgateError('unavailable', `the file of earlier calls cannot be read: ${whyFailed(cause)}`, {
      place: { file },
      // Where nothing can be written, no new one would begin.
      remedy: isUnwritable(cause)
        ? 'free some space, or make its folder writable'
        : 'move it away: a new one begins with the next call',
      cause,
    })
  }
}

const isUnwritable = (cause: unknown) =>
  ['EROFS', 'EACCES', 'EPERM', 'ENOSPC', 'EDQUOT'].includes(codeOf(cause) ?? '') ||
  /readonly database|disk is full|unable to open/.test(errorText(cause))
