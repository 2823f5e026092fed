import type { Carries } from '../../model/dialect.ts'
import type { EventName, HookEvent } from '../../model/event.ts'
import { askingEngine, type Engine } from './engine.ts'

/**
 * Where Cline heeds `cancel`. It knows no other answer than that: no question to the user (the SDK reads `review` and
 * drops it), no other output, no end of the turn but by cancelling.
 *
 * A context is said where any version of an engine passes it to the model; where one does not, it is ignored.
 */
const refusing: Carries = {
  deny: 'said',
  defer: 'asDeny',
  ask: 'asDeny',
  allow: 'silence',
  replaceInput: 'asDeny',
  replaceOutput: 'asDeny',
  stop: 'asDeny',
  context: 'said',
  notice: 'dropped',
}

/** Where Cline reads nothing of what a hook says. */
const unheard: Carries = {
  deny: 'unsayable',
  defer: 'unsayable',
  ask: 'unsayable',
  allow: 'silence',
  replaceInput: 'unsayable',
  replaceOutput: 'unsayable',
  stop: 'unsayable',
  context: 'dropped',
  notice: 'dropped',
}

const heard: Readonly<Record<Engine, { readonly [Name in EventName]?: Carries }>> = {
  classic: {
    SessionStart: refusing,
    UserPromptSubmit: refusing,
    PreToolUse: refusing,
    PostToolUse: refusing,
    PreCompact: refusing,
  },
  extension: { SessionStart: refusing, UserPromptSubmit: refusing, PreToolUse: refusing, PostToolUse: refusing },
  // Its other hooks are started and not waited for.
  sdk: { PreToolUse: { ...refusing, replaceInput: 'said' }, PostToolUse: refusing },
}

export function carries(event: HookEvent): Carries {
  return heard[askingEngine(event)][event.name] ?? unheard
}
