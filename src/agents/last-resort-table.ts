// INVARIANT: imports nothing, types included: this table must still be read when everything else fails to load.

export type EventFieldsReceived = Readonly<Record<string, unknown>>

/** How one agent is answered at each of its events when the gate itself cannot answer. */
export interface LastResortRules {
  /** The field of an event that holds its name; default: `hook_event_name`. */
  readonly nameKey?: string
  /** Returns an event's name if it is not simply in that field. */
  readonly nameOf?: (event: EventFieldsReceived) => unknown
  /**
   * The events that cannot be refused, by the agent's own names.
   *
   * All others are refused, unknown ones too: a newer version of the agent may ask about them before it acts.
   */
  readonly reported: readonly string[]
  /** Returns the object that refuses in the agent's protocol. */
  readonly refusal: (eventName: string, reason: string) => object
  /** Returns the output for an event that cannot be refused. */
  readonly report?: (reason: string) => object
  /** The exit code of a refusal: 0 for an agent that ignores the output of a hook that exits otherwise. */
  readonly refusalCode?: 0 | 2
  readonly answerMs?: number
}

/** hookgate's plugin, which OpenCode and agents derived from it load. */
const plugin: LastResortRules = {
  nameKey: 'event',
  reported: [
    'tool.execute.after',
    'session.created',
    'session.deleted',
    'session.idle',
    'experimental.session.compacting',
  ],
  refusal: (_name, reason) => ({ status: 'deny', reason }),
}

/** The last resort of each agent. */
export const lastResortTable = {
  /**
   * The last resort at each of Claude Code's events: refused wherever a hook can refuse, except at `TeammateIdle`.
   *
   * That event does not report an earlier refusal, so a broken gate would keep a teammate working for ever.
   */
  'claude-code': {
    reported: [
      'PermissionDenied',
      'SessionStart',
      'Setup',
      'SessionEnd',
      'SubagentStart',
      'StopFailure',
      'TeammateIdle',
      'Notification',
      'MessageDisplay',
      'InstructionsLoaded',
      'CwdChanged',
      'FileChanged',
      'DirectoryAdded',
      'PostCompact',
      'PostModelSwitch',
      'WorktreeRemove',
    ],
    refusal(hookEventName, reason) {
      switch (hookEventName) {
        case 'PreModelSwitch':
        case 'PreSkillShellCommand':
          return { hookSpecificOutput: { hookEventName, permissionDecision: 'deny', permissionDecisionReason: reason } }
        case 'Elicitation':
        case 'ElicitationResult':
          return { hookSpecificOutput: { hookEventName, action: 'decline' } }
        default:
          return claudeRefusal(hookEventName, reason)
      }
    },
  },
  /** The last resort at each event of Cline's three engines: refused if Cline honours a refusal. */
  cline: {
    nameKey: 'hookName',
    nameOf: (event) => event['hookName'] ?? event['hook_name'],
    reported: [
      'TaskCancel',
      'TaskComplete',
      'Notification',
      'prompt_submit',
      'agent_start',
      'agent_resume',
      'agent_abort',
      'agent_end',
      'agent_error',
      'session_shutdown',
      'pre_compact',
    ],
    refusal: (_name, reason) => ({ cancel: true, errorMessage: reason }),
    // Cline shows a hook that exits with a code other than 0 as failed; nothing more is possible here.
    report: () => ({ cancel: false }),
    // Cline 2 to 4 discard the output of a hook that exits with any other code, and the tool would run.
    refusalCode: 0,
    // Equals `limits.clientAnswerMs`, which must not be imported here.
    answerMs: 27_000,
  },
  /** The last resort at each of Gemini CLI's events. */
  'gemini-cli': {
    // Exchanges with the model are not among hookgate's events, and no rule applies to them.
    reported: [
      'SessionStart',
      'SessionEnd',
      'PreCompress',
      'Notification',
      'BeforeModel',
      'AfterModel',
      'BeforeToolSelection',
    ],
    refusal: (_name, reason) => ({ decision: 'deny', reason }),
  },
  /**
   * The last resort at each of Codex's events.
   *
   * Codex honours exit code 2 with a reason on stderr; the object beside it says the same in Codex's format.
   */
  codex: {
    // After `Interrupt`, by which the user ended the turn, there is nothing to decide, nor is at the two of a request to the
    // model: no call of a tool is in them.
    reported: [
      'SessionStart',
      'SessionEnd',
      'SubagentStart',
      'PreCompact',
      'PostCompact',
      'Interrupt',
      'PreModelRequest',
      'PostModelRequest',
    ],
    refusal: claudeRefusal,
  },
  /**
   * The last resort at each of Copilot CLI's events.
   *
   * Most of them do not contain their name, and any exit code but 0 refuses a call: so events that cannot be refused are
   * recognised by the fields that only they have.
   */
  'copilot-cli': {
    nameOf: copilotName,
    reported: [
      'postToolUseFailure',
      'PostToolUseFailure',
      'sessionStart',
      'SessionStart',
      'sessionEnd',
      'userPromptTransformed',
      'errorOccurred',
      'subagentStart',
      'preCompact',
      'notification',
      'SessionEnd',
      'SubagentStart',
      'PreCompact',
    ],
    refusal(name, reason) {
      switch (name) {
        case 'permissionRequest':
          return { behavior: 'deny', message: reason }
        case 'preToolUse':
        case 'PreToolUse':
          return { permissionDecision: 'deny', permissionDecisionReason: reason, decision: 'block', reason }
        default:
          return { decision: 'block', reason }
      }
    },
  },
  /** The last resort at each of Qwen Code's events. */
  'qwen-code': {
    reported: [
      'PermissionDenied',
      'PostToolUse',
      'PostToolUseFailure',
      'PostToolBatch',
      'UserPromptExpansion',
      'SessionStart',
      'SessionEnd',
      'StopFailure',
      'SubagentStart',
      'PreCompact',
      'PostCompact',
      'Notification',
      'MessageDisplay',
      'InstructionsLoaded',
      'TodoCreated',
      'TodoCompleted',
      'SessionDelete',
    ],
    refusal: claudeRefusal,
  },
  /** The last resort at each of droid's events. */
  droid: {
    reported: ['SessionStart', 'SessionEnd', 'PreCompact', 'Notification'],
    refusal: claudeRefusal,
  },
  /** OpenCode loads hookgate's plugin. */
  opencode: plugin,
  /** Kilo loads hookgate's plugin. */
  kilo: plugin,
  /** Pi loads hookgate's extension. */
  pi: {
    ...plugin,
    nameKey: 'type',
    reported: ['tool_result', 'session_start', 'session_shutdown', 'agent_settled', 'session_before_compact'],
  },
  /** OpenClaw loads a package with hookgate's plugin. */
  openclaw: { ...plugin, nameKey: 'type', reported: ['after_tool_call', 'session_start', 'session_end'] },
  /** The last resort at each of Grok's events, by Claude Code's names, which it sends beside its own. */
  'grok-build': {
    // After `StopCancelled`, by which the user ended the turn, there is nothing to decide.
    reported: [
      'PostToolUseFailure',
      'PermissionDenied',
      'SessionStart',
      'SessionEnd',
      'StopFailure',
      'StopCancelled',
      'SubagentStart',
      'PreCompact',
      'PostCompact',
      'Notification',
    ],
    refusal: claudeRefusal,
  },
  /** The last resort at each of Kimi Code's events. It honours exit code 2, with stderr as the reason. */
  'kimi-code': {
    reported: [
      'PostToolUse',
      'PostToolUseFailure',
      'PermissionRequest',
      'PermissionResult',
      'UserPromptQueued',
      'TurnStarted',
      'StopFailure',
      'Interrupt',
      'SessionStart',
      'SessionEnd',
      'SessionHeartbeat',
      'SubagentStart',
      'SubagentStop',
      'TaskStarted',
      'PreCompact',
      'PostCompact',
      'Notification',
    ],
    refusal: claudeRefusal,
  },
  /** The last resort at each of Cursor's events. */
  cursor: {
    // No rule applies to `afterAgentThought` and `workspaceOpen`, and Cursor ignores their answers.
    reported: [
      'postToolUse',
      'postToolUseFailure',
      'afterShellExecution',
      'afterMCPExecution',
      'afterFileEdit',
      'afterTabFileEdit',
      'afterAgentResponse',
      'afterAgentThought',
      'workspaceOpen',
      'sessionStart',
      'sessionEnd',
      'preCompact',
    ],
    refusal(name, reason) {
      switch (name) {
        case 'beforeSubmitPrompt':
          return { continue: false, user_message: reason }
        case 'stop':
        case 'subagentStop':
          return { followup_message: reason }
        default:
          return { permission: 'deny', user_message: reason, agent_message: reason }
      }
    },
  },
  /** The last resort at each of VS Code's events. */
  vscode: {
    reported: ['SessionStart', 'SubagentStart', 'PreCompact'],
    refusal: claudeRefusal,
  },
  /** The last resort at each of Windsurf's events, which honours only code 2 with the reason on stderr. */
  windsurf: {
    nameKey: 'agent_action_name',
    reported: [
      'post_run_command',
      'post_read_code',
      'post_write_code',
      'post_mcp_tool_use',
      'post_cascade_response',
      'post_setup_worktree',
    ],
    refusal: (_name, reason) => ({ reason }),
  },
} satisfies Readonly<Record<string, LastResortRules>>

/** Returns a refusal in Claude Code's protocol, which several agents have adopted. */
function claudeRefusal(hookEventName: string, reason: string): object {
  switch (hookEventName) {
    case 'PreToolUse':
      return { hookSpecificOutput: { hookEventName, permissionDecision: 'deny', permissionDecisionReason: reason } }
    case 'PermissionRequest':
      return { hookSpecificOutput: { hookEventName, decision: { behavior: 'deny', message: reason } } }
    default:
      return { decision: 'block', reason }
  }
}

/** Returns the name of an event of Copilot CLI. */
function copilotName(event: EventFieldsReceived): unknown {
  if (event['hookName'] === 'permissionRequest') return 'permissionRequest'
  const named = event['hook_event_name']
  if (typeof named === 'string') return named
  if ('toolName' in event) return 'error' in event ? 'postToolUseFailure' : 'preToolUse'
  if ('stopReason' in event) return 'agentStop'
  const hint = ['source', 'error', 'transformedPrompt', 'notificationType', 'agentName', 'trigger', 'reason'].find(
    (key) => key in event,
  )
  return hint === undefined ? 'preToolUse' : 'sessionStart'
}
