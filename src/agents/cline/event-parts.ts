import { HookgateError } from '../../model/errors.ts'
import type { ToolUse, HookEvent } from '../../model/event.ts'

/** The event-specific parts of a `HookEvent`, which are decoded separately for each engine. */
export interface ClineEventParts extends Pick<HookEvent, 'name' | 'trigger' | 'result' | 'prompt' | 'message'> {
  readonly tool?: ToolUse
}

export function malformed(what: string): HookgateError {
  return new HookgateError('eventMalformed', `this is not a Cline event: ${what}`)
}

/** Checks a call about to be made: the command of a shell must be known, or rules on commands could not judge it. */
export function withCommand(tool: ToolUse, place: string): ToolUse {
  if (tool.kind !== 'shell' || tool.command !== undefined) return tool
  throw malformed(`\`${place}\` has no command for \`${tool.name}\` that can be read`)
}

/** Returns a text under its field, or nothing: Cline does not distinguish an empty text from none. */
export function presentText(
  field: 'prompt' | 'message',
  text: string | undefined,
): Pick<ClineEventParts, 'prompt' | 'message'> {
  return text === undefined || text === '' ? {} : { [field]: text }
}
