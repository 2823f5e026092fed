import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hookgateHere as hookgate } from '../support/cli.ts'
import { agentUser } from '../support/enabling.ts'
import { policyRules, policyText } from '../support/policies.ts'
import { folderWith, rulesWith, writeFiles } from '../support/workspace.ts'
import { missing } from '../support/own-folder.ts'

const lines = (text: string) => text.trim().split('\n')

describe('hookgate check', () => {
  it('finds nothing wrong with good rules, and exits with 0', async () => {
    const root = folderWith({ 'hooks.json': rulesWith('PreToolUse', 'true', { matcher: 'Bash' }) })
    expect(await hookgate(['check', 'hooks.json'], { cwd: root })).toEqual({
      stdout: 'no mistakes found in 1 hook\n',
      stderr: '',
      exitCode: 0,
    })
  })

  it('names the hooks of a project that nobody has trusted, which is no mistake, as `status` does', async () => {
    const root = folderWith({
      '.hookgate/hooks.json': rulesWith('PreToolUse', 'true', { onFailure: 'block' }),
      'home/x': '',
    })
    const env = { HOME: join(root, 'home'), HOOKGATE_HOME: join(root, 'own') }
    const named = /project:.*hooks\.json\S* is not run: .*hookgate trust/
    const [before, status] = [
      await hookgate(['check'], { cwd: root, env }),
      await hookgate(['status'], { cwd: root, env }),
    ]
    expect(before.exitCode).toBe(0)
    expect(before.stdout).toMatch(/^no mistakes found in 1 hook\n/)
    expect(before.stdout).toMatch(named)
    expect(status.stdout).toMatch(named)
    await hookgate(['trust'], { cwd: root, env })
    expect((await hookgate(['check'], { cwd: root, env })).stdout).toBe('no mistakes found in 1 hook\n')
    expect((await hookgate(['status'], { cwd: root, env })).stdout).not.toContain('is not run:')
  })

  it('has nobody trust a draft in a workspace that is trusted: no trust is for a draft', async () => {
    const root = folderWith({ '.hookgate/policies/a.policy.ts': policyText('a'), 'home/x': '' })
    const env = { HOME: join(root, 'home'), HOOKGATE_HOME: join(root, 'own') }
    await hookgate(['trust'], { cwd: root, env })
    writeFiles(root, { '.hookgate/policies/b.draft.policy.ts': policyText('b') })
    expect((await hookgate(['check'], { cwd: root, env })).stdout).not.toContain('hookgate trust')
    writeFiles(root, { '.hookgate/policies/b.policy.ts': policyText('b') })
    expect((await hookgate(['check'], { cwd: root, env })).stdout).toMatch(
      /b\.policy\.ts.* is new since .*hookgate trust/,
    )
  })

  // Enabled in a file of settings, a plugin, a table of hooks, and a folder of hooks.
  it.each([
    ['copilot-cli', 'Copilot CLI'],
    ['openclaw', 'OpenClaw'],
    ['kimi-code', 'Kimi Code'],
    ['cline', 'Cline'],
  ])('names a limit that an enabled agent says nothing about, however it is enabled: %s', async (agent, title) => {
    const user = agentUser({ 'home/.config/hookgate/hooks.json': { json: { limits: { tokens: { session: 5 } } } } })
    const unsaid = `${title}: the session files do not say what was spent`
    expect((await user.cli(['check'])).stdout).not.toContain(unsaid)
    await user.cli(['enable', agent])
    expect((await user.cli(['check'])).stdout).toContain(unsaid)
    await user.cli(['disable', agent])
    expect((await user.cli(['check'])).stdout).not.toContain(unsaid)
  })

  it('accepts `--rules` as `hookgate run` does, alongside paths', async () => {
    const root = folderWith({
      'a.json': rulesWith('PreToolUse', 'true', { matcher: 'Bash', onFailure: 'block' }),
      'b.json': rulesWith('PreToolUse', 'true', { matcher: 'Read', onFailure: 'block' }),
    })
    const { stdout } = await hookgate(['check', '--rules', 'a.json', 'b.json'], { cwd: root })
    expect(stdout).toBe('no mistakes found in 2 hooks\n')
  })

  it('reports every mistake of a file with its place and a remedy, and exits with 1', async () => {
    const root = folderWith({
      'hooks.json': `{
  "hooks": {
    "PreToolUze": [],
    "PreToolUse": [
      { "matcher": "BASH", "hooks": [{ "type": "command", "command": "true", "timeOut": 5 }] },
      { "matcher": "[", "hooks": [{ "type": "http", "url": "http://localhost" }] }
    ]
  }
}`,
    })
    const { stdout, exitCode } = await hookgate(['check', join(root, 'hooks.json')])
    expect(exitCode).toBe(1)
    expect(lines(stdout)).toEqual([
      expect.stringMatching(/hooks\.json:3:5: error: .*`PreToolUze`.*; did you mean `PreToolUse`\?/),
      expect.stringMatching(/hooks\.json:5:20: warning: .*`BASH`; write `Bash`/),
      expect.stringMatching(/hooks\.json:5:78: error: .*`timeOut`.*did you mean `timeout`\?/),
      expect.stringMatching(/hooks\.json:6:20: warning: the matcher `\[` is not a regular expression/),
      expect.stringMatching(/hooks\.json:6:\d+: error: hookgate runs `command` and `policy` hooks, not `http` hooks; /),
    ])
  })

  it('reports a command that guards on a variable that no agent sets', async () => {
    const command = `case "$CLAUDE_TOOL_INPUT" in *rm*) exit 2;; esac`
    const root = folderWith({
      'hooks.json': { json: { hooks: { PreToolUse: [{ hooks: [{ type: 'command', command }] }] } } },
    })
    const { stdout, exitCode } = await hookgate(['check', join(root, 'hooks.json')])
    expect(stdout).toMatch(
      /warning: no agent sets `CLAUDE_TOOL_INPUT`, so it is always empty; read the call from the JSON/,
    )
    expect(exitCode).toBe(1)
  })

  it('reports rules that can never take effect, and why', async () => {
    const of = (matcher: string, hook: object) => ({ matcher, hooks: [{ type: 'command', command: 'true', ...hook }] })
    const problems = async (...groups: readonly object[]) => {
      const root = folderWith({ 'hooks.json': { json: { hooks: { PreToolUse: groups } } } })
      const { stdout } = await hookgate(['check', 'hooks.json'], { cwd: root })
      return lines(stdout).map((line) => line.replace(/^.*?hooks\.json:\d+:\d+: /, ''))
    }
    expect(
      await problems(
        of('Bash', { if: 'Edit(src/**)' }),
        of('mcp__.*', { if: 'Bash(git *)' }),
        of('Bash', { command: 'nosuchprog x' }),
        of('Bash', { command: 'A=1 nosuchother x | cat' }),
        of('Bash', { command: 'nosuchprog', args: ['x'] }),
        of('Bash', { async: true, onFailure: 'block' }),
      ),
    ).toEqual([
      'warning: its condition `Edit(src/**)` is never met: the hook never gets `Edit`; name the same tool in the matcher and in `if`',
      'warning: its condition `Bash(git *)` is never met: the hook never gets `Bash`; name the same tool in the matcher and in `if`',
      'warning: there is no program `nosuchprog` on the PATH; install it, or give its full path',
      'warning: there is no program `nosuchother` on the PATH; install it, or give its full path',
      'warning: there is no program `nosuchprog` on the PATH; install it, or give its full path',
      'warning: it can never block: an `async` hook is not waited for; remove `async`, or `onFailure`',
    ])
    expect(
      await problems(
        of('Bash', { if: 'execute_command(git *)' }),
        of('mcp__.*', { if: 'mcp__github__*' }),
        of('', { if: 'Edit(src/**)' }),
        of('Bash', { command: 'exit 3' }),
        of('Bash', { command: '$GUARD x' }),
        of('Bash', { command: 'if test -f x; then nosuchprog; fi' }),
        of('Bash', { command: 'guard() { exit 2; }; guard' }),
        of('Bash', { command: 'PATH=/opt/guards:$PATH nosuchprog' }),
        of('Bash', { async: true }),
        of('Bash', { async: true, asyncRewake: false, onFailure: 'continue' }),
      ),
    ).toEqual(['no mistakes found in 10 hooks'])
  })

  it('reports scripts that cannot be started, do not exist, or block with the wrong exit code', async () => {
    const root = folderWith({
      'hooks.json': {
        json: {
          hooks: {
            PreToolUse: [
              {
                hooks: [
                  { type: 'command', command: '"$CLAUDE_PROJECT_DIR"/guard.sh' },
                  { type: 'command', command: '$CLAUDE_PROJECT_DIR/missing.sh' },
                  { type: 'command', command: "bash '${CLAUDE_PROJECT_DIR}/guard.sh'" },
                ],
              },
            ],
          },
        },
      },
      'guard.sh': { script: '#!/bin/sh\necho no >&2\nexit 1\n' },
    })
    chmodSync(join(root, 'guard.sh'), 0o644)
    const { stdout, exitCode } = await hookgate(['check', 'hooks.json'], { cwd: root })
    expect(exitCode).toBe(1)
    for (const problem of [
      /guard\.sh:3:1: warning: exit code 1 does not block/,
      /guard\.sh` has no execute bit.*chmod \+x/,
      /missing\.sh` does not exist/,
      /without quotes breaks/,
      /is not expanded in single quotes/,
    ]) {
      expect(stdout).toMatch(problem)
    }
  })

  it('warns where files are guarded against Edit and Write but not against the shell', async () => {
    const guard = { matcher: 'Edit|Write', hooks: [{ type: 'command', command: 'true' }] }
    const shell = { matcher: 'Bash', hooks: [{ type: 'command', command: 'true' }] }
    const open = folderWith({ 'hooks.json': { json: { hooks: { PreToolUse: [guard] } } } })
    expect((await hookgate(['check', 'hooks.json'], { cwd: open })).stdout).toContain('not against the shell')
    const shut = folderWith({ 'hooks.json': { json: { hooks: { PreToolUse: [guard, shell] } } } })
    expect((await hookgate(['check', 'hooks.json'], { cwd: shut })).exitCode).toBe(0)
  })

  it('without a path checks what applies in the folder: its Cline hooks too', async () => {
    const root = folderWith({
      '.clinerules/hooks/PreToolUse': { script: `#!/bin/sh\necho '{"shouldContinue":false}'\n` },
    })
    const { stdout, exitCode } = await hookgate(['check'], { cwd: root })
    expect(exitCode).toBe(1)
    expect(stdout).toMatch(/PreToolUse:2:\d+: warning: .*`shouldContinue`/)
  })

  it('warns of a guard in an agent’s own file that fails open when it is late, with its timeout', async () => {
    const of = (hook: object) => ({ matcher: 'Bash', hooks: [{ type: 'command', command: 'true', ...hook }] })
    const groups = [{}, { timeout: 5 }, { onFailure: 'block' }, { async: true }].map(of)
    const hooks = { PreToolUse: groups, PostToolUse: [of({})] }
    const root = folderWith({
      '.claude/settings.json': { json: { hooks } },
      'hooks/hooks.json': { json: { hooks } },
      'hooks.json': { json: { hooks } },
    })
    const found = async (path: string) =>
      lines((await hookgate(['check', path], { cwd: root })).stdout).map((line) => line.replace(`${root}/`, ''))
    const open = 'warning: it fails open: if this hook is late, its call goes ahead'
    const remedy = 'if it is a guard, add `"onFailure": "block"`'
    for (const file of ['.claude/settings.json', 'hooks/hooks.json']) {
      // oxlint-disable-next-line no-await-in-loop -- on a small machine, one process at a time
      expect(await found(file)).toEqual([
        `${file}:7:11: ${open} (timeout 600 s, Claude Code’s default); ${remedy}`,
        `${file}:16:11: ${open} (timeout 5 s, its own); ${remedy}`,
      ])
    }
    expect(await found('hooks.json')).toEqual(['no mistakes found in 5 hooks'])
  })

  it('accepts a single script', async () => {
    const root = folderWith({ 'hook.sh': `echo '{"permissionDecision":"deny"}'\n` })
    const { stdout } = await hookgate(['check', 'hook.sh'], { cwd: root })
    expect(stdout).toMatch(/hook\.sh:1:\d+: warning: `permissionDecision` at the top level/)
  })

  it('reports a path that does not exist', async () => {
    const { stdout, exitCode } = await hookgate(['check', missing])
    expect([exitCode, stdout]).toEqual([1, expect.stringContaining(`${missing}: error: `)])
  })

  it('--json prints the same as data', async () => {
    const root = folderWith({ 'hooks.json': '{"hooks": []}' })
    const { stdout } = await hookgate(['check', '--json', 'hooks.json'], { cwd: root })
    expect(JSON.parse(stdout)).toMatchObject([
      { severity: 'error', place: { file: join(root, 'hooks.json'), line: 1, column: 11 } },
    ])
  })

  it('reports what is wrong with policies, and demands examples', async () => {
    const root = folderWith({
      'hooks.json': policyRules('./ok.policy.ts', { params: { laud: true } }),
      'ok.policy.ts': policyText('ok', "params: { loud: { type: 'boolean', default: true } },"),
      'policies/bare.policy.ts': policyText('bare', '/* examples: */'),
      'policies/wrong.policy.ts': policyText('wrong', "examples: [{ name: 'x', given: {}, want: 'allow' }],"),
    })
    const { stdout, exitCode } = await hookgate(['check', '.'], { cwd: root })
    expect(exitCode).toBe(1)
    expect(lines(stdout.replaceAll(`${root}/`, ''))).toEqual([
      'hooks.json:10:15: error: unknown key `laud`; did you mean `loud`?',
      expect.stringMatching(/^policies\/bare\.policy\.ts:2:16: warning: the policy has no examples/),
      expect.stringMatching(/^policies\/wrong\.policy\.ts:7:14: error: its example `x` wants `allow`, but got `deny`/),
    ])
  })

  it.each(['x.policy.ts', 'x.ts', 'x.mjs'])('accepts a single policy: %s', async (name) => {
    const root = folderWith({ [name]: policyText('x') })
    const { stdout } = await hookgate(['check', name], { cwd: root })
    expect(stdout).toBe('no mistakes found in 1 policy\n')
  })

  it('counts what it has checked, and reports when there was nothing to check', async () => {
    const root = folderWith({
      'rules/hooks.json': rulesWith('PreToolUse', 'true', { matcher: 'Bash' }),
      'rules/policies/x.policy.ts': policyText('x'),
      'rules/policies/y.policy.ts': policyText('y'),
      'script.sh': { script: '#!/bin/sh\n' },
      'limits.json': { json: { limits: { failed: { times: 3 }, repeated: false, tokens: { day: 9 } } } },
    })
    const output = async (...argv: string[]) => (await hookgate(['check', ...argv], { cwd: root })).stdout
    expect(await output('rules')).toBe('no mistakes found in 1 hook and 2 policies\n')
    expect(await output('rules', 'script.sh')).toBe('no mistakes found in 2 hooks and 2 policies\n')
    expect(await output('script.sh')).toBe('no mistakes found in 1 hook\n')
    expect(await output('limits.json')).toBe('no mistakes found in 2 limits\n')
    expect(await output()).toBe(
      'there is nothing to check: no hooks, no policies, no permissions, no limits and no exceptions; `hookgate init` turns rules on\n',
    )
  })
})
