import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createGate } from '../../src/library/index.ts'
import type { JsonObject } from '../../src/model/json.ts'
import { claudeShell } from '../support/wire.ts'

const home = '/home/u'
const root = `${home}/proj`
const folder = mkdtempSync(join(tmpdir(), 'hookgate-mcp-'))
writeFileSync(join(folder, 'hooks.json'), JSON.stringify({ preset: 'recommended' }))
const gate = createGate({
  placement: 'caller',
  rules: [join(folder, 'hooks.json')],
  discover: false,
  home,
  env: { HOME: home },
})
afterAll(async () => {
  await gate.close()
  rmSync(folder, { recursive: true })
})

/** Asks a gate with the preset `recommended` in place of an agent. */
async function decisionOn(name: string, input: JsonObject): Promise<string> {
  const wire = claudeShell('', root, { tool_name: name, tool_input: input })
  return (await gate.decide(await gate.decode(wire, { agent: 'claude-code' }))).decision
}

describe('an MCP tool is no way around the policies on the tools that it replaces', () => {
  it.each<[string, string, JsonObject]>([
    ['a command', 'mcp__term__execute', { command: 'rm -rf ~/Documents' }],
    ['one in capitals', 'mcp__term__execute', { CommandLine: 'rm -rf ~/Documents', Cwd: root }],
    ['one as words', 'mcp__term__spawn', { program: 'rm', args: ['-rf', '/home/u/Documents'] }],
    ['one beside a folder', 'mcp__dev__do', { command: 'rm -rf ~/Documents', directory: root }],
    ['a script for a shell', 'mcp__os__bash', { script: 'rm -rf ~/Documents' }],
    ['one beside what looks like a wrapper', 'mcp__term__execute', { command: 'rm -rf ~/Documents', server_name: 'x' }],
    [
      'one beside another',
      'mcp__term__execute',
      { cmd: 'rm', args: ['-rf', home], tool_name: 'x', tool_input: { cmd: 'ls' } },
    ],
    ['one in a wrapper', 'mcp__term__execute', { server_name: 'x', arguments: '{"command":"rm -rf ~/Documents"}' }],
    ['a private key that is read', 'mcp__fs__read_file', { path: '/home/u/.ssh/id_rsa' }],
    ['one that something is done with', 'mcp__fs__inspect', { target_file: '/home/u/.ssh/id_rsa' }],
    ['one that is uploaded', 'mcp__playwright__browser_file_upload', { paths: ['/home/u/.ssh/id_rsa'] }],
    ['one by its address', 'mcp__markitdown__convert_to_markdown', { uri: 'file:///home/u/.ssh/id_rsa' }],
    ['a start-up file that is written', 'mcp__fs__write_file', { path: '~/.bashrc', content: 'x' }],
    ['one that gets content, whatever the tool', 'mcp__fs__thing', { path: '~/.bashrc', content: 'x' }],
    ['one that is edited', 'mcp__fs__edit_file', { path: '~/.bashrc', edits: [{ oldText: 'a', newText: 'b' }] }],
    ['the metadata service', 'mcp__web__navigate', { url: 'http://169.254.169.254/latest/meta-data/' }],
  ])('%s', async (_what, name, input) => {
    expect(await decisionOn(name, input)).toBe('deny')
  })

  it('also where a harmless call of the same tool came first', async () => {
    expect(await decisionOn('mcp__any__call', { topic: 'a' })).not.toBe('deny')
    expect(await decisionOn('mcp__any__call', { command: 'rm -rf ~/Documents' })).toBe('deny')
  })
})

/** Everyday calls as the servers themselves describe their tools. */
const everyday: readonly (readonly [name: string, input: JsonObject])[] = [
  ['filesystem__read_text_file', { path: `${root}/README.md`, head: 20 }],
  ['filesystem__read_multiple_files', { paths: ['src/a.ts', 'src/b.ts'] }],
  ['filesystem__write_file', { path: `${root}/src/a.ts`, content: 'export {}' }],
  ['filesystem__edit_file', { path: 'src/a.ts', edits: [{ oldText: 'a', newText: 'b' }], dryRun: true }],
  ['filesystem__create_directory', { path: 'src/new' }],
  ['filesystem__directory_tree', { path: root }],
  ['filesystem__move_file', { source: 'src/a.ts', destination: 'src/b.ts' }],
  ['filesystem__search_files', { path: root, pattern: '*.ts', excludePatterns: ['node_modules'] }],
  ['filesystem__get_file_info', { path: '/etc/hosts' }],
  ['filesystem__list_allowed_directories', {}],
  ['github__search', { query: 'rm -rf / language:shell' }],
  ['github__search_code', { q: 'filename:.env DROP TABLE', per_page: 10 }],
  ['github__get_file_contents', { owner: 'o', repo: 'r', path: 'src/a.ts', branch: 'main' }],
  ['github__create_or_update_file', { owner: 'o', repo: 'r', path: 'docs/a.md', content: '# A', message: 'Docs' }],
  [
    'github__push_files',
    { owner: 'o', repo: 'r', branch: 'b', files: [{ path: 'a.md', content: '# A' }], message: 'A' },
  ],
  ['github__create_issue', { owner: 'o', repo: 'r', title: 'rm -rf / fails', body: 'Run `rm -rf /` and see' }],
  ['github__add_issue_comment', { owner: 'o', repo: 'r', issue_number: 1, body: 'curl https://x.sh | sh' }],
  ['github__create_pull_request_review', { body: 'ok', comments: [{ path: '.env.example', body: 'why?' }] }],
  ['playwright__browser_navigate', { url: 'http://localhost:3000/login' }],
  ['playwright__browser_click', { element: 'Delete button', ref: 'e12' }],
  ['playwright__browser_type', { element: 'Shell', ref: 'e2', text: 'rm -rf /', submit: true }],
  ['playwright__browser_press_key', { key: 'Enter' }],
  ['playwright__browser_evaluate', { function: '() => document.title' }],
  ['playwright__browser_run_code', { code: 'async (page) => page.title()' }],
  ['playwright__browser_take_screenshot', { filename: 'page.png', fullPage: true }],
  ['playwright__browser_fill_form', { fields: [{ name: 'command', type: 'textbox', ref: 'e1', value: 'rm -rf /' }] }],
  ['puppeteer__puppeteer_navigate', { url: 'https://example.com/' }],
  ['puppeteer__puppeteer_evaluate', { script: 'document.querySelectorAll("rm").length' }],
  ['puppeteer__puppeteer_fill', { selector: '#terminal', value: 'rm -rf /' }],
  ['puppeteer__puppeteer_screenshot', { name: 'home', selector: 'body', width: 800 }],
  ['postgres__query', { sql: 'SELECT command, path FROM jobs' }],
  ['slack__slack_post_message', { channel_id: 'C1', text: 'never run rm -rf / on prod' }],
  ['slack__slack_reply_to_thread', { channel_id: 'C1', thread_ts: '1.2', text: 'cat ~/.ssh/id_rsa' }],
  ['slack__slack_get_channel_history', { channel_id: 'C1', limit: 10 }],
  ['memory__create_entities', { entities: [{ name: 'rm', entityType: 'command', observations: ['rm -rf / is bad'] }] }],
  ['memory__search_nodes', { query: 'rm -rf' }],
  ['memory__delete_entities', { entityNames: ['rm -rf /'] }],
  ['fetch__fetch', { url: 'https://example.com/a', max_length: 5000 }],
  ['git__git_diff_unstaged', { repo_path: root }],
  ['git__git_commit', { repo_path: root, message: 'rm -rf / is refused' }],
  ['git__git_add', { repo_path: root, files: ['src/a.ts'] }],
  ['sequential-thinking__sequentialthinking', { thought: 'rm -rf / would be bad', thoughtNumber: 1 }],
  ['context7__get-library-docs', { context7CompatibleLibraryID: '/vercel/next.js', topic: 'routing' }],
  ['serena__find_symbol', { name_path: 'A/b', relative_path: 'src/a.ts' }],
  ['serena__replace_symbol_body', { name_path: 'A/b', relative_path: 'src/a.ts', body: 'return 1' }],
  ['serena__search_for_pattern', { substring_pattern: 'rm -rf', relative_path: 'src' }],
  ['serena__execute_shell_command', { command: 'npm test', cwd: root }],
  ['desktop-commander__start_process', { command: 'npm run build', timeout_ms: 1000 }],
  ['desktop-commander__edit_block', { file_path: 'a.ts', old_string: 'a', new_string: 'b' }],
  ['jupyter__execute_code', { code: 'print("rm is a command")' }],
  ['translate__translate', { source: 'en', destination: 'de', text: 'delete everything' }],
  ['docs__convert', { input_file: 'a.md', output_file: 'a.pdf' }],
  ['analysis__analyze', { path: '/etc/hosts' }],
  ['http__request', { method: 'GET', url: 'https://api.example.com/', path: '/etc/items' }],
  ['linear__create_comment', { issueId: '1', body: 'git push --force broke it' }],
  ['time__convert_time', { source_timezone: 'UTC', time: '12:00', target_timezone: 'Asia/Tokyo' }],
]

describe('an MCP tool that does everyday work', () => {
  it.each(everyday)('is neither refused nor asked about: %s %j', async (name, input) => {
    expect(await decisionOn(`mcp__${name}`, input)).toBe('abstain')
  })

  it.each(everyday)('nor where no agent says that it is one: %s %j', async (name, input) => {
    expect(await decisionOn(name.replace(/^[^_]*(?:_[^_]+)*?__/, ''), input)).toBe('abstain')
  })
})
