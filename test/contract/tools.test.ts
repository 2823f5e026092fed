import { describe, expect, it } from 'vitest'
import { dialects } from '../support/dialects.ts'
import { claudeShell, clineTool } from '../support/wire.ts'

const surroundings = { nowMs: 0, env: {}, cwd: '/' }
const root = '/home/someone/project'

const diff = '------- SEARCH\nold\n=======\nnew\n+++++++ REPLACE'

/** The same call, encoded for a hook of each agent. */
const calls = [
  {
    cline: ['execute_command', { command: 'npm test', requires_approval: 'false' }],
    claude: ['Bash', { command: 'npm test' }],
  },
  { cline: ['read_file', { path: 'a.ts' }], claude: ['Read', { file_path: `${root}/a.ts` }] },
  {
    cline: ['write_to_file', { path: 'a.ts', content: 'x' }],
    claude: ['Write', { file_path: `${root}/a.ts`, content: 'x' }],
  },
  {
    cline: ['replace_in_file', { path: 'a.ts', diff }],
    claude: ['Edit', { file_path: `${root}/a.ts`, old_string: 'old', new_string: 'new', replace_all: false }],
  },
  {
    cline: ['search_files', { path: 'src', regex: 'x+', file_pattern: '*.ts' }],
    claude: ['Grep', { pattern: 'x+', path: `${root}/src`, glob: '*.ts' }],
  },
  {
    cline: ['list_files', { path: 'src', recursive: 'true' }],
    claude: ['Glob', { pattern: '**/*', path: `${root}/src` }],
  },
  {
    cline: ['web_fetch', { url: 'https://example.com/', prompt: 'what is it?' }],
    claude: ['WebFetch', { url: 'https://example.com/', prompt: 'what is it?' }],
  },
  {
    cline: ['use_mcp_tool', { server_name: 'notes', tool_name: 'write', arguments: '{"text":"x"}' }],
    claude: ['mcp__notes__write', { text: 'x' }],
  },
] as const

describe.each(calls)('$cline.0 is $claude.0', ({ cline, claude }) => {
  it('to a Claude Code hook behind Cline', () => {
    const event = dialects.cline.decodeEvent(clineTool(cline[0], cline[1], root), surroundings)
    expect(dialects['claude-code'].encodeEvent(event)).toMatchObject([{ tool_name: claude[0], tool_input: claude[1] }])
  })

  it('to a Cline hook behind Claude Code', () => {
    const wire = claudeShell('', root, { tool_name: claude[0], tool_input: claude[1] })
    const event = dialects['claude-code'].decodeEvent(wire, surroundings)
    expect(dialects.cline.encodeEvent(event)).toMatchObject([
      { hookName: 'PreToolUse', preToolUse: { toolName: cline[0], parameters: cline[1] } },
    ])
  })
})

describe('a Claude Code hook behind Cline', () => {
  it('gets every base field that a Claude Code hook reads', () => {
    const event = dialects.cline.decodeEvent(clineTool('execute_command', { command: 'ls' }, root), surroundings)
    expect(dialects['claude-code'].encodeEvent(event)).toMatchObject([
      {
        session_id: 'task-1',
        transcript_path: '',
        cwd: root,
        hook_event_name: 'PreToolUse',
        permission_mode: 'default',
      },
    ])
  })
})
