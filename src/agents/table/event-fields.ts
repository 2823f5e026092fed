import { z } from 'zod'
import { anything } from '../codec/json-schemas.ts'
import { mcpNameFor } from '../mcp-names.ts'
import { toolUseIn, type Spelling } from './tool-use.ts'
import { callsFor } from './calls.ts'
import type { CallTime, EventFields, EventFrame, EventParts } from './table.ts'
import type { AgentName, HookEvent } from '../../model/event.ts'
import { type Json, type JsonObject, merged, textAt } from '../../model/json.ts'

/** Declares an event without fields of its own. */
export const nothing: EventFields = { fields: {}, read: () => ({}), write: () => [{}] }

/** Maps a text field to a part of the event. */
export function textIn(key: string, part: 'prompt' | 'message' | 'trigger', otherwise = ''): EventFields {
  return {
    fields: { [key]: otherwise === '' && part === 'message' ? z.string().nullish() : z.string() },
    read: (wire) => {
      const text = textAt(wire, key)
      return text === undefined ? {} : { [part]: text }
    },
    write: (event) => (event[part] === undefined && part === 'message' ? [{}] : [{ [key]: event[part] ?? otherwise }]),
  }
}

/** Combines several groups of fields of one event. */
export function together(...parts: readonly EventFields[]): EventFields {
  return {
    fields: Object.fromEntries(parts.flatMap(({ fields }) => Object.entries(fields))),
    read: (wire, frame): EventParts =>
      Object.fromEntries(parts.flatMap(({ read }) => Object.entries(read(wire, frame)))),
    write: (event, frame) => [merged(...parts.flatMap(({ write }) => write(event, frame)))],
  }
}

/** Declares fields that the gate ignores, with the values that a hook gets if they are unknown. */
export function fixed(fields: z.ZodRawShape, values: JsonObject): EventFields {
  return { fields, read: () => ({}), write: () => [values] }
}

/** Declares a call that is about to be made; with `after`, one that will not be made. */
export function toolCall(agent: AgentName, spelling: Spelling = {}, time: CallTime = 'before'): EventFields {
  return {
    fields: {},
    call: time,
    read: (wire, { call }) => ({ tool: toolUseIn(agent, wire, call, spelling, time) }),
    write: (event, frame) => written(agent, event, frame, spelling),
  }
}

/** The format of a tool's result in an event. */
interface ResultForm {
  readonly fields: z.ZodRawShape
  readonly read: (wire: JsonObject) => NonNullable<HookEvent['result']>
  readonly write: (result: NonNullable<HookEvent['result']>) => JsonObject
}

/** Declares a call that was made, with its result. */
export function toolResult(agent: AgentName, form: ResultForm, spelling: Spelling = {}): EventFields {
  return {
    fields: form.fields,
    call: 'after',
    read: (wire, { call }) => ({ tool: toolUseIn(agent, wire, call, spelling, 'after'), result: form.read(wire) }),
    write: (event, frame) =>
      written(agent, event, frame, spelling).map((one) => merged(one, form.write(event.result ?? { succeeded: true }))),
  }
}

function written(agent: AgentName, event: HookEvent, { call }: EventFrame, spelling: Spelling): readonly JsonObject[] {
  const { tool } = event
  if (tool === undefined) return []
  return callsFor(agent, event.agent, tool, event.session.cwd).map(({ name, input }) =>
    merged(
      {
        [call.name]: mcpNameFor(agent, name) ?? name,
        [call.input]: merged(input, event.agent === agent ? {} : spelling.added?.(name)),
      },
      call.id === undefined ? {} : { [call.id]: tool.id ?? '' },
      spelling.beside?.(name),
    ),
  )
}

const duration = z.number().optional()

/** Declares a result under one key, in the agent's own shape, and its duration under another. */
export function outputIn(key: string, durationKey: string | undefined, error?: string): ResultForm {
  return {
    fields: {
      [key]: anything.optional(),
      ...(durationKey !== undefined && { [durationKey]: duration }),
      ...(error !== undefined && { [error]: z.string().optional() }),
    },
    read: (wire) => ({
      succeeded: error === undefined || textAt(wire, error) === undefined,
      ...defined('output', wire[key]),
      ...defined('error', error === undefined ? undefined : textAt(wire, error) || undefined),
      ...durationOf(wire, durationKey),
    }),
    write: (result) => ({
      ...defined(key, result.output),
      ...(error !== undefined && !result.succeeded && { [error]: result.error ?? '' }),
      ...(durationKey !== undefined && defined(durationKey, result.durationMs)),
    }),
  }
}

const defined = (key: string, value: Json | undefined): JsonObject => (value === undefined ? {} : { [key]: value })

function durationOf(wire: JsonObject, key: string | undefined): { readonly durationMs?: number } {
  const value = key === undefined ? undefined : wire[key]
  return typeof value === 'number' ? { durationMs: value } : {}
}
