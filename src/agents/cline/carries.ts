import type { Carries } from '../../model/dialect.ts'
import type { HookEvent } from '../../model/event.ts'
import { unread } from '../table/events.ts'
import { askingEngine, type Engine } from './engine.ts'
import { cline } from './index.ts'

/** The events at which each engine waits for an answer, by the descriptor's names for them. */
const awaited: Readonly<Record<Engine, readonly string[]>> = {
  classic: ['PreToolUse', 'PostToolUse', 'UserPromptSubmit', 'SessionStart', 'PreCompact'],
  extension: ['PreToolUse', 'PostToolUse', 'UserPromptSubmit', 'SessionStart'],
  sdk: ['PreToolUse', 'PostToolUse'],
}

/** Looks up what Cline can be told at an event, by the engine that asks. */
export function carries(event: HookEvent): Carries {
  const engine = askingEngine(event)
  if (!awaited[engine].includes(event.name)) return unread
  const refused = Object.values(cline.events).find(({ events }) => events.includes(event.name))?.carries ?? unread
  return engine === 'sdk' && event.name === 'PreToolUse' ? { ...refused, replaceInput: 'said' } : refused
}
