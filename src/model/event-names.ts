import type { AgentName } from './agents.ts'
import { EventName } from './event.ts'

/**
 * What an agent calls an event. Where it has a name of its own for one way an event can come about, `triggers` says
 * which: Cline's `TaskResume` is `SessionStart` with the trigger `resume`.
 */
interface EventSpelling {
  readonly agent: AgentName
  readonly spelled: string
  readonly events: readonly EventName[]
  readonly triggers?: readonly string[]
}

const cline = (spelled: string, events: readonly EventName[], triggers?: readonly string[]): EventSpelling =>
  triggers === undefined ? { agent: 'cline', spelled, events } : { agent: 'cline', spelled, events, triggers }

const spellings: readonly EventSpelling[] = [
  ...EventName.options.map((name): EventSpelling => ({ agent: 'claude-code', spelled: name, events: [name] })),
  cline('PreToolUse', ['PreToolUse']),
  // Cline has one event for both; it says `success` in the input.
  cline('PostToolUse', ['PostToolUse', 'PostToolUseFailure']),
  cline('UserPromptSubmit', ['UserPromptSubmit']),
  cline('TaskStart', ['SessionStart'], ['startup', 'clear']),
  cline('TaskResume', ['SessionStart'], ['resume', 'fork']),
  cline('TaskCancel', ['SessionEnd'], ['cancelled']),
  cline('TaskComplete', ['Stop']),
  cline('PreCompact', ['PreCompact']),
  cline('Notification', ['Notification']),
]

/** What a hook hears that is registered under an event's name as `agent` spells it; `undefined` for no such event. */
export function hearing(agent: AgentName, spelled: string): EventSpelling | undefined {
  return spellings.find((row) => row.agent === agent && row.spelled === spelled)
}

/** How `agent` calls an event that came about by `trigger`; `undefined` where it has no such event. */
export function spellingOf(agent: AgentName, event: EventName, trigger: string | undefined): string | undefined {
  return spellings.find(
    (row) =>
      row.agent === agent &&
      row.events.includes(event) &&
      (row.triggers === undefined || (trigger !== undefined && row.triggers.includes(trigger))),
  )?.spelled
}

/** Every name `agent` has for an event. */
export function eventSpellings(agent: AgentName): readonly string[] {
  return spellings.filter((row) => row.agent === agent).map((row) => row.spelled)
}
