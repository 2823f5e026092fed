import type { ProtocolSupport } from '../../model/dialect.ts'
import type { AgentDescriptor } from '../descriptor.ts'
import { on, refusable, unread } from '../table/events.ts'
import { exitsWith } from '../table/lints.ts'
import { ownRules } from './own-rules.ts'
import { preloaded, variables } from './project-files.ts'

const refused: ProtocolSupport = { ...refusable, context: 'native', notice: 'dropped' }

/**
 * Describes Cline by its published protocol, that of engine A (see `engine.ts`).
 *
 * It has no other answer than `cancel`: no question to the user (the SDK reads `review` and drops it), no other output,
 * and no end of the turn except by cancelling. A context is sent if any version of an engine passes it to the model;
 * the others ignore it.
 */
export const cline: AgentDescriptor<'cline'> = {
  name: 'cline',
  title: 'Cline',
  folders: ['.cline', '.clinerules'],
  // `~/Cline` is used where a desktop names no folder of documents.
  hookSettings: ['Documents/Cline/Hooks', 'Cline/Hooks', '.clinerules/hooks', '.cline/hooks'],
  innerCode: preloaded,
  events: {
    PreToolUse: on('PreToolUse', refused),
    // Cline has one event for both, with `success` in the input.
    PostToolUse: on(['PostToolUse', 'PostToolUseFailure'], refused),
    UserPromptSubmit: on('UserPromptSubmit', refused),
    TaskStart: on('SessionStart', refused, { triggers: ['startup', 'clear'] }),
    TaskResume: on('SessionStart', refused, { triggers: ['resume', 'fork'] }),
    TaskCancel: on('SessionEnd', unread, { triggers: ['cancelled'] }),
    TaskComplete: on('Stop', unread),
    PreCompact: on('PreCompact', refused),
    Notification: on('Notification', unread),
  },
  tools: {
    shell: [['execute_command', 'run_commands'], { command: 'command', commands: 'commands' }],
    read: [['read_file', 'read_files'], { path: 'path' }],
    write: [['write_to_file', 'new_rule', 'editor'], { path: 'path', content: 'content' }],
    edit: [['replace_in_file', 'editor', 'apply_patch'], { path: 'path', content: 'diff' }],
    search: [['search_files', 'search_codebase'], { path: 'path', pattern: 'regex', glob: 'file_pattern' }],
    list: ['list_files', { path: 'path' }],
    listDefinitions: ['list_code_definition_names', { path: 'path' }],
    fetch: [['web_fetch', 'fetch_web_content'], { url: 'url', prompt: 'prompt' }],
    websearch: ['web_search', { pattern: 'query' }],
    browser: ['browser_action', { url: 'url' }],
    agent: [['new_task', 'use_subagents', 'spawn_agent'], { content: 'context' }],
  },
  exposedEnv: ['CLINE_ACTIVE'],
  lints: [
    exitsWith(
      String.raw`[1-9]\d*`,
      ({ text }) => /["']?cancel\\?["']?\s*:\s*true/i.test(text),
      'Cline discards what a failing hook prints, including its `cancel`, and goes ahead',
      'exit with 0',
    ),
    {
      found: /\bshouldContinue\b|\bshould_continue\b/,
      message: 'Cline discards an answer with `shouldContinue`, the old name',
      remedy: 'write `"cancel"`, which means the opposite',
    },
  ],
  answerWords: /\b(?:cancel|contextModification|errorMessage|shouldContinue|should_continue)\b/,
  ownRules,
  sessions: () => import('./transcript.ts'),
  variables,
  install: { kind: 'hook-folders', onlyBy: 'Cline calls its hooks as files' },
}
