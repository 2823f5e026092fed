import { HookgateError } from '../../model/errors.ts'
import type { Action, HookEvent } from '../../model/event.ts'

/** What an event says beyond who, where and when, which every engine says alike. */
export interface Happening extends Pick<HookEvent, 'name' | 'trigger' | 'result' | 'prompt' | 'message'> {
  readonly action?: Action
}

export function malformed(what: string): HookgateError {
  return new HookgateError('eventMalformed', `this is not a Cline event: ${what}`)
}

/** A call that is about to be made. What a shell would run is known, or rules on commands would have nothing to judge. */
export function withCommand(action: Action, place: string): Action {
  if (action.tool !== 'shell' || action.command !== undefined) return action
  throw malformed(`\`${place}\` has no command for \`${action.name}\` that can be read`)
}

/** A text under its name, or nothing: Cline does not tell an empty text from none. */
export function told(field: 'prompt' | 'message', text: string | undefined): Pick<Happening, 'prompt' | 'message'> {
  return text === undefined || text === '' ? {} : { [field]: text }
}
