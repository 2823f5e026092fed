import { z } from 'zod'
import type { Surroundings } from '../../model/dialect.ts'
import { HookgateError } from '../../model/errors.ts'
import type { HookEvent } from '../../model/event.ts'
import type { JsonObject } from '../../model/json.ts'
import { choiceOf } from '../../model/text.ts'
import { deepFreeze } from '../freeze.ts'
import { mismatch } from '../mismatch.ts'
import type { EventRow, WireTable } from './table.ts'

/** @throws HookgateError `eventMalformed`, naming the fields that are not as the agent sends them */
export function decodeEventBy(table: WireTable): (wire: JsonObject, around: Surroundings) => HookEvent {
  /** Of each event, made for the first: whoever decides one event reads one row of some hundred. */
  const schemas = new Map<EventRow, z.ZodType>()
  const schemaOf = (row: EventRow): z.ZodType => {
    // Loose: later versions add fields, and a hook must be given them all.
    const schema = schemas.get(row) ?? z.looseObject({ ...row.frame.shape, ...row.fields })
    schemas.set(row, schema)
    return schema
  }
  return (wire, around) => {
    const row = table.rowOf(wire)
    if (row === undefined) throw malformed(table, `is not one of its events: ${choiceOf(spellings(table.rows))}`)
    const parsed = schemaOf(row).safeParse(wire, { reportInput: true })
    if (!parsed.success) throw malformed(table, mismatch(parsed.error.issues))
    return deepFreeze<HookEvent>({
      name: row.event,
      agent: table.agent,
      ...row.frame.read(wire, around),
      ...row.read(wire, row.frame),
      raw: wire,
    })
  }
}

const spellings = (rows: readonly EventRow[]) => [...new Set(rows.map(({ spelled }) => spelled))]

function malformed({ title }: WireTable, what: string): HookgateError {
  return new HookgateError('eventMalformed', what, {
    remedy: `send the event as ${title} writes it to a hook's stdin`,
  })
}
