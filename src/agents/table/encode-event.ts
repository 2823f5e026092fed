import type { HookEvent } from '../../model/event.ts'
import type { JsonObject } from '../../model/json.ts'
import { merged } from '../merged.ts'
import type { EventRow, WireTable } from './table.ts'

/**
 * What a hook of the table's agent is given: what the agent itself sent, untouched, or the event in its words, under the
 * name by which the hook is registered where the agent has several for one thing.
 */
export function encodeEventBy(table: WireTable): (event: HookEvent, spelled?: string) => readonly JsonObject[] {
  return (event, spelled) => {
    const row = rowToTell(table.rows, event, spelled)
    if (event.agent === table.agent) {
      const sent = table.rowOf(event.raw)
      if (sent !== undefined && (row === undefined || row.spelled === sent.spelled || spelled === undefined)) {
        return [event.raw]
      }
    }
    if (row === undefined) return []
    const { frame } = row
    return row.write(event, frame).map((own) => merged(frame.write(event, row), own))
  }
}

/** The first row of an event is the one that is told where nobody says which. */
function rowToTell(rows: readonly EventRow[], event: HookEvent, spelled: string | undefined): EventRow | undefined {
  const { action, name } = event
  const fitting = rows.filter(
    (row) =>
      row.event === name && (row.tools === undefined || (action !== undefined && row.tools.includes(action.tool))),
  )
  return fitting.find((row) => row.spelled === spelled) ?? fitting[0]
}
