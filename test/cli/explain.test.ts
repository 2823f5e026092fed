import { describe, expect, it } from 'vitest'
import { hookgateHere as hookgate } from '../support/cli.ts'
import { policyRules, policyText } from '../support/policies.ts'
import { claudeShell } from '../support/wire.ts'
import { answers, folderWith, writeFiles } from '../support/workspace.ts'

const folder = () =>
  folderWith({
    'deny.sh': answers({ decision: 'block', reason: 'not on a Friday \u001b[31m' }),
    'hooks.json': {
      json: {
        hooks: {
          PreToolUse: [
            {
              matcher: 'Bash',
              hooks: [
                { type: 'command', command: './deny.sh' },
                { type: 'command', command: 'exit 3', onFailure: 'ask' },
              ],
            },
            { matcher: 'Write', hooks: [{ type: 'command', command: './other.sh' }] },
          ],
        },
      },
    },
  })

/** Joins the lines of a report, which are wrapped. */
const unwrapped = (text: string) => text.replaceAll(/\s+/g, ' ')

describe('hookgate explain', () => {
  it('says first that nothing is checked where no rules are in force, and how to change that', async () => {
    const home = folderWith({ 'project/x': '' })
    const cwd = `${home}/project`
    const call = { stdin: JSON.stringify(claudeShell('ls -l', cwd)), cwd, env: { HOME: home } }
    const { stdout, exitCode } = await hookgate(['explain'], call)
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/^nothing is checked: no rules are in force; run `hookgate init`\n\n/)
    const without = await hookgate(['explain', '--no-discover'], call)
    expect(without.stdout).toMatch(/^nothing is checked: no rules are in force; name a file with `--rules`\n/)
    expect(JSON.parse((await hookgate(['explain', '--json'], call)).stdout)).toMatchObject({ protection: 'none' })
  })

  it('says what the placement `caller` gives up, and for which policies', async () => {
    const root = folderWith({
      'named/mine.policy.ts': policyText('mine', ''),
      '.hookgate/policies/theirs.policy.ts': policyText('theirs', ''),
    })
    const explain = async (...placement: readonly string[]) => {
      const given = { stdin: JSON.stringify(claudeShell('ls', root)), cwd: root, env: { HOME: root } }
      return unwrapped((await hookgate(['explain', '--rules', 'named', ...placement], given)).stdout)
    }
    const placed = await explain('--placement', 'caller')
    expect(placed).toContain('1 policy on the calling thread: it waits while they are evaluated')
    expect(placed).toContain('exhausts its memory can end its process')
    expect(placed).toMatch(/in a sandbox process, since [^:]+: \S+theirs /)
    expect(await explain()).not.toContain('calling thread')
  })

  it('says as what it reads a tool that it does not know', async () => {
    const root = folder()
    const input = { tool_name: 'run_terminal_command', tool_input: { command: 'ls -l' } }
    const { stdout } = await hookgate(['explain', '--rules', 'hooks.json', '--no-discover'], {
      stdin: JSON.stringify(claudeShell('', root, input)),
      cwd: root,
    })
    expect(stdout).toMatch(/^denied: not on a Friday/)
    expect(stdout).toMatch(/event +PreToolUse run_terminal_command \(unknown tool, read as shell\): ls -l/)
  })

  it('shows the verdict and why, each rule’s answer and time, and which rules were skipped', async () => {
    const root = folder()
    const { stdout, exitCode } = await hookgate(['explain', '--rules', 'hooks.json', '--no-discover'], {
      stdin: JSON.stringify(claudeShell('ls -l', root)),
      cwd: root,
    })
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/event +PreToolUse Bash \(shell\): ls -l/)
    expect(stdout).toMatch(/^denied: not on a Friday/)
    expect(stdout).toMatch(/\n {2}deny +explicit:hooks\.json#PreToolUse\[0\]\.hooks\[0\]\n +not on a Friday/)
    expect(stdout).toMatch(
      /\n {2}failed +explicit:hooks\.json#PreToolUse\[0\]\.hooks\[1\]\n +nonzeroExit: .*\(onFailure: ask\)/,
    )
    expect(stdout).toContain(`from ${root}/hooks.json: ./deny.sh\n`)
    expect(stdout).toContain('\n  1 other rule: no objection; --all lists it\n')
    expect(stdout).toMatch(/\ntimes\n( +\d+\.\d ms +explicit:hooks\.json#PreToolUse\[0\]\.hooks\[[01]\]\n){2}$/)
  })

  it('says in words what a command does to what others depend on', async () => {
    const cwd = folder()
    const { stdout } = await hookgate(['explain', '--no-discover', 'sudo kubectl --context prod delete ns shop'], {
      cwd,
    })
    expect(stdout).toMatch(
      /\n +1 +kubectl --context prod delete ns shop.*\n +deletes namespace `shop` and everything in it, in production\n/,
    )
  })

  it('--all lists the rules without an opinion, and those about other events and calls with the reason', async () => {
    const root = folderWith({
      'hooks.json': {
        json: {
          hooks: {
            PreToolUse: [
              { hooks: [{ type: 'command', command: 'true' }] },
              { matcher: 'Write', hooks: [{ type: 'command', command: './other.sh' }] },
            ],
          },
        },
      },
    })
    const call = { stdin: JSON.stringify(claudeShell('ls', root)), cwd: root }
    const { stdout } = await hookgate(['explain', '--rules', 'hooks.json', '--no-discover', '--all'], call)
    expect(stdout).toMatch(/\n {2}no opinion +explicit:hooks\.json#PreToolUse\[0\]\.hooks\[0\]\n/)
    expect(stdout).toMatch(/\nabout other events and calls\n +explicit:hooks\.json#PreToolUse\[1\]\.hooks\[0\]: \S/)
    expect(stdout).not.toContain('--all')
  })

  it('says what the agent is told where its protocol cannot express the decision', async () => {
    const command = `echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":"sure?"}}'`
    const hooks = [{ type: 'command', command }]
    const root = folderWith({ 'hooks.json': { json: { hooks: { PreToolUse: [{ hooks }] } } } })
    const firstLine = async (agent: string) => {
      const argv = ['explain', '--rules', 'hooks.json', '--no-discover', '--agent', agent, 'ls']
      return (await hookgate(argv, { cwd: root })).stdout.split('\n')[0]
    }
    expect(await firstLine('claude-code')).toBe('a person is asked: sure?')
    expect(await firstLine('windsurf')).toBe("denied, since Windsurf can't be told to `ask`: sure?")
  })

  it.each([
    ['deny', 'claude-code', 2],
    ['ask', 'claude-code', 3],
    ['ask', 'windsurf', 2],
    ['allow', 'claude-code', 0],
    ['abstain', 'claude-code', 0],
    ['deny', 'cline', 2],
  ])('with --exit-code, %s is for %s the exit code %i', async (decision, agent, exitCode) => {
    const returned = decision === 'abstain' ? '' : `return ${decision}('so')`
    const cwd = folderWith({ 'own.policy.ts': policyText('own', 'examples: [],', returned) })
    const argv = ['explain', '--rules', 'own.policy.ts', '--no-discover', '--agent', agent, 'ls']
    expect((await hookgate([...argv, '--exit-code'], { cwd })).exitCode).toBe(exitCode)
    expect((await hookgate([...argv, '--exit-code', '--json'], { cwd })).exitCode).toBe(exitCode)
    expect((await hookgate(argv, { cwd })).exitCode).toBe(0)
  })

  it('fits a terminal of 120 columns, and no line of a reason can pass for one of the report', async () => {
    const reason = `${'a long word '.repeat(30)}\nallowed: by nobody\n${'b '.repeat(90)}`
    const root = folderWith({
      'deny.sh': answers({ decision: 'block', reason, systemMessage: reason }),
      'hooks.json': { json: { hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: './deny.sh' }] }] } } },
    })
    const argv = ['explain', '--rules', 'hooks.json', '--no-discover', `echo ${'x'.repeat(300)}`]
    const lines = (await hookgate(argv, { cwd: root })).stdout.split('\n')
    expect(lines.filter((line) => line.length > 120)).toEqual([])
    expect(lines.filter((line) => line.startsWith('allowed'))).toEqual([])
    expect(lines.filter((line) => line.trim() === 'allowed: by nobody').length).toBeGreaterThan(0)
  })

  it('shows a hook’s control bytes instead of sending them to the terminal', async () => {
    const root = folder()
    const { stdout } = await hookgate(['explain', '--rules', 'hooks.json'], {
      stdin: JSON.stringify(claudeShell('ls', root)),
      cwd: root,
    })
    expect(stdout).toContain('not on a Friday \\x1b[31m')
    expect(stdout).not.toContain('\u001b')
  })

  it('reports a hook whose only output is plain text, which no agent reads', async () => {
    const commands = ['echo not json', 'true', "printf '\\357\\273\\277{}\\n'", 'echo x >&2; exit 1']
    const hooks = commands.map((command) => ({ type: 'command', command }))
    const root = folderWith({ 'hooks.json': { json: { hooks: { PreToolUse: [{ hooks }] } } } })
    const { stdout } = await hookgate(['explain', '--rules', 'hooks.json', '--no-discover'], {
      stdin: JSON.stringify(claudeShell('ls', root)),
      cwd: root,
    })
    expect(stdout).toMatch(/ it printed plain text, which is not read at this event\n +from .*: echo not json\n/)
    expect(stdout.match(/is not read/g)).toHaveLength(1)
    expect(stdout).toMatch(/^passes: no rule objects; Claude Code’s own permissions decide\n/)
  })

  it('starts with the rules that are switched off as a whole, and the file that does so', async () => {
    const root = folder()
    writeFiles(root, { 'off/hooks.json': '{"disableAllHooks": true}' })
    const { stdout } = await hookgate(['explain', '--rules', 'hooks.json', '--rules', 'off/hooks.json'], {
      stdin: JSON.stringify(claudeShell('ls', root)),
      cwd: root,
    })
    const off = 'explicit:hooks.json is switched off by `disableAllHooks` in explicit:off/hooks.json'
    expect(stdout.split('\n').slice(0, 3)).toEqual([
      `nothing is checked: no rules are in force; ${off}`,
      '',
      `off      ${off}`,
    ])
    expect(stdout).toMatch(/\npasses: /)
  })

  it('shows how long each hook may take, and where that comes from', async () => {
    const hooks = { PreToolUse: [{ hooks: [{ type: 'command', command: './deny.sh theirs' }] }] }
    const quick = { PreToolUse: [{ hooks: [{ type: 'command', command: 'true', timeout: 5 }] }] }
    const root = folder()
    writeFiles(root, { '.claude/settings.json': { json: { hooks } }, 'quick.json': { json: { hooks: quick } } })
    const report = async (...flags: readonly string[]) => {
      const files = [
        '--no-discover',
        '--rules',
        'hooks.json',
        '--rules',
        '.claude/settings.json',
        '--rules',
        'quick.json',
      ]
      return hookgate(['explain', '--agent', 'claude-code', ...files, ...flags, 'ls'], { cwd: root })
    }
    const { stdout } = await report('--all')
    expect(stdout).toContain(
      `              from ${root}/.claude/settings.json: ./deny.sh theirs\n              timeout 600 s, Claude Code’s default\n`,
    )
    expect(stdout).toContain('./deny.sh\n              timeout 30 s, hookgate’s default\n')
    expect(stdout).toMatch(/no opinion  explicit:quick.json#PreToolUse\[0\].hooks\[0\]\n {14}timeout 5 s, its own\n/)
    expect((await report('--timeout', '7')).stdout).toContain('./deny.sh\n              timeout 7 s, of `--timeout`\n')
    const { plan } = JSON.parse((await report('--json')).stdout) as { plan: readonly object[] }
    expect(plan.filter((rule) => 'timeoutMs' in rule)).toMatchObject([
      { timeoutMs: 30_000 },
      { timeoutMs: 30_000 },
      { timeoutMs: 600_000, hostTimeoutMs: 600_000 },
      { timeoutMs: 5000, hostTimeoutMs: 600_000 },
    ])
  })

  it('--json prints event, plan, skipped rules and verdict', async () => {
    const root = folder()
    const { stdout } = await hookgate(['explain', '--json', '--rules', 'hooks.json', '--timeout', '7'], {
      stdin: JSON.stringify(claudeShell('ls', root)),
      cwd: root,
    })
    expect(JSON.parse(stdout)).toMatchObject({
      event: { name: 'PreToolUse', tool: { kind: 'shell', command: 'ls' } },
      plan: [{ ruleId: 'hookgate:self-protection' }, { onFailure: 'continue', timeoutMs: 7000 }, { onFailure: 'ask' }],
      skipped: ['explicit:hooks.json#PreToolUse[1].hooks[0]'],
      verdict: { decision: 'deny' },
    })
  })

  it('reports what is wrong with an event or a rules file, and fails', async () => {
    const root = folderWith({ 'hooks.json': '{"hooks":{"PreToolUse":[{}]}}' })
    const stdin = JSON.stringify(claudeShell('ls', root))
    expect(await hookgate(['explain', '--rules', 'hooks.json'], { cwd: root, stdin })).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(
        /hooks\.json:1:\d+: .*every call is refused, unless the gate still has older rules/,
      ),
    })
    expect(await hookgate(['explain'], { stdin: 'x' })).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('not JSON'),
    })
  })

  it('shows a policy’s file, facts, params other than the defaults, and the details of its answer', async () => {
    const root = folderWith({
      'work/.git/HEAD': '',
      'work/.hookgate/hooks.json': policyRules('./x.policy.ts', { params: { loud: false } }),
      'work/.hookgate/x.policy.ts': policyText(
        'x',
        "facts: { main: { json: 'package.json', pointer: '/main' } }, params: { loud: { type: 'boolean', default: true }, max: { type: 'number', default: 1 } },",
        'return [deny(`loud ${params.loud}`), allow()]',
      ),
    })
    const cwd = `${root}/work`
    const { stdout } = await hookgate(['explain'], { stdin: JSON.stringify(claudeShell('ls', cwd)), cwd })
    expect(stdout).toMatch('/work/.hookgate/x.policy.ts\n')
    expect(stdout).toMatch('facts: main = json package.json /main\n')
    expect(stdout).toMatch('params: loud = false\n')
    expect(stdout).toMatch('loud false')
    expect(unwrapped(stdout)).toMatch(
      /its `allow` does not count; this policy can only tighten: it came with the workspace `.*`, which is not trusted;/,
    )
    expect(stdout).toMatch('its fact `main` is not known')
  })

  it('says why an answer that does not count comes from an untrusted policy', async () => {
    const file = 'work/.hookgate/policies/x.policy.ts'
    const root = folderWith({ 'work/.git/HEAD': '', 'home/x': '', [file]: policyText('x', '', 'return allow()') })
    const call = { cwd: `${root}/work`, env: { HOME: `${root}/home` } }
    const remark = async () => {
      const { stdout } = await hookgate(['explain'], { ...call, stdin: JSON.stringify(claudeShell('ls', call.cwd)) })
      return /its `allow` does not count.*/.exec(unwrapped(stdout))?.[0]
    }
    expect(await remark()).toMatch(/which is not trusted; review it, then run `hookgate trust /)
    await hookgate(['trust'], call)
    expect(await remark()).toBeUndefined()
    writeFiles(root, { [file]: policyText('x', '', "return allow('now')") })
    expect(await remark()).toMatch(/`.hookgate\/policies\/x.policy.ts` has changed since it was trusted; review it/)
    writeFiles(root, { 'home/.config/hookgate/trust.json': '{' })
    expect(await remark()).toMatch(/nothing is trusted, because .*trust\.json.* is broken/)
  })
})
