import { homedir } from 'node:os'
import { isAbsolute } from 'node:path'
import { z } from 'zod'
import { supportedPart } from '../supported-verdict.ts'
import { isFolder } from '../is-folder.ts'
import { malformed, mismatch } from '../mismatch.ts'
import { callFields } from './call-input.ts'
import { decodeAnswerBy } from './decode-answer.ts'
import type { EventRow, WireTable } from './table.ts'
import type { Answer, Dialect, HookEnvironment, Surroundings } from '../../model/dialect.ts'
import { HookgateError } from '../../model/errors.ts'
import type { HookEvent } from '../../model/event.ts'
import { deepFreeze } from '../../model/freeze.ts'
import { type JsonObject, merged } from '../../model/json.ts'
import type { CommandHandler } from '../../model/rule.ts'
import { choiceOf, printable } from '../../model/text.ts'
import type { Verdict } from '../../model/verdict.ts'

/** Makes the dialect that a table describes. */
export function dialectBy(table: WireTable): Dialect {
  return {
    agent: table.agent,
    events: [...new Set(table.rows.map(({ event }) => event))],
    namesProject: table.namesProject,
    recognises: table.recognises,
    decodeEvent: decodeEventBy(table),
    support: (event) => rowFor(table, event).support,
    encodeVerdict: encodeVerdictBy(table),
    encodeEvent: encodeEventBy(table),
    environment: environmentBy(table),
    decodeAnswer: decodeAnswerBy(table),
  }
}

/**
 * Decodes events of the table's agent.
 *
 * @throws HookgateError `eventMalformed`, naming the fields that are not as the agent sends them
 */
function decodeEventBy(table: WireTable): (wire: JsonObject, around: Surroundings) => HookEvent {
  /** Built per row at first use: deciding one event reads one row of some hundred. */
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

/** Allows unknown fields: later versions add some, and hooks must receive them all. */
function schemaFor({ frame, fields, call }: EventRow): z.ZodType {
  return z.looseObject({ ...frame.shape, ...(call !== undefined && callFields(frame.call, call)), ...fields })
}

/**
 * Encodes events for a hook of the table's agent.
 *
 * An event of the agent itself is passed on untouched; any other is translated, under the event name by which the hook
 * is registered if the agent has several for one event.
 */
function encodeEventBy(table: WireTable): (event: HookEvent, spelled?: string) => readonly JsonObject[] {
  return (event, spelled) => {
    const row = rowToEncode(table.rows, event, spelled)
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

/** Selects the row for encoding an event: the one named `spelled`, else the first that fits. */
function rowToEncode(rows: readonly EventRow[], event: HookEvent, spelled: string | undefined): EventRow | undefined {
  const { action, name } = event
  const fitting = rows.filter(
    (row) =>
      row.event === name && (row.tools === undefined || (action !== undefined && row.tools.includes(action.tool))),
  )
  return fitting.find((row) => row.spelled === spelled) ?? fitting[0]
}

/** Encodes verdicts for the table's agent: one JSON object, or its form of an empty answer. */
function encodeVerdictBy(table: WireTable): (event: HookEvent, verdict: Verdict) => Answer {
  return (event, verdict) => {
    const row = rowFor(table, event)
    const supported = supportedPart(event, verdict, row.support)
    const stdout = jsonLine(row.form.encode(supported) ?? row.emptyAnswer)
    const stderr = [...supported.unexpressed, ...fieldsOfOthers(table, event, verdict)].flatMap(lines).join('')
    if (supported.decision !== 'deny') return { stdout, stderr, exitCode: 0 }
    return { stdout, stderr: `${supported.reason}\n${stderr}`, exitCode: table.exits.refusal }
  }
}

/** Lists fields that a hook set for another agent only: they are dropped, but reported. */
function fieldsOfOthers({ agent }: WireTable, { name }: HookEvent, { agentFields }: Verdict): readonly string[] {
  return Object.keys(agentFields).map((field) => `a field \`${field}\`, which ${agent} does not know at ${name}`)
}

const jsonLine = (object: JsonObject | undefined) => (object === undefined ? '' : `${JSON.stringify(object)}\n`)

const lines = (text: string) =>
  printable(text)
    .split('\n')
    .map((line) => `hookgate: ${line}\n`)

/** Returns the row of an event of the table's own agent. */
function rowFor(table: WireTable, event: HookEvent): EventRow {
  const row = table.rowOf(event.raw) ?? table.rows.find((one) => one.event === event.name)
  if (row === undefined) throw new HookgateError('internal', `${table.agent} has no event ${event.name}`)
  return row
}

/** Returns a hook's environment: hookgate's own variables, the agent's, and the working directory. */
function environmentBy(
  table: WireTable,
): (event: HookEvent, handler: CommandHandler, inherited: Surroundings['env']) => HookEnvironment {
  return (event, handler, inherited) => {
    const env: Record<string, string> = {}
    for (const [name, value] of Object.entries(inherited)) if (value !== undefined) env[name] = value
    return { cwd: workingFolder(event, table), env: { ...env, ...table.variables(event), ...handler.env } }
  }
}

/** Chooses an existing folder: a session's folder may have been deleted, and no process can be started there. */
function workingFolder({ session, workspaceRoots }: HookEvent, { runsIn }: WireTable): string {
  const [project = session.cwd] = workspaceRoots
  const candidates = runsIn === 'project' ? [project, session.cwd] : [session.cwd, project]
  return candidates.find((folder) => isAbsolute(folder) && isFolder(folder)) ?? homedir()
}
