import type { DatabaseSync } from 'node:sqlite'
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { Damaged } from './database.ts'

/** The end of a chain: the last row's number and hash; 0 and zeros before the first. */
interface ChainHead {
  readonly seq: number
  readonly hash: Uint8Array
}

/** Returns a head as people and `hookgate log --verify --expect` write it: `SEQ:HASH`. */
export const headText = ({ seq, hash }: ChainHead): string => `${seq}:${Buffer.from(hash).toString('hex')}`

/**
 * Returns the hash of a row: of the hash before it, its number, its id and its text. Each row thus fixes all rows before
 * it, at the same cost for each.
 */
export function rowHash(before: Uint8Array, seq: number, id: string, record: string): Uint8Array {
  return createHash('sha256').update(before).update(`${seq}\n${id}\n`).update(record).digest()
}

const Seq = z.coerce.bigint().transform(Number).pipe(z.int())
const Ends = z.strictObject({
  base_seq: Seq,
  base_hash: z.instanceof(Uint8Array),
  head_seq: Seq,
  head_hash: z.instanceof(Uint8Array),
})

/**
 * Reads where the chain begins, after the rows that were removed for their age, and where it ends.
 *
 * @throws Damaged if that is not what hookgate writes
 */
export function chainEnds(database: DatabaseSync): { readonly base: ChainHead; readonly head: ChainHead } {
  const read = database.prepare('SELECT base_seq, base_hash, head_seq, head_hash FROM chain')
  // A number may be larger than JavaScript's, and would be an error of its own.
  read.setReadBigInts(true)
  const { data: row } = Ends.safeParse({ ...read.get() })
  if (row === undefined) throw new Damaged('the ends of its chain are unreadable')
  return { base: { seq: row.base_seq, hash: row.base_hash }, head: { seq: row.head_seq, hash: row.head_hash } }
}

/**
 * Returns the hash that a row has, or of the last one that was removed for its age; `undefined` if there is no such row.
 */
export function hashAt(database: DatabaseSync, seq: number): Uint8Array | undefined {
  const { base } = chainEnds(database)
  if (seq === base.seq) return base.hash
  const hash = database.prepare('SELECT hash FROM decisions WHERE seq = ?').get(seq)?.['hash']
  return hash instanceof Uint8Array ? hash : undefined
}

/** The result of checking a chain. */
export type ChainCheck =
  | { readonly kind: 'whole'; readonly rows: number; readonly head: ChainHead }
  /** `seq` is the first row that is wrong. */
  | { readonly kind: 'broken'; readonly seq: number; readonly id: string | undefined; readonly what: ChainFault }

/**
 * `changed`: the row is not as it was written. `missing`: no such row. `surplus`: a row after the chain's end. `head`:
 * every row is intact, but the chain's end names another last row.
 */
type ChainFault = 'changed' | 'missing' | 'surplus' | 'head'

/** The fault of a row, as the end of a sentence about it. */
export const chainFaults: Readonly<Record<ChainFault, string>> = {
  changed: 'was changed',
  missing: 'is missing',
  surplus: 'is there, although the record ends before it',
  head: 'is the last one, but it is not the one that was written last',
}

/** A row of the record, as far as the chain and an export read it. */
export const ChainRow = z.strictObject({
  seq: z.int(),
  id: z.string(),
  record: z.string(),
  hash: z.instanceof(Uint8Array),
})

/** Checks every row, in one read transaction. Takes time in proportion to the rows, and the memory of one. */
export function checkChain(database: DatabaseSync): ChainCheck {
  database.exec('BEGIN')
  try {
    const { base, head } = chainEnds(database)
    let { seq, hash } = base
    for (const raw of database.prepare('SELECT seq, id, record, hash FROM decisions ORDER BY seq').iterate()) {
      const row = ChainRow.safeParse({ ...raw }).data
      seq += 1
      if (row === undefined) return { kind: 'broken', seq, id: undefined, what: 'changed' }
      if (row.seq > head.seq) return { kind: 'broken', seq: row.seq, id: row.id, what: 'surplus' }
      if (row.seq !== seq) return { kind: 'broken', seq: Math.min(seq, row.seq), id: undefined, what: 'missing' }
      hash = rowHash(hash, seq, row.id, row.record)
      if (!isSame(hash, row.hash)) return { kind: 'broken', seq, id: row.id, what: 'changed' }
    }
    if (seq !== head.seq) return { kind: 'broken', seq: seq + 1, id: undefined, what: 'missing' }
    if (!isSame(hash, head.hash)) return { kind: 'broken', seq, id: undefined, what: 'head' }
    return { kind: 'whole', rows: seq - base.seq, head }
  } finally {
    database.exec('ROLLBACK')
  }
}

const isSame = (one: Uint8Array, other: Uint8Array) => Buffer.compare(one, other) === 0
