import { describe, expect, it } from 'vitest'
import { titleOf } from '../../src/agents/registry.ts'
import { hookgateHere as hookgate } from '../support/cli.ts'
import { policyText } from '../support/policies.ts'
import { answers, folderWith } from '../support/workspace.ts'
import { emptyHome } from '../support/own-folder.ts'

const denied = answers({ decision: 'block', reason: 'not here' })

/** A home, and a project with one hook that refuses every call. */
function places() {
  const hooks = [{ type: 'command', command: './deny.sh' }]
  const root = folderWith({
    'home/x': '',
    'work/deny.sh': denied,
    'work/hooks.json': { json: { hooks: { PreToolUse: [{ hooks }] } } },
    'work/none.json': '{"hooks":{}}',
  })
  return { home: `${root}/home`, cwd: `${root}/work` }
}

/** Runs `explain` with these words, and the rules of the folder. */
async function explained(words: readonly string[], { home, cwd } = places(), stdin = '', rules = 'hooks.json') {
  const argv = ['explain', '--rules', rules, '--no-discover', ...words]
  return hookgate(argv, { cwd, env: { HOME: home, HOOKGATE_HOME: `${home}/gate` }, stdin })
}

/** Returns the event that `explain` decides. */
async function eventOf(words: readonly string[], at = places()) {
  const { stdout } = await explained(['--json', ...words], at, '', 'none.json')
  return (JSON.parse(stdout) as { readonly event: unknown }).event
}

describe('hookgate explain "COMMAND"', () => {
  it('decides the shell command as an agent would ask about it in the current folder', async () => {
    const at = places()
    const { stdout, exitCode } = await explained(['git push --force'], at)
    expect(exitCode).toBe(0)
    expect(stdout.split('\n').slice(0, 4)).toEqual([
      'denied: not here',
      '',
      'event    PreToolUse Bash (shell): git push --force',
      'agent    Claude Code, since no agent is enabled here; `--agent NAME` takes another',
    ])
    expect(await eventOf(['git push --force'], at)).toMatchObject({
      name: 'PreToolUse',
      agent: 'claude-code',
      session: { cwd: at.cwd },
      workspaceRoots: [at.cwd],
      tool: { kind: 'shell', command: 'git push --force' },
    })
  })

  it('takes the agent that is enabled, for the person or for the project', async () => {
    const at = places()
    const env = { HOME: at.home, HOOKGATE_HOME: `${at.home}/gate` }
    const agentLine = async (...words: string[]) => (await explained([...words, 'ls'], at)).stdout.split('\n')[3]
    await hookgate(['enable', 'codex', '--scope', 'project'], { cwd: at.cwd, env })
    expect(await agentLine()).toBe('agent    Codex, the agent that is enabled here')
    await hookgate(['enable', 'cline'], { cwd: at.cwd, env })
    await hookgate(['enable', 'opencode'], { cwd: at.cwd, env })
    expect(await agentLine()).toBe(
      'agent    Cline, the first of the agents that are enabled here (Cline, Codex, OpenCode); `--agent NAME` takes another',
    )
    expect(await agentLine('--agent', 'droid')).toBe(`agent    droid, in ${at.cwd}`)
    for (const agent of ['cline', 'opencode']) {
      // oxlint-disable-next-line no-await-in-loop -- both lock the same folder
      await hookgate(['disable', agent], { cwd: at.cwd, env })
    }
    expect(await agentLine()).toBe('agent    Codex, the agent that is enabled here')
  })

  it('takes the first of all agents where the settings of none can be read', async () => {
    const { cwd } = places()
    const { stdout } = await explained(['--json', 'ls'], { home: emptyHome, cwd })
    expect(JSON.parse(stdout)).toMatchObject({
      event: { agent: 'claude-code' },
      assumed: 'since no agent is enabled here; `--agent NAME` takes another',
      verdict: { decision: 'deny' },
    })
  })

  it('shows control and bidirectional characters as text', async () => {
    const { stdout } = await explained(['echo \u001b[31m \u202egnp.exe'])
    expect(stdout).toContain(String.raw`echo \x1b[31m \u{202e}gnp.exe`)
    // oxlint-disable-next-line no-control-regex -- it looks for them
    expect(stdout).not.toMatch(/[\u001b\u202e]/)
  })
})

describe('hookgate explain --tool KIND', () => {
  const calls = [
    ['shell', ['--command', 'ls'], { command: 'ls' }],
    ['read', ['--path', 'src/a.ts'], { path: '/src/a.ts' }],
    ['write', ['--path', 'src/a.ts', '--content', 'x'], { path: '/src/a.ts', content: 'x' }],
    ['edit', ['--path', 'src/a.ts', '--content', 'x'], { path: '/src/a.ts', content: 'x' }],
    ['search', ['--pattern', 'TODO', '--path', 'src'], { path: '/src', input: { pattern: 'TODO' } }],
    ['list', ['--pattern', '*.ts'], { input: { pattern: '*.ts' } }],
    ['fetch', ['--url', 'https://a.example/'], { url: 'https://a.example/' }],
    ['websearch', ['--pattern', 'words'], { input: { query: 'words' } }],
    ['agent', ['--content', 'do it'], { content: 'do it' }],
  ] as const

  it.each(calls)('%s decides a call of such a tool', async (kind, words, { ...wanted }) => {
    const at = places()
    const path = 'path' in wanted ? { path: `${at.cwd}${wanted.path}` } : {}
    expect(await eventOf(['--tool', kind, ...words], at)).toMatchObject({ tool: { kind, ...wanted, ...path } })
  })

  it('takes `~` in a path for the home folder', async () => {
    const at = places()
    expect(await eventOf(['--tool', 'read', '--path=~/.ssh/id_rsa'], at)).toMatchObject({
      tool: { path: `${at.home}/.ssh/id_rsa` },
    })
  })

  it('refuses a tool or a field that the agent does not have', async () => {
    expect(await explained(['--agent', 'windsurf', '--tool', 'fetch', '--url', 'https://a.example/'])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('Windsurf asks about no tool of the kind `fetch`'),
    })
    expect(await explained(['--agent', 'vscode', '--tool', 'search', '--pattern', 'a', '--path', '.'])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(new RegExp(`${titleOf('vscode')}'s \`\\S+\` tool has no --path`)),
    })
  })
})

describe('hookgate explain, with words that do not fit together', () => {
  it.each([
    [['git', 'push'], "must be one word; put it in quotes: `hookgate explain 'git push'`"],
    [['git', 'push', '--force'], "put it in quotes: `hookgate explain 'git push --force'`"],
    [['--tool', 'write', 'a.ts'], '`a.ts` is taken as a shell command, and `--tool write` calls another tool'],
    [['ls', '--command', 'ls'], 'there are two shell commands'],
    [[' '], 'the shell command is empty'],
    [['--path', 'a.ts'], '--path needs `--tool KIND`'],
    [['--tool', 'read'], '`--tool read` needs --path'],
    [['--tool', 'read', '--path', 'a', '--url', 'b'], '--url does not fit `--tool read`'],
    [['ls', '--path', 'a'], '--path does not fit `--tool shell`'],
    [['--tool', 'red'], '--tool must be `shell`, `read`, '],
    [['--tool', 'mcp'], 'a call of the kind `mcp` cannot be described by flags, so give its event on stdin'],
    [[], 'there is nothing to explain: name a shell command'],
  ])('%j is refused', async (words, message) => {
    const ended = await hookgate(['explain', ...words])
    expect(ended).toMatchObject({ stdout: '', exitCode: 1, stderr: expect.stringContaining(message) })
  })

  it('refuses an event on stdin beside a described call', async () => {
    expect(await explained(['ls'], places(), '{}')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('it takes either a call as words or an event on stdin, and got both'),
    })
  })
})

it('lists the rules that decide before all others', async () => {
  const { home, cwd } = places()
  const rules = folderWith({
    'hooks.json': '{"hooks":{}}',
    'policies/a.policy.ts': policyText('a', 'examples: [],', "return ask('a?')"),
    'policies/b.policy.ts': policyText('b', 'examples: [],', "return deny('b!')"),
  })
  const argv = ['explain', '--rules', rules, '--no-discover', 'ls']
  const { stdout } = await hookgate(argv, { cwd, env: { HOME: home } })
  expect(stdout).toMatch(/^denied: b!\n[^]*\n {2}deny [^]*\n {2}ask /)
})
