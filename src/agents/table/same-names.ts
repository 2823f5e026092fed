import type { Carries } from '../../model/dialect.ts'
import type { EventName } from '../../model/event.ts'
import { type ClaudeForm, claudeForm } from './claude-form.ts'
import type { Own } from './own.ts'
import type { EventRow, Frame } from './table.ts'

export interface SameNames {
  readonly frame: Frame
  readonly carries: { readonly [Name in EventName]?: Carries }
  /** How a refusal is said at each event; at those that are not here, not at all. */
  readonly decides: { readonly [Name in EventName]?: ClaudeForm['decides'] }
  readonly form?: Omit<ClaudeForm, 'decides' | 'spelled'>
  /** The agent's own names for a few of them. */
  readonly spelled?: { readonly [Name in EventName]?: string }
  /** What each event has of its own, in the order in which the rows are to stand. */
  readonly own: readonly (readonly [EventName, Own])[]
  /** Events at which plain text on a hook's stdout is for the model. */
  readonly textIsContext?: readonly EventName[]
}

/** The rows of an agent that calls its events what Claude Code calls them. An event that carries nothing has none. */
export function sameNames({
  frame,
  carries,
  decides,
  form,
  own,
  spelled: ownNames = {},
  textIsContext = [],
}: SameNames): readonly EventRow[] {
  return own.flatMap(([name, parts]) => {
    const carried = carries[name]
    if (carried === undefined) return []
    const spelled = ownNames[name] ?? name
    const spoken = claudeForm({ ...form, spelled, decides: decides[name] ?? 'nothing' })
    const row: EventRow = { spelled, event: name, frame, carries: carried, form: spoken, ...parts }
    return [textIsContext.includes(name) ? { ...row, textIsContext: true } : row]
  })
}
