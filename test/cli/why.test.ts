import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { shippedFolder } from '../../src/files/policy-files.ts'
import { hookgate, hookgateHere } from '../support/cli.ts'
import { personWith, pushRules, userFile } from '../support/refused.ts'
import { claudeShell } from '../support/wire.ts'
import { writeFiles } from '../support/workspace.ts'

/** Refuses a command that says `stop`, in a file that its own imports. */
const guard = `import { definePolicy } from 'hookgate/policy'
import { refuse } from './answers.ts'

const words: readonly string[] = ['stop', 'halt']

export default definePolicy({
  id: 'no-stop',
  description: 'Refuses to stop',
  on: 'PreToolUse',
  tool: 'shell',
  facts: { branch: { gitBranch: true }, title: { json: 'package.json', pointer: '/name' }, secret: { env: 'OWN_VALUE' } },
  examples: [{ name: 'no-stop', given: { input: { command: 'ls' } }, want: 'abstain' }],
  decide({ shell, facts }) {
    if (facts.title === 'free') return undefined
    for (const [at, { program }] of shell.commands.entries()) {
      if (words.includes(program))
        return refuse(program, at)
    }
    return undefined
  },
})
`
const answers = `import { deny, type PolicyAnswer } from 'hookgate/policy'

export function refuse(program: string, at: number): PolicyAnswer {
  return program === 'halt'
    ? deny('no halt', { at })
    : { ...deny(\`no \${program}\`), at }
}
`
const files = {
  'rules/no-stop.policy.ts': guard,
  'rules/answers.ts': answers,
  'project/package.json': { json: { name: 'a-name' } },
}
const policyHook = { matcher: 'shell', hooks: [{ type: 'policy', policy: '../../rules/no-stop.policy.ts' }] }
const withPolicy = { json: { hooks: { PreToolUse: [policyHook] } } }

/** A person whose agent calls commands, each of which is recorded. */
function recordingPerson(rules: Parameters<typeof personWith>[0]) {
  const person = personWith(rules)
  const { env, cwd } = person
  const why = (...argv: string[]) => hookgateHere(['why', ...argv], { env, cwd })
  /** Runs `hookgate why` and returns its text, with `~` for the home folder. */
  const said = async (...argv: string[]) => (await why(...argv)).stdout.replaceAll(person.home, '~')
  const json = async (...argv: string[]): Promise<unknown> => JSON.parse((await why('--json', ...argv)).stdout)
  return { ...person, why, said, json }
}

/** Returns the line of a file that a text names: `…/file:line:column`. */
function lineNamed(text: string, file: string): string {
  const [, line = '0'] = new RegExp(`${file.replaceAll('.', '\\.')}:(\\d+):\\d+`).exec(text) ?? []
  return readFileSync(file, 'utf8').split('\n')[Number(line) - 1] ?? ''
}

describe('`hookgate why`', () => {
  it('answers first which rule of a pack refused and at which line, and ends with what lets it through', async () => {
    const packs = [{ pack: 'git-safety' }]
    const permissions = { ask: ['Bash(git *)'] }
    const { call, said, home } = recordingPerson({ [userFile]: { json: { packs, permissions } } })
    const { id } = await call('cd sub && git push --force origin main')
    const text = await said()
    const file = join(shippedFolder, 'git-safety/force-push.policy.ts')
    expect(text.split('\n').slice(0, 2)).toEqual([
      'denied: `git push --force` overwrites remote branch `main`, with the work of others, for good: use `--force-with-lease`',
      expect.stringContaining(`by git-safety/force-push, high, ${file}:`),
    ])
    expect(lineNamed(text, file)).toContain('return [answerTo(impact)]')
    expect(text).toMatch(/^ +1 {2}git push --force origin main {3}\[in ~\/project\/sub\]$/m)
    expect(text).toMatch(/^ +\^ deny: git-safety\/force-push, high\n +\^ ask: permissions\.ask$/m)
    expect(text).toContain(`agent    Claude Code, session s, by \`hookgate run\`\nproject  ~/project\n`)
    expect(text).toMatch(/^without it\n {2}a person would have been asked, by user:hooks\.json#permissions\.ask$/m)
    expect(text).toMatch(new RegExp(`^ {2}hookgate allow ${id} --once +this very call, one time$`, 'm'))
    expect(text).toMatch(/^ +rule git-safety\/force-push, command git push --force origin main, project\s+~\/project$/m)
    expect(text).toMatch(
      /^ +rule user:hooks\.json#permissions\.ask, command git push --force origin main, project\s+~\/project$/m,
    )
    expect(text).toContain('from ~/.config/hookgate/hooks.json (user)')
    expect(text).not.toContain('\ntoday\n')
    expect(text).not.toContain(home)
  })

  it('shows what is said where that stands below the call', async () => {
    const { call, said } = recordingPerson({ [userFile]: { json: { packs: [{ pack: 'destructive-commands' }] } } })
    await call('rm -rf ~')
    expect(await said()).toContain('would delete ${what}')
  })

  it('finds the line of one’s own TypeScript policy, and the call in it that led there', async () => {
    const { call, said, json, home, env } = recordingPerson({ [userFile]: withPolicy, ...files })
    await call('ls && halt')
    Object.assign(env, { OWN_VALUE: 'confidential' })
    const text = await said()
    expect(text).toContain('by no-stop, ~/rules/no-stop.policy.ts:17:16\n')
    expect(text).toMatch(/decided at ~\/rules\/no-stop\.policy\.ts:17:16\n +return refuse\(program, at\)/)
    expect(text).toMatch(/and at ~\/rules\/answers\.ts:5:7\n +\? deny\('no halt', \{ at \}\)/)
    expect(text).toMatch(/fact title \(json package\.json \/name\) is today: "a-name"/)
    expect(text).toMatch(/fact branch \(gitBranch\) is today: not known: /)
    expect(text).toMatch(/fact secret \(env OWN_VALUE\) is today: set$/m)
    expect(text).not.toContain('confidential')
    await call('ls; stop')
    expect(await json()).toMatchObject({
      record: { decision: 'deny', subject: 'ls; stop' },
      rules: [
        {
          name: 'no-stop',
          decides: true,
          commands: [1],
          place: { kind: 'policy', lines: [{ line: 17 }, { file: join(home, 'rules/answers.ts'), line: 6 }] },
        },
      ],
      without: { decision: 'abstain', rules: [], isCertain: true },
      today: { rulesChanged: false, decision: 'deny' },
      lift: { rules: [{ exceptions: [{ rule: 'no-stop', command: 'stop' }] }] },
    })
    writeFiles(home, { 'project/package.json': { json: { name: 'free' } } })
    expect(await said()).toMatch(
      /^today\n {2}decided now, it would be `abstain`, though the rules are the same: what they look at has changed$/m,
    )
  })

  it('says of a call that a person had allowed by which command, and that today it would be refused again', async () => {
    const { call, allowAsked, said, env, cwd } = recordingPerson({ [userFile]: pushRules })
    const { id } = await call('git push --force')
    await allowAsked([], id, '--once')
    expect(await call('git push --force')).toMatchObject({ decision: 'abstain' })
    const log = await hookgateHere(['log', '--json', '--limit', '1'], { env, cwd })
    const text = await said(/"id":"(\w+)"/.exec(log.stdout)?.[1] ?? '')
    expect(text).toContain(`passes: a person had allowed it, by \`hookgate allow ${id} --once\`\n`)
    expect(text).toContain('decided now, without what a person allowed then, it would be `deny`: ')
    expect(text).not.toContain('what they look at has changed')
  })

  it('says of a refusal what a person had allowed of the same call, and that it is used up', async () => {
    const { call, allowAsked, said } = recordingPerson({ [userFile]: pushRules })
    const { id } = await call('git push --force')
    expect(await said()).not.toContain('used up')
    await allowAsked([], id, '--once')
    await call('git push --force')
    await call('git push --force origin other')
    expect(await said()).not.toContain('used up')
    await call('git push --force')
    expect(await said()).toMatch(
      new RegExp(
        `^when .+\\nbefore {3}\`hookgate allow ${id} --once\` let this call through at [-\\d]+ [\\d:]+, and is used up$`,
        'm',
      ),
    )
  })

  it('explains a decision although the file of earlier calls is damaged, and says so', async () => {
    const limits = { failed: { times: 5 } }
    const { call, why, state } = recordingPerson({ [userFile]: { json: { packs: [{ pack: 'git-safety' }], limits } } })
    await call('git push --force origin main')
    const past = join(state, 'past.db')
    expect(existsSync(past)).toBe(true)
    for (const part of ['-wal', '-shm']) rmSync(`${past}${part}`, { force: true })
    writeFileSync(past, 'x'.repeat(5000))
    const { stdout, exitCode } = await why()
    expect(exitCode).toBe(0)
    expect(stdout).toContain('by git-safety/force-push')
    expect(stdout).toMatch(/the file of earlier calls cannot be\s+read: file is not a database; move it\s+away/)
  })

  it('names the script of a hook, which it does not run', async () => {
    const script = '#!/bin/sh\necho x >> "$0.runs"\necho "not this" >&2\nexit 2\n'
    const hooks = { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: '~/guard.sh' }] }] }
    const { call, said, textOf } = recordingPerson({ [userFile]: { json: { hooks } }, 'guard.sh': { script } })
    await call('ls')
    const text = await said()
    expect(text).toMatch(/^denied: not this\nby PreToolUse\[0\]\.hooks\[0\], ~\/guard\.sh$/m)
    expect(text).toMatch(/decided by ~\/guard\.sh\n +from ~\/\.config\/hookgate\/hooks\.json:\d+:\d+ \(user\)/)
    expect(textOf('guard.sh.runs')).toBe('x\n')
  })

  it('points at the entry of a permission list, and at every rule that refused', async () => {
    const permissions = { deny: ['Bash(rm *)', 'Bash(halt *)'] }
    const rules = { json: { permissions, ...withPolicy.json } }
    const { call, said, textOf } = recordingPerson({ [userFile]: rules, ...files })
    await call('halt now')
    const text = await said()
    const line =
      textOf(userFile)
        ?.split('\n')
        .findIndex((one) => one.includes('Bash(halt *)')) ?? 0
    expect(text).toContain(`by permissions.deny, ~/${userFile}:${line + 1}:`)
    expect(text).toContain('by no-stop, ~/rules/no-stop.policy.ts:17:16')
    expect(text).toMatch(/^without them\n {2}no other rule objected/m)
  })

  it('marks a rule that only observed', async () => {
    const rules = { json: { permissions: { ask: ['Bash(halt)'] } } }
    const hook = { matcher: 'shell', hooks: [{ type: 'policy', policy: '../rules/no-stop.policy.ts' }] }
    const observing = { json: { mode: 'observe', hooks: { PreToolUse: [hook] } } }
    const person = recordingPerson({ ...files, 'observing/hooks.json': observing, [userFile]: rules })
    const flags = ['--rules', join(person.home, 'observing/hooks.json')]
    await person.call('halt', { more: flags })
    const text = await person.said(...flags)
    expect(text).toMatch(/^a person is asked: /)
    expect(text).toMatch(/^ +\^ ask: permissions\.ask\n +\^ \(deny\): no-stop$/m)
    expect(text).toMatch(/^ {2}\(deny\) {6}\S+no-stop\n +only observed: this did not count\n +no halt$/m)
    expect(text).toMatch(/^without it\n {2}no other rule objected/m)
  })

  it('says why a question was a refusal for an agent that cannot ask', async () => {
    const { env, cwd, said } = recordingPerson({ [userFile]: { json: { permissions: { ask: ['Bash(halt)'] } } } })
    const stdin = JSON.stringify(claudeShell('halt', cwd, { turn_id: 't', model: 'm' }))
    await hookgateHere(['run', '--agent', 'codex'], { stdin, env, cwd })
    expect(await said()).toMatch(
      /^a person is asked: .*\nCodex.* can't be told to `ask` at PreToolUse, so it was refused\n/,
    )
  })

  it('says of self-protection that nothing lifts it', async () => {
    const { call, said } = recordingPerson({ [userFile]: { json: { permissions: { ask: ['Bash(halt)'] } } } })
    await call('hookgate down')
    const text = await said()
    expect(text).toContain('by hookgate:self-protection, which protects hookgate itself')
    expect(text).toMatch(/^to let it through\n {2}it cannot be lifted here: .*nothing lifts that$/m)
  })

  it('works nothing out from a call whose secrets were masked, shows none, and no character that a terminal interprets', async () => {
    const { call, said, json } = recordingPerson({ [userFile]: withPolicy, ...files })
    await call('halt --password=hunter22 \u001b[31m \u202e')
    const text = await said()
    expect(text).toContain(String.raw`PreToolUse Bash (shell): halt --password=*** \x1b[31m \u{202e}`)
    expect(['\u001b', '\u202e'].filter((one) => text.includes(one))).toEqual([])
    expect(text).toMatch(/^commands\n {2}secrets in the call were masked when it was recorded, or it was cut$/m)
    expect(text).toMatch(/decided in ~\/rules\/no-stop\.policy\.ts:13:3; the line is not known:\s+secrets/)
    expect(JSON.stringify(await json())).not.toContain('hunter22')
  })

  it('says that other rules are in force now, and what they say', async () => {
    const { call, said, home } = recordingPerson({ [userFile]: withPolicy, ...files })
    const { id } = await call('halt')
    writeFiles(home, { 'rules/answers.ts': answers.replaceAll('deny', 'ask') })
    const text = await said(id)
    expect(text).toMatch(/^denied: no halt\nby no-stop, ~\/rules\/no-stop\.policy\.ts:13:3$/m)
    expect(text).toMatch(/the line is not known:\s+evaluated again\s+now, it does not say the same$/m)
    expect(text).toMatch(
      /^today\n {2}other rules are in force now than then; .*\n {2}decided now, it would be `ask`: .*no halt/m,
    )
    writeFiles(home, { [userFile]: { json: { permissions: { deny: ['Bash(halt)'] } } } })
    expect(await said(id)).toMatch(/no rule of today has this id[^]*decided now, it would be the same: .*refused by/)
    writeFiles(home, { [userFile]: { json: { permissions: {} } } })
    expect(await said(id)).toMatch(/decided now, it would be `abstain`$/m)
  })

  it('tells ids apart: of a refusal, the beginning of a record’s, and unknown ones, for which it lists the last', async () => {
    const { call, why, json } = recordingPerson({ [userFile]: { json: { permissions: { deny: ['Bash(halt *)'] } } } })
    expect(await why()).toMatchObject({
      exitCode: 0,
      stdout: 'nothing was refused or asked about in this folder yet\n',
    })
    expect(await why('abcdef')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('nothing is recorded yet'),
    })
    const { id } = await call('halt 1')
    await call('halt 2')
    await call('ls')
    const first = await json(id)
    expect(first).toMatchObject({ record: { subject: 'halt 1' } })
    expect(await json()).toMatchObject({ record: { subject: 'halt 2' } })
    const { record } = first as { readonly record: { readonly id: string } }
    expect(await json(record.id.slice(0, -1))).toEqual(first)
    const { stderr, exitCode } = await why('abcdef')
    expect(exitCode).toBe(1)
    expect(stderr).toMatch(
      new RegExp(
        `no decision that is recorded has the id \`abcdef\`; take one of these:\n.* Bash: \`halt 2\`  permissions\\.deny\n${id}  .*halt 1`,
      ),
    )
    expect((await why(id.toUpperCase())).exitCode).toBe(0)
  })

  it('says that the record is off', async () => {
    const rules = { json: { record: 'off', permissions: { deny: ['Bash(halt *)'] } } }
    const { call, why } = recordingPerson({ [userFile]: rules })
    await call('halt 1')
    expect(await why()).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/^nothing is known .*the record is off/),
    })
  })

  it('reads what another process has recorded just before it ended', async () => {
    const { env, cwd } = personWith({ [userFile]: { json: { permissions: { deny: ['Bash(halt *)'] } } } })
    const stdin = JSON.stringify(claudeShell('halt 1', cwd))
    await hookgate(['run', '--agent', 'claude-code'], { stdin, env, cwd })
    const { stdout, exitCode } = await hookgate(['why'], { env, cwd: join(cwd, '..') })
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/^denied: `halt 1` is refused by the permission rule `Bash\(halt \*\)`$/m)
  })
})
