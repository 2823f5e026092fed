import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createGate } from '../../src/library/index.ts'
import { hookgate, hookgateHere } from '../support/cli.ts'
import { policyText } from '../support/policies.ts'
import { liveProcesses, processTag, until } from '../support/processes.ts'
import { claudeEvent, claudeShell } from '../support/wire.ts'
import { folderWith, rulesWith, writeFiles } from '../support/workspace.ts'
import { closeRecorded } from '../support/recorded.ts'

const secret = 'ghp_0123456789abcdefghijklmnopqrstuvwxyzAB'

/** A policy that refuses commands which begin with a word. */
const refusing = (word: string) =>
  policyText(
    'own',
    "tool: 'shell', examples: [],",
    `if (tool.command.startsWith('${word}')) return deny('no ' + tool.command)`,
  )

/** Events as JSON lines, one for each command. */
const lines = (cwd: string, ...commands: readonly string[]) =>
  commands.map((command) => `${JSON.stringify(claudeShell(command, cwd))}\n`).join('')

/** A session of Claude Code with one shell call for each command. */
const session = (cwd: string, ...commands: readonly string[]) =>
  commands
    .map((command, at) => {
      const message = {
        role: 'assistant',
        content: [{ type: 'tool_use', id: `t${at}`, name: 'Bash', input: { command } }],
      }
      const timestamp = `2026-01-0${at + 1}T12:00:00.000Z`
      return `${JSON.stringify({ type: 'assistant', userType: 'external', sessionId: 's', cwd, uuid: `u${at}`, timestamp, message })}\n`
    })
    .join('')

describe('hookgate replay', () => {
  it('decides the sessions of all agents by the rules in force, and says what was refused, by rule', async () => {
    const home = folderWith({ '.config/hookgate/policies/own.policy.ts': refusing('bad') })
    const text = `${session(home, 'bad 1', 'ls', 'bad 1')}{ no JSON\n`
    writeFiles(home, { '.claude/projects/p/s.jsonl': text })
    const { stdout, exitCode } = await hookgate(['replay'], { cwd: home, env: { HOME: home } })
    expect(stdout).toMatch(/^3 calls \(2 different\) from 1 file, 2026-01-01 to 2026-01-03.*: Claude Code 3\n/)
    expect(stdout).toMatch(/\n {2}refused +2\n {2}asked +0\n {2}allowed +0\n {2}no opinion +1\n/)
    expect(stdout).toMatch(/\nrefused\n {2}user:policies#own: 2 calls, 1 command\n {7}2 × bad 1\n/)
    expect(stdout).toMatch(/\nnot read\n {2}1 line: the line is not JSON \(first: .*s\.jsonl:4\)\n/)
    expect(exitCode).toBe(0)
    // Nothing is kept of it.
    expect(readdirSync(home).toSorted()).toEqual(['.claude', '.config'])
  })

  it('lists a command once that agents ran in several ways, with what differs', async () => {
    const said = "if (tool.command.startsWith('bad')) return deny('not in ' + event.workspaceRoots[0].slice(-2))"
    const text = `import { definePolicy, deny } from 'hookgate/policy'
export default definePolicy({ id: 'own', description: 'x', on: 'PreToolUse', tool: 'shell', examples: [],
  decide({ tool, event }) { ${said} } })`
    const root = folderWith({ 'rules/own.policy.ts': text, 'a/x': '', 'b/x': '' })
    const [a, b] = [join(root, 'a'), join(root, 'b')]
    const ofCodex = { turn_id: 't', model: 'm', transcript_path: join(root, '.codex/s.jsonl') }
    const events = [
      ...[a, a, a, b, b].map((cwd) => claudeShell('bad 1', cwd)),
      claudeShell('bad 2', a),
      claudeShell('bad 1', a, ofCodex),
    ]
    const stdin = events.map((one) => `${JSON.stringify(one)}\n`).join('')
    const { stdout } = await hookgateHere(['replay', '--rules', 'rules', '-'], { cwd: root, stdin })
    expect(stdout).toContain(`
refused
  explicit:rules#own: 7 calls, 2 commands
       6 × bad 1
           3 × Claude Code, own: not in /a
           2 × Claude Code, own: not in /b
           1 × Codex, own: not in /a
       1 × bad 2
`)
  })

  it('says of a rule with which other one its commands are listed', async () => {
    const root = folderWith({
      'rules/a.policy.ts': refusing('bad').replace("'own'", "'first'"),
      'rules/b.policy.ts': refusing('bad').replace("'own'", "'second'"),
    })
    const stdin = lines(root, 'bad 1', 'bad 2')
    const { stdout } = await hookgateHere(['replay', '--rules', 'rules', '-'], { cwd: root, stdin })
    expect(stdout).toContain(`
refused
  explicit:rules#first: 2 calls, 2 commands
       1 × bad 1
       1 × bad 2
  explicit:rules#second: 2 calls, 2 commands, 2 of them shown at another rule
`)
  })

  it('takes the calls of some agents, of a time and of a project', async () => {
    const home = folderWith({ 'rules/own.policy.ts': refusing('bad') })
    writeFiles(home, { 'a.jsonl': session('/a', 'bad 1', 'bad 2', 'bad 3') + session('/b/c', 'bad 4') })
    const of = async (...argv: readonly string[]) => {
      const { stdout } = await hookgateHere(['replay', '--rules', 'rules', '--json', ...argv, 'a.jsonl'], {
        cwd: home,
      })
      return (JSON.parse(stdout) as { findings: { subject: string }[] }).findings.map(({ subject }) => subject)
    }
    expect(await of('--since', '2026-01-02', '--until', '2026-01-02')).toEqual(['bad 2'])
    expect(await of('--project', '/b')).toEqual(['bad 4'])
    expect(await of('--agent', 'claude-code')).toHaveLength(4)
    expect(await of('--agent', 'codex').catch(() => 'none')).toBe('none')
  })

  it('decides by a preset that is not on, and compares it with the rules in force', async () => {
    const home = folderWith({ '.config/hookgate/policies/own.policy.ts': refusing('bad') })
    writeFiles(home, { 's.jsonl': session(home, 'git push --force', 'bad 1') })
    const call = { cwd: home, env: { HOME: home } }
    const tried = await hookgate(['replay', '--preset', 'strict', '--against-current', 's.jsonl'], call)
    expect(tried.stdout).toContain('decided by the preset strict, compared with the rules in force\n')
    expect(tried.stdout).toMatch(/\nnewly refused: 1 call\n {7}1 × git push --force\n.*git-safety\/force-push/)
    expect(tried.stdout).toMatch(/\nno longer refused: 1 call\n {7}1 × bad 1\n/)
    for (const wrong of [['--preset', 'stric'], ['--preset', 'strict', '--rules', 'x'], ['--against-current']]) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      expect((await hookgate(['replay', ...wrong, 's.jsonl'], call)).stdout).toBe('')
    }
  })

  it('shows the difference to other rules, each command once with its count, and fails on new refusals', async () => {
    const cwd = folderWith({ 'new/own.policy.ts': refusing('bad'), 'old/own.policy.ts': refusing('worse') })
    const argv = ['replay', '-', '--rules', 'new', '--against', 'old', '--fail-on', 'refused']
    const stdin = lines(cwd, 'bad 1', 'bad 2', 'bad 1', 'worse', 'ls')
    const { stdout, stderr, exitCode } = await hookgateHere(argv, { cwd, stdin })
    expect(stdout).toContain('decided by new, compared with old\n')
    expect(stdout).toMatch(
      /\nnewly refused: 3 calls\n {7}2 × bad 1\n +was no opinion, is refused by own: no bad 1\n {7}1 × bad 2\n/,
    )
    expect(stdout).toMatch(
      /\nno longer refused: 1 call\n {7}1 × worse\n +is no opinion, was refused by own: no worse\n/,
    )
    expect(stderr).toBe('hookgate: --fail-on refused: 3 calls are newly refused\n')
    expect(exitCode).toBe(1)
    const same = ['replay', '-', '--rules', 'new', '--against', 'new', '--fail-on', 'changed']
    expect(await hookgateHere(same, { cwd, stdin })).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('no call is decided in another way') as string,
    })
  })

  it('compares with the rules of a revision, which it names, and leaves nothing behind', async () => {
    const cwd = folderWith({ '.hookgate/policies/own.policy.ts': refusing('worse'), 'tmp/x': '' })
    const git = (...args: readonly string[]) =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd })
    git('init', '--quiet', '--initial-branch=main')
    git('add', '.hookgate')
    git('commit', '--quiet', '--message=one')
    writeFiles(cwd, { '.hookgate/policies/own.policy.ts': refusing('bad') })
    const argv = ['replay', '-', '--against-git', 'main', '--json']
    const env = { TMPDIR: join(cwd, 'tmp') }
    const { stdout } = await hookgate(argv, { cwd, env, stdin: lines(cwd, 'bad', 'worse') })
    const { findings } = JSON.parse(stdout) as { findings: { change: string; before: { rules: { file: string }[] } }[] }
    expect(findings.map(({ change }) => change).toSorted()).toEqual(['newlyRefused', 'noLongerRefused'])
    expect(findings.flatMap(({ before }) => before.rules).map(({ file }) => file)).toEqual(['main:.hookgate/policies'])
    expect(readdirSync(join(cwd, 'tmp'))).toEqual(['x'])
  })

  it.each([
    ['a revision that does not exist', ['--against-git', 'gone'], /there is no revision `gone`/],
    ['rules that do not load', ['--rules', 'broken.json'], /broken\.json:1:\d+: /],
    ['rules that are not there', ['--rules', 'none'], /none: the rules file does not exist; name an existing file/],
    ['other rules that do not load', ['--rules', 'own.policy.ts', '--against', 'broken.json'], /broken\.json:1:\d+: /],
    ['a difference with nothing to compare', ['--fail-on', 'changed'], /needs --against/],
    ['an unknown time', ['--since', 'once'], /--since must be how long ago/],
    ['two outputs on stdout', ['--json', '--junit', '-'], /both print on stdout/],
    ['a file that is no session', ['notes.txt'], /notes\.txt: .*no session.*; name session files/],
    ['a file that is not there', ['gone.jsonl'], /gone\.jsonl: it does not exist/],
  ])('refuses %s, with the remedy', async (_, argv, message) => {
    const cwd = folderWith({
      '.hookgate/hooks.json': '{"hooks":{}}',
      'broken.json': '{ "hooks": [',
      'own.policy.ts': refusing('bad'),
      'notes.txt': 'some text\n',
    })
    if (argv.includes('gone')) execFileSync('git', ['init', '--quiet'], { cwd })
    const stdin = argv.some((word) => /\.(?:txt|jsonl)$/.test(word)) ? [] : ['-']
    const call = { cwd, env: { HOME: cwd }, stdin: lines(cwd, 'ls') }
    const ended = await hookgateHere(['replay', ...argv, ...stdin], call)
    expect(ended).toMatchObject({ exitCode: 1, stdout: '' })
    expect(ended.stderr).toMatch(message)
  })

  it('says so where there are no sessions, no calls and no repository', async () => {
    const cwd = folderWith({})
    const errorOf = async (...argv: readonly string[]) =>
      (await hookgateHere(['replay', ...argv], { cwd, env: { HOME: cwd } })).stderr
    expect(await errorOf()).toMatch(/no sessions of any agent were found; run it where an agent has worked/)
    expect(await errorOf('-')).toMatch(/there is no tool call on stdin/)
    expect(await errorOf('-', '--against-git', 'main')).toMatch(/is not in a git repository; run it in one/)
  })

  it.each([[[]], [['--json']], [['--junit', '-']]])(
    'shows no secret, and no control character of a command: %j',
    async (flags) => {
      const cwd = folderWith({ 'own.policy.ts': refusing('echo') })
      const stdin = lines(cwd, `echo ${secret}`, 'echo \u001b[31m ]]> <x>')
      const { stdout } = await hookgateHere(['replay', '-', '--rules', 'own.policy.ts', ...flags], { cwd, stdin })
      expect(stdout).toContain('***')
      expect(stdout).not.toContain(secret)
      expect(stdout).not.toContain('\u001b[31m ')
    },
  )

  it('writes a JUnit report in which each command that --fail-on names fails', async () => {
    const cwd = folderWith({ 'own.policy.ts': refusing('bad') })
    const argv = ['replay', '-', '--rules', 'own.policy.ts', '--junit', 'report.xml', '--fail-on', 'refused']
    expect((await hookgateHere(argv, { cwd, stdin: lines(cwd, 'bad', 'ls', 'bad') })).exitCode).toBe(1)
    const xml = readFileSync(join(cwd, 'report.xml'), 'utf8')
    expect(xml).toMatch(/<testsuite name="hookgate replay" tests="2" failures="1" errors="0"/)
    expect(xml).toContain('<testcase classname="own" name="refused: bad"><failure message="refused, 2 calls">')
  })

  it('runs no hooks unless told to', async () => {
    const cwd = folderWith({ 'hooks.json': rulesWith('PreToolUse', 'touch ran; exit 2') })
    const argv = ['replay', '-', '--rules', 'hooks.json']
    const { stdout } = await hookgateHere(argv, { cwd, stdin: lines(cwd, 'ls') })
    expect(stdout).toMatch(/\nhooks were not run.*\n {2}1 call: explicit:hooks\.json#/)
    expect(existsSync(join(cwd, 'ran'))).toBe(false)
    await hookgateHere([...argv, '--run-hooks'], { cwd, stdin: lines(cwd, 'ls') })
    expect(existsSync(join(cwd, 'ran'))).toBe(true)
  })

  it('decides again what hookgate has recorded, and counts what the record holds too little of', async () => {
    const ofServer = policyText('mcp', "tool: 'mcp', examples: [],", "if (tool.input.x === 'bad') return deny('no')")
    const cwd = folderWith({ 'own.policy.ts': refusing('bad'), 'mcp.policy.ts': ofServer })
    const state = folderWith({})
    chmodSync(state, 0o700)
    const gate = createGate({ discover: false, env: {}, record: join(state, 'decisions.db') })
    const tool = (name: string, input: object) =>
      claudeEvent('PreToolUse', cwd, { tool_name: name, tool_input: input, tool_use_id: 't' })
    const events = [
      claudeShell('bad 1', cwd),
      claudeShell('bad 1', cwd, { session_id: 'other' }),
      claudeShell(`bad ${secret}`, cwd),
      tool('Read', { file_path: 'a' }),
      tool('Write', { file_path: 'a', content: 'x' }),
      tool('WebFetch', { url: 'https://example.com', prompt: 'x' }),
      tool('mcp__a__b', { x: 'bad' }),
      tool('mcp__a__b', { password: 'hunter2222' }),
      tool('Grep', { pattern: 'x', path: 'a' }),
      { ...tool('Read', { file_path: 'a' }), hook_event_name: 'PostToolUse', tool_response: {} },
    ]
    for (const event of events) {
      // oxlint-disable-next-line no-await-in-loop -- in their order
      expect((await gate.answer(JSON.stringify(event), { agent: 'claude-code' })).error).toBeUndefined()
    }
    await closeRecorded(gate, events.length)
    const argv = ['replay', '--from', 'record', '--rules', 'own.policy.ts', '--rules', 'mcp.policy.ts', '--json']
    const { stdout, stderr } = await hookgateHere(argv, { cwd, env: { HOOKGATE_HOME: state } })
    expect(stderr).toBe('')
    const report: unknown = JSON.parse(stdout)
    expect(report).toMatchObject({
      calls: 7,
      decisions: 6,
      now: { refused: 3, noOpinion: 4 },
      findings: [
        { subject: 'bad 1', calls: 2 },
        { subject: 'a b: x bad', calls: 1 },
      ],
      unreadable: [
        { why: expect.stringMatching(/^not replayable: a secret in it/) as string, first: { line: 3 }, times: 2 },
      ],
    })
    const none = await hookgateHere(argv, { cwd, env: { HOOKGATE_HOME: cwd } })
    expect(none.stderr).toMatch(/decisions\.db: nothing is recorded; replay the sessions/)
  })

  it('prints what was found when Ctrl-C ends it, says that it is partial, and leaves no process', async () => {
    const cwd = folderWith({ 'hooks.json': rulesWith('PreToolUse', 'echo x >> seen; echo bad >&2; exit 2') })
    const { tag, env } = processTag()
    const seen = () => (existsSync(join(cwd, 'seen')) ? readFileSync(join(cwd, 'seen'), 'utf8') : '')
    const interrupt = async () => {
      await until(() => seen() === 'x\nx\n')
      // The answers have to arrive.
      await sleep(500)
      // As at a terminal, where all processes get the signal.
      for (const pid of liveProcesses(tag)) process.kill(pid, 'SIGINT')
    }
    const { stdout, exitCode } = await hookgate(['replay', '-', '--rules', 'hooks.json', '--run-hooks'], {
      cwd,
      env,
      onStart(child) {
        child.stdin?.write(lines(cwd, 'a', 'b', 'a'))
        // It stays open, as of a program that has more to say.
        if (child.stdin) child.stdin.end = () => child.stdin as never
        void interrupt()
      },
    })
    expect(exitCode).toBe(130)
    expect(stdout).toMatch(/^ended early: this is a part of the calls\n\n3 calls \(2 different\)/)
    expect(stdout).toMatch(/\n {7}2 × a\n/)
    expect(await until(() => liveProcesses(tag).length === 0)).toBe(true)
  })
})
