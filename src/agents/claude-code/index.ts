import type { ProtocolSupport } from '../../model/dialect.ts'
import type { EventName, HookEvent } from '../../model/event.ts'
import type { AgentDescriptor } from '../descriptor.ts'
import { httpBody } from './http-body.ts'
import { eventsNamedAlike, observed, on, refusable, unread } from '../table/events.ts'
import { filePath, part, whole } from '../tools.ts'
import { lints } from './lints.ts'
import { managed } from './managed.ts'
import { mods } from './mods.ts'
import { ownRules } from './own-rules.ts'
import { isPinned, switchOf, variables } from './settings-files.ts'
import { skills } from './skills.ts'

/**
 * What Claude Code's protocol can express at each of its events.
 *
 * Sources are its hooks reference and, where the two differ, measurements on 2.1.329. `stop` is `continue: false`: at
 * `PreToolUse` the call still runs, and the turn ends after it.
 */
export const supportTable: Readonly<Record<EventName, ProtocolSupport>> = {
  PreToolUse: {
    ...refusable,
    defer: 'native',
    ask: 'native',
    allow: 'native',
    replaceInput: 'native',
    stop: 'native',
    context: 'native',
  },
  PostToolUse: { ...refusable, replaceOutput: 'native', stop: 'native', context: 'native' },
  PostToolUseFailure: { ...refusable, stop: 'native', context: 'native' },
  PostToolBatch: { ...refusable, stop: 'native', context: 'native' },
  Notification: { ...observed, context: 'native' },
  UserPromptSubmit: { ...refusable, stop: 'native', context: 'native' },
  UserPromptExpansion: { ...refusable, stop: 'native', context: 'native' },
  SessionStart: { ...observed, context: 'native' },
  SessionEnd: unread,
  Stop: { ...refusable, stop: 'native', context: 'native' },
  StopFailure: unread,
  SubagentStart: { ...observed, stop: 'native', context: 'native' },
  SubagentStop: { ...refusable, stop: 'native', context: 'native' },
  // The output here is plain text, instructions for the compaction, with no room for a notice.
  PreCompact: { ...refusable, context: 'native', notice: 'dropped' },
  PostCompact: unread,
  PreModelSwitch: { ...refusable, ask: 'native', allow: 'native' },
  PostModelSwitch: { ...observed, stop: 'native', context: 'native' },
  // Silence asks: the prompt comes anyway. Another input needs an allow; without one `encode-verdict.ts` refuses.
  PermissionRequest: { ...refusable, ask: 'implicit', allow: 'native', replaceInput: 'native' },
  PermissionDenied: { ...observed, stop: 'native' },
  // Measured: a context returned here does not reach the model.
  Setup: unread,
  TeammateIdle: { ...refusable, stop: 'native' },
  TaskCreated: refusable,
  TaskCompleted: { ...refusable, stop: 'native' },
  // Silence asks: the user gets the form. An accept carries the values that were filled in, which only a hook of this
  // event can supply; a rule that merely allows leaves the form to the user.
  Elicitation: { ...refusable, ask: 'implicit' },
  ElicitationResult: refusable,
  ConfigChange: refusable,
  // stdout is only the folder's path.
  WorktreeCreate: { ...refusable, notice: 'dropped' },
  WorktreeRemove: unread,
  InstructionsLoaded: unread,
  CwdChanged: observed,
  FileChanged: observed,
  DirectoryAdded: observed,
  MessageDisplay: observed,
}

/** Claude Code's name of the event before a shell command in the text of a skill or slash command, since 2.1.332. */
export const skillCommand = 'PreSkillShellCommand'
/** The trigger of that event, by which hooks that are registered at it are told from those of other shell commands. */
export const skillTrigger = 'skill'
/** Every answer but `allow` keeps the command from running, and so does another input; there is no context. */
const skillSupport: ProtocolSupport = { ...refusable, defer: 'native', ask: 'native' }

export const isSkillCommand = ({ agent, raw }: HookEvent): boolean =>
  agent === 'claude-code' && raw['hook_event_name'] === skillCommand

/** Looks up what Claude Code's protocol can express at an event. */
export function support(event: HookEvent): ProtocolSupport {
  if (isSkillCommand(event)) return skillSupport
  // A change of the managed settings cannot be refused.
  if (event.name === 'ConfigChange' && event.trigger === 'policy_settings') return observed
  return supportTable[event.name]
}

export const claudeCode: AgentDescriptor<'claude-code'> = {
  name: 'claude-code',
  title: 'Claude Code',
  folders: ['.claude'],
  hookSettings: [
    '.claude/settings.json',
    '.claude/settings.local.json',
    '.claude/dev-mods',
    '.claude/plugins',
    '.claude/skills/*/.claude-plugin',
    '.claude/skills/*/hooks',
  ],
  innerCode: mods,
  events: {
    ...eventsNamedAlike(supportTable),
    [skillCommand]: on('PreToolUse', skillSupport, { tools: ['shell'], triggers: [skillTrigger] }),
  },
  tools: {
    shell: ['Bash', { command: 'command' }],
    powershell: ['PowerShell', { command: 'command' }],
    monitor: ['Monitor', { command: 'command', insteadOfCommand: 'ws' }],
    read: ['Read', filePath],
    write: ['Write', whole],
    edit: ['Edit', part],
    multiEdit: ['MultiEdit', filePath],
    notebook: ['NotebookEdit', { path: 'notebook_path', content: 'new_source' }],
    search: ['Grep', { path: 'path', pattern: 'pattern', glob: 'glob' }],
    list: ['Glob', { path: 'path', glob: 'pattern' }],
    fetch: ['WebFetch', { url: 'url', prompt: 'prompt' }],
    websearch: ['WebSearch', { pattern: 'query' }],
    agent: [['Agent', 'Task'], { content: 'prompt' }],
  },
  calledText: skills,
  httpBody,
  exposedEnv: [
    'CLAUDECODE',
    'CLAUDE_PROJECT_DIR',
    'CLAUDE_PLUGIN_ROOT',
    'CLAUDE_ENV_FILE',
    'CLAUDE_EFFORT',
    'CLAUDE_CODE_SESSION_ID',
    'CLAUDE_CODE_ENTRYPOINT',
  ],
  lints,
  ownRules,
  sessions: () => import('./transcript.ts'),
  variables,
  install: {
    kind: 'http-groups',
    switchedOff: switchOf,
    isPinned,
    never: { WorktreeCreate: 'its hook creates the folder instead of Claude Code' },
    needsMore: {
      FileChanged:
        'Claude Code watches only the files that its own settings name; add an entry of your own there with such a `matcher`',
    },
    // Only Cline has sessions that end this way.
    foreign: ['TaskCancel'],
  },
  managed,
}
