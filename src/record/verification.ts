import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { replaceFile } from '../files/replace-file.ts'
import { type ChainCheck, chainFaults } from './chain.ts'
import type { DecisionReader } from './read.ts'

/** The last check of the record's chain, as it is kept beside the record. */
export const Verification = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('whole'), at: z.iso.datetime(), rows: z.int() }),
  /** `seq` is the first row that is wrong. */
  z.strictObject({
    kind: z.literal('broken'),
    at: z.iso.datetime(),
    seq: z.int(),
    what: z.enum(['changed', 'missing', 'surplus', 'head']),
  }),
])
export type Verification = Readonly<z.infer<typeof Verification>>

/** Returns the file that holds what the last check of a database has found. */
export const verificationFile = (file: string) => `${file}.verified`

/** Checks every row of a record, and keeps what was found beside it. @param file the database */
export function verify(reader: Pick<DecisionReader, 'check'>, file: string): ChainCheck {
  const check = reader.check()
  const at = new Date().toISOString()
  const found: Verification =
    check.kind === 'whole'
      ? { kind: 'whole', at, rows: check.rows }
      : { kind: 'broken', at, seq: check.seq, what: check.what }
  try {
    replaceFile(verificationFile(file), Buffer.from(`${JSON.stringify(found)}\n`))
  } catch {
    // The disk is full. The record is verified again tomorrow, and this caller has the result.
  }
  return check
}

/** Returns what the last check found; `undefined` if there was none, or if what is kept of it cannot be read. */
export function lastVerification(file: string): Verification | undefined {
  try {
    return Verification.safeParse(JSON.parse(readFileSync(verificationFile(file), 'utf8'))).data
  } catch {
    return undefined
  }
}

/** Says which row of a record is the first that is wrong, and how. */
export const faultText = ({ seq, what }: Pick<Extract<Verification, { kind: 'broken' }>, 'seq' | 'what'>): string =>
  `the record is not what hookgate wrote: row ${seq} ${chainFaults[what]}`
