import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import type { Row } from './corpus.ts'

const folder = new URL('own/', import.meta.url)

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

/** Rules are improved on `seen`; `held-out` shows what that does for calls that were not looked at. */
export type Half = 'seen' | 'held-out'

/** Reads the labelled calls that come with hookgate: everybody's days, and what must not happen on them. */
export function readOwnCorpus(): readonly OwnRow[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.jsonl'))
  return names.toSorted().flatMap((name) => {
    const file = fileURLToPath(new URL(name, folder))
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

/** Assigns a call to a half by a hash of the call, so that the order and number of rows play no part. */
export function halfOf(row: OwnRow): Half {
  const digest = createHash('sha256').update(textOf(row)).digest()
  return digest.readUInt8(0) % 2 === 0 ? 'seen' : 'held-out'
}

/** Returns the command, or tool and input, as one line of text. */
export const textOf = (row: OwnRow): string => JSON.stringify(row.cmd ?? { tool: row.tool, input: row.input })

/** Converts a call to a row that the judge takes. */
export function toRow({ label, kind, cmd, tool, input }: OwnRow): Row {
  return { source: 'own', id: kind, expect: label === 'danger' ? 'deny' : 'not_deny', cmd, tool, input }
}
