import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseJsonObject } from '../../src/model/json.ts'
import { overHttp } from '../support/ask-hook.ts'
import { hookgateHere } from '../support/cli.ts'
import { personWith, pushRules, userFile } from '../support/refused.ts'
import { residentUser } from '../support/resident.ts'
import { claudeShell } from '../support/wire.ts'
import { rulesWith } from '../support/workspace.ts'
import { refusalRulesMax } from '../../src/gate/lift.ts'

const push = 'git push --force origin main'

describe('the reason of a refusal', () => {
  it('ends with how a person lifts it, and says that it has to be a person', async () => {
    const { call } = personWith()
    const { reason, id } = await call(push)
    expect(id).toMatch(/^[a-hjkmnp-z2-9]{6}$/)
    expect(reason.split('\n').at(-1)).toBe(
      `To let this through, a person must run \`hookgate allow ${id}\` in a terminal.`,
    )
  })

  it('of a question says how it is not asked again', async () => {
    const { call } = personWith()
    const { decision, reason, id } = await call('npm publish .')
    expect(decision).toBe('ask')
    expect(reason.split('\n').at(-1)).toBe(
      `To let this through without a question, a person can run \`hookgate allow ${id}\` in a terminal.`,
    )
  })

  it('of a question that the agent cannot ask says both', async () => {
    const { env, cwd } = personWith()
    const stdin = JSON.stringify(claudeShell('npm publish .', cwd, { turn_id: 't', model: 'm' }))
    const { stderr } = await hookgateHere(['run', '--agent', 'codex'], { stdin, env, cwd })
    expect(stderr.split('\n').slice(1)).toEqual([
      'Codex cannot ask the person, so this question is a refusal.',
      expect.stringMatching(/^To let this through, a person must run `hookgate allow \w{6}` in a terminal\.$/),
      '',
    ])
  })
})

describe('`allow` of what protects hookgate', () => {
  it('says that the rule is built in, and names no file of the installation', async () => {
    const { call, allow } = personWith()
    await call('hookgate allow abcdef')
    const { stdout } = await allow((await allow()).stdout.slice(0, 6), '--dry-run')
    expect(stdout).toMatch(/^by +hookgate:self-protection, which is built in$/m)
    expect(stdout).not.toContain('.cjs')
  })
})

describe('`allow` of a call without a command, path or URL', () => {
  it('names its server, its tool and its first telling argument', async () => {
    const permissions = { deny: ['mcp__hub__merge'] }
    const { env, cwd, allow } = personWith({ [userFile]: { json: { permissions } } })
    const called = { tool_name: 'mcp__hub__merge', tool_input: { number: 3 } }
    const stdin = JSON.stringify({ ...claudeShell('', cwd), ...called })
    await hookgateHere(['run', '--agent', 'claude-code'], { stdin, env, cwd })
    const { stdout } = await allow()
    expect(stdout).toMatch(/^\w{6} {2}\S+ \S+ {2}refused {2}hub merge: `number 3` {2}permissions\.deny$/m)
    expect((await allow(stdout.slice(0, 6), '--dry-run')).stdout).toMatch(/^refused +hub merge: number 3$/m)
    const unknown = await hookgateHere(['why', 'zzzzzz'], { env, cwd })
    expect(unknown.stderr).toMatch(/refused {2}hub merge: `number 3` {2}permissions\.deny/)
  })
})

describe('`allow ID --dry-run`', () => {
  it('shows what was refused, by which rule, and the narrowest exception; without a terminal, and without a change', async () => {
    const { call, allow, cwd, home, textOf } = personWith()
    const before = textOf(userFile)
    const { id } = await call(push)
    const { stdout, exitCode } = await allow(id, '--dry-run')
    expect(exitCode).toBe(0)
    expect(stdout.replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d/g, 'TIME').replaceAll(home, '~')).toBe(
      `refused    Bash: git push --force origin main
           Claude Code, session s, in ~/project, TIME
by         permissions.deny, of ~/.config/hookgate/hooks.json
           \`git push --force origin main\` is refused by the permission rule \`Bash(git push *)\`
exception  rule     user:hooks.json#permissions.deny
           command  git push --force origin main
           project  ~/project
`,
    )
    const always = await allow(id, '--always', '--reason', 'a test repository', '--dry-run')
    expect(always.stdout).toMatch(/^\+ +"command": "git push --force origin main",$[^]*"reason": "a test repository"/m)
    expect(always.stdout).toMatch(/nothing was changed\n$/)
    expect((await allow(id, '--once', '--dry-run')).stdout).toMatch(
      /\nallowed once: .*\nIt ends sooner if .*\n.*\nnothing was changed\n$/,
    )
    expect(textOf(userFile)).toBe(before)
    expect((await call(push)).decision).toBe('deny')
    expect(existsSync(join(cwd, '.hookgate'))).toBe(false)
  })
})

describe('`allow ID` at a terminal', () => {
  it('--once lets the same call of the same session through, one time', async () => {
    const { call, allowAsked } = personWith()
    const { id } = await call(push)
    const { stdout, questions } = await allowAsked([], id, '--once')
    expect(stdout).toMatch(/^refused {4}Bash: git push --force origin main$[^]*^allowed once: /m)
    expect(questions).toEqual([])
    expect((await call('git push --force origin dev')).decision).toBe('deny')
    expect((await call(push, { session: 'other' })).decision).toBe('deny')
    expect((await call(push)).decision).toBe('abstain')
    expect((await call(push)).decision).toBe('deny')
  })

  it('--once lifts every rule that refuses or asks', async () => {
    const rules = { json: { permissions: { deny: ['Bash(git push *)'], ask: ['Bash(git *)'] } } }
    const { call, allowAsked } = personWith({ [userFile]: rules })
    const { id } = await call(push)
    await allowAsked([], id, '--once')
    expect((await call(push)).decision).toBe('abstain')
  })

  it('--session lets the exception through in that session, however often, and nothing else', async () => {
    const { call, allowAsked, textOf } = personWith()
    const before = textOf(userFile)
    const { id } = await call(push)
    expect((await allowAsked([], id, '--session')).stdout).toMatch(/^allowed in session s, until /m)
    expect((await call(push)).decision).toBe('abstain')
    expect((await call(`cd . && ${push}`)).decision).toBe('abstain')
    expect((await call('git push --force origin dev')).decision).toBe('deny')
    expect((await call(push, { session: 'other' })).decision).toBe('deny')
    expect(textOf(userFile)).toBe(before)
  })

  it('--session lets all of a line through, of which the rule named the first command only', async () => {
    const { call, allowAsked } = personWith({ [userFile]: { json: { packs: [{ pack: 'git-safety' }] } } })
    const line = 'git push --force a; git push --force b'
    const { id, reason } = await call(line)
    expect(reason).toMatch(/^`git push --force a` overwrites /)
    const { stdout } = await allowAsked([], id, '--session')
    expect(stdout.match(/^ +command .*$/gm)?.map((one) => one.trim())).toEqual([
      'command  git push --force a',
      'command  git push --force b',
    ])
    expect(stdout).toMatch(/^ +to tune it, set in `params`: allowForceWithLease, protectedBranches$/m)
    expect((await call(line)).decision).toBe('abstain')
    expect((await call(`${line}; git push --force c`)).decision).toBe('deny')
  })

  it('--always shows the change, and writes it after a yes, beside what the file has', async () => {
    const text = `{\n\t"permissions": { "deny": ["Bash(git push *)"] }\n}\n`
    const { call, allowAsked, cwd, textOf, state } = personWith({ [userFile]: text })
    const { id } = await call(push)
    const declined = await allowAsked([''], id, '--always')
    expect(declined.stdout).toBe('nothing was changed\n')
    expect(declined.questions).toEqual([
      expect.stringMatching(/^refused [^]*\+\t\t\t"rule"[^]*write this\? \[y\/N\] $/),
    ])
    expect(textOf(userFile)).toBe(text)
    const { stdout } = await allowAsked(['y'], id, '--always')
    expect(stdout).toMatch(
      /^wrote .*hooks\.json\nthe old one is kept in .*\ntell the agent to try again\nundo: `cp .*`\n$/,
    )
    const [copy = ''] = readdirSync(join(state, 'backups'))
    expect(readFileSync(join(state, 'backups', copy), 'utf8')).toBe(text)
    expect(textOf(userFile)).toBe(
      `{\n\t"permissions": { "deny": ["Bash(git push *)"] },\n\t"exceptions": [\n\t\t{\n\t\t\t"rule": "user:hooks.json#permissions.deny",\n\t\t\t"command": "git push --force origin main",\n\t\t\t"project": ${JSON.stringify(cwd)}\n\t\t}\n\t]\n}\n`,
    )
    expect((await call(push, { session: 'other' })).decision).toBe('abstain')
    expect((await call('git push --force origin dev')).decision).toBe('deny')
    expect((await allowAsked([], id, '--always')).stdout).toMatch(/has it already\n$/)
  })

  it('--until writes the last day, and takes no day that is over', async () => {
    const { call, allowAsked, rules } = personWith()
    const { id } = await call(push)
    await allowAsked(['y'], id, '--until', '2999-01-31')
    expect(rules()?.['exceptions']).toMatchObject([{ until: '2999-01-31' }])
    expect((await call(push)).decision).toBe('abstain')
    expect((await allowAsked(['y'], id, '--until', '2001-01-31')).stderr).toContain('`2001-01-31` is over')
    expect((await allowAsked(['y'], id, '--until', 'tomorrow')).stderr).toContain('`tomorrow` is no day')
  })

  it.each([
    ['o', 'allowed once'],
    ['session', 'allowed in session s'],
    ['a', 'wrote '],
    ['u', 'wrote '],
    ['', 'nothing was changed'],
    ['sure', 'nothing was changed'],
  ])('without a kind shows the refusal and asks; the answer is %j', async (answer, stdout) => {
    const { call, allowAsked } = personWith()
    const { id } = await call(push)
    const ended = await allowAsked([answer, ...(answer === 'u' ? ['2999-01-31'] : []), 'y'], id)
    expect(ended.questions[0]).toMatch(
      /^refused [^]*^exception [^]*allow it \[o\]nce, for this \[s\]ession, \[u\]ntil a day, or \[a\]lways\? \[N\] $/m,
    )
    expect(ended.stdout).toMatch(new RegExp(`^${stdout}`))
    expect((await call(push)).decision).toBe(stdout.startsWith('nothing') ? 'deny' : 'abstain')
  })

  it('offers only the call itself where no exception describes it', async () => {
    const { call, allowAsked, allow } = personWith()
    const { id } = await call('git push "$REMOTE"')
    const { questions } = await allowAsked([''], id)
    expect(questions).toEqual([
      expect.stringMatching(/^ +no exception: no pattern describes[^]*allow it \[o\]nce\? \[N\] $/m),
    ])
    const { stderr, exitCode } = await allowAsked([], id, '--always')
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('`--once` lets the call itself through')])
    expect((await allow(id, '--session', '--dry-run')).exitCode).toBe(1)
    await allowAsked(['o'], id)
    expect((await call('git push "$REMOTE"')).decision).toBe('abstain')
  })

  it('lifts what a hook refuses', async () => {
    const { call, allowAsked } = personWith({ [userFile]: rulesWith('PreToolUse', 'echo no >&2; exit 2') })
    const { id } = await call('make')
    await allowAsked([], id, '--once')
    expect((await call('make')).decision).toBe('abstain')
    expect((await call('make')).decision).toBe('deny')
  })

  it('does not lift a rule that failed, nor gives its reason a command', async () => {
    const { call, allow, allowAsked } = personWith({
      [userFile]: rulesWith('PreToolUse', 'exit 1', { onFailure: 'block' }),
    })
    const { decision, id } = await call('make')
    expect([decision, id]).toEqual(['deny', ''])
    const [kept = ''] = /^\w{6}/m.exec((await allow()).stdout) ?? []
    const { stdout, stderr, exitCode } = await allowAsked([], kept, '--once')
    expect(stdout).toContain('it cannot be lifted here: the rule failed')
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('cannot be allowed here')])
  })

  it('shows no exception for a call that cannot be allowed, though one of the rules could be lifted', async () => {
    const { call, allow, allowAsked, cwd } = personWith({
      [userFile]: pushRules,
      'project/own/hooks.json': pushRules,
    })
    await call(push, { more: ['--rules', join(cwd, 'own', 'hooks.json')] })
    const [kept = ''] = /^\w{6}/m.exec((await allow()).stdout) ?? []
    const { stdout, exitCode } = await allowAsked([], kept, '--always')
    expect([exitCode, stdout.match(/permissions\.deny/g)?.length]).toEqual([1, 2])
    expect(stdout).toContain('it cannot be lifted here')
    expect(stdout).not.toMatch(/^exception/m)
  })

  it('does not lift what more rules refuse than are kept', async () => {
    const hooks = Array.from({ length: refusalRulesMax + 1 }, (_, index) => ({
      type: 'command',
      command: `echo no ${index} >&2; exit 2`,
    }))
    const { call, allow, allowAsked } = personWith({ [userFile]: { json: { hooks: { PreToolUse: [{ hooks }] } } } })
    await call('make')
    const [kept = ''] = /^\w{6}/m.exec((await allow()).stdout) ?? []
    const { stderr, exitCode } = await allowAsked([], kept, '--once')
    const why = `${refusalRulesMax + 1} rules refuse it: change the rules instead`
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining(why)])
    expect((await call('make')).decision).toBe('deny')
  })

  it('does not lift a rule of the command line', async () => {
    const { call, allow, allowAsked, cwd } = personWith({ 'project/own/hooks.json': pushRules })
    const more = ['--rules', join(cwd, 'own', 'hooks.json')]
    const { decision, id } = await call(push, { more })
    expect([decision, id]).toEqual(['deny', ''])
    const [kept = ''] = /^\w{6}/m.exec((await allow()).stdout) ?? []
    const { stderr, exitCode } = await allowAsked([], kept, '--always')
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('hooks.json was named on the command line')])
  })
})

it('lifts what the resident gate refused, which reads the grant when it next refuses', async () => {
  const { cli, env, folder, places } = residentUser({ [`home/${userFile}`]: pushRules })
  await cli(['up'])
  const body = JSON.stringify({ event: claudeShell('git push', folder), agent: 'claude-code' })
  const decided = async () => parseJsonObject((await overHttp(places, '/v1/decide', { body })).body) ?? {}
  const { decision, id } = await decided()
  expect(decision).toBe('deny')
  const ask = () => Promise.resolve('o')
  await hookgateHere(['allow', typeof id === 'string' ? id : ''], { env, cwd: folder, ask })
  expect([(await decided())['decision'], (await decided())['decision']]).toEqual(['abstain', 'deny'])
})

describe('`allow ID --times N` and `--for TIME`', () => {
  it('let the same call of the same session through so often, or for so long, and no other', async () => {
    const { call, allowAsked } = personWith()
    const { id } = await call(push)
    expect((await allowAsked([], id, '--times', '2')).stdout).toMatch(
      /\nallowed 2 times: the same call of the same session/,
    )
    expect([await call(push), await call(push), await call(push)].map(({ decision }) => decision)).toEqual([
      'abstain',
      'abstain',
      'deny',
    ])
    expect((await allowAsked([], id, '--for', '30m')).stdout).toMatch(/\nallowed until .*: the same call/)
    expect((await call(push)).decision).toBe('abstain')
    expect((await call(push)).decision).toBe('abstain')
    expect((await call(push, { session: 'other' })).decision).toBe('deny')
    expect((await call(`${push} --tags`)).decision).toBe('deny')
  })
})

describe('`allow` without a terminal', () => {
  it.each(['--once', '--session', '--always'])('refuses %s, and says why', async (kind) => {
    const { call, allow, rules } = personWith()
    const { id } = await call(push)
    const { stderr, exitCode } = await allow(id, kind)
    expect([exitCode, stderr]).toEqual([
      1,
      `hookgate: it needs a terminal, since only a person may allow something; run \`hookgate allow ${id}\` in a terminal; \`--dry-run\` shows what it would do\n`,
    ])
    expect(rules()).toEqual(pushRules.json)
    expect((await call(push)).decision).toBe('deny')
  })

  it('and without an id lists the last refusals, those of this folder first', async () => {
    const { call, allow, env, home } = personWith()
    const first = await call(push)
    const second = await call('npm publish .')
    const { stdout } = await allow()
    expect(stdout.replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d/g, 'TIME')).toBe(
      `${second.id}  TIME  asked    Bash: \`npm publish .\`  permissions.ask
${first.id}  TIME  refused  Bash: \`git push --force origin main\`  permissions.deny
`,
    )
    const elsewhere = await hookgateHere(['allow'], { env, cwd: join(home, '.config') })
    expect(elsewhere.stdout).toMatch(/^nothing was refused in this folder; elsewhere:\n\w{6} /)
  })

  it('says so where nothing was refused', async () => {
    expect((await personWith().allow()).stdout).toBe('no refusal of the last 7 days is kept\n')
  })

  it('names the refusals that there are for an id that there is not', async () => {
    const { call, allow } = personWith()
    const { id } = await call(push)
    const { stderr, exitCode } = await allow('zzzzzz', '--once')
    expect(exitCode).toBe(1)
    expect(stderr).toContain('no refusal of the last 7 days has the id `zzzzzz`; take one of these:')
    expect(stderr).toContain(id)
  })

  it.each([
    [['k3x7qd', '--once', '--always'], '--once and --always exclude each other'],
    [['--once'], 'it needs the id of a refusal'],
    [['k3x7qd', 'more'], 'it takes one id'],
    [['k3x7qd', '--forever'], "unknown option '--forever'"],
    [['k3x7qd', '--for', 'ever'], '--for takes a time such as 30m or 2h, a day at most, not `ever`'],
    [['k3x7qd', '--for', '25h'], 'a day at most'],
    [['k3x7qd', '--times', '0'], '--times takes a number from 1 to 20'],
    [['k3x7qd', '--times', '3', '--for', '1h'], '--times and --for exclude each other'],
  ])('refuses %j', async (argv, message) => {
    const { stderr, exitCode } = await personWith().allow(...argv)
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining(message)])
  })
})

describe('a refusal of a shipped pack', () => {
  it('is lifted for good by an exception beside the pack', async () => {
    const { call, allowAsked, rules } = personWith({ [userFile]: { json: { packs: [{ pack: 'git-safety' }] } } })
    const { id } = await call(push)
    expect(await allowAsked(['y'], id, '--always')).toMatchObject({ exitCode: 0, stderr: '' })
    expect(rules()).toMatchObject({ exceptions: [{ rule: 'git-safety/force-push', command: push }] })
    expect((await call(push)).decision).toBe('abstain')
    expect((await call(`${push} && git push --force origin dev`)).decision).toBe('deny')
  })
})
