import { toolSpellings } from '../../agents/tool-names.ts'
import type { EventName, HookEvent } from '../../model/event.ts'

/** The subject of a matcher at each event, from Claude Code's hooks reference: the tool, the trigger, or none. */
const subjects: Readonly<Record<EventName, 'tool' | 'trigger' | 'nothing'>> = {
  PreToolUse: 'tool',
  PostToolUse: 'tool',
  PostToolUseFailure: 'tool',
  PostToolBatch: 'nothing',
  Notification: 'trigger',
  UserPromptSubmit: 'nothing',
  UserPromptExpansion: 'trigger',
  SessionStart: 'trigger',
  SessionEnd: 'trigger',
  Stop: 'nothing',
  StopFailure: 'trigger',
  SubagentStart: 'trigger',
  SubagentStop: 'trigger',
  PreCompact: 'trigger',
  PostCompact: 'trigger',
  PreModelSwitch: 'trigger',
  PostModelSwitch: 'trigger',
  PermissionRequest: 'tool',
  PermissionDenied: 'tool',
  Setup: 'trigger',
  TeammateIdle: 'nothing',
  TaskCreated: 'nothing',
  TaskCompleted: 'nothing',
  Elicitation: 'trigger',
  ElicitationResult: 'trigger',
  ConfigChange: 'trigger',
  WorktreeCreate: 'nothing',
  WorktreeRemove: 'nothing',
  InstructionsLoaded: 'trigger',
  CwdChanged: 'nothing',
  FileChanged: 'trigger',
  DirectoryAdded: 'trigger',
  MessageDisplay: 'nothing',
}

export const takesTool = (event: EventName) => subjects[event] === 'tool'
export const takesMatcher = (event: EventName) => subjects[event] !== 'nothing'

/** Returns the names that a matcher may use for an event's subject; `undefined` if the event has none. */
export function subjectsOf(event: HookEvent): readonly string[] | undefined {
  switch (subjects[event.name]) {
    case 'tool':
      return event.tool && toolSpellings(event.agent, event.tool.name, event.tool.kind)
    case 'trigger':
      return event.trigger === undefined ? undefined : [event.trigger]
    case 'nothing':
      return undefined
  }
}
