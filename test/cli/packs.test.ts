import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hookgateHere as hookgate } from '../support/cli.ts'
import { packFiles, packRules } from '../support/packs.ts'
import { policyText } from '../support/policies.ts'
import { claudeShell } from '../support/wire.ts'
import { folderWith } from '../support/workspace.ts'

describe('hookgate packs', () => {
  it('lists every pack with its purpose, number of rules and highest severity', async () => {
    const { stdout, exitCode } = await hookgate(['packs'])
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/^git-safety {3}\d+ rules, up to \w+, off\n {4}\w/m)
    expect(stdout.split('\n').filter((line) => line.length > 120)).toEqual([])
  })

  it('lists every preset, and shows the packs of one', async () => {
    const { stdout } = await hookgate(['packs'])
    expect(stdout).toMatch(/^recommended {3}a preset of \d packs, off$/m)
    const one = await hookgate(['packs', 'observe'])
    expect(one.stdout).toMatch(/^packs, which only observe\n {2}destructive-commands {3}off$/m)
    expect(one.stdout).toContain('{"preset":"observe"}')
    const { presets } = JSON.parse((await hookgate(['packs', 'observe', '--json'])).stdout) as { presets: object[] }
    expect(presets).toEqual([expect.objectContaining({ name: 'observe', mode: 'observe' })])
  })

  it.each([
    ['git-safety', {}, /^Turn it on with `hookgate packs git-safety --on`/m],
    [
      'git-safety',
      { preset: 'recommended' },
      /^`hookgate packs git-safety --off` turns it off; with `.* --observe` it only/m,
    ],
    [
      'git-safety',
      { preset: 'observe' },
      /--off` turns it off; with `hookgate packs git-safety --enforce` it refuses/m,
    ],
    ['recommended', { preset: 'strict' }, /^Turn it on with `hookgate packs recommended --on`/m],
    [
      'recommended',
      { preset: 'recommended' },
      /^`hookgate packs recommended --off` turns it off; with `.* --observe` it/m,
    ],
    ['recommended', { preset: 'recommended', mode: 'observe' }, /--off` turns it off; with `.* --enforce` it refuses/m],
    ['observe', { preset: 'observe' }, /--off` turns it off; `hookgate packs strict --on` refuses what it reports/m],
  ])('offers for %s, where the rules say %j, what can be changed', async (name, json, offered) => {
    const home = folderWith({ '.config/hookgate/hooks.json': { json }, 'x/y': '' })
    const given = { cwd: join(home, 'x'), env: { HOME: home, XDG_CONFIG_HOME: '', HOOKGATE_HOME: join(home, 'state') } }
    const { stdout } = await hookgate(['packs', name], given)
    expect(stdout).toMatch(offered)
    expect(stdout.match(/--on`|--off`/g)).toHaveLength(name === 'observe' ? 2 : 1)
  })

  it('names the file of a project that turns a pack on, which no flag changes', async () => {
    const cwd = folderWith({ '.hookgate/hooks.json': { json: { packs: [{ pack: 'git-safety' }] } } })
    const { stdout } = await hookgate(['packs', 'git-safety'], { cwd })
    expect(stdout).toContain(`It is on by ${join(cwd, '.hookgate/hooks.json')}: change it there.\n`)
    expect(stdout).not.toContain('--on`')
  })

  it('shows the rules of one pack by severity, its params, and how to turn it on', async () => {
    const cwd = folderWith(packFiles('own'))
    const { stdout, exitCode } = await hookgate(['packs', './own'], { cwd })
    expect(exitCode).toBe(0)
    expect(stdout).toBe(`own   off
Two rules of a test

rules
  off      critical  first
                     A policy of a test
  off      low       second
                     A policy of a test

params
  limit: number
            default: 1
            for first, second
  loud: boolean
            default: false
            for second

Turn it on with \`hookgate packs ./own --on\`, or in .hookgate/hooks.json of a project:

  {"packs":[{"pack":"./own","params":{"limit":1}}]}

\`"disable": ["first"]\` next to \`pack\` turns a rule off.
${cwd}/own/README.md says what the pack does not catch.
`)
  })

  it('shows one rule of a pack: its severity, whether it is on, its params and what they are set to', async () => {
    const cwd = folderWith({
      ...packFiles('own'),
      '.config/hookgate/hooks.json': { json: { packs: [{ pack: '../../own', params: { limit: 3 } }] } },
    })
    const here = { cwd, env: { HOME: cwd } }
    expect((await hookgate(['packs', './own/second'], here)).stdout).toBe(`./own/second   low, on (user:hooks.json)
A policy of a test

params
  limit: number
            default: 1
            set to 3 (user:hooks.json)
            for first, second
  loud: boolean
            default: false
            for second

\`hookgate packs ./own/second --off\` turns it off.
\`hookgate packs ./own\` shows the whole pack.
`)
    const first = (await hookgate(['packs', './own/first'], here)).stdout
    expect(first).not.toContain('loud')
    await hookgate(['packs', './own/first', '--off', '--yes'], here)
    expect((await hookgate(['packs', './own/first'], here)).stdout).toMatch(
      /^\.\/own\/first {3}critical, off\n[^]*\n`hookgate packs \.\/own\/first --on` turns it on\.\n/,
    )
    expect((await hookgate(['packs', 'git-safety/stash-loss'])).stdout).toContain(
      '\nIts pack is off: `hookgate packs git-safety --on` turns that on.\n',
    )
    const { packs } = JSON.parse((await hookgate(['packs', './own/first', '--json'], here)).stdout) as {
      packs: object[]
    }
    expect(packs).toMatchObject([{ name: 'own', rules: [{ id: 'first', examples: expect.any(Array) }] }])
    const wrong = await hookgate(['packs', 'git-safety/force-psuh'])
    expect(wrong.stderr).toBe('hookgate: the pack `git-safety` has no rule `force-psuh`; did you mean `force-push`?\n')
  })

  it('--json prints the same as data', async () => {
    const cwd = folderWith(packFiles('own'))
    const { stdout } = await hookgate(['packs', './own', '--json'], { cwd })
    expect(JSON.parse(stdout)).toEqual({
      packs: [
        {
          name: 'own',
          shipped: false,
          folder: `${cwd}/own`,
          description: 'Two rules of a test',
          severity: 'critical',
          inForce: [],
          rules: [
            expect.objectContaining({ id: 'first', severity: 'critical', on: 'PreToolUse', inForce: [] }),
            expect.objectContaining({ id: 'second', severity: 'low' }),
          ],
        },
      ],
    })
  })

  it('marks what is in force in the folder, by which file, and what only observes', async () => {
    const home = {
      '.config/hookgate/hooks.json': { json: { preset: 'recommended', packs: [{ pack: 'secrets', mode: 'observe' }] } },
    }
    const cwd = folderWith({
      ...packFiles('own'),
      ...home,
      '.hookgate/hooks.json': packRules({ pack: '../own', disable: ['second'] }),
    })
    const here = { cwd, env: { HOME: cwd } }
    const { stdout } = await hookgate(['packs'], here)
    expect(stdout).toMatch(/^recommended {3}.* packs, on \(user:hooks\.json\)$/m)
    expect(stdout).toMatch(/^strict {3}.* packs, off$/m)
    expect(stdout).toMatch(/^git-safety {3}.*, on \(user:hooks\.json\)$/m)
    expect(stdout).toMatch(/^secrets {3}.*, observe \(user:hooks\.json\)$/m)
    expect(stdout).toMatch(/^supply-chain {3}.*, \d+ of them on \(user:hooks\.json\)$/m)
    expect(stdout).toMatch(/^read-only-allow {3}.*, off$/m)
    expect((await hookgate(['packs', 'recommended'], here)).stdout).toMatch(
      /^ {2}secrets {3}observe \(user:hooks\.json\)$/m,
    )
    const own = (await hookgate(['packs', './own'], here)).stdout
    expect(own).toMatch(/^own {3}on \(project:hooks\.json\)$/m)
    expect(own).toMatch(/^ {2}on {7}critical {2}first$/m)
    expect(own).toMatch(/^ {2}off {6}low {7}second$/m)
    const { packs } = JSON.parse((await hookgate(['packs', 'secrets', '--json'], here)).stdout) as { packs: object[] }
    const inForce = [{ source: 'user:hooks.json', file: `${cwd}/.config/hookgate/hooks.json`, mode: 'observe' }]
    expect(packs).toMatchObject([{ inForce, rules: expect.arrayContaining([expect.objectContaining({ inForce })]) }])
  })

  it('says what is wrong, and that what it shows as off may be on, where rules do not load', async () => {
    const cwd = folderWith({ '.config/hookgate/hooks.json': '{' })
    const { stdout } = await hookgate(['packs', 'recommended'], { cwd, env: { HOME: cwd } })
    expect(stdout).toMatch(
      /^until this is fixed, every call is refused, unless the gate still has older rules; what is off below may be on: \S+hooks\.json:1:2: it is not JSON: .*\n\n/,
    )
  })

  it('suggests the pack that was meant, reports what is wrong with one, and accepts one name', async () => {
    const cwd = folderWith({
      ...packFiles('own'),
      'own/third.policy.ts': 'export default {',
      'plain/x': '',
      'half/pack.json': '{',
    })
    const error = async (...argv: string[]) => {
      const { stderr, exitCode, stdout } = await hookgate(['packs', ...argv], { cwd })
      expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
      return stderr
    }
    expect(await error('git-saftey')).toBe(
      'hookgate: hookgate has no built-in pack `git-saftey`; did you mean `git-safety`?\n',
    )
    expect(await error('own')).toBe(
      'hookgate: hookgate has no built-in pack `own`; write `./own` for the folder of that name\n',
    )
    expect(await error('./plain')).toContain('`./plain` is not a pack: it has no `pack.json`')
    expect(await error('./half')).toMatch(/^hookgate: \/.+\/half\/pack\.json:1:2: /)
    expect(await error('./own')).toMatch(/own\/third\.policy\.ts:1:/)
    expect(await error('a', 'b')).toContain('packs takes one name')
    expect(await error('enable', 'git-safety')).toContain('type `hookgate packs git-safety --on`')
    expect(await error('git-safety', 'off')).toContain('type `hookgate packs git-safety --off`')
  })

  it('shows control bytes of a pack instead of sending them to the terminal', async () => {
    const cwd = folderWith({ ...packFiles('own'), 'own/pack.json': String.raw`{"description":"x \u001b[31m y"}` })
    const { stdout } = await hookgate(['packs', './own'], { cwd })
    expect(stdout).toContain(String.raw`x \x1b[31m y`)
    expect(stdout).not.toContain('\u001b')
  })
})

describe('a pack in force', () => {
  const rules = {
    'hooks.json': packRules({ pack: './own', params: { limit: 2 }, disable: ['second'] }),
    ...packFiles('own'),
  }

  it('denies with a reason that names rule, pack and severity, which the record has too', async () => {
    const cwd = folderWith(rules)
    const argv = ['run', '--agent', 'claude-code', '--no-discover', '--rules', 'hooks.json']
    const stdin = JSON.stringify(claudeShell('ls', cwd))
    const { stderr, exitCode } = await hookgate(argv, { cwd, stdin })
    expect({ stderr, exitCode }).toEqual({ stderr: 'first 2 (explicit:hooks.json/own/first, critical)\n', exitCode: 2 })
    const { stdout } = await hookgate([...argv, '--json'], { cwd, stdin })
    expect(JSON.parse(stdout)).toMatchObject({
      determining: ['explicit:hooks.json/own/first'],
      evaluations: expect.arrayContaining([
        expect.objectContaining({ ruleId: 'explicit:hooks.json/own/first', severity: 'critical' }),
      ]),
    })
  })

  it('is checked by `hookgate check`, including its pack.json', async () => {
    const cwd = folderWith(rules)
    expect((await hookgate(['check', 'hooks.json'], { cwd })).stdout).toBe('no mistakes found in 1 policy\n')
    expect((await hookgate(['check', 'own'], { cwd })).stdout).toBe('no mistakes found in 2 policies\n')
    const wrong = folderWith({ ...rules, 'own/pack.json': '{}', 'own/third.policy.ts': policyText('3rd') })
    const { stdout, exitCode } = await hookgate(['check', 'own'], { cwd: wrong })
    expect(exitCode).toBe(1)
    expect(stdout).toContain('own/pack.json:1:1: error: `description` is missing')
    expect(stdout).toContain('own/third.policy.ts')
  })
})
