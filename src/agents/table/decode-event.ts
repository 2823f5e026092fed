import { z } from 'zod'
import type { Surroundings } from '../../model/dialect.ts'
import type { HookEvent } from '../../model/event.ts'
import type { JsonObject } from '../../model/json.ts'
import { choiceOf } from '../../model/text.ts'
import { deepFreeze } from '../../model/freeze.ts'
import { malformed } from '../malformed.ts'
import { mismatch } from '../mismatch.ts'
import { callFields } from './call-input.ts'
import type { EventRow, WireTable } from './table.ts'

/** @throws HookgateError `eventMalformed`, naming the fields that are not as the agent sends them */
export function decodeEventBy(table: WireTable): (wire: JsonObject, around: Surroundings) => HookEvent {
  /** Of each event, made for the first: whoever decides one event reads one row of some hundred. */
  const schemas = new Map<EventRow, z.ZodType>()
  const schemaOf = (row: EventRow): z.ZodType => {
    const schema = schemas.get(row) ?? schemaFor(row)
    schemas.set(row, schema)
    return schema
  }
  return (wire, around) => {
    const row = table.rowOf(wire)
    if (row === undefined) throw malformed(table.agent, `is not one of its events: ${choiceOf(spellings(table.rows))}`)
    const parsed = schemaOf(row).safeParse(wire, { reportInput: true })
    if (!parsed.success) throw malformed(table.agent, mismatch(parsed.error.issues))
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

/** Loose: later versions add fields, and a hook must be given them all. */
function schemaFor({ frame, fields, call }: EventRow): z.ZodType {
  return z.looseObject({ ...frame.shape, ...(call !== undefined && callFields(frame.call, call)), ...fields })
}
