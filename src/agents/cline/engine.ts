import type { HookEvent } from '../../model/event.ts'
import type { JsonObject } from '../../model/json.ts'
import { classicHookNames, sdkHookNames } from './wire.ts'

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
