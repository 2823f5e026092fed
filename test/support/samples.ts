import type { EventName, HookEvent } from '../../src/model/event.ts'

const cwd = '/home/someone/project'
const tool = { kind: 'shell', name: 'Bash', id: 'call-1', input: { command: 'ls -l' }, command: 'ls -l' } as const

/** The fields of an event of each name; other events have only their name. */
const parts: { readonly [Name in EventName]?: Partial<HookEvent> } = {
  PreToolUse: { tool },
  PermissionRequest: { tool: { kind: 'shell', name: 'Bash', input: { command: 'ls -l' }, command: 'ls -l' } },
  PermissionDenied: { tool },
  PostToolUse: { tool, result: { output: 'total 0', succeeded: true, durationMs: 12 } },
  PostToolUseFailure: { tool, result: { succeeded: false, error: 'no such file', durationMs: 12 } },
  UserPromptSubmit: { prompt: 'add a component' },
  UserPromptExpansion: { prompt: '/deploy now', trigger: 'deploy' },
  SessionStart: { trigger: 'startup' },
  SessionEnd: { trigger: 'other' },
  Stop: { message: 'all done' },
  SubagentStop: { message: 'all done', trigger: 'general-purpose' },
  SubagentStart: { trigger: 'general-purpose' },
  StopFailure: { trigger: 'rate_limit' },
  PreCompact: { trigger: 'auto' },
  PostCompact: { trigger: 'auto' },
  Setup: { trigger: 'init' },
  Notification: { message: 'a question waits', trigger: 'agent_needs_input' },
  ConfigChange: { trigger: 'user_settings' },
  InstructionsLoaded: { trigger: 'session_start' },
  FileChanged: { trigger: 'package.json' },
  Elicitation: { trigger: 'forms', message: 'which colour?' },
  MessageDisplay: { message: 'done' },
  ElicitationResult: { trigger: 'forms' },
  PreModelSwitch: { trigger: 'a-model' },
  PostModelSwitch: { trigger: 'a-model' },
  DirectoryAdded: { trigger: 'slash_command' },
}

/** Builds an event with only dialect-free fields. */
export function sampleEvent(name: EventName, agent: HookEvent['agent'], raw: HookEvent['raw'] = {}): HookEvent {
  return {
    name,
    agent,
    session: { id: 'session-1', cwd },
    workspaceRoots: [cwd],
    atMs: 1_790_000_000_000,
    ...parts[name],
    raw,
  }
}
