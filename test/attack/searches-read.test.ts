import { mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { encodeCall } from '../../src/agents/neutral-call.ts'
import { agentNames, type KnownAgent } from '../../src/agents/registry.ts'
import { toolUseOf } from '../../src/agents/table/tool-use.ts'
import { toolTable } from '../../src/agents/tool-names.ts'
import type { ToolFields } from '../../src/agents/tools.ts'
import type { ToolUse } from '../../src/model/event.ts'
import type { JsonObject } from '../../src/model/json.ts'
import { createGate } from '../../src/library/index.ts'
import { callOf } from '../support/self-protection.ts'
import { writeFiles } from '../support/workspace.ts'

// An agent that has something read by a tool that searches, since the tool that reads would be refused.

const top = realpathSync(mkdtempSync(join(tmpdir(), 'hookgate-searches-')))
const home = join(top, 'home')
const project = join(home, 'work/project')
const stateFolder = join(home, '.local/state/hookgate')
writeFiles(top, {
  'home/.config/hookgate/hooks.json': { json: { preset: 'recommended' } },
  'home/.local/state/hookgate/gate.key': 'x',
  'home/.local/state/hookgate/enabled/1.json': {
    json: { version: 1, agent: 'claude-code', file: join(home, '.claude/settings.json') },
  },
  'home/.claude/settings.json': '{}',
  'home/.ssh/id_rsa': 'x',
  'home/work/project/src/notes.md': 'x',
})
symlinkSync('../../.ssh', join(project, 'keys'))
const gate = createGate({
  placement: 'caller',
  home,
  env: { HOME: home },
  managedFolder: join(top, 'managed'),
  state: stateFolder,
  keeps: false,
})
afterAll(async () => {
  await gate.close()
  rmSync(top, { recursive: true })
})
const inHome = (path: string) => path.replace(/^~(?=\/|$)/, home)

/** Returns the verdict on a call of any agent; `gated` if it is refused or asked about. */
async function decisionOn(agent: string, tool: ToolUse, cwd = project) {
  const { decision } = await gate.decide(callOf(agent, tool, project, cwd))
  return decision
}

const shells = new Map<string, Promise<string>>()
/** Returns the verdict on a shell command. */
function shellDecision(command: string): Promise<string> {
  const known = shells.get(command) ?? decisionOn('claude-code', toolUseOf('claude-code', 'Bash', { command }, 'c'))
  shells.set(command, known)
  return known
}
const isGated = (decision: string) => decision === 'deny' || decision === 'ask'

/** What the tests compare of two verdicts. hookgate's own secrets are refused to a tool where a command is asked about. */
const verdictOf = (decision: string, folder: string) => (folder.includes('.local') ? isGated(decision) : decision)

/** Every tool of every agent that has a purpose, with the keys of its input. */
const toolsOf = (kind: ToolUse['kind'], wants: keyof ToolFields) =>
  toolTable
    .filter(({ tool }) => tool === kind)
    .flatMap(({ names, fields }) =>
      Object.entries(names).flatMap(([agent, list]) =>
        list.flatMap((name): readonly (readonly [KnownAgent, string, ToolFields])[] =>
          fields[agent]?.[wants] === undefined ? [] : [[agent as KnownAgent, name, fields[agent]]],
        ),
      ),
    )

const protectedFolders = [
  '~/.ssh',
  '~/.ssh/',
  '~/work/../.ssh',
  '../../.ssh',
  'keys',
  '~/.aws',
  '~/.gnupg',
  '~/.kube',
  '~/.docker',
  '~/.azure',
  '~/.password-store',
  '~/.local/share/keyrings',
  '~/.config/op',
  '/etc/ssl/private',
  '~/.local/state/hookgate',
  '~/.local/state',
  '~/.local',
  '../../.local/state/hookgate',
]
const ordinaryFolders = [
  '.',
  'src',
  '~/work',
  '~/other/src',
  '~/Documents',
  '~/.config/nvim',
  '~/.claude',
  '~/.config/hookgate',
  '~/.cargo/registry',
  '/usr/include',
  '/tmp/build',
]

/** Returns the cases whose verdict is not as expected, each with what it is. */
async function missed<Case>(
  cases: readonly Case[],
  judge: (one: Case) => Promise<unknown>,
  expected: (one: Case) => unknown,
): Promise<readonly unknown[]> {
  const found: unknown[] = []
  for (const one of cases) {
    // oxlint-disable-next-line no-await-in-loop -- one call after the other
    const [is, wanted] = [await judge(one), await expected(one)]
    if (is !== wanted) found.push([one, is])
  }
  return found
}
const gated = () => true
const silent = () => 'abstain'

describe.each(toolsOf('search', 'path'))('what %s searches with %s is read', (agent, name, fields) => {
  const { path: key = '', pattern = 'query' } = fields
  const search = (folder: string, text = '.') =>
    decisionOn(agent, toolUseOf(agent, name, { [key]: inHome(folder), [pattern]: text }, 'c'))

  it('as by `rg` where it is protected', async () => {
    const shell = async (folder: string) => isGated(await shellDecision(`rg . ${folder}`))
    expect(await missed(protectedFolders, shell, gated)).toEqual([])
    const own = async (folder: string) => verdictOf(await search(folder), folder)
    const byCommand = async (folder: string) => verdictOf(await shellDecision(`rg . ${folder}`), folder)
    expect(await missed(protectedFolders, own, byCommand)).toEqual([])
  })

  it('as by `rg` where it is not', async () => {
    expect(await missed(ordinaryFolders, (folder) => shellDecision(`rg . ${folder}`), silent)).toEqual([])
    expect(await missed(ordinaryFolders, (folder) => search(folder), silent)).toEqual([])
  })

  it('whole, where it is a home or the machine and the pattern fits any text, or keys', async () => {
    const cases = ['~', '/', '/home'].flatMap((folder) =>
      ['', '.', '.*', '[^ ]+', 'PRIVATE KEY', 'AKIA[0-9A-Z]{16}', 'useEffect', 'TODO|FIXME'].map(
        (text) => [folder, text] as const,
      ),
    )
    const wanted = ([, text]: readonly [string, string]) => (/^[a-zT]/.test(text) ? 'abstain' : 'ask')
    expect(await missed(cases, ([folder, text]) => shellDecision(`rg '${text}' ${folder}`), wanted)).toEqual([])
    expect(await missed(cases, ([folder, text]) => search(folder, text), wanted)).toEqual([])
  })
})

it.each(agentNames)('a search as %s reports it reads the folder', async (agent) => {
  for (const folder of ['~/.ssh', '~/.local/state/hookgate', 'src']) {
    const call = { kind: 'search', path: inHome(folder), pattern: 'x' } as const
    // oxlint-disable-next-line no-await-in-loop -- one call after the other
    const wire = await encodeCall(agent, call, project, 's')
    // Codex and Windsurf have no tool that searches; VS Code's names files by a pattern only.
    if (wire === undefined || ['codex', 'windsurf', 'vscode'].includes(agent)) continue
    // oxlint-disable-next-line no-await-in-loop -- one call after the other
    const { decision } = await gate.decide(await gate.decode(wire, { agent }))
    expect([folder, decision]).toEqual([folder, folder === 'src' ? 'abstain' : 'deny'])
  }
})

const globs = [
  '.ssh/**',
  '**/.aws/*',
  '**/id_rsa',
  '.{ssh,gnupg}/**',
  '**/*.pem',
  '.kube/*',
  '**/gate.key',
  '.local/state/**',
  '.local/state/hookgate/*',
  '.local/*/hookgate/token',
]
const ordinaryGlobs = ['*.ts', '**/*.{ts,tsx}', 'src/**', '*.md', '**/README*', '.config/nvim/*.lua']

describe.each(toolsOf('search', 'glob'))('the files that %s searches with %s by a pattern', (agent, name, fields) => {
  const { path, glob: key = '', pattern = 'query' } = fields
  const search = (glob: string) => {
    const input = path === undefined ? { [key]: `${home}/${glob}` } : { [path]: home, [key]: glob }
    return decisionOn(agent, toolUseOf(agent, name, { [pattern]: 'useEffect', ...input }, 'c'))
  }

  it('are read', async () => {
    expect(await missed(globs, async (glob) => isGated(await search(glob)), gated)).toEqual([])
    expect(await missed(ordinaryGlobs, search, silent)).toEqual([])
  })
})

describe.each(toolsOf('read', 'glob'))('the files that %s reads at once with %s', (agent, name, fields) => {
  const many = (glob: string) =>
    decisionOn(agent, toolUseOf(agent, name, { [fields.glob ?? '']: ['README.md', inHome(glob)] }, 'c'))

  it('are read, and folders with all that is in them', async () => {
    const cases = [...globs.map((one) => `~/${one}`), ...protectedFolders, '../../.ssh/*']
    expect(await missed(cases, async (glob) => isGated(await many(glob)), gated)).toEqual([])
    expect(await missed([...ordinaryGlobs, ...ordinaryFolders], many, silent)).toEqual([])
  })
})

describe('a file is read', () => {
  const files = ['~/.ssh/id_rsa', '~/.aws/credentials', '~/.local/state/hookgate/gate.key']

  it.each(toolsOf('read', 'path'))('by a reading tool: %s, %s', async (agent, name, { path = '' }) => {
    const read = (file: string) => decisionOn(agent, toolUseOf(agent, name, { [path]: inHome(file) }, 'c'))
    expect(await missed(files, read, () => 'deny')).toEqual([])
    expect(await missed(['README.md', '~/.claude/settings.json'], read, silent)).toEqual([])
  })

  it.each([...toolsOf('fetch', 'url'), ...toolsOf('browser', 'url')])(
    'by its address: %s, %s',
    async (agent, name, { url: key = '', lists = [] }) => {
      const fetched = (url: string) =>
        decisionOn(agent, toolUseOf(agent, name, { [key]: lists.includes('url') ? [url] : url }, 'c'))
      const own = async (file: string) => isGated(await fetched(`file://${inHome(file)}`))
      expect(await missed(files, own, gated)).toEqual([])
      expect(await missed(['https://example.com/.ssh/id_rsa', `file://${project}/a.html`], fetched, silent)).toEqual([])
    },
  )
})

it.each(['.ssh', '.aws', '.local/share/keyrings', 'other', 'Documents'])(
  'a search without a folder is one of the working directory: %s',
  async (way) => {
    const cwd = join(home, way)
    const search = toolUseOf('claude-code', 'Grep', { pattern: 'x', output_mode: 'content' }, 'c')
    const command = toolUseOf('claude-code', 'Bash', { command: 'rg x' }, 'c')
    const own = await decisionOn('claude-code', search, cwd)
    expect(own).toBe(await decisionOn('claude-code', command, cwd))
    expect(isGated(own)).toBe(way.startsWith('.'))
  },
)

/** Tools of servers that return what they find, or do something else with it. */
const servers = [
  'fs__search_files',
  'code__grep_content',
  'repomix__pack_directory',
  'docs__read_folder',
  'rag__index_codebase',
  'ai__summarize',
  'text__concat',
  'drive__sync_folder',
  'arch__zip',
  'any__thing',
  'fs__read_text_file',
]
const inputsFor = (path: string): readonly JsonObject[] => [
  { path, pattern: 'x' },
  { folder: path },
  { root: path },
  { baseDir: path },
  { search_root: path, regex: 'x' },
  { where: [path] },
  { locations: [{ at: path }] },
  { options: { scope: { in: path } } },
  { args: ['--dir', path] },
  { args: [`--dir=${path}`] },
  { uri: `file://${path}` },
  { sources: { [path]: true } },
]

/** Takes each form of an input with another path, all with all others among the tools together. */
const formsOf = (tool: number, paths: readonly string[], inputs: (path: string) => readonly JsonObject[]) =>
  inputs('').map((form, at) => inputs(inHome(paths[(tool + at) % paths.length] ?? ''))[at] ?? form)

describe.each(servers)('the tool %s of a server', (server) => {
  const tool = servers.indexOf(server)
  const call = (input: JsonObject) => decisionOn('claude-code', { kind: 'mcp', name: `mcp__${server}`, input })

  it('reads the folder that it gets, under any key', async () => {
    const paths = ['~/.ssh', '~/.gnupg', '~/.local/state/hookgate', '~/.ssh/id_rsa', '~/.aws/*']
    const cases = formsOf(tool, paths, inputsFor)
    expect(await missed(cases, async (input) => isGated(await call(input)), gated)).toEqual([])
  })

  it('may read any other', async () => {
    const cases = ['~/work/project', '~/work/project/src', '~/other', '/api/users', '/usr/include/*'].flatMap(
      (folder) => inputsFor(inHome(folder)),
    )
    expect(await missed(cases, call, silent)).toEqual([])
  })
})

/** What writes, or may: nothing in these names says that they only look. */
const writers = [
  'fs__copy_file',
  'fs__create_symlink',
  'net__relocate',
  'web__screenshot',
  'pdf__render',
  'db__backup',
  'zip__extract',
  'git__checkout_file',
  'notes__sync',
  'any__thing',
]
const putTo = (path: string): readonly JsonObject[] => [
  { src: 'a.txt', dst: path },
  { from: 'a.txt', to: path },
  { target: path, link: 'x' },
  { link: path, target: 'a.txt' },
  { dest: path },
  { output: path, format: 'json' },
  { outputPath: path },
  { saveAs: path },
  { into: { file: path } },
  { location: path, value: 'x' },
  { newName: path },
  { options: { sink: { at: [path] } } },
  { args: ['a.txt', path] },
  { args: [`--out=${path}`] },
  { files: { [path]: 'x' } },
  { href: `file://${path}` },
]
const guardedFiles = [
  '~/.claude/settings.json',
  '~/.config/hookgate/hooks.json',
  '~/.local/state/hookgate/refusals/granted/x',
  '~/work/project/.hookgate/hooks.json',
  '~/.bashrc',
  '~/.config/autostart/x.desktop',
  '~/.ssh/authorized_keys',
]

describe.each(writers)('the tool %s of a server', (name) => {
  const tool = writers.indexOf(name)
  const call = (input: JsonObject) => decisionOn('claude-code', { kind: 'mcp', name: `mcp__${name}`, input })

  it('writes where its input says, under any key', async () => {
    const cases = formsOf(tool, guardedFiles, putTo)
    expect(await missed(cases, call, () => 'deny')).toEqual([])
  })

  it('however the path is written', async () => {
    const ways = ['~/.claude/settings.json', '$HOME/.claude/settings.json', '.claude/settings.json']
    const more = ['src/../.claude/settings.json', '../../.claude/settings.json', '.hookgate/hooks.json', '~/.zshenv']
    const cases = [...ways, ...more].map((path) => ({ dst: path }))
    expect(await missed(cases, call, () => 'deny')).toEqual([])
    const path = `${home}/.claude/settings.json`
    expect(await call({ folder: `${home}/.claude`, to: 'settings.json' })).toBe('deny')
    expect(await call({ server_name: 'x', arguments: {}, dst: path })).toBe('deny')
    expect(await call({ server_name: 'x', arguments: JSON.stringify({ dst: path }) })).toBe('deny')
  })

  it('may write anything else', async () => {
    const paths = ['src/a.ts', '~/other/a.txt', '/tmp/a.png', './out', 'feature/x', 'image/png', '/api/users']
    const cases = formsOf(tool, paths, putTo)
    expect(await missed(cases, call, silent)).toEqual([])
  })
})

describe('a tool of a server that is known to read', () => {
  const call = (name: string, input: JsonObject) =>
    decisionOn('claude-code', { kind: 'mcp', name: `mcp__${name}`, input })

  it.each<[string, JsonObject]>([
    ['fs__read_text_file', { path: '~/.claude/settings.json' }],
    ['code__search', { root: '~/.claude', pattern: 'x' }],
    ['fs__get_file_info', { at: '~/.bashrc' }],
    ['fs__list_directory', { path: '~/.config/hookgate' }],
    ['docs__search', { query: '~/.claude/settings.json' }],
    ['x__explain', { file: '~/.zshrc' }],
  ])('reads: %s %j', async (name, input) => {
    expect(await call(name, input)).toBe('abstain')
  })

  it.each<[string, JsonObject]>([
    ['web__fetch_page', { url: 'https://example.com', output: '~/.claude/settings.json' }],
    ['fs__read_range', { path: 'a.txt', saveTo: '~/.bashrc' }],
    ['db__get_rows', { table: 'a', export_path: '~/.config/hookgate/hooks.json' }],
    ['term__run_command', { command: 'ls', output_file: '~/.claude/settings.json' }],
    ['term__run_command', { command: 'hookgate down', file: '~/.local' }],
    ['term__run_command', { command: 'upload', file: '~/.ssh/id_rsa' }],
  ])('and writes where a key says so: %s %j', async (name, input) => {
    expect(await call(name, input)).toBe('deny')
  })
})

it.each<[string, JsonObject]>([
  ['Grep', { pattern: '~/.ssh', path: 'src' }],
  ['Grep', { pattern: '.claude/settings.json', path: '.', glob: '*.ts' }],
  ['Skill', { skill: 'update-config', args: '.claude/settings.json' }],
  ['TaskCreate', { subject: '~/.claude/settings.json', description: 'x' }],
])('a text of an agent’s own tool is no file that it changes: %s %j', async (name, input) => {
  expect(await decisionOn('claude-code', toolUseOf('claude-code', name, input, 'c'))).toBe('abstain')
})

it.each<[string, JsonObject]>([
  ['Grep', { pattern: 'x', directory: '~/.ssh' }],
  ['Grep', { pattern: 'x', path: '~/.gnup*' }],
  ['ReadMcpResourceTool', { server: 'x', uri: 'file:///etc/shadow' }],
  ['export_notes', { save_as: '~/.claude/settings.json' }],
])('an agent’s own tool of another version reads and writes where its input says: %s %j', async (name, input) => {
  expect(isGated(await decisionOn('claude-code', toolUseOf('claude-code', name, input, 'c')))).toBe(true)
})

it.each<[string, JsonObject]>([
  ['linear__create_issue', { title: 'Mend .claude/settings.json', body: '~/.claude/settings.json\nis broken' }],
  ['github__create_or_update_file', { owner: 'o', repo: 'r', path: 'docs/a.md', content: '~/.bashrc' }],
  ['fs__edit_file', { path: 'README.md', edits: [{ oldText: '~/.zshrc', newText: '~/.bashrc' }] }],
  ['slack__post_message', { channel: '#dev', text: '~/.claude/settings.json' }],
  ['sentry__search_issues', { naturalLanguageQuery: '~/.ssh' }],
  ['github__create_branch', { branch: '.github/x', from: 'main' }],
  ['playwright__browser_navigate', { url: 'http://localhost:3000/.well-known/x' }],
])('a text about a protected file is no path: %s %j', async (name, input) => {
  expect(await decisionOn('claude-code', { kind: 'mcp', name: `mcp__${name}`, input })).toBe('abstain')
})
