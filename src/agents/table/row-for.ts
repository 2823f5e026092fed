import { HookgateError } from '../../model/errors.ts'
import type { HookEvent } from '../../model/event.ts'
import type { EventRow, WireTable } from './table.ts'

/** The row of an event of the table's own agent. */
export function rowFor(table: WireTable, event: HookEvent): EventRow {
  const row = table.rowOf(event.raw) ?? table.rows.find((one) => one.event === event.name)
  if (row === undefined) throw new HookgateError('internal', `${table.agent} has no event ${event.name}`)
  return row
}
