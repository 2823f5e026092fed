import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createInterface } from 'node:readline'
import { describe, expect, it, onTestFinished } from 'vitest'
import { entryFile } from '../../src/files/program-files.ts'
import type { DecisionRecord } from '../../src/record/record.ts'
import { hookgateHere } from '../support/cli.ts'
import { append, databaseWith, recordWith, refusedBy } from '../support/records.ts'
import { personWith } from '../support/refused.ts'
import { claudeShell } from '../support/wire.ts'
import { folderWith } from '../support/workspace.ts'
import { emptyHome } from '../support/own-folder.ts'

const logOf = (file: string, ...argv: string[]) =>
  hookgateHere(['log', ...argv], { env: { HOOKGATE_HOME: join(file, '..') }, cwd: '/' })

/** Times of a log are local, and of the test. */
const withoutTimes = (text: string) => text.replaceAll(/^\d\d-\d\d \d\d:\d\d:\d\d/gm, 'TIME')

describe('hookgate log', () => {
  it('shows what a gate decided, with the rule of a refusal and the id for why and allow', async () => {
    const { call, env, cwd } = personWith()
    await call('git status')
    const { id } = await call('git push --force origin main')
    const stdin = JSON.stringify(claudeShell('npm publish .', cwd, { turn_id: 't', model: 'm' }))
    const asked = await hookgateHere(['run', '--agent', 'codex'], { stdin, env, cwd })
    const askedId = /hookgate allow (\w+)/.exec(asked.stderr)?.[1]
    const { stdout, stderr, exitCode } = await hookgateHere(['log'], { env, cwd })
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 })
    expect(withoutTimes(stdout)).toBe(`TIME  Claude Code  passed    shell  git status
TIME  Claude Code  refused   shell  git push --force origin main
                \`git push --force origin main\` is refused by the permission rule \`Bash(git push *)\`
                by permissions.deny   hookgate why ${id}
TIME  Codex        asked→refused  shell  npm publish .
                \`npm publish .\` needs approval by the permission rule \`Bash(npm publish *)\`
                by permissions.ask   hookgate why ${askedId}
`)
  })

  it('shows failures, answers that were only observed, and what hookgate could not decide', async () => {
    const file = databaseWith([
      recordWith({
        evaluations: [
          { ruleId: 'a', durationMs: 1, effect: 'deny', observed: true },
          { ruleId: 'b', durationMs: 1, failure: { code: 'nonzeroExit', message: 'it exited with 3\nmore' } },
        ],
      }),
      recordWith({ decision: 'deny', told: 'deny', error: { code: 'rulesMalformed', message: 'x' }, reason: 'y' }),
    ])
    expect(withoutTimes((await logOf(file)).stdout)).toBe(`TIME  Claude Code  passed    shell  npm test
                a only observes: it would have refused
                b failed: nonzeroExit: it exited with 3
TIME  Claude Code  refused   shell  npm test
                hookgate could not decide: rulesMalformed: x
`)
  })

  it('lists a turn that a rule ended as ended, and not as passed', async () => {
    const ended = { ruleId: 'policy:quota', durationMs: 1 }
    const file = databaseWith([
      recordWith({ subject: 'npm test' }),
      recordWith({ subject: 'make', obligations: ['stop'], evaluations: [ended] }),
      recordWith({ subject: 'make', obligations: ['notify'] }),
      recordWith({ event: 'Stop', subject: '', obligations: ['stop'], evaluations: [ended] }),
      recordWith({ subject: 'rm x', decision: 'deny', told: 'deny', obligations: ['stop'], determining: ['r'] }),
      recordWith({ agent: 'codex', subject: 'ls', told: 'deny', obligations: ['stop'], evaluations: [ended] }),
    ])
    const wordsOf = async (...argv: string[]) =>
      (await logOf(file, ...argv)).stdout
        .split('\n')
        .flatMap((line) => /^\d\S+ \S+  .{11}  (\S+)/.exec(line)?.[1] ?? [])
    expect(await wordsOf()).toEqual(['passed', 'ended', 'passed', 'ended', 'refused', 'passed→refused'])
    expect((await logOf(file)).stdout).toContain('by policy:quota')
    expect(await wordsOf('--decision', 'ended')).toEqual(['ended', 'ended'])
    expect(await wordsOf('--decision', 'passed')).toEqual(['passed', 'passed'])
  })

  it('lists a call once, with how it ended, and other events only if asked for or if a rule answered', async () => {
    const after = { event: 'PostToolUse' } as const
    const file = databaseWith([
      recordWith({ subject: 'npm test', call: 'c1' }),
      recordWith({ subject: 'npm run lint', call: 'c2' }),
      recordWith({ ...after, subject: 'npm test', call: 'c1', result: { succeeded: true, durationMs: 1234 } }),
      recordWith({ event: 'PostToolUseFailure', call: 'c2', result: { succeeded: false, error: 'Exit code 1' } }),
      recordWith({ ...after, tool: 'mcp', toolName: 'mcp__a__b', subject: '' }),
      recordWith({ subject: 'make', session: 's2' }),
      recordWith({ ...after, subject: 'make', session: 's2', result: { succeeded: true, durationMs: 5 } }),
    ])
    expect(withoutTimes((await logOf(file)).stdout)).toBe(`TIME  Claude Code  passed    shell  npm test  (ran, 1.2 s)
TIME  Claude Code  passed    shell  npm run lint  (failed: Exit code 1)
TIME  Claude Code  passed    shell  make  (ran, 5 ms)
`)
    expect((await logOf(file, '--event', 'PostToolUse')).stdout.trim().split('\n')).toHaveLength(3)
    expect((await logOf(file, '--event', 'all')).stdout.trim().split('\n')).toHaveLength(7)
    expect((await logOf(file, '--event', 'Nothing')).stderr).toContain('`Nothing`')
    const [first = ''] = (await logOf(file, '--json')).stdout.split('\n')
    expect(JSON.parse(first)).toMatchObject({ call: 'c1', ran: { succeeded: true, durationMs: 1234 } })
  })

  it('shows control and bidirectional characters of commands as text, and a command of several lines on one', async () => {
    const subject = 'echo \u001b[31m\u202e\n  rm x\tb'
    const { stdout } = await logOf(databaseWith([recordWith({ subject, agent: 'a\u001b' })]))
    expect(stdout).toMatch(/ a\\x1b .*  echo \\x1b\[31m\\u\{202e\} ⏎ rm x b\n$/)
  })

  it('shows the last ones, as many as asked for, newest last', async () => {
    const file = databaseWith(Array.from({ length: 60 }, (_, index) => recordWith({ subject: `n${index}` })))
    const shown = async (...argv: string[]) =>
      [...(await logOf(file, ...argv)).stdout.matchAll(/n\d+$/gm)].map(([name]) => name)
    expect(await shown()).toEqual(Array.from({ length: 50 }, (_, index) => `n${index + 10}`))
    expect(await shown('--limit', '2')).toEqual(['n58', 'n59'])
    expect(await shown('--limit', 'all')).toHaveLength(60)
    expect((await logOf(file, '--limit', '0')).stderr).toMatch(/--limit must be .* not `0`.*\n/)
  })

  const other = recordWith({
    agent: 'codex',
    session: 's2',
    project: '/other',
    tool: 'read',
    toolName: 'Read',
    subject: 'x',
  })
  const cases: readonly (readonly [string, readonly string[], Partial<DecisionRecord>])[] = [
    ['--agent', ['--agent', 'claude-code'], {}],
    ['--session', ['--session', 's1'], {}],
    ['--project', ['--project', 'home/me'], {}],
    ['--tool', ['--tool', 'Bash'], {}],
    ['--text', ['--text', 'NPM'], {}],
    ['--rule', ['--rule', 'force'], refusedBy('git-safety/force-push')],
    ['--decision, as told', ['--decision', 'asked,refused'], { decision: 'ask', told: 'deny' }],
    ['--decision, as decided', ['--decision', 'deny', '--decision', 'ask'], { decision: 'ask', told: 'abstain' }],
  ]
  it.each(cases)('filters by %s', async (_, argv, matching) => {
    const { stdout } = await logOf(databaseWith([recordWith(matching), other]), ...argv, '--json')
    expect(
      stdout
        .split('\n')
        .slice(0, -1)
        .map((line) => (JSON.parse(line) as { seq: number }).seq),
    ).toEqual([1])
  })

  it('filters by time, relative and absolute, and says if nothing matches', async () => {
    const hourMs = 3_600_000
    const old = recordWith({ subject: 'old' }, Date.now() - 3 * hourMs)
    const file = databaseWith([old, recordWith({ subject: 'new' })])
    expect((await logOf(file, '--since', '2h')).stdout).toMatch(/^\S+ \S+ .*new\n$/)
    expect((await logOf(file, '--until', '2h')).stdout).toMatch(/^\S+ \S+ .*old\n$/)
    expect(await logOf(file, '--since', '2099-01-01')).toMatchObject({
      stdout: '',
      stderr: 'hookgate: no recorded decision matches\n',
      exitCode: 0,
    })
    expect(await logOf(file, '--since', 'last week')).toMatchObject({ exitCode: 1 })
  })

  it('filters by the days of the person’s own clock: `yesterday` begins at its midnight', async () => {
    const now = new Date()
    const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1).getTime()
    const before = recordWith({ subject: 'before' }, midnight - 1)
    const file = databaseWith([before, recordWith({ subject: 'first' }, midnight), recordWith({ subject: 'now' })])
    const told = async (...argv: string[]) =>
      (await logOf(file, ...argv)).stdout.match(/(?:before|first|now)$/gm)?.join(' ')
    expect(await told('--since', 'yesterday')).toBe('first now')
    expect(await told('--since', 'today')).toBe('now')
    expect(await told('--until', 'yesterday')).toBe('before first')
  })

  it('says at its end how many decisions are lost and how many rows it cannot read', async () => {
    const file = databaseWith([recordWith(), '{"id":1}'])
    append(file, [recordWith()], {}, 2)
    const { stdout, stderr, exitCode } = await logOf(file)
    expect(stdout.split('\n')).toHaveLength(3)
    expect(stderr).toMatch(
      /^hookgate: 2 decisions could not be recorded: .*\nhookgate: 1 row of the record cannot be read/,
    )
    expect(exitCode).toBe(0)
  })

  it('says that nothing is recorded yet, and how it begins', async () => {
    const file = join(folderWith(), 'decisions.db')
    expect(await logOf(file)).toMatchObject({ stdout: expect.stringMatching(/^nothing is recorded yet/), exitCode: 0 })
    expect(await logOf(file, '--json')).toMatchObject({ stdout: '', exitCode: 0 })
  })

  it('names a file that is no database, and what to do with it', async () => {
    const file = join(folderWith({ 'decisions.db': 'x'.repeat(5000) }), 'decisions.db')
    const { stdout, stderr, exitCode } = await logOf(file)
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 1 })
    expect(stderr).toMatch(`${file}: the record cannot be read`)
    expect(stderr).toMatch('the next decision sets the file aside and begins a new one')
  })

  it('--json prints records whose fields the shipped schema has', async () => {
    const { stdout: schemaText } = await hookgateHere(['schema', 'decision'])
    const schema = JSON.parse(schemaText) as { properties: object; required: string[] }
    const { stdout } = await logOf(databaseWith([recordWith(refusedBy('a', { refusal: 'k3x7qd' }))]), '--json')
    const line = JSON.parse(stdout) as object
    expect(line).toMatchObject({ seq: 1, agent: 'claude-code', refusal: 'k3x7qd', evaluations: [{ ruleId: 'a' }] })
    expect(Object.keys(schema.properties)).toEqual(expect.arrayContaining(Object.keys(line)))
    expect(Object.keys(line)).toEqual(expect.arrayContaining(schema.required))
    // Fields may be added.
    expect(schemaText).not.toContain('additionalProperties')
  })
})

describe('hookgate log --verify', () => {
  const rows = () => ['a', 'b', 'c', 'd'].map((subject) => recordWith({ subject }))

  it('prints the number of decisions and the head, which a later record still has', async () => {
    const file = databaseWith(rows())
    const { stdout, exitCode } = await logOf(file, '--verify')
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/^intact: 4 events, head 4:[0-9a-f]{64}\n$/)
    const head = stdout.trim().slice(stdout.indexOf('4:'))
    append(file, rows())
    expect(await logOf(file, '--expect', head)).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/^intact: 8/),
    })
    expect(
      await logOf(
        file,
        '--verify',
        '--expect',
        head.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
      ),
    ).toMatchObject({
      exitCode: 1,
      stdout: expect.stringMatching(/^broken: row 4 is not the one that was kept/),
    })
    expect(await logOf(file, '--expect', head.replace('4:', '9:'))).toMatchObject({
      exitCode: 1,
      stdout: expect.stringMatching(/^broken: row 9 is not there/),
    })
    expect(await logOf(file, '--expect', 'x')).toMatchObject({ exitCode: 1, stderr: expect.stringMatching('SEQ:HASH') })
  })

  it.each([
    [
      'a changed row',
      'UPDATE decisions SET record = replace(record, \'"b"\', \'"x"\') WHERE seq = 2',
      /row 2 .* was changed/,
    ],
    ['a removed row', 'DELETE FROM decisions WHERE seq = 3', /row 3 is missing/],
    ['a truncated end', 'DELETE FROM decisions WHERE seq > 2', /row 3 is missing/],
    [
      'an inserted row',
      "INSERT INTO decisions (seq, id, record, hash) VALUES (5, 'x', '{}', x'00')",
      /row 5 .* is there/,
    ],
  ])('names the first row that is wrong: %s', async (_, statement, what) => {
    const file = databaseWith(rows())
    const database = new DatabaseSync(file)
    database.exec(statement)
    database.close()
    const { stdout, exitCode } = await logOf(file, '--verify')
    expect(stdout).toMatch(/^broken: /)
    expect(stdout).toMatch(what)
    expect(exitCode).toBe(1)
  })
})

describe('the process of `hookgate log`', () => {
  const bin = entryFile('cli/bin')
  const environment = (file: string) => ({
    PATH: process.env['PATH'],
    HOME: emptyHome,
    HOOKGATE_HOME: join(file, '..'),
  })

  it('writes a long record in parts, and ends quietly when its reader has enough', () => {
    const file = databaseWith(Array.from({ length: 2000 }, (_, index) => recordWith({ subject: `n${index}` })))
    const script = `"$1" "$2" log --limit all 2>"$3" | head -n 3; echo "\${PIPESTATUS[0]}"`
    const errors = join(file, '..', 'errors')
    const out = execFileSync('bash', ['-c', script, '-', process.execPath, bin, errors], {
      env: environment(file),
      encoding: 'utf8',
    })
    expect(withoutTimes(out).split('\n')).toEqual([
      ...[0, 1, 2].map((index) => `TIME  Claude Code  passed    shell  n${index}`),
      '0',
      '',
    ])
    expect(readFileSync(errors, 'utf8')).toBe('')
  })

  it('--follow prints each new decision, also of a database that replaces the first, until Ctrl-C', async () => {
    const file = join(folderWith(), 'decisions.db')
    const child = spawn(process.execPath, [bin, 'log', '--follow', '--json', '--text', 'n'], { env: environment(file) })
    onTestFinished(() => void child.kill('SIGKILL'))
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    const next = async () => (JSON.parse(String((await lines.next()).value)) as DecisionRecord).subject
    append(
      file,
      ['n1', 'x', 'n2'].map((subject) => recordWith({ subject })),
    )
    expect([await next(), await next()]).toEqual(['n1', 'n2'])
    append(file, [recordWith({ subject: 'n3' })])
    expect(await next()).toBe('n3')
    for (const part of ['', '-wal', '-shm']) {
      try {
        renameSync(file + part, `${file}.old${part}`)
      } catch {
        // SQLite removes them where nobody has the database open.
      }
    }
    append(file, [recordWith({ subject: 'n4' })])
    expect(await next()).toBe('n4')
    child.kill('SIGINT')
    expect(await once(child, 'close')).toEqual([0, null])
  })

  it('has colours on a terminal that wants them only', () => {
    const file = databaseWith([recordWith(refusedBy('a'))])
    const run = (env: object) =>
      execFileSync(process.execPath, [bin, 'log'], { env: { ...environment(file), ...env }, encoding: 'utf8' })
    expect(run({})).not.toContain('\u001b')
    expect(run({ FORCE_COLOR: '1' })).toContain('\u001b[31mrefused')
  })
})
