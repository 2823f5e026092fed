import { randomUUID } from 'node:crypto'
import { closeSync, openSync, readdirSync, readFileSync, unlinkSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { makeFolders } from '../files/make-folders.ts'
import { codeOf } from '../model/errors.ts'
import { addWritten, type Writer } from './append.ts'
import { inTransaction } from './database.ts'

/**
 * Counts a process's answers in a file of 8 bytes, before each leaves. A killed process cannot say how many decisions it
 * had not written yet: this number less those in the database is that many. It takes 1.5 µs (measured).
 */
export interface AnswerCount {
  readonly writer: Writer
  add(): void
  /** Removes the file, once all answers are written or counted as lost. */
  remove(): void
}

/** Returns the folder of the counts beside a database. */
export const countsFolder = (file: string): string => join(dirname(file), 'decisions.writers')

/** @returns a count in memory alone if the file cannot be created, for example on a full disk */
export function openAnswerCount(databaseFile: string): AnswerCount {
  const name = `${process.pid}-${randomUUID()}`
  const file = join(countsFolder(databaseFile), name)
  const bytes = Buffer.alloc(8)
  const descriptor = opened(file)
  let answers = 0
  return {
    writer: { name, startedAt: new Date().toISOString() },
    add() {
      answers += 1
      if (descriptor === undefined) return
      bytes.writeBigUInt64LE(BigInt(answers))
      try {
        writeSync(descriptor, bytes, 0, 8, 0)
      } catch {
        // The disk is full: the answer counts for more than its number.
      }
    },
    remove() {
      if (descriptor === undefined) return
      closeSync(descriptor)
      try {
        unlinkSync(file)
      } catch {
        // Someone else has removed it.
      }
    },
  }
}

function opened(file: string): number | undefined {
  try {
    makeFolders(dirname(file), 0o700)
    return openSync(file, 'wx', 0o600)
  } catch {
    return undefined
  }
}

/** Returns the answers of each writer that is gone without having removed its count, by the writer's name. */
export function answersOfTheDead(databaseFile: string): ReadonlyMap<string, number> {
  const folder = countsFolder(databaseFile)
  const dead = namesIn(folder).filter((name) => !isAlive(Number.parseInt(name, 10)))
  return new Map(dead.map((name) => [name, countIn(join(folder, name))]))
}

/**
 * Adds to the losses what writers had not written when they were killed, and removes their counts.
 *
 * A kill between the two counts a loss twice, never not at all.
 */
export function settleDeadWriters(database: DatabaseSync, databaseFile: string): void {
  const dead = answersOfTheDead(databaseFile)
  if (dead.size === 0) return
  inTransaction(database, () => {
    const known = database.prepare('SELECT written, lost FROM writers WHERE writer = ?')
    for (const [name, answers] of dead) {
      const { written = 0, lost = 0 } = known.get(name) ?? {}
      const missing = Math.max(0, answers - Number(written) - Number(lost))
      if (missing > 0) addWritten(database, { name, startedAt: new Date().toISOString() }, 0, missing)
    }
    foldWriters(database, [...dead.keys()])
  })
  for (const name of dead.keys()) {
    try {
      unlinkSync(join(countsFolder(databaseFile), name))
    } catch {
      // Another process settles it too.
    }
  }
}

/** Adds writers that have ended to the one row of all that have. */
export function foldWriters(database: DatabaseSync, names: readonly string[]): void {
  const read = database.prepare('SELECT started_at, written, lost FROM writers WHERE writer = ?')
  const remove = database.prepare('DELETE FROM writers WHERE writer = ?')
  for (const name of names) {
    const row = read.get(name)
    if (row === undefined) continue
    addWritten(
      database,
      { name: '', startedAt: String(row['started_at']) },
      Number(row['written']),
      Number(row['lost']),
    )
    remove.run(name)
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function countIn(file: string): number {
  try {
    const bytes = readFileSync(file)
    return bytes.length === 8 ? Number(bytes.readBigUInt64LE()) : 0
  } catch {
    return 0
  }
}

/** A pid that has been given to another process delays the count until that one ends. */
function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}
