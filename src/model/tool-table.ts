import type { AgentName } from './agents.ts'
import type { ToolKind } from './event.ts'

/** Under which key of its input an agent's tool keeps what is common to all: `{path: 'file_path'}`. */
export interface ToolFields {
  readonly path?: string
  readonly command?: string
  /** What a shell tool may be given in place of a command, and runs nothing then. */
  readonly insteadOfCommand?: string
  readonly url?: string
  /** What is written, or what replaces another text. */
  readonly content?: string
  /** The text that is replaced. */
  readonly replaced?: string
  readonly pattern?: string
  readonly glob?: string
  readonly prompt?: string
  /** A patch in the format of `apply_patch`: the files it touches stand in its own lines. */
  readonly patch?: string
  /** A list of edits, each in a file of its own: `path`, `content` and `replaced` are keys of its members. */
  readonly edits?: string
  /** Those of them that are lists of texts. */
  readonly lists?: readonly ('glob' | 'url')[]
}
export type ToolField = Exclude<keyof ToolFields, 'lists'>

/** Tools that do the same thing, as each agent names them: the first name is the one used when speaking to it. */
export interface ToolRow {
  readonly tool: ToolKind
  readonly names: { readonly [Agent in AgentName]?: readonly string[] }
  readonly fields: { readonly [Agent in AgentName]?: ToolFields }
}

type Columns = { readonly [Agent in AgentName]?: readonly [names: string | readonly string[], fields?: ToolFields] }

function row(tool: ToolKind, columns: Columns): ToolRow {
  const each = Object.entries(columns)
  return {
    tool,
    names: Object.fromEntries(each.map(([agent, [names]]) => [agent, typeof names === 'string' ? [names] : names])),
    fields: Object.fromEntries(each.map(([agent, [, fields]]) => [agent, fields ?? {}])),
  }
}

const file = { path: 'file_path' } as const
const whole = { path: 'file_path', content: 'content' } as const
const part = { path: 'file_path', content: 'new_string', replaced: 'old_string' } as const

/**
 * The one table of tool names. A rule that names any of a row's tools hears all of them, whoever the agent is, so one
 * rule serves every agent. Sources: Claude Code's published built-in tools; Cline's `ClineDefaultTool` names and its
 * SDK's default tools; of the others the names and keys in what their own programs sent to hooks and to a model (Codex
 * 0.169, Copilot CLI 1.0.102, Gemini CLI 0.61, Qwen Code 0.24.4, droid 0.225, OpenCode 1.18), and the documentation of
 * Cursor, VS Code and Windsurf. Cursor and Windsurf name no tool at some events: what stands there is named after them.
 */
export const toolTable: readonly ToolRow[] = [
  row('shell', {
    'claude-code': ['Bash', { command: 'command' }],
    cline: [['execute_command', 'run_commands'], { command: 'command' }],
    'gemini-cli': ['run_shell_command', { command: 'command' }],
    codex: [['Bash', 'shell', 'shell_command', 'exec_command', 'local_shell'], { command: 'command' }],
    'copilot-cli': [['bash', 'Bash'], { command: 'command' }],
    'qwen-code': [['run_shell_command', 'Shell'], { command: 'command' }],
    droid: ['Execute', { command: 'command' }],
    opencode: ['bash', { command: 'command' }],
    cursor: ['Shell', { command: 'command' }],
    vscode: [['run_in_terminal', 'runInTerminal'], { command: 'command' }],
    windsurf: ['run_command', { command: 'command_line' }],
  }),
  row('shell', {
    'claude-code': ['PowerShell', { command: 'command' }],
    'copilot-cli': ['powershell', { command: 'command' }],
  }),
  // It watches a command or a socket.
  row('shell', { 'claude-code': ['Monitor', { command: 'command', insteadOfCommand: 'ws' }] }),
  row('read', {
    'claude-code': ['Read', file],
    cline: [['read_file', 'read_files'], { path: 'path' }],
    'gemini-cli': ['read_file', file],
    codex: ['view_image', { path: 'path' }],
    'copilot-cli': [['view', 'Read'], { path: 'path' }],
    'qwen-code': [['read_file', 'ReadFile'], file],
    droid: ['Read', file],
    opencode: ['read', { path: 'filePath' }],
    cursor: ['Read', file],
    vscode: [['read_file', 'readFile', 'copilot_readFile'], { path: 'filePath' }],
    windsurf: ['read_code', file],
  }),
  row('read', {
    'gemini-cli': ['read_many_files', { glob: 'include', lists: ['glob'] }],
    'qwen-code': ['read_many_files', { glob: 'paths', lists: ['glob'] }],
  }),
  row('write', {
    'claude-code': ['Write', whole],
    cline: [['write_to_file', 'new_rule', 'editor'], { path: 'path', content: 'content' }],
    'gemini-cli': ['write_file', whole],
    'copilot-cli': [['create', 'Write'], { path: 'path', content: 'file_text' }],
    'qwen-code': [['write_file', 'WriteFile'], whole],
    droid: ['Create', whole],
    opencode: ['write', { path: 'filePath', content: 'content' }],
    cursor: ['Write', whole],
    vscode: [['create_file', 'createFile', 'copilot_createFile'], { path: 'filePath', content: 'content' }],
    windsurf: ['write_code', file],
  }),
  row('edit', {
    'claude-code': ['Edit', part],
    cline: [['replace_in_file', 'editor', 'apply_patch'], { path: 'path', content: 'diff' }],
    'gemini-cli': ['replace', part],
    codex: ['apply_patch', { patch: 'command', content: 'command' }],
    'copilot-cli': [['edit', 'Edit'], { path: 'path', content: 'new_str', replaced: 'old_str' }],
    'qwen-code': [['edit', 'Edit'], part],
    droid: ['Edit', { path: 'file_path', content: 'new_str', replaced: 'old_str' }],
    opencode: ['edit', { path: 'filePath', content: 'newString', replaced: 'oldString' }],
    cursor: ['Edit', part],
    vscode: [
      ['replace_string_in_file', 'replaceStringInFile', 'copilot_replaceString'],
      { path: 'filePath', content: 'newString', replaced: 'oldString' },
    ],
    windsurf: ['write_code', file],
  }),
  // A file that is new is a patch as well. By its name alone it is an edit, as most patches are.
  row('write', { codex: ['apply_patch', { patch: 'command', content: 'command' }] }),
  row('edit', { 'claude-code': ['MultiEdit', file], droid: ['MultiEdit', file] }),
  row('edit', {
    droid: ['ApplyPatch', { patch: 'input', content: 'input' }],
    opencode: [['apply_patch', 'patch'], { patch: 'patchText', content: 'patchText' }],
    'copilot-cli': ['apply_patch', { patch: 'input', content: 'input' }],
    vscode: [['apply_patch', 'applyPatch'], { patch: 'input', content: 'input' }],
  }),
  row('edit', { vscode: [['insert_edit_into_file', 'insertEdit'], { path: 'filePath', content: 'code' }] }),
  row('edit', {
    vscode: [
      ['multi_replace_string_in_file', 'multiReplaceString', 'copilot_multiReplaceString'],
      { edits: 'replacements', path: 'filePath', content: 'newString', replaced: 'oldString' },
    ],
  }),
  row('edit', {
    'claude-code': ['NotebookEdit', { path: 'notebook_path', content: 'new_source' }],
    vscode: [['edit_notebook_file', 'editNotebook'], { path: 'filePath', content: 'newCode' }],
  }),
  row('edit', { cursor: ['Delete', file] }),
  row('search', {
    'claude-code': ['Grep', { path: 'path', pattern: 'pattern', glob: 'glob' }],
    cline: [['search_files', 'search_codebase'], { path: 'path', pattern: 'regex', glob: 'file_pattern' }],
    'gemini-cli': [['grep_search', 'search_file_content'], { path: 'dir_path', pattern: 'pattern', glob: 'include' }],
    'copilot-cli': [['grep', 'rg', 'Grep'], { path: 'paths', pattern: 'pattern', glob: 'glob' }],
    'qwen-code': [['grep_search', 'search_file_content', 'Grep'], { path: 'path', pattern: 'pattern', glob: 'glob' }],
    droid: ['Grep', { path: 'path', pattern: 'pattern', glob: 'glob_pattern' }],
    opencode: ['grep', { path: 'path', pattern: 'pattern', glob: 'include' }],
    cursor: ['Grep', { path: 'path', pattern: 'pattern', glob: 'glob' }],
    vscode: [['grep_search', 'findTextInFiles', 'semantic_search'], { pattern: 'query', glob: 'includePattern' }],
  }),
  row('list', {
    'claude-code': ['Glob', { path: 'path', glob: 'pattern' }],
    cline: ['list_files', { path: 'path' }],
    'gemini-cli': ['glob', { path: 'dir_path', glob: 'pattern' }],
    'copilot-cli': [['glob', 'Glob'], { path: 'paths', glob: 'pattern' }],
    'qwen-code': [['glob', 'Glob'], { path: 'path', glob: 'pattern' }],
    droid: ['Glob', { path: 'folder', glob: 'patterns', lists: ['glob'] }],
    opencode: ['glob', { path: 'path', glob: 'pattern' }],
    cursor: ['Glob', { path: 'target_directory', glob: 'glob_pattern' }],
    vscode: [['file_search', 'findFiles'], { glob: 'query' }],
  }),
  row('list', {
    'gemini-cli': ['list_directory', { path: 'dir_path' }],
    'qwen-code': [['list_directory', 'ListFiles'], { path: 'path' }],
    droid: ['LS', { path: 'directory_path' }],
    opencode: ['list', { path: 'path' }],
    cursor: ['LS', { path: 'path' }],
    vscode: [['list_dir', 'listDirectory'], { path: 'path' }],
  }),
  row('list', { cline: ['list_code_definition_names', { path: 'path' }] }),
  row('fetch', {
    'claude-code': ['WebFetch', { url: 'url', prompt: 'prompt' }],
    cline: [['web_fetch', 'fetch_web_content'], { url: 'url', prompt: 'prompt' }],
    'gemini-cli': ['web_fetch', { url: 'prompt', prompt: 'prompt' }],
    'copilot-cli': [['web_fetch', 'WebFetch'], { url: 'url' }],
    'qwen-code': [['web_fetch', 'WebFetch'], { url: 'url', prompt: 'prompt' }],
    droid: ['FetchUrl', { url: 'url' }],
    opencode: ['webfetch', { url: 'url' }],
    cursor: ['WebFetch', { url: 'url' }],
    vscode: [['fetch_webpage', 'fetchWebPage'], { url: 'urls', prompt: 'query', lists: ['url'] }],
  }),
  row('websearch', {
    'claude-code': ['WebSearch', { pattern: 'query' }],
    cline: ['web_search', { pattern: 'query' }],
    'gemini-cli': ['google_web_search', { pattern: 'query' }],
    codex: ['web_search', { pattern: 'query' }],
    'copilot-cli': [['web_search', 'WebSearch'], { pattern: 'query' }],
    'qwen-code': [['web_search', 'WebSearch'], { pattern: 'query' }],
    droid: ['WebSearch', { pattern: 'query' }],
    opencode: ['websearch', { pattern: 'query' }],
    cursor: ['WebSearch', { pattern: 'search_term' }],
  }),
  row('browser', { cline: ['browser_action', { url: 'url' }], vscode: ['open_simple_browser', { url: 'url' }] }),
  row('agent', {
    'claude-code': [['Agent', 'Task'], { content: 'prompt' }],
    cline: [['new_task', 'use_subagents', 'spawn_agent'], { content: 'context' }],
    'gemini-cli': ['invoke_agent', { content: 'prompt' }],
    codex: [['spawn_agent', 'Agent'], { content: 'message' }],
    'copilot-cli': [['task', 'Task'], { content: 'prompt' }],
    'qwen-code': [['agent', 'task', 'Agent'], { content: 'prompt' }],
    droid: ['Task', { content: 'prompt' }],
    opencode: ['task', { content: 'prompt' }],
    cursor: ['Task', { content: 'prompt' }],
    vscode: ['runSubagent', { content: 'prompt' }],
  }),
]
