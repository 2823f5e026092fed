import type { AgentName } from './agents.ts'
import { EventName, type ToolKind } from './event.ts'

/**
 * What an agent calls an event. Where it has a name of its own for one way an event can come about, `triggers` says
 * which: Cline's `TaskResume` is `SessionStart` with the trigger `resume`.
 */
interface EventSpelling {
  readonly agent: AgentName
  readonly spelled: string
  readonly events: readonly EventName[]
  readonly triggers?: readonly string[]
  /** The kinds of tools that it is about, where the agent has an event for each. */
  readonly tools?: readonly ToolKind[]
}

/** Events under the names of an agent that has them all from Claude Code. */
const sameNames = (agent: AgentName, names: readonly EventName[]): readonly EventSpelling[] =>
  names.map((name) => ({ agent, spelled: name, events: [name] }))

const named = (agent: AgentName, names: Readonly<Record<string, readonly EventName[]>>): readonly EventSpelling[] =>
  Object.entries(names).map(([spelled, events]) => ({ agent, spelled, events }))

/** What is told of some kinds of tools alone. */
const forTools = (agent: AgentName, names: Readonly<Record<string, readonly [EventName, ...ToolKind[]]>>) =>
  Object.entries(names).map(([spelled, [event, ...tools]]): EventSpelling => ({
    agent,
    spelled,
    events: [event],
    tools,
  }))

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
  ...named('gemini-cli', {
    BeforeTool: ['PreToolUse'],
    // It has one event for both; it says so in the result.
    AfterTool: ['PostToolUse', 'PostToolUseFailure'],
    BeforeAgent: ['UserPromptSubmit'],
    AfterAgent: ['Stop'],
    SessionStart: ['SessionStart'],
    SessionEnd: ['SessionEnd'],
    PreCompress: ['PreCompact'],
    Notification: ['Notification'],
  }),
  ...named('copilot-cli', {
    preToolUse: ['PreToolUse'],
    permissionRequest: ['PermissionRequest'],
    postToolUse: ['PostToolUse'],
    postToolUseFailure: ['PostToolUseFailure'],
    userPromptSubmitted: ['UserPromptSubmit'],
    sessionStart: ['SessionStart'],
    sessionEnd: ['SessionEnd'],
    agentStop: ['Stop'],
    subagentStart: ['SubagentStart'],
    subagentStop: ['SubagentStop'],
    preCompact: ['PreCompact'],
    notification: ['Notification'],
    userPromptTransformed: ['UserPromptExpansion'],
    errorOccurred: ['StopFailure'],
    // Registered under these names, a hook is told of the same event in Claude Code's spelling.
    PreToolUse: ['PreToolUse'],
    PostToolUse: ['PostToolUse'],
    PostToolUseFailure: ['PostToolUseFailure'],
    UserPromptSubmit: ['UserPromptSubmit'],
    SessionStart: ['SessionStart'],
    SessionEnd: ['SessionEnd'],
    Stop: ['Stop'],
    SubagentStart: ['SubagentStart'],
    SubagentStop: ['SubagentStop'],
    PreCompact: ['PreCompact'],
  }),
  ...named('opencode', {
    'tool.execute.before': ['PreToolUse'],
    'permission.ask': ['PermissionRequest'],
    'tool.execute.after': ['PostToolUse'],
    'chat.message': ['UserPromptSubmit'],
    'session.created': ['SessionStart'],
    'session.deleted': ['SessionEnd'],
    'session.idle': ['Stop'],
    'experimental.session.compacting': ['PreCompact'],
  }),
  ...named('cursor', {
    preToolUse: ['PreToolUse'],
    postToolUse: ['PostToolUse'],
    postToolUseFailure: ['PostToolUseFailure'],
    beforeSubmitPrompt: ['UserPromptSubmit'],
    sessionStart: ['SessionStart'],
    sessionEnd: ['SessionEnd'],
    stop: ['Stop'],
    subagentStart: ['SubagentStart'],
    subagentStop: ['SubagentStop'],
    preCompact: ['PreCompact'],
    afterAgentResponse: ['MessageDisplay'],
  }),
  ...forTools('cursor', {
    beforeShellExecution: ['PreToolUse', 'shell'],
    beforeMCPExecution: ['PreToolUse', 'mcp'],
    beforeReadFile: ['PreToolUse', 'read'],
    beforeTabFileRead: ['PreToolUse', 'read'],
    afterShellExecution: ['PostToolUse', 'shell'],
    afterMCPExecution: ['PostToolUse', 'mcp'],
    afterFileEdit: ['PostToolUse', 'write', 'edit'],
    afterTabFileEdit: ['PostToolUse', 'write', 'edit'],
  }),
  ...forTools('windsurf', {
    pre_run_command: ['PreToolUse', 'shell'],
    pre_read_code: ['PreToolUse', 'read'],
    pre_write_code: ['PreToolUse', 'write', 'edit'],
    pre_mcp_tool_use: ['PreToolUse', 'mcp'],
    post_run_command: ['PostToolUse', 'shell'],
    post_read_code: ['PostToolUse', 'read'],
    post_write_code: ['PostToolUse', 'write', 'edit'],
    post_mcp_tool_use: ['PostToolUse', 'mcp'],
  }),
  ...named('windsurf', {
    pre_user_prompt: ['UserPromptSubmit'],
    post_cascade_response: ['Stop'],
    post_setup_worktree: ['WorktreeCreate'],
  }),
  ...sameNames('qwen-code', [
    'PreToolUse',
    'PermissionRequest',
    'PermissionDenied',
    'PostToolUse',
    'PostToolUseFailure',
    'PostToolBatch',
    'UserPromptSubmit',
    'UserPromptExpansion',
    'SessionStart',
    'SessionEnd',
    'Stop',
    'StopFailure',
    'SubagentStart',
    'SubagentStop',
    'PreCompact',
    'PostCompact',
    'Notification',
    'MessageDisplay',
    'InstructionsLoaded',
  ]),
  ...named('qwen-code', { TodoCreated: ['TaskCreated'], TodoCompleted: ['TaskCompleted'] }),
  ...sameNames('droid', [
    'PreToolUse',
    'PostToolUse',
    'UserPromptSubmit',
    'SessionStart',
    'SessionEnd',
    'Stop',
    'SubagentStop',
    'PreCompact',
    'Notification',
  ]),
  ...sameNames('vscode', [
    'PreToolUse',
    'PostToolUse',
    'UserPromptSubmit',
    'SessionStart',
    'Stop',
    'SubagentStart',
    'SubagentStop',
    'PreCompact',
  ]),
  ...sameNames('codex', [
    'PreToolUse',
    'PermissionRequest',
    'PostToolUse',
    'UserPromptSubmit',
    'SessionStart',
    'SessionEnd',
    'Stop',
    'SubagentStart',
    'SubagentStop',
    'PreCompact',
    'PostCompact',
  ]),
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
