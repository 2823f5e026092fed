import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readOwnCorpus, textOf, toRow } from '../../../bench/accuracy/own.ts'
import { wireOf } from '../../../bench/accuracy/row-event.ts'
import type { KnownAgent } from '../../../src/agents/registry.ts'
import { packageFolder } from '../../../src/files/program-files.ts'
import { createGate } from '../../../src/library/index.ts'
import { hookgateHere } from '../../support/cli.ts'
import { gatePid, protectedUser, refused } from '../../support/self-protection.ts'
import { folderWith, writeFiles } from '../../support/workspace.ts'
import { claudeShell } from '../../support/wire.ts'

const abstained = { decision: 'abstain' }

describe('self-protection, without any rules, refuses a command that', () => {
  it.each([
    ['disables an agent', 'hookgate disable claude-code'],
    ['ends the gate', 'hookgate down'],
    ['trusts a project', 'hookgate trust'],
    ['takes trust back', 'hookgate trust --revoke'],
    ['enables an agent, perhaps in another way', 'hookgate enable claude-code --via command'],
    ['starts another gate', 'hookgate serve --no-discover'],
    ['starts the gate in this environment', 'XDG_CONFIG_HOME=/tmp/x hookgate up'],
    ['turns a pack off', 'hookgate packs git-safety --off'],
    ['sets a param', 'hookgate packs git-safety --param=protectedBranches=[]'],
    ['may turn one off', 'hookgate packs git-safety "$HOW"'],
    ['removes an exception', 'hookgate allow --remove 1a2b3c4d'],
    ['has a state begin anew', 'hookgate state 3f2a91bc --clear limits.failed --yes'],
    ['has one begin anew, its option in one word', 'hookgate state 3f2a91bc --clear=secrets.seen'],
    ['may have one begin anew', 'hookgate state 3f2a91bc "$HOW" limits.failed'],
    ['has one begin anew in a terminal of its own', "script -qc 'hookgate state s --clear limits.failed' /dev/null"],
    ['imports rules', 'hookgate import claude-code --yes'],
    ['opens the page', 'hookgate ui'],
    ['opens the page in a terminal of its own', "script -qc 'hookgate ui' /dev/null"],
    ['is not known', 'hookgate no-such-command'],
    ['is known by an older name', 'hookgate cline-hook --disable'],
    ['removes hookgate', 'npm uninstall -g hookgate'],
    ['installs another version', 'npm install --global hookgate@0.1.0'],
    ['writes the rules of the person', 'echo "{}" > ~/.config/hookgate/hooks.json'],
    ['trusts by hand', 'echo "{}" > ~/.config/hookgate/trust.json'],
    ['writes rules of the project', 'echo "{}" > .hookgate/hooks.json'],
    ['removes a policy of the project', 'rm .hookgate/policies/a.policy.ts'],
    ['removes the rules of the folder above', 'rm -rf ../.hookgate'],
    ['removes the state', 'rm -rf ~/.local/state/hookgate'],
    ['moves what holds the rules', 'mv ~/.config ~/.config.old'],
    ['deletes what holds the rules', 'rm -rf ~/.config'],
    ['makes the rules unreadable', 'chmod -R 000 ~/.config/hookgate'],
    ["writes the agent's settings", 'echo "{}" > ~/.claude/settings.json'],
    ["edits the agent's settings in place", 'sed -i s/hookgate// ~/.claude/settings.json'],
    ['writes its local settings in the project', 'echo "{}" > .claude/settings.local.json'],
    ['moves the folder of its settings', 'mv ~/.claude ~/.claude.old'],
    ['writes the hooks of another agent that is enabled', 'echo "{}" > ~/elsewhere/hooks.json'],
    ['writes the settings beside them', 'echo "" > ~/elsewhere/config.toml'],
    ['removes them in the project', 'git rm .codex/hooks.json'],
    ['takes their folder from another commit', 'git checkout HEAD~9 -- .codex'],
    ['copies a file over them', 'cp settings.json ~/.claude/'],
    ['copies a folder over them', 'cp -r x/.claude ~'],
    ['unpacks into their folder', 'tar xf a.tar -C ~/.claude'],
    ['writes what stands for settings of a server', 'echo "{}" > ~/.claude/remote-settings.json'],
    ['writes a mod that the next session loads', 'mkdir -p ~/.claude/dev-mods/s/x && cp m.ts ~/.claude/dev-mods/s/x/'],
    ['copies a folder to where mods are loaded', 'cp -r x ~/.claude/dev-mods/s'],
    ['links a folder to where mods are loaded', 'ln -s /tmp/x ~/.claude/dev-mods/s'],
    ['writes what says which plugins are installed', 'echo "{}" > ~/.claude/plugins/installed_plugins.json'],
    ['edits an installed plugin', 'sed -i s/a/b/ ~/.claude/plugins/cache/m/p/1.0.0/hooks/mod.ts'],
    ['clones to where plugins are', 'git clone https://example.org/x ~/.claude/plugins/cache/x'],
    ['makes a plugin of a skill', 'echo "{}" > ~/.claude/skills/a/.claude-plugin/plugin.json'],
    ['makes a plugin of a skill of the project', 'mkdir .claude/skills/a/.claude-plugin'],
    ['writes the hooks of a skill', 'tee ~/.claude/skills/a/hooks/hooks.json < x'],
    ['writes them by a pattern', 'cp x ~/.claude/skills/a/.claude-pl*/plugin.json'],
    ['starts a session with a plugin', 'claude --plugin-dir ./x -p y'],
    ['does so in one word, wrapped', "timeout 9 bash -c 'claude -p y --plugin-dir=/tmp/x'"],
    ['does so without its servers', 'claude --plugin-dir-no-mcp x'],
    ['does so from elsewhere', 'npx -y @anthropic-ai/claude-code --plugin-url https://example.org/x.zip'],
    ['does so by a variable', 'CLAUDE_CODE_PLUGIN_DIRS=/tmp/x claude -p y'],
    ['does so by an exported variable', 'export CLAUDE_CODE_PLUGIN_DIRS=/tmp/x; claude -p y'],
    ['does so by another folder of plugins', 'env CLAUDE_CODE_PLUGIN_CACHE_DIR=/tmp/x claude'],
    ['does so with a prompt like an option', 'claude --plugin-dir ./x -p -- --help'],
    ['does so with a value like an option', 'claude --plugin-dir ./x -p y --append-system-prompt -h'],
    ['does so by settings', `claude --settings '{"prependPlugins": ["x@y"]}' -p z`],
    ['installs a plugin', 'claude plugin install x@y'],
    ['turns a plugin on', 'claude plugins enable x@y --scope user'],
    ['makes a plugin that is loaded at once', 'claude plugin init x'],
    ['adds a marketplace', 'claude plugin marketplace add ./m'],
    ['ends the gate by its number', `kill ${gatePid}`],
    ['ends its process group', `kill -9 -- -${gatePid}`],
    ['ends every process', 'kill -9 -1'],
    ['ends the gate by its name', 'pkill -f hookgate'],
    ['ends every Node', 'killall node'],
    ['ends what has its socket open', 'fuser -k ~/.local/state/hookgate/gate.sock'],
  ])('%s', async (_, command) => {
    expect(await protectedUser().command(command)).toEqual(refused)
  })
})

describe('self-protection has no opinion of a command that', () => {
  it.each([
    ['does ordinary work', 'npm ci && npm test'],
    ['asks for the status', 'hookgate status --all'],
    ['explains', 'echo "{}" | hookgate explain'],
    ['checks rules', 'hookgate check draft/hooks.json'],
    ['tests a policy', 'hookgate test draft'],
    ['makes a policy', 'hookgate new policy guard'],
    ['lists what is trusted', 'hookgate trust --list'],
    ['shows what would be changed', 'hookgate disable claude-code --diff'],
    ['shows what turning a pack off would change', 'hookgate packs git-safety --off --dry-run'],
    ['shows the help of a command', 'hookgate disable --help'],
    ['only names it', 'echo hookgate down; git commit -m "hookgate disable"; grep -r hookgate .'],
    ['installs hookgate in a project', 'npm install --save-dev hookgate'],
    ['lists packages', 'npm ls -g hookgate'],
    ['reads rules', 'cat ~/.config/hookgate/hooks.json .hookgate/hooks.json'],
    ["reads the agent's settings", 'jq . ~/.claude/settings.json'],
    ['copies them elsewhere', 'cp ~/.claude/settings.json /tmp/backup.json'],
    ['commits them', 'git add .claude/settings.json && git commit -m x'],
    ['switches the branch', 'git checkout main && git checkout . && git stash'],
    ['removes what git does not know', 'git clean -fdx'],
    ['removes dependencies', 'rm -rf node_modules dist'],
    ['removes everything that is not hidden', 'rm -rf *'],
    ['removes the project', 'rm -rf ../project'],
    ['changes the rights of the project', 'chmod -R u+w .'],
    ['unpacks into the project', 'unzip a.zip'],
    ['writes other files of the agent', 'mkdir -p ~/.claude/skills/a && echo x > ~/.claude/skills/a/SKILL.md'],
    ['writes the scripts of a skill', 'mkdir -p .claude/skills/a/scripts && cp x .claude/skills/a/scripts/x.py'],
    ['copies a skill', 'cp -r skills/a ~/.claude/skills/a'],
    ['removes a skill', 'rm -rf ~/.claude/skills/a'],
    ['lists plugins', 'claude plugin list; claude plugin validate ./x; ls ~/.claude/plugins'],
    ['shows the help of the agent', 'claude --plugin-dir ./x --help; claude plugin install -h'],
    ['develops a plugin of its own', 'mkdir -p x/.claude-plugin x/hooks && echo "{}" > x/hooks/hooks.json'],
    ['starts a session', `claude -p "what does --plugin-dir do?" --settings '{"model": "x"}'`],
    ['gives the option to another program', 'tool --plugin-dir x'],
    ['writes settings of another name', 'echo "{}" > config/settings.json'],
    ['writes those of a project elsewhere', 'mkdir -p fixtures/.claude && echo "{}" > fixtures/.claude/settings.json'],
    ['writes the settings of an agent that is not enabled', 'echo "{}" > .cursor/hooks.json'],
    ['ends a process', 'kill 4711; kill %1; kill -1 4711; kill "$!"'],
    ['ends another program', 'pkill -f "node server.js"; pkill vite; killall python3'],
    ['ends what a file says', 'kill $(cat server.pid)'],
    ['is about another machine', 'ssh host hookgate down; docker exec c rm -rf /root/.claude'],
  ])('%s', async (_, command) => {
    expect(await protectedUser().command(command)).toMatchObject(abstained)
  })
})

it('self-protection has no opinion of any everyday call of the corpus', async () => {
  const home = '/home/u'
  // A checkout that lies directly in a folder of the corpus may be what one of its patterns matches: that call is refused.
  const isAmongThem = ['/tmp', home, `${home}/proj`].includes(dirname(packageFolder))
  const gate = createGate({
    placement: 'caller',
    home,
    env: { HOME: home },
    managedFolder: '/none',
    state: `${home}/.state/hookgate`,
    keeps: false,
  })
  onTestFinished(() => gate.close())
  const everyday = readOwnCorpus().filter(({ label }) => label === 'everyday')
  const refusals = await Promise.all(
    everyday.map(async (row) => {
      const { decision, reason } = await gate.decide(await gate.decode(wireOf(toRow(row)), { agent: 'claude-code' }))
      if (isAmongThem && reason.includes('the program of hookgate')) return []
      return decision === 'abstain' ? [] : [`${textOf(row)}: ${reason}`]
    }),
  )
  expect(everyday.length).toBeGreaterThan(400)
  expect(refusals.flat()).toEqual([])
})

describe('self-protection of a tool that names a file', () => {
  it.each([
    ['Write', 'home/.claude/settings.json'],
    ['Edit', 'home/work/project/.claude/settings.json'],
    ['Write', 'home/.claude/remote-settings.json'],
    ['Write', 'home/.claude/dev-mods/s/x/hooks/mod.ts'],
    ['Edit', 'home/.claude/plugins/known_marketplaces.json'],
    ['Write', 'home/.claude/skills/x/.claude-plugin/plugin.json'],
    ['mcp__files__write_file', 'home/work/project/.claude/skills/x/hooks/hooks.json'],
    ['Write', 'home/.config/hookgate/policies/a.policy.ts'],
    ['Edit', 'home/.local/state/hookgate/hooks/claude-code/PreToolUse'],
    ['mcp__files__write_file', 'home/.claude/settings.json'],
    ['mcp__files__move', 'home/.config/hookgate/hooks.json'],
  ])('%s refuses %s', async (name, path) => {
    const user = protectedUser()
    expect(await user.file(name, user.at(path))).toEqual(refused)
  })

  it.each([
    ['Read', 'home/.claude/settings.json'],
    ['Grep', 'home/.config/hookgate/hooks.json'],
    ['mcp__files__read_text_file', 'home/.claude/settings.json'],
    ['mcp__files__getFileInfo', 'home/.claude/settings.json'],
    ['Write', 'home/work/project/src/a.ts'],
    ['Write', 'home/.claude/plans/a.md'],
  ])('%s has no opinion of %s', async (name, path) => {
    const user = protectedUser()
    expect(await user.file(name, user.at(path))).toMatchObject(abstained)
  })
})

describe('self-protection', () => {
  it('says what would be changed, and which command of a line it is', async () => {
    const user = protectedUser()
    const { reason } = await user.command('cd ~/.claude; echo "{}" > settings.json; hookgate down')
    expect(reason.split('\n')).toEqual([
      'this would write `settings.json`, which decides whether an agent asks hookgate: a person can do this in a terminal',
      '`hookgate down` controls hookgate, which guards this session: a person can do this in a terminal (hookgate:self-protection)',
    ])
  })

  it('leaves Git’s work on a whole project alone, in which an agent is enabled', async () => {
    const user = protectedUser({ 'home/work/project/.claude/settings.json': '{}' })
    const record = { version: 1, agent: 'claude-code', file: join(user.project, '.claude/settings.json') }
    writeFiles(user.at('.'), { 'home/.local/state/hookgate/enabled/0.json': { json: record } })
    expect(await user.command('git clean -fdx; git checkout .; git rm -rf --cached .')).toMatchObject(abstained)
    expect(await user.command('rm -rf ../project')).toEqual(refused)
  })

  it('covers an agent that is enabled while the gate runs', async () => {
    const user = protectedUser({ 'home/.cursor/hooks.json': '{}' })
    expect(await user.command('rm ~/.cursor/hooks.json')).toMatchObject(abstained)
    const record = { version: 1, agent: 'cursor', file: user.at('home/.cursor/hooks.json') }
    writeFiles(user.at('.'), { 'home/.local/state/hookgate/enabled/3.json': { json: record } })
    await expect.poll(() => user.command('rm ~/.cursor/hooks.json')).toEqual(refused)
  })

  it('leaves alone events without a call of such a tool: they need no facts, and have no rule', async () => {
    const { gate, project } = protectedUser()
    const decided = await gate.answer({
      ...claudeShell('ls', project),
      tool_name: 'Glob',
      tool_input: { pattern: 'a' },
    })
    expect(decided.verdict).toMatchObject({ decision: 'abstain', evaluations: [] })
  })

  it('is off in a library’s gate, with which no agent is registered', async () => {
    const folder = folderWith()
    const gate = createGate({ placement: 'caller', home: folder, managedFolder: join(folder, 'none') })
    onTestFinished(() => gate.close())
    const verdict = await gate.decide(await gate.decode(claudeShell('hookgate down', folder)))
    expect(verdict).toMatchObject({ decision: 'abstain', evaluations: [] })
  })

  it('decides about every command of the command line: one that is not known here is refused', async () => {
    const { stdout } = await hookgateHere(['--help'])
    const names = [...stdout.matchAll(/^ {2}([a-z][\w-]*) {2}/gm)].map(([, name = '']) => name)
    const user = protectedUser()
    const decided = await Promise.all(
      names.map(async (name) => [name, (await user.command(`hookgate ${name}`)).decision] as const),
    )
    const looks = decided.filter(([, decision]) => decision === 'abstain').map(([name]) => name)
    expect(looks.toSorted()).toEqual(
      [
        'run',
        'explain',
        'why',
        'check',
        'status',
        'doctor',
        'log',
        'stats',
        'replay',
        'test',
        'bench',
        'packs',
        'schema',
        'state',
        'new',
        'emit',
        'completion',
      ].toSorted(),
    )
  })

  it.each(['--run-hooks', '--junit /tmp/x', '--junit=/tmp/x', '"$OPTION"'])(
    'refuses `hookgate replay %s`',
    async (option) => {
      const user = protectedUser()
      expect((await user.command(`hookgate replay --since 2h ${option}`)).decision).toBe('deny')
    },
  )
})

describe('`selfProtection` in a rules file', () => {
  const off = { json: { selfProtection: false } }
  const on = { json: { selfProtection: true } }

  it.each([
    ['the user’s', { 'home/.config/hookgate/hooks.json': off }],
    ['the managed', { 'managed/hooks.json': off }],
    [
      'the managed file, whatever the user’s says',
      { 'managed/hooks.json': off, 'home/.config/hookgate/hooks.json': on },
    ],
  ])('switches it off in %s, and the rules say so', async (_, files) => {
    const user = protectedUser(files)
    expect(await user.command('hookgate down')).toMatchObject(abstained)
    const { notes, rules } = await user.gate.rulesFor({ workspaceRoots: [] })
    expect(notes).toEqual([expect.stringMatching(/^self-protection is switched off by (user|managed):hooks\.json/)])
    expect(rules).toEqual([])
  })

  it.each([
    ['check', ['check']],
    ['status', ['status', 'claude-code']],
    ['explain', ['explain', 'ls']],
  ])('is what %s says of it', async (_, argv) => {
    const folder = folderWith({ 'home/.config/hookgate/hooks.json': off })
    const { stdout } = await hookgateHere(argv, { cwd: folder, env: { HOME: join(folder, 'home') } })
    expect(stdout).toContain('self-protection is switched off by user:hooks.json: an agent may change hookgate itself')
  })

  it('of the user does not count against the managed file', async () => {
    const user = protectedUser({ 'managed/hooks.json': on, 'home/.config/hookgate/hooks.json': off })
    expect(await user.command('hookgate down')).toEqual(refused)
  })

  it('stays where the user’s file disables all hooks and observes', async () => {
    const json = { disableAllHooks: true, mode: 'observe', hooks: {} }
    const user = protectedUser({ 'home/.config/hookgate/hooks.json': { json } })
    expect(await user.command('hookgate down')).toEqual(refused)
  })

  it('stays where the user’s file excepts a command from it', async () => {
    const exceptions = [{ rule: 'hookgate:self-protection', command: 'hookgate down', reason: 'x' }]
    const user = protectedUser({ 'home/.config/hookgate/hooks.json': { json: { exceptions } } })
    expect(await user.command('hookgate down')).toEqual(refused)
  })

  it.each([
    ['a project', ['home/work/project/.hookgate/hooks.json'], []],
    ['a named file', ['home/work/project/hooks.json'], ['hooks.json']],
    ["an agent's file", ['home/work/project/.cline/hooks.json'], []],
    ['a named file of another name', ['home/work/project/rules.json'], ['rules.json']],
  ])('is an error in %s', async (_, [file = ''], rules) => {
    const folder = folderWith({ [file]: { json: { hooks: {}, selfProtection: false } }, 'home/work/project/x': '' })
    const ended = await hookgateHere(['check', ...rules], {
      cwd: join(folder, 'home/work/project'),
      env: { HOME: join(folder, 'home') },
    })
    expect(ended.exitCode).toBe(1)
    expect(ended.stdout).toContain('error: only the user’s or the managed hooks.json may set `selfProtection`')
    expect(ended.stdout).toContain('remove it here')
  })

  it('must be true or false', async () => {
    const folder = folderWith({ 'home/.config/hookgate/hooks.json': { json: { selfProtection: 'off' } } })
    const ended = await hookgateHere(['check'], { cwd: folder, env: { HOME: join(folder, 'home') } })
    expect(ended.stdout).toContain('`selfProtection` must be')
  })
})

describe('a line with which an agent does not ask hookgate', () => {
  const asked = { decision: 'ask', by: ['hookgate:self-protection'] }
  it.each([
    ['is appended', 'echo QWEN_CODE_SAFE_MODE=1 >> .env'],
    ['is appended, exported', 'printf \'export QWEN_CODE_SIMPLE="yes"\\n\' | tee -a .env'],
    ['is in a heredoc', "cat > .env <<'E'\nPORT=3000\nQWEN_CODE_SAFE_MODE=true\nE"],
    ['is put in by an editor', "sed -i '$ a QWEN_CODE_SAFE_MODE=on' .env"],
    ['goes to the folder above', 'echo QWEN_CODE_SIMPLE=1 > ../.env'],
    ['goes to the home', 'echo QWEN_HOME=/tmp/x >> ~/.env'],
    ['is written by inline code', `python3 -c 'open(".env", "a").write("QWEN_CODE_SAFE_MODE=1")'`],
  ])('is asked about where it %s', async (_, command) => {
    const user = protectedUser({}, 'qwen-code')
    const { decision, by, reason } = await user.command(command)
    expect({ decision, by, reason }).toMatchObject(asked)
    expect(reason).toMatch(/this would set QWEN_\w+ in .*\.env`, with which Qwen Code/)
  })

  it.each([
    ['an agent’s own settings', 'echo QWEN_CODE_SAFE_MODE=1 > .qwen/.env'],
    ['those of the home', 'echo A=1 >> ~/.qwen/.env'],
  ])('is refused in %s', async (_, command) => {
    expect(await protectedUser({}, 'qwen-code').command(command)).toMatchObject({ decision: 'deny' })
  })

  it.each([
    ['is taken back', 'echo QWEN_CODE_SAFE_MODE=0 >> .env'],
    ['is another one', 'echo MY_QWEN_CODE_SAFE_MODE=1 >> .env; echo PORT=3000 >> .env'],
    ['is only searched for', 'grep QWEN_CODE_SAFE_MODE=1 .env'],
    ['is in a page about it', 'echo "QWEN_CODE_SAFE_MODE=1 switches hooks off" >> docs/qwen.md'],
  ])('is nothing to ask about where it %s', async (_, command) => {
    expect(await protectedUser({}, 'qwen-code').command(command)).toMatchObject(abstained)
  })

  it.each([
    ['echo LD_PRELOAD=./x.so >> .env.development.local', 'would set LD_PRELOAD in `.env.development.local`'],
    ['echo LD_DEBUG=help >> .env.production', 'would set LD_DEBUG in `.env.production`'],
    [`printf 'preload = ["./x.ts"]\\n' >> bunfig.toml`, '`bunfig.toml` would name code'],
    [`sed -i '1i preload = ["./x.ts"]' packages/a/bunfig.toml`, '`packages/a/bunfig.toml` would name code'],
  ])('is asked about in a file that Cline’s command line reads: %s', async (command, reason) => {
    const said = await protectedUser({}, 'cline').command(command)
    expect(said).toMatchObject(asked)
    expect(said.reason).toContain(reason)
    expect(await protectedUser({}, 'droid').command(command)).toMatchObject(abstained)
  })

  it.each([['echo telemetry = false >> bunfig.toml'], ['grep preload bunfig.toml']])(
    'is no question where nothing is named: %s',
    async (command) => {
      expect(await protectedUser({}, 'cline').command(command)).toMatchObject(abstained)
    },
  )

  it('is asked about where a tool writes it, and only where the agent is enabled', async () => {
    const content = 'PORT=3000\nQWEN_CODE_SAFE_MODE=1\n'
    const judged = async (agent: KnownAgent, input: object) => {
      const user = protectedUser({}, agent)
      const wire = { session_id: 's', cwd: user.project, hook_event_name: 'PreToolUse', ...input }
      return (await user.gate.answer(JSON.stringify(wire), { agent })).verdict?.decision
    }
    const write = (name: string) => ({ tool_name: 'write_file', tool_input: { file_path: name, content } })
    expect(await judged('qwen-code', write('.env'))).toBe('ask')
    expect(await judged('qwen-code', write('.env.example'))).toBe('abstain')
    const edit = { file_path: '.env', old_string: 'PORT=3000', new_string: content }
    expect(await judged('qwen-code', { tool_name: 'edit', tool_input: edit })).toBe('ask')
    const mcp = { tool_name: 'mcp__files__write_file', tool_input: { path: '.env', content } }
    expect(await judged('qwen-code', mcp)).toBe('ask')
    expect(await protectedUser().command('echo QWEN_CODE_SAFE_MODE=1 >> .env')).toMatchObject(abstained)
  })
})
