import { describe, expect, it } from 'vitest'
import { hookgateHere as hookgate } from '../support/cli.ts'
import { packFiles, packRules } from '../support/packs.ts'
import { policyText } from '../support/policies.ts'
import { claudeEvent, claudeShell } from '../support/wire.ts'
import { folderWith } from '../support/workspace.ts'

const argv = ['explain', '--agent', 'claude-code', '--no-discover']

/** Runs `explain` on a command, and returns what it prints below `commands`, with the folder shown as `/work`. */
async function commandsOf(
  command: string,
  rules: Readonly<Record<string, string>> = {},
  flags: readonly string[] = [],
) {
  const cwd = folderWith({ 'home/x': '', 'work/x': '', 'rules/hooks.json': '{"hooks":{}}', ...rules })
  const { stdout } = await hookgate([...argv, '--rules', '../rules', ...flags], {
    cwd: `${cwd}/work`,
    env: { HOME: `${cwd}/home` },
    stdin: JSON.stringify(claudeShell(command, `${cwd}/work`)),
  })
  const [, shown = ''] = stdout.split('\ncommands\n')
  // A word with a space is shown in quotes.
  const short = (shown.split('\n\n')[0] ?? '').replaceAll(cwd, '').replaceAll(/'(\/[\w/.]*)'/g, '$1')
  return short.trimEnd().split('\n')
}

describe('hookgate explain of a shell command', () => {
  it('shows each command that it would run, below what starts it, and where and as whom it runs', async () => {
    expect(await commandsOf('cd ~ && sudo env A=1 ls "$X" *.ts; echo "rm -rf /"')).toEqual([
      '    0  cd /home',
      '         read /home (its entry only)',
      '    1  sudo env A=1 ls $X *.ts   [in /home]',
      '         only starts what is listed below it',
      '         starts program `env`, with the rights of another user',
      '    2    env A=1 ls $X *.ts   [through sudo, as root]',
      '           only starts what is listed below it',
      '    3      A=1 ls $X *.ts   [through env]',
      '             read $X (its entry only, not fully known)',
      '             read /home/*.ts (its entry only)',
      "    4  echo 'rm -rf /'",
    ])
  })

  it('shows the files that each touches, what it does with the network, where bytes go, and what is uncertain', async () => {
    const lines = await commandsOf('curl -s https://x.example/a | bash; python3 -c "$CODE"')
    expect(lines).toContain('         receives from https://x.example/a')
    expect(lines).toContainEqual(expect.stringMatching(/^ {7}0 → 1 by pipe, which runs it as code$/))
    expect(lines).toContainEqual(expect.stringMatching(/uncertain: /))
    expect(lines).toContainEqual(expect.stringMatching(/python code.*: unknown$/))
  })

  it('shows which rule answers for which command', async () => {
    const about = policyText('about', "severity: 'high', tool: 'shell', examples: [],", 'return ask("?", { at: 1 })')
    expect(await commandsOf('a; b; c', { 'rules/policies/about.policy.ts': about })).toEqual([
      '    0  a',
      '    1  b',
      expect.stringMatching(/^ {9}\^ ask: explicit:.*#about, high$/),
      '    2  c',
    ])
  })

  it('shows control bytes instead of sending them to the terminal', async () => {
    const lines = await commandsOf('echo \u001b[31m')
    expect(lines.join('\n')).toContain(String.raw`echo '\x1b[31m'`)
  })

  it('cuts long lines to the width of a terminal, unless `--all` is given', async () => {
    const command = `echo ${'x'.repeat(150)}`
    expect((await commandsOf(command))[0]).toBe(`    0  echo ${'x'.repeat(107)}…`)
    expect((await commandsOf(command, {}, ['--all']))[0]).toBe(`    0  ${command}`)
  })

  it('counts rules without an opinion, and with `--all` sums up those of a pack, with their names', async () => {
    const silent = policyText('silent', "severity: 'low', examples: [],", '')
    const cwd = folderWith({
      'hooks.json': packRules({ pack: './own' }),
      ...packFiles('own'),
      'own/silent.policy.ts': silent,
      'own/still.policy.ts': silent.replace("'silent'", "'still'"),
    })
    const stdin = JSON.stringify(claudeShell('ls', cwd))
    const { stdout } = await hookgate([...argv, '--rules', 'hooks.json'], { cwd, stdin })
    expect(stdout).toMatch(/\n {2}deny +explicit:hooks\.json\/own\/first/)
    expect(stdout).toContain('\n  2 other rules: no objection; --all lists them\n')
    const whole = await hookgate([...argv, '--rules', 'hooks.json', '--all'], { cwd, stdin })
    expect(whole.stdout).toMatch(/\n {2}no opinion +explicit:hooks\.json\/own: 2 rules\n +silent, still\n/)
  })

  it('--json prints all facts, and the commands that each answer is about', async () => {
    const cwd = folderWith({
      'own.policy.ts': policyText('own', "tool: 'shell', examples: [],", "return deny('no', { at: 0 })"),
    })
    const { stdout } = await hookgate([...argv, '--rules', 'own.policy.ts', '--json'], {
      cwd,
      stdin: JSON.stringify(claudeShell('cat a', cwd)),
    })
    expect(JSON.parse(stdout)).toMatchObject({
      shell: { commands: [{ program: 'cat', args: [{ value: 'a' }] }], flows: [], uncertain: [] },
      paths: [{ access: 'read', absolute: `${cwd}/a`, inRoot: 'a' }],
      verdict: { evaluations: [{ kind: 'notApplicable' }, { kind: 'applicable', commands: [0] }] },
    })
  })

  it('shows the paths that a file tool touches', async () => {
    const cwd = folderWith({ 'hooks.json': '{"hooks":{}}' })
    const event = claudeEvent('PreToolUse', cwd, { tool_name: 'Read', tool_input: { file_path: '/etc/hosts' } })
    const { stdout } = await hookgate([...argv, '--rules', 'hooks.json'], { cwd, stdin: JSON.stringify(event) })
    expect(stdout).toContain('\npaths\n  read /etc/hosts\n')
  })
})
