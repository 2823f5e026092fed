import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import type { Row } from './corpus.ts'

/** A call of the project's own corpus. `kind` names its family, `why` the reason for its label in a few words. */
const OwnRow = z.strictObject({
  label: z.enum(['danger', 'everyday']),
  kind: z.string().min(1),
  why: z.string().min(1),
  cmd: z.string().optional(),
  tool: z.string().optional(),
  input: z.record(z.string(), z.unknown()).optional(),
})
export type OwnRow = Readonly<z.infer<typeof OwnRow>>

/**
 * Rules are improved on `seen`, and on families of calls that were found in the same files as `held-out`. No rule was
 * improved on anything in the files of `unseen`: a file that rules are improved on moves to `own/`.
 */
export type Part = 'seen' | 'held-out' | 'unseen'

/** Reads the labelled calls that rules are improved on: everybody's days, and what must not happen on them. */
export const readOwnCorpus = (): readonly OwnRow[] => rowsIn('own/')

/** Reads the newest labelled calls, written before their writer had read a rule, which no rule was improved on. */
export const readUnseenCorpus = (): readonly OwnRow[] => rowsIn('unseen/')

function rowsIn(name: string): readonly OwnRow[] {
  const folder = new URL(name, import.meta.url)
  const names = readdirSync(folder).filter((one) => one.endsWith('.jsonl'))
  return names.toSorted().flatMap((one) => {
    const file = fileURLToPath(new URL(one, folder))
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
    return lines.map((line, index) => parseRow(line, `${file}:${index + 1}`))
  })
}

function parseRow(line: string, place: string): OwnRow {
  try {
    return OwnRow.parse(JSON.parse(line))
  } catch (error) {
    throw new Error(`${place}: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
}

/** Assigns a call of the own corpus to a part by a hash of the call, so that the order and number of rows play no part. */
export function partOf(row: OwnRow): Part {
  const digest = createHash('sha256').update(textOf(row)).digest()
  return digest.readUInt8(0) % 2 === 0 ? 'seen' : 'held-out'
}

/** Returns the command, or tool and input, as one line of text. */
export const textOf = (row: OwnRow): string => JSON.stringify(row.cmd ?? { tool: row.tool, input: row.input })

/** Converts a call to a row that the judge takes. */
export function toRow({ label, kind, cmd, tool, input }: OwnRow): Row {
  return { source: 'own', id: kind, expect: label === 'danger' ? 'deny' : 'not_deny', cmd, tool, input }
}
