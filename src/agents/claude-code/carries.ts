import type { Carries } from '../../model/dialect.ts'
import type { HookEvent } from '../../model/event.ts'
import { observed } from '../table/events.ts'
import { carriesTable } from './index.ts'

/** Looks up what Claude Code can be told at an event. */
export function carries(event: HookEvent): Carries {
  // A change of the managed settings cannot be refused.
  if (event.name === 'ConfigChange' && event.trigger === 'policy_settings') return observed
  return carriesTable[event.name]
}
