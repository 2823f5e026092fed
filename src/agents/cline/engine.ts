import { cline } from './index.ts'
import { classicHookNames, sdkHookNames } from './wire.ts'
import { unread } from '../table/events.ts'
import type { Carries } from '../../model/dialect.ts'
import type { HookEvent } from '../../model/event.ts'
import type { JsonObject } from '../../model/json.ts'

/**
 * The three programs that call themselves Cline: `classic`, the VS Code extension up to 3.89 and CLI 2; `extension`,
 * the extension from 4.0; `sdk`, the file hooks of CLI 3 and `@cline/core`. They differ in what they send and heed.
 */
export type Engine = 'classic' | 'extension' | 'sdk'

/** Which engine sent a wire object. Pure, so that an answer can be fitted to it with nothing but the event in hand. */
export function engineOf(wire: JsonObject): Engine {
  const name = wire['hookName'] ?? wire['hook_name']
  if (sdkHookNames.some((known) => known === name)) return 'sdk'
  if (Object.hasOwn(wire, 'agent_id') && !classicHookNames.some((known) => known === name)) return 'sdk'
  const version = wire['clineVersion'] ?? wire['cline_version']
  return typeof version === 'string' && Number.parseInt(version, 10) >= 4 ? 'extension' : 'classic'
}

/** The engine that waits for the answer to an event; where no Cline does, the one whose protocol was published. */
export function askingEngine(event: HookEvent): Engine {
  return event.agent === 'cline' ? engineOf(event.raw) : 'classic'
}

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
