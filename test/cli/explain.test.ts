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

describe('hookgate explain', () => {
  it('shows the verdict and why, each rule’s answer and time, and which rules were skipped', async () => {
    const root = folder()
    const { stdout, exitCode } = await hookgate(['explain', '--rules', 'hooks.json', '--no-discover'], {
      stdin: JSON.stringify(claudeShell('ls -l', root)),
      cwd: root,
    })
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/event +PreToolUse Bash \(shell\): ls -l/)
    expect(stdout).toMatch(/verdict +deny, by explicit:hooks\.json#PreToolUse\[0\]\.hooks\[0\]/)
    expect(stdout).toMatch(/deny +\d+\.\d ms +explicit:hooks\.json#PreToolUse\[0\]\.hooks\[0\]/)
    expect(stdout).toMatch(/nonzeroExit +\d+\.\d ms +explicit:hooks\.json#PreToolUse\[0\]\.hooks\[1\]/)
    expect(stdout).toContain('(onFailure: ask)')
    expect(stdout).toMatch(/skipped\n +explicit:hooks\.json#PreToolUse\[1\]\.hooks\[0\]: /)
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
    expect(stdout).toMatch(/ echo not json\n +it printed plain text, which is not read at this event\n/)
    expect(stdout.match(/is not read/g)).toHaveLength(1)
    expect(stdout).toMatch('verdict  abstain')
  })

  it('starts with the rules that are switched off as a whole, and the file that does so', async () => {
    const root = folder()
    writeFiles(root, { 'off/hooks.json': '{"disableAllHooks": true}' })
    const { stdout } = await hookgate(['explain', '--rules', 'hooks.json', '--rules', 'off/hooks.json'], {
      stdin: JSON.stringify(claudeShell('ls', root)),
      cwd: root,
    })
    const off = 'explicit:hooks.json is switched off by `disableAllHooks` in explicit:off/hooks.json'
    expect(stdout.split('\n')[0]).toBe(`off      ${off}`)
    expect(stdout.split(off)).toHaveLength(2)
    expect(stdout).toMatch(/verdict +abstain/)
  })

  it('--json prints event, plan, skipped rules and verdict', async () => {
    const root = folder()
    const { stdout } = await hookgate(['explain', '--json', '--rules', 'hooks.json', '--timeout', '7'], {
      stdin: JSON.stringify(claudeShell('ls', root)),
      cwd: root,
    })
    expect(JSON.parse(stdout)).toMatchObject({
      event: { name: 'PreToolUse', tool: { kind: 'shell', command: 'ls' } },
      plan: [{ onFailure: 'continue', timeoutMs: 7000 }, { onFailure: 'ask' }],
      skipped: ['explicit:hooks.json#PreToolUse[1].hooks[0]'],
      verdict: { decision: 'deny' },
    })
  })

  it('reports what is wrong with an event or a rules file, and fails', async () => {
    const root = folderWith({ 'hooks.json': '{"hooks":{"PreToolUse":[{}]}}' })
    const stdin = JSON.stringify(claudeShell('ls', root))
    expect(await hookgate(['explain', '--rules', 'hooks.json'], { cwd: root, stdin })).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(/hooks\.json:1:\d+: /),
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
    expect(stdout).toMatch(
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
      return /its `allow` does not count.*/.exec(stdout)?.[0]
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
