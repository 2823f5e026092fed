import { cline } from './index.ts'
import { classicHookNames, sdkHookNames } from './schemas.ts'
import { unread } from '../table/events.ts'
import type { ProtocolSupport } from '../../model/dialect.ts'
import type { HookEvent } from '../../model/event.ts'
import type { JsonObject } from '../../model/json.ts'

/**
 * The three programs called Cline, which differ in what they send and honour.
 *
 * `classic` is the VS Code extension up to 3.89 and CLI 2; `extension` the extension from 4.0; `sdk` the file hooks of
 * CLI 3 and `@cline/core`.
 */
type Engine = 'classic' | 'extension' | 'sdk'

/** Determines the engine that sent a wire object. It is pure, so that an answer can be encoded from the event alone. */
export function engineOf(wire: JsonObject): Engine {
  const name = wire['hookName'] ?? wire['hook_name']
  if (sdkHookNames.some((known) => known === name)) return 'sdk'
  if (Object.hasOwn(wire, 'agent_id') && !classicHookNames.some((known) => known === name)) return 'sdk'
  const version = wire['clineVersion'] ?? wire['cline_version']
  return typeof version === 'string' && Number.parseInt(version, 10) >= 4 ? 'extension' : 'classic'
}

/** Returns the engine that waits for the answer to an event; for other agents, the one whose protocol was published. */
export function askingEngine(event: HookEvent): Engine {
  return event.agent === 'cline' ? engineOf(event.raw) : 'classic'
}

/** The events at which each engine waits for an answer, by their common names. */
const awaited: Readonly<Record<Engine, readonly string[]>> = {
  classic: ['PreToolUse', 'PostToolUse', 'UserPromptSubmit', 'SessionStart', 'PreCompact'],
  extension: ['PreToolUse', 'PostToolUse', 'UserPromptSubmit', 'SessionStart'],
  sdk: ['PreToolUse', 'PostToolUse'],
}

/** Looks up what the protocol of the calling engine can express at an event. */
export function support(event: HookEvent): ProtocolSupport {
  const engine = askingEngine(event)
  if (!awaited[engine].includes(event.name)) return unread
  const refused = Object.values(cline.events).find(({ events }) => events.includes(event.name))?.support ?? unread
  return engine === 'sdk' && event.name === 'PreToolUse' ? { ...refused, replaceInput: 'native' } : refused
}
