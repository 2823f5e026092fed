import type { HookEvent } from '../../model/event.ts'
import type { JsonObject } from '../../model/json.ts'
import { merged } from '../merged.ts'
import type { WireTable } from './table.ts'

/**
 * What a hook of the table's agent is given: what the agent itself sent, untouched, or the event of another agent in its
 * words.
 */
export function encodeEventBy(table: WireTable): (event: HookEvent) => readonly JsonObject[] {
  return (event) => {
    if (event.agent === table.agent && table.rowOf(event.raw) !== undefined) return [event.raw]
    const { action } = event
    const row = table.rows.find(
      (one) =>
        one.event === event.name &&
        (one.tools === undefined || (action !== undefined && one.tools.includes(action.tool))),
    )
    if (row === undefined) return []
    const { frame } = row
    return row.write(event, frame).map((own) => merged(frame.write(event, row), own))
  }
}
