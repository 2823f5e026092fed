import { HookgateError } from '../../model/errors.ts'
import type { EventName } from '../../model/event.ts'
import type { AgentDescriptor } from '../descriptor.ts'
import { type ClaudeForm, claudeForm } from './claude-form.ts'
import type { EventFields } from './event-fields.ts'
import type { EventRow, EventFrame } from './table.ts'

/**
 * A row as the agent's wire format defines it. The descriptor adds the common event and what can be expressed there.
 */
export interface WireRow extends Pick<EventRow, 'spelled' | 'frame' | 'form' | 'textIsContext' | 'emptyAnswer'> {
  /** Which of the common events behind this name; default: the first. */
  readonly event?: EventName | undefined
  readonly own: EventFields
}

/** Completes rows with the events of the agent's descriptor. */
export function rowsOf({ name, events }: AgentDescriptor, rows: readonly WireRow[]): readonly EventRow[] {
  return rows.map(({ own, spelled, frame, form, textIsContext, emptyAnswer, ...row }) => {
    const described = events[spelled]
    const event = row.event ?? described?.events[0]
    if (described === undefined || event === undefined) {
      throw new HookgateError('internal', `${name} has no event ${spelled}`)
    }
    const { support, tools } = described
    const { fields, call, read, write } = own
    return { spelled, event, frame, form, textIsContext, emptyAnswer, support, tools, fields, call, read, write }
  })
}

export interface ClaudeRows {
  readonly frame: EventFrame
  readonly form?: Omit<ClaudeForm, 'decides' | 'spelled'>
  /** Events at which plain text on a hook's stdout is passed to the model. */
  readonly textIsContext?: readonly string[]
  /** Each event by the agent's name, with how it is refused, and its own fields. */
  readonly events: readonly (readonly [spelled: string, decides: ClaudeForm['decides'], own: EventFields])[]
}

/** Makes the rows of an agent that answers in Claude Code's format. */
export function claudeRows(agent: AgentDescriptor, { frame, form, textIsContext = [], events }: ClaudeRows) {
  const rows = events.map(([spelled, decides, own]): WireRow => ({
    spelled,
    frame,
    form: claudeForm({ ...form, spelled, decides }),
    own,
    textIsContext: textIsContext.includes(spelled),
  }))
  return rowsOf(agent, rows)
}

/** Returns a lookup of rows by the wire field that names the event. */
export const rowBy =
  (key: string, rows: readonly EventRow[]): ((wire: Readonly<Record<string, unknown>>) => EventRow | undefined) =>
  (wire) =>
    rows.find(({ spelled }) => spelled === wire[key])
