import { join } from 'node:path'
import type { AgentDescriptor } from '../descriptor.ts'
import { eventsNamedAlike, observed, refusable } from '../table/events.ts'

/**
 * Describes VS Code's agent, by its source and documentation.
 *
 * Another input that does not fit the tool's schema is dropped, and the call proceeds with the old one.
 */
export const vscode: AgentDescriptor<'vscode'> = {
  name: 'vscode',
  title: 'VS Code',
  // It keeps its hooks in folders of Claude Code and Copilot CLI.
  folders: [],
  installedFolders: [
    '.vscode',
    '.vscode-server',
    '.config/Code',
    'Library/Application Support/Code',
    'AppData/Roaming/Code',
  ],
  hookSettings: ['.claude/settings.json', '.github/hooks/hookgate-vscode.json'],
  events: eventsNamedAlike({
    PreToolUse: {
      ...refusable,
      ask: 'native',
      allow: 'native',
      replaceInput: 'native',
      stop: 'native',
      context: 'native',
    },
    PostToolUse: { ...refusable, replaceOutput: 'unsupported', stop: 'native', context: 'native' },
    UserPromptSubmit: { ...refusable, stop: 'native' },
    SessionStart: { ...observed, context: 'native' },
    Stop: { ...refusable, stop: 'native' },
    SubagentStart: { ...observed, context: 'native' },
    SubagentStop: { ...refusable, stop: 'native' },
    PreCompact: observed,
  }),
  tools: {
    shell: [['run_in_terminal', 'runInTerminal'], { command: 'command' }],
    read: [['read_file', 'readFile', 'copilot_readFile'], { path: 'filePath' }],
    write: [['create_file', 'createFile', 'copilot_createFile'], { path: 'filePath', content: 'content' }],
    edit: [
      ['replace_string_in_file', 'replaceStringInFile', 'copilot_replaceString'],
      { path: 'filePath', content: 'newString', replaced: 'oldString' },
    ],
    patch: [['apply_patch', 'applyPatch'], { patch: 'input', content: 'input' }],
    insertEdit: [['insert_edit_into_file', 'insertEdit'], { path: 'filePath', content: 'code' }],
    multiReplace: [
      ['multi_replace_string_in_file', 'multiReplaceString', 'copilot_multiReplaceString'],
      { edits: 'replacements', path: 'filePath', content: 'newString', replaced: 'oldString' },
    ],
    notebook: [['edit_notebook_file', 'editNotebook'], { path: 'filePath', content: 'newCode' }],
    search: [['grep_search', 'findTextInFiles', 'semantic_search'], { pattern: 'query', glob: 'includePattern' }],
    list: [['file_search', 'findFiles'], { glob: 'query' }],
    listFolder: [['list_dir', 'listDirectory'], { path: 'path' }],
    fetch: [['fetch_webpage', 'fetchWebPage'], { url: 'urls', prompt: 'query', lists: ['url'] }],
    browser: ['open_simple_browser', { url: 'url' }],
    agent: ['runSubagent', { content: 'prompt' }],
  },
  mcpName: (server, tool) => `mcp_${server}_${tool}`,
  exposedEnv: [],
  install: {
    kind: 'hooks-file',
    // VS Code reads a user's own hooks from Claude Code's settings, and from nowhere else.
    files: ({ scope, home, cwd }) =>
      scope === 'user'
        ? [{ file: join(home, '.claude', 'settings.json'), at: 'hooks', holds: 'groups' }]
        : [{ file: join(cwd, '.github', 'hooks', 'hookgate-vscode.json'), at: 'hooks', holds: 'handlers' }],
    entry: ({ command, timeoutS }) => ({ type: 'command', command, timeout: timeoutS }),
    steps: ({ scope }) => [
      'VS Code runs hooks only in a trusted workspace',
      scope === 'user'
        ? 'Claude Code reads the same file, and asks hookgate there too; `--scope project` keeps them apart'
        : 'Copilot CLI reads the same folder, and asks hookgate there too',
    ],
  },
}
