import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import type { AgentDescriptor } from '../descriptor.ts'
import { hookEnvironment } from '../codec/environment.ts'
import { unreadable, withCall } from '../codec/rewrite.ts'
import { malformed, mismatch, wrongEventName } from '../codec/mismatch.ts'
import { agents } from '../registry.ts'
import { callFields } from './tool-use.ts'
import type { EventRow, EventTable, WireRow } from './table.ts'
import type { Dialect } from '../../model/dialect.ts'
import { HookgateError } from '../../model/errors.ts'
import type { HookEvent } from '../../model/event.ts'
import { deepFreeze, type Json, type JsonObject, merged } from '../../model/json.ts'

/** The half of a dialect that is about events, and the lookup of rows for the half about answers. */
interface EventCodec<Row extends WireRow> {
  readonly dialect: Omit<Dialect, 'support' | 'encodeVerdict' | 'decodeAnswer'>
  /** Returns the row of a wire object, or else of the common event. */
  readonly rowFor: (event: HookEvent, wire: JsonObject) => EventRow<Row>
}

/** Makes the codec of the events that a table describes for an agent. */
export function eventCodec<Row extends WireRow>(descriptor: AgentDescriptor, table: EventTable<Row>): EventCodec<Row> {
  const { name: agent } = descriptor
  const rows = table.rows.map((row) => completeRow(descriptor, row))
  const { nameKey = 'hook_event_name', recognises = () => true, supportIn } = table
  const foreign = agents.flatMap(({ name, ownFields = [] }) => (name === agent ? [] : ownFields))
  const rowNamed = (wire: JsonObject) => rows.find(({ spelled }) => spelled === wire[nameKey])
  const rowOf = (wire: JsonObject) => (table.rowOf === undefined ? rowNamed(wire) : table.rowOf(wire, rows))
  const decodeEvent = decodeEventBy(agent, nameKey, rowOf)
  return {
    dialect: {
      agent,
      events: [...new Set(rows.map(({ event }) => event))],
      namesProject: table.namesProject ?? false,
      recognises: (wire) => rowOf(wire) !== undefined && !foreign.some((field) => field in wire) && recognises(wire),
      decodeEvent,
      encodeEvent: encodeEventBy(agent, rows, rowOf),
      withInput: withInputBy(rows, rowOf, decodeEvent),
      environment: (event, handler, inherited) => hookEnvironment(table, event, handler, inherited),
    },
    rowFor(event, wire) {
      const row = rowOf(wire) ?? rows.find((one) => one.event === event.name)
      if (row === undefined) throw new HookgateError('internal', `${agent} has no event ${event.name}`)
      return supportIn === undefined ? row : { ...row, support: supportIn(row.support, event.raw) }
    },
  }
}

function completeRow<Row extends WireRow>({ name, events }: AgentDescriptor, row: Row): EventRow<Row> {
  const described = events[row.spelled]
  const event = row.event ?? described?.events[0]
  if (described === undefined || event === undefined) {
    throw new HookgateError('internal', `${name} has no event ${row.spelled}`)
  }
  return { ...row, event, support: described.support, tools: described.tools }
}

type RowLookup = (wire: JsonObject) => EventRow | undefined

/** @throws HookgateError `eventMalformed`, naming the fields that are not as the agent sends them */
function decodeEventBy(agent: string, nameKey: string, rowOf: RowLookup): Dialect['decodeEvent'] {
  /** Built per row at first use: deciding one event reads one row of some hundred. */
  const schemas = new Map<EventRow, z.ZodType>()
  const schemaOf = (row: EventRow): z.ZodType => {
    const schema = schemas.get(row) ?? schemaFor(row)
    schemas.set(row, schema)
    return schema
  }
  return (wire, around) => {
    const row = rowOf(wire)
    if (row === undefined) throw malformed(agent, wrongEventName(agent, nameKey, wire[nameKey]))
    const parsed = schemaOf(row).safeParse(wire, { reportInput: true })
    if (!parsed.success) throw malformed(agent, mismatch(parsed.error.issues))
    return deepFreeze<HookEvent>({
      name: row.event,
      agent,
      ...row.frame.read(wire, around),
      ...row.own.read(wire, row.frame),
      raw: wire,
    })
  }
}

/** Allows unknown fields: later versions add some, and hooks must receive them all. */
function schemaFor({ frame, own: { fields, call } }: EventRow): z.ZodType {
  return z.looseObject({ ...frame.shape, ...(call !== undefined && callFields(frame.call, call)), ...fields })
}

/**
 * Encodes events for a hook of the table's agent.
 *
 * An event of the agent itself is passed on untouched; any other is translated, under the event name by which the hook
 * is registered if the agent has several for one event.
 */
function encodeEventBy(agent: string, rows: readonly EventRow[], rowOf: RowLookup): Dialect['encodeEvent'] {
  return (event, spelled) => {
    const row = rowToEncode(rows, event, spelled)
    if (event.agent === agent) {
      const sent = rowOf(event.raw)
      if (sent !== undefined && (row === undefined || row.spelled === sent.spelled || spelled === undefined)) {
        return [event.raw]
      }
    }
    if (row === undefined) return []
    const { frame } = row
    return row.own.write(event, frame).map((own) => merged(frame.write(event, row), own))
  }
}

/** Selects the row for encoding an event: the one named `spelled`, else the first that fits. */
function rowToEncode(rows: readonly EventRow[], event: HookEvent, spelled: string | undefined): EventRow | undefined {
  const { tool, name } = event
  const fitting = rows.filter(
    (row) => row.event === name && (row.tools === undefined || (tool !== undefined && row.tools.includes(tool.kind))),
  )
  return fitting.find((row) => row.spelled === spelled) ?? fitting[0]
}

/**
 * Puts another input into an event of the table's agent.
 *
 * The fields that the input changes are those that differ between the event's call and the new one when both are
 * encoded; all others stay as the agent sent them.
 */
function withInputBy(
  rows: readonly EventRow[],
  rowOf: RowLookup,
  decodeEvent: Dialect['decodeEvent'],
): Dialect['withInput'] {
  return (event, input, around) => {
    const { tool } = event
    const sent = rowOf(event.raw)
    const row = sent ?? rowToEncode(rows, event, undefined)
    if (tool === undefined || row === undefined) throw unreadable(event, 'its event is not as the agent sends it')
    const [before = {}] = row.own.write(event, row.frame)
    const [after = {}] = row.own.write({ ...event, tool: { ...tool, input } }, row.frame)
    const wire = sent === undefined ? merged(row.frame.write(event, row), before) : event.raw
    const changed = decodeEvent(withChanges(wire, before, after), around)
    return withCall(event, decodeEvent(wire, around), changed, input)
  }
}

/** Applies the difference between two objects to a third. A text in which an agent sends JSON stays one. */
function withChanges(wire: JsonObject, before: JsonObject, after: JsonObject): JsonObject {
  const changed = Object.entries(after).flatMap(([key, value]): [string, Json][] => {
    if (isDeepStrictEqual(value, before[key])) return []
    return [[key, typeof wire[key] === 'string' && typeof value !== 'string' ? JSON.stringify(value) : value]]
  })
  const kept = Object.entries(wire).filter(([key]) => Object.hasOwn(after, key) || !Object.hasOwn(before, key))
  return Object.fromEntries([...kept, ...changed])
}
