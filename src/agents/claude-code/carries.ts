import type { Carries } from '../../model/dialect.ts'
import type { EventName, HookEvent } from '../../model/event.ts'
import { observed, refusable, unheard } from '../table/carried.ts'

/**
 * What Claude Code can be told at each of its events: its hooks reference, with what was measured on 2.1.329 where the
 * two differ. `stop` is `continue: false`: at `PreToolUse` the call still runs, and the turn ends after it.
 */
export const carriesTable: Readonly<Record<EventName, Carries>> = {
  PreToolUse: {
    ...refusable,
    defer: 'said',
    ask: 'said',
    allow: 'said',
    replaceInput: 'said',
    stop: 'said',
    context: 'said',
  },
  // To say nothing is to ask: the prompt comes anyway. Another input can only be said with an allow; `encode-verdict.ts`
  // refuses without one.
  PermissionRequest: { ...refusable, ask: 'silence', allow: 'said', replaceInput: 'said' },
  PermissionDenied: { ...observed, stop: 'said' },
  PostToolUse: { ...refusable, replaceOutput: 'said', stop: 'said', context: 'said' },
  PostToolUseFailure: { ...refusable, stop: 'said', context: 'said' },
  PostToolBatch: { ...refusable, stop: 'said', context: 'said' },
  UserPromptSubmit: { ...refusable, stop: 'said', context: 'said' },
  UserPromptExpansion: { ...refusable, stop: 'said', context: 'said' },
  SessionStart: { ...observed, context: 'said' },
  // Measured: a context given here does not reach the model.
  Setup: unheard,
  SessionEnd: unheard,
  Stop: { ...refusable, stop: 'said', context: 'said' },
  SubagentStop: { ...refusable, stop: 'said', context: 'said' },
  SubagentStart: { ...observed, stop: 'said', context: 'said' },
  StopFailure: unheard,
  TaskCreated: refusable,
  TaskCompleted: { ...refusable, stop: 'said' },
  TeammateIdle: { ...refusable, stop: 'said' },
  Notification: { ...observed, context: 'said' },
  MessageDisplay: observed,
  InstructionsLoaded: unheard,
  ConfigChange: refusable,
  CwdChanged: observed,
  FileChanged: observed,
  DirectoryAdded: observed,
  // What is said here is plain text, instructions for the compaction: there is no room for a notice beside it.
  PreCompact: { ...refusable, context: 'said', notice: 'dropped' },
  PostCompact: unheard,
  PreModelSwitch: { ...refusable, ask: 'said', allow: 'said' },
  PostModelSwitch: { ...observed, stop: 'said', context: 'said' },
  // To say nothing is to ask: the person gets the form. To accept takes what was filled in, which only a hook of this
  // event can say; a rule that just allows leaves it to the person.
  Elicitation: { ...refusable, ask: 'silence' },
  ElicitationResult: refusable,
  // stdout is the folder's path and nothing else.
  WorktreeCreate: { ...refusable, notice: 'dropped' },
  WorktreeRemove: unheard,
}

export function carries(event: HookEvent): Carries {
  // A change of the managed settings cannot be refused.
  if (event.name === 'ConfigChange' && event.trigger === 'policy_settings') return observed
  return carriesTable[event.name]
}
