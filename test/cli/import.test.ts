import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseJsonObject } from '../../src/model/json.ts'
import { hookgateHere } from '../support/cli.ts'
import { folderWith } from '../support/workspace.ts'

const ownFile = '.config/hookgate/hooks.json'

/** A person with settings of agents, in a home folder and a project. */
function person(files: Parameters<typeof folderWith>[0], variables: Readonly<Record<string, string>> = {}) {
  const folder = folderWith({ 'home/x': '', 'project/x': '', ...files })
  const home = join(folder, 'home')
  const cwd = join(folder, 'project')
  const env = { HOME: home, XDG_CONFIG_HOME: '', ...variables }
  return {
    cwd,
    run: (...argv: string[]) => hookgateHere(['import', ...argv], { env, cwd }),
    /** Runs it at a terminal, where the person answers. */
    runAsked: (answer: string, ...argv: string[]) => {
      const questions: string[] = []
      const ask = (question: string) => Promise.resolve((questions.push(question), answer))
      return { questions, ended: hookgateHere(['import', ...argv], { env, cwd, ask }) }
    },
    check: (...argv: string[]) => hookgateHere(['check', ...argv], { env, cwd }),
    text: (name: string) => (existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : undefined),
    rules: (name = `home/${ownFile}`) => parseJsonObject(readFileSync(join(folder, name), 'utf8')),
  }
}

const claude = {
  model: 'opus',
  permissions: {
    defaultMode: 'acceptEdits',
    allow: ['Bash(npm run test:*)', 'Skill(commit)', 'Task(Explore)', 'mcp__github__get_*'],
    deny: ['Read(./.env)', 'Bash(curl *)'],
    ask: ['Bash(git push *)'],
  },
  hooks: {
    PreToolUse: [
      {
        matcher: 'Bash',
        hooks: [
          { type: 'command', command: '~/.claude/hooks/guard.sh', timeout: 5 },
          { type: 'prompt', prompt: 'is it safe?' },
          { type: 'command', command: 'hookgate run --agent claude-code' },
        ],
      },
    ],
  },
}

describe('`import claude-code`', () => {
  it('takes a hook whose matcher names tools in a part, and leaves one that names none, with the reason', async () => {
    const group = (matcher: string) => ({ matcher, hooks: [{ type: 'command', command: 'true' }] })
    const matchers = ['Read|View', 'Write|mcp:notes:*', 'git commit', 'tool == "Bash" && x', '*.py', 'BASH']
    const { run, rules } = person({
      'home/.claude/settings.json': { json: { hooks: { PreToolUse: matchers.map(group) } } },
    })
    const { stdout } = await run('claude-code', '--yes')
    expect(rules()).toEqual({ hooks: { PreToolUse: [group('Read|View'), group('Write|mcp:notes:*')] } })
    for (const matcher of matchers.slice(2)) expect(stdout).toContain(`its matcher \`${matcher}\` matches no tool: `)
  })

  it('writes its permission rules and hooks, and says what it left out and why', async () => {
    const { run, check, rules, text } = person({ 'home/.claude/settings.json': { json: claude } })
    const before = text('home/.claude/settings.json')
    const { stdout, exitCode } = await run('claude-code', '--yes')
    expect(exitCode).toBe(0)
    expect(rules()).toEqual({
      permissions: {
        deny: ['Read(./.env)', 'Bash(curl *)'],
        ask: ['Bash(git push *)'],
        allow: ['Bash(npm run test:*)'],
      },
      hooks: {
        PreToolUse: [
          { matcher: 'Bash', hooks: [{ type: 'command', command: '~/.claude/hooks/guard.sh', timeout: 5 }] },
        ],
      },
    })
    for (const left of [
      'permissions.defaultMode',
      'allow Skill(commit)',
      'allow Task(Explore)',
      '`mcp__github__get_*`',
    ])
      expect(stdout).toContain(left)
    expect(stdout).toContain('not `prompt` hooks')
    expect(stdout).toMatch(/^\+ +"Bash\(curl \*\)"$/m)
    expect(text('home/.claude/settings.json')).toBe(before)
    expect((await check()).stdout).not.toContain('error')
  })

  it('changes nothing when it is run again, or with --dry-run', async () => {
    const { run, text } = person({ 'home/.claude/settings.json': { json: claude } })
    expect((await run('claude-code', '--dry-run')).stdout).toContain('nothing was changed')
    expect(text(`home/${ownFile}`)).toBeUndefined()
    await run('claude-code', '--yes')
    const first = text(`home/${ownFile}`)
    expect((await run('claude-code', '--yes')).stdout).toContain('has all of it already')
    expect(text(`home/${ownFile}`)).toBe(first)
  })

  it('without a terminal needs --yes', async () => {
    const { run, text } = person({ 'home/.claude/settings.json': { json: claude } })
    const { stderr, stdout, exitCode } = await run('claude-code')
    expect([exitCode, stderr]).toEqual([
      1,
      'hookgate: nothing was changed: there is no terminal to ask at; `hookgate import claude-code --yes` does it\n',
    ])
    expect(stdout).toContain('+++')
    expect(text(`home/${ownFile}`)).toBeUndefined()
  })

  it('on a terminal shows the change, and writes it only after a yes', async () => {
    const { runAsked, text } = person({ 'home/.claude/settings.json': { json: claude } })
    const declined = runAsked('', 'claude-code')
    expect((await declined.ended).stdout).toBe('nothing was changed\n')
    expect(declined.questions).toEqual([expect.stringMatching(/^--- [^]*not translated:[^]*write this\? \[y\/N\] $/)])
    expect(text(`home/${ownFile}`)).toBeUndefined()
    expect((await runAsked('y', 'claude-code').ended).stdout).toMatch(/^wrote /)
    expect(text(`home/${ownFile}`)).toContain('curl')
    const again = runAsked('y', 'claude-code')
    expect((await again.ended).stdout).toMatch(/^not translated:[^]*has all of it already/)
    expect(again.questions).toEqual([])
  })

  it('keeps what the file has, and its layout', async () => {
    const own = `{\n\t"packs": [\n\t\t{ "pack": "git-safety" }\n\t],\n\t"permissions": { "deny": ["Bash(curl *)", "WebFetch"] }\n}\n`
    const { run, text } = person({ 'home/.claude/settings.json': { json: claude }, [`home/${ownFile}`]: own })
    await run('claude-code', '--yes')
    const made = text(`home/${ownFile}`) ?? ''
    expect(
      made.startsWith(
        '{\n\t"packs": [\n\t\t{ "pack": "git-safety" }\n\t],\n\t"permissions": { "deny": ["Bash(curl *)", "WebFetch",',
      ),
    ).toBe(true)
    expect(parseJsonObject(made)?.['permissions']).toMatchObject({ deny: ['Bash(curl *)', 'WebFetch', 'Read(./.env)'] })
  })

  it('of a project reads its settings, the local ones too, and writes the project’s file', async () => {
    const { run, rules, text } = person({
      'project/.claude/settings.json': { json: { permissions: { deny: ['Bash(rm *)'] } } },
      'project/.claude/settings.local.json': { json: { permissions: { allow: ['Bash(ls *)'] } } },
    })
    await run('claude-code', '--scope', 'project', '--yes')
    expect(rules('project/.hookgate/hooks.json')).toEqual({
      permissions: { deny: ['Bash(rm *)'], allow: ['Bash(ls *)'] },
    })
    expect(text(`home/${ownFile}`)).toBeUndefined()
  })

  it('refuses settings that do not parse, with their place', async () => {
    const { run, text } = person({ 'home/.claude/settings.json': '{"permissions": {"deny": [}' })
    const { stderr, exitCode } = await run('claude-code', '--yes')
    expect(exitCode).toBe(1)
    expect(stderr).toMatch(/settings\.json:1:\d+/)
    expect(text(`home/${ownFile}`)).toBeUndefined()
  })

  it('of a project reads nothing through a link out of it', async () => {
    const { run, text, cwd } = person({ 'home/token': 'hunter2', 'project/.claude/x': '' })
    symlinkSync('../../home/token', join(cwd, '.claude/settings.json'))
    const { stdout, stderr, exitCode } = await run('claude-code', '--scope', 'project', '--dry-run')
    expect(exitCode).toBe(1)
    expect(stderr).toMatch(/a symbolic link leads outside the project/)
    expect(stdout + stderr).not.toMatch(/hunter2/)
    expect(text('project/.hookgate/hooks.json')).toBeUndefined()
  })

  it('reports what has a wrong form, and takes the rest', async () => {
    const permissions = { deny: 'Bash', ask: [3, 'Bash(x'], allow: ['Read'] }
    const { run, rules } = person({ 'home/.claude/settings.json': { json: { permissions, hooks: [] } } })
    const { stdout } = await run('claude-code', '--yes')
    expect(rules()).toEqual({ permissions: { allow: ['Read'] } })
    for (const left of ['it is not a list', 'it is not a text', 'is not a permission rule', 'it is not an object'])
      expect(stdout).toContain(left)
  })

  it('refuses to change a hooks.json that does not parse, or has another form', async () => {
    const settings = { 'home/.claude/settings.json': { json: claude } }
    const broken = person({ ...settings, [`home/${ownFile}`]: '{' })
    expect((await broken.run('claude-code', '--yes')).exitCode).toBe(1)
    expect(broken.text(`home/${ownFile}`)).toBe('{')
    const odd = person({ ...settings, [`home/${ownFile}`]: '{"permissions": []}' })
    expect((await odd.run('claude-code', '--yes')).stderr).toContain('`permissions` is not an object')
  })

  it('says when there is nothing', async () => {
    expect((await person({}).run('claude-code', '--yes')).stdout).toBe('there is nothing to import\n')
  })

  it('prints all of it as JSON', async () => {
    const { run } = person({ 'home/.claude/settings.json': { json: claude } })
    const found = parseJsonObject((await run('claude-code', '--json', '--dry-run')).stdout)
    expect(found).toMatchObject({ written: false, permissions: { length: 4 }, hooks: [{ event: 'PreToolUse' }] })
  })
})

describe('`import gemini-cli`', () => {
  it('translates its tool lists, policies and hooks', async () => {
    const { run, rules, check } = person({
      'home/.gemini/settings.json': {
        json: {
          tools: {
            core: ['ReadFileTool'],
            allowed: ['run_shell_command(git status)', 'read_file'],
            exclude: ['ShellTool(rm -rf)', 'web_fetch', 'NoSuchTool'],
          },
          hooks: {
            BeforeTool: [
              { matcher: 'write_file', hooks: [{ type: 'command', name: 'g', command: 'x.sh', timeout: 5000 }] },
            ],
            BeforeModel: [{ hooks: [{ type: 'command', command: 'y.sh' }] }],
          },
        },
      },
      'home/.gemini/policies/own.toml': [
        '[[rule]]\ntoolName = "run_shell_command"\ncommandPrefix = ["git push", "npm publish"]\ndecision = "ask_user"\npriority = 100',
        '[[rule]]\nmcpName = "github"\ndecision = "deny"\npriority = 200',
        '[[rule]]\ntoolName = "run_shell_command"\ncommandRegex = "rm .*"\ndecision = "deny"\npriority = 100',
        '[[rule]]\ntoolName = "*"\ndecision = "allow"\npriority = 1',
      ].join('\n\n'),
    })
    const { stdout } = await run('gemini-cli', '--yes')
    expect(rules()).toEqual({
      permissions: {
        deny: ['shell(rm -rf *)', 'web_fetch', 'mcp__github'],
        ask: ['shell(git push *)', 'shell(npm publish *)'],
        allow: ['shell(git status *)', 'read_file'],
      },
      hooks: {
        PreToolUse: [
          {
            matcher: '(?:write_file)',
            hooks: [{ type: 'command', command: 'x.sh', timeout: 5, dialect: 'gemini-cli' }],
          },
        ],
      },
    })
    for (const left of ['tools.core', 'NoSuchTool', 'commandRegex', '`priority`', 'a hook at BeforeModel'])
      expect(stdout).toContain(left)
    expect((await check()).stdout).not.toContain('error')
  })

  it('refuses a policy that does not parse', async () => {
    const { run } = person({ 'home/.gemini/policies/own.toml': '[[rule' })
    expect((await run('gemini-cli', '--yes')).stderr).toContain('it is not TOML')
  })
})

describe('`import codex`', () => {
  it('translates its rules about commands, and its hooks', async () => {
    const { run, rules } = person({
      'home/.codex/config.toml': 'approval_policy = "on-request"\nsandbox_mode = "workspace-write"\n',
      'home/.codex/rules/default.rules': [
        '# a comment with prefix_rule(',
        'prefix_rule(pattern=["git", ["push", "fetch"]], decision="prompt", justification="a \\"reason\\"")',
        'prefix_rule(\n    pattern = ["rm", "-rf"],\n    decision = "forbidden",  # never\n    match = ["rm -rf x", ["rm", "-rf"]],\n)',
        'prefix_rule(pattern=["ls"])',
        'prefix_rule(pattern=["git", "a b"], decision="allow")',
        'prefix_rule(pattern=WORDS)',
        'host_executable(name = "git", paths = ["/usr/bin/git"])',
      ].join('\n'),
      'home/.codex/hooks.json': {
        json: { hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'x.sh' }] }] } },
      },
    })
    const { stdout } = await run('codex', '--yes')
    expect(rules()).toEqual({
      permissions: {
        deny: ['shell(rm -rf *)'],
        ask: ['shell(git push *)', 'shell(git fetch *)'],
        allow: ['shell(ls *)'],
      },
      hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'x.sh', dialect: 'codex' }] }] },
    })
    for (const left of ['approval_policy', 'sandbox_mode', '"a b"', 'WORDS', 'host_executable'])
      expect(stdout).toContain(left)
  })
})

describe('`import cline`', () => {
  it('translates its variable for commands', async () => {
    const permissions = JSON.stringify({ allow: ['npm *', 'git *'], deny: ['rm -rf *'], allowRedirects: true })
    const { run, rules } = person({}, { CLINE_COMMAND_PERMISSIONS: permissions })
    const { stdout } = await run('cline', '--yes')
    expect(rules()).toEqual({ permissions: { deny: ['shell(rm -rf *)'], allow: ['shell(npm *)', 'shell(git *)'] } })
    expect(stdout).toContain('allowRedirects')
    expect((await person({}, { CLINE_COMMAND_PERMISSIONS: '{' }).run('cline', '--yes')).stdout).toContain('JSON object')
  })

  it('of a project translates .clineignore', async () => {
    const { run, rules } = person({ 'project/.clineignore': '# secrets\n.env\n/keys/**\n!keys/public\n' })
    const { stdout } = await run('cline', '--scope', 'project', '--yes')
    expect(rules('project/.hookgate/hooks.json')).toEqual({
      permissions: { deny: ['Read(.env)', 'Edit(.env)', 'Read(/keys/**)', 'Edit(/keys/**)'] },
    })
    expect(stdout).toContain('!keys/public')
  })
})

it('an agent without rules of its own is refused, with those that have some', async () => {
  const { stderr } = await person({}).run('windsurf', '--yes')
  expect(stderr).toContain('rules can be imported from `claude-code`')
})
