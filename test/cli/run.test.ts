import { spawn, spawnSync } from 'node:child_process'
import { cpSync, existsSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { entryFile } from '../../src/files/program-files.ts'
import { hookgate, statelessEnv } from '../support/cli.ts'
import { liveProcesses, survivors, until, untilIdle } from '../support/processes.ts'
import { policyText } from '../support/policies.ts'
import { claudeEvent, claudeShell, clineTool } from '../support/wire.ts'
import { answers, folderWith, rulesWith } from '../support/workspace.ts'

const deniesForClaude = answers({
  hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: 'not here' },
})
const cancelsForCline = answers({ cancel: true, errorMessage: 'not here' })
const binFile = entryFile('cli/bin')
const source = fileURLToPath(new URL('../../src', import.meta.url))

describe('hookgate run', () => {
  it('compiles no schema for one event: that takes longer than to check the event', () => {
    const report = `globalThis.Function = new Proxy(Function, {
      construct: (made, given) => console.error('a function from a string') ?? Reflect.construct(made, given),
    })`
    const root = folderWith({ 'hooks.json': rulesWith('PreToolUse', 'true') })
    const { status, stderr } = spawnSync(
      process.execPath,
      [
        '--import',
        `data:text/javascript,${encodeURIComponent(report)}`,
        binFile,
        'run',
        '--rules',
        join(root, 'hooks.json'),
      ],
      { input: JSON.stringify(claudeShell('ls', root)), encoding: 'utf8', env: statelessEnv },
    )
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  })

  it('prints nothing and exits with 0 when no rule applies: silence is no opinion', async () => {
    const root = folderWith()
    const ended = await hookgate(['run', '--agent', 'claude-code'], { stdin: JSON.stringify(claudeShell('ls', root)) })
    expect(ended).toEqual({ stdout: '', stderr: '', exitCode: 0 })
  })

  it('denies for Claude Code with only its deny JSON on stdout, the reason on stderr, and exit code 2', async () => {
    const root = folderWith({ 'hook.sh': deniesForClaude, 'hooks.json': rulesWith('PreToolUse', './hook.sh') })
    const ended = await hookgate(['run', '--rules', join(root, 'hooks.json')], {
      stdin: JSON.stringify(claudeShell('ls', root)),
    })
    expect(ended.exitCode).toBe(2)
    expect(JSON.parse(ended.stdout)).toMatchObject({
      hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny' },
    })
    expect(ended.stderr).toContain('not here')
  })

  it('denies for Cline with cancel and exit code 0, since Cline discards what a failing hook prints', async () => {
    const root = folderWith({ '.clinerules/hooks/PreToolUse': cancelsForCline })
    const ended = await hookgate(['run', '--trust-workspace'], {
      stdin: JSON.stringify(clineTool('execute_command', { command: 'ls' }, root)),
    })
    expect(ended.exitCode).toBe(0)
    expect(JSON.parse(ended.stdout)).toMatchObject({ cancel: true, errorMessage: expect.stringContaining('not here') })
  })

  it('runs a Cline hook for Claude Code, and a Claude Code hook for Cline', async () => {
    const root = folderWith({
      '.clinerules/hooks/PreToolUse': cancelsForCline,
      'claude/hook.sh': deniesForClaude,
      'claude/hooks.json': rulesWith('PreToolUse', '"$CLAUDE_PROJECT_DIR"/claude/hook.sh', { matcher: 'Bash' }),
    })
    const forClaude = await hookgate(['run', '--rules', join(root, '.clinerules/hooks'), '--no-discover'], {
      stdin: JSON.stringify(claudeShell('ls', root)),
    })
    expect(forClaude).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('not here') })
    const forCline = await hookgate(['run', '--rules', join(root, 'claude'), '--no-discover'], {
      stdin: JSON.stringify(clineTool('execute_command', { command: 'ls' }, root)),
    })
    expect(JSON.parse(forCline.stdout)).toMatchObject({ cancel: true })
  })

  it('--json prints the verdict itself, with the slowest rule and every evaluation', async () => {
    const root = folderWith({ 'hook.sh': deniesForClaude, 'hooks.json': rulesWith('PreToolUse', './hook.sh') })
    const ended = await hookgate(['run', '--json', '--rules', 'hooks.json'], {
      stdin: JSON.stringify(claudeShell('ls', root)),
      cwd: root,
    })
    const id = 'explicit:hooks.json#PreToolUse[0].hooks[0]'
    expect(JSON.parse(ended.stdout)).toMatchObject({
      decision: 'deny',
      cancel: true,
      reason: `not here (${id})`,
      context: '',
      contextTruncatedBytes: 0,
      determining: [id],
      slowest: { ruleId: id, durationMs: expect.any(Number) },
      obligations: [],
      notices: [],
      evaluations: [
        { ruleId: 'hookgate:self-protection', kind: 'notApplicable' },
        { ruleId: id, kind: 'applicable', effect: 'deny', reason: 'not here', durationMs: expect.any(Number) },
      ],
    })
    expect(ended.exitCode).toBe(2)
  })

  it('--debug traces on stderr and leaves stdout to the answer', async () => {
    const root = folderWith({ 'hook.sh': deniesForClaude, 'hooks.json': rulesWith('PreToolUse', './hook.sh') })
    const ended = await hookgate(['run', '--debug', '--rules', 'hooks.json'], {
      stdin: JSON.stringify(claudeShell('ls', root)),
      cwd: root,
    })
    expect(JSON.parse(ended.stdout)).toHaveProperty('hookSpecificOutput')
    expect(ended.stderr).toContain('explicit:hooks.json#PreToolUse[0].hooks[0]')
  })

  it('does not wait for an async hook, which keeps running and decides nothing', async () => {
    const root = folderWith({
      'late.sh': {
        script:
          '#!/bin/sh\ncat >/dev/null\ncd "$CLAUDE_PROJECT_DIR"\nuntil [ -e go ]; do [ -e late.sh ] || exit; sleep 0.1; done\ntouch late\nexit 2\n',
      },
      'hooks.json': rulesWith('PreToolUse', './late.sh', { async: true, onFailure: 'block' }),
    })
    const ended = await hookgate(['run', '--rules', 'hooks.json'], {
      stdin: JSON.stringify(claudeShell('ls', root)),
      cwd: root,
    })
    expect(ended).toEqual({ stdout: '', stderr: '', exitCode: 0 })
    expect(existsSync(join(root, 'late'))).toBe(false)
    writeFileSync(join(root, 'go'), '')
    await expect.poll(() => existsSync(join(root, 'late')), { timeout: 120_000 }).toBe(true)
  })

  it('does not run the hooks of an untrusted workspace, and says how to trust it', async () => {
    const root = folderWith({
      '.hookgate/hooks.json': rulesWith('PreToolUse', 'touch "$CLAUDE_PROJECT_DIR"/it-ran'),
    })
    const ended = await hookgate(['run', '--json'], { stdin: JSON.stringify(claudeShell('ls', root)) })
    expect(JSON.parse(ended.stdout)).toMatchObject({
      decision: 'abstain',
      evaluations: [{ kind: 'notApplicable' }, { kind: 'indeterminate', failure: { code: 'untrusted' } }],
      notices: [expect.stringContaining('hookgate trust')],
    })
  })
})

describe('failures', () => {
  const malformed = '{"hooks": {"PreToolUse": [\n  {"hooks": [}\n]}}'

  it.each([
    ['nothing at all', ''],
    ['no JSON', 'hello'],
    ['half an event', '{"hook_event_name": "PreToolUse", "session_id": '],
    ['an array', '[]'],
    ['an event without its fields', '{"hook_event_name":"PreToolUse"}'],
  ])('with %s on stdin, Claude Code is refused', async (_, stdin) => {
    const ended = await hookgate(['run', '--agent', 'claude-code'], { stdin })
    expect(ended.exitCode).toBe(2)
    expect(JSON.parse(ended.stdout)).toBeTypeOf('object')
    expect(ended.stderr).toMatch(/^hookgate cannot answer: .+\n$/)
  })

  it('a rules file that does not parse refuses, naming file, line and column', async () => {
    const root = folderWith({ 'hooks.json': malformed })
    const ended = await hookgate(['run', '--rules', join(root, 'hooks.json')], {
      stdin: JSON.stringify(claudeShell('ls', root)),
    })
    expect(ended.exitCode).toBe(2)
    expect(ended.stderr).toContain(`${join(root, 'hooks.json')}:2:14`)
  })

  it('a rules file that does not parse cancels for Cline, with exit code 0', async () => {
    const root = folderWith({ '.hookgate/hooks.json': malformed })
    const ended = await hookgate(['run'], { stdin: JSON.stringify(clineTool('read_file', { path: 'a' }, root)) })
    expect(ended.exitCode).toBe(0)
    expect(JSON.parse(ended.stdout)).toMatchObject({
      cancel: true,
      errorMessage: expect.stringContaining('hooks.json:2'),
    })
  })

  it('an event that cannot be refused gets a clear error instead', async () => {
    const root = folderWith({ 'hooks.json': malformed })
    const ended = await hookgate(['run', '--rules', join(root, 'hooks.json')], {
      stdin: JSON.stringify(claudeEvent('SessionEnd', root, { reason: 'other' })),
    })
    expect(ended.exitCode).toBe(1)
    expect(ended.stderr).toContain('hooks.json:2')
  })

  it('an event of an unknown agent is refused in a form that several agents understand', async () => {
    const ended = await hookgate(['run'], { stdin: '{"tool":"x"}' })
    expect(ended.exitCode).toBe(2)
    expect(JSON.parse(ended.stdout)).toMatchObject({ cancel: true, decision: 'block' })
    expect(ended.stderr).toContain('--agent claude-code | cline')
  })

  it.each([[['--agnet', 'cline']], [['--agent', 'windmill']], [['--timeout', '-1']], [['--rules']], [['surplus']]])(
    'a mistyped command line (%j) refuses with a message',
    async (flags) => {
      const ended = await hookgate(['run', ...flags], { stdin: JSON.stringify(claudeShell('ls', '/')) })
      expect(ended.exitCode).toBe(2)
      expect(JSON.parse(ended.stdout)).toHaveProperty('hookSpecificOutput.permissionDecision', 'deny')
      expect(ended.stderr).toMatch(/hookgate run --help|`windmill` is not an agent .* there are `claude-code`/)
    },
  )

  it.each([[['--agent=cline', '--bogus']], [['--agent', 'cline', '--bogus']], [['--bogus', '--agent=cline']]])(
    'a mistyped command line that names Cline (%j) refuses in Cline’s protocol and exit code',
    async (flags) => {
      const ended = await hookgate(['run', ...flags], { stdin: '{"tool":"x"}' })
      expect(ended).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('--bogus') })
      expect(JSON.parse(ended.stdout)).toEqual({ cancel: true, errorMessage: expect.stringContaining('--bogus') })
    },
  )

  it('a hook that calls hookgate again does not recurse for ever', async () => {
    const ask = `"${process.execPath}" "${binFile}" r''un --agent claude-code --rules "$CLAUDE_PROJECT_DIR"/hooks.json`
    const root = folderWith({ 'hooks.json': rulesWith('PreToolUse', ask, { onFailure: 'block' }) })
    const ended = await hookgate(['run', '--rules', join(root, 'hooks.json')], {
      stdin: JSON.stringify(claudeShell('ls', root)),
    })
    expect(ended).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('keeps calling it') })
  })

  it.each([
    ['a file missing', undefined],
    ['a file that does not parse', 'export const decide = ('],
    ['a defect that throws', 'export const decide = () => { throw new TypeError("oops") }'],
    ['a defect that never answers', 'export const decide = () => new Promise(() => {})'],
    [
      'a defect outside of everything',
      'setTimeout(() => { throw new Error("oops") }); export const decide = () => new Promise(() => {})',
    ],
  ])('an installation with %s refuses, in one line and without a stack trace', async (_, engine) => {
    const broken = folderWith()
    cpSync(source, join(broken, 'src'), { recursive: true })
    symlinkSync(join(source, '..', 'node_modules'), join(broken, 'node_modules'))
    writeFileSync(join(broken, 'package.json'), '{"type":"module"}')
    if (engine === undefined) rmSync(join(broken, 'src', 'gate', 'engine.ts'))
    else writeFileSync(join(broken, 'src', 'gate', 'engine.ts'), engine)
    const ended = await hookgate(['run'], {
      stdin: JSON.stringify(claudeShell('ls', '/')),
      bin: join(broken, 'src', 'cli', 'bin.ts'),
    })
    expect(ended.exitCode).toBe(2)
    expect(JSON.parse(ended.stdout)).toHaveProperty('hookSpecificOutput.permissionDecision', 'deny')
    expect(ended.stderr.split('\n').filter((line) => line.startsWith('hookgate cannot answer: '))).toHaveLength(1)
    expect(ended.stderr).not.toMatch(/\n\s+at /)
  })

  it('runs from the sources of a checkout, with its hooks and policies', async () => {
    const root = folderWith({
      'hooks.json': rulesWith('PreToolUse', 'echo by the hook >&2; exit 2'),
      'x.policy.ts': policyText('x', '', "return deny('by the policy')"),
    })
    const rules = ['hooks.json', 'x.policy.ts'].flatMap((file) => ['--rules', join(root, file)])
    const stdin = JSON.stringify(claudeShell('ls', root))
    const ended = await hookgate(['run', '--json', ...rules], { stdin, bin: join(source, 'cli', 'bin.ts') })
    expect(JSON.parse(ended.stdout)).toMatchObject({
      decision: 'deny',
      evaluations: expect.arrayContaining([
        expect.objectContaining({ reason: 'by the hook' }),
        expect.objectContaining({ reason: 'by the policy' }),
      ]),
    })
  })

  it('SIGTERM while the event is still being written refuses', async () => {
    const child = spawn(process.execPath, [binFile, 'run', '--agent', 'claude-code'], {
      stdio: 'pipe',
      env: statelessEnv,
    })
    child.stdin.write(JSON.stringify(claudeShell('ls', '/')).slice(0, 100))
    let stdout = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
    // Before its first line runs, Node itself dies of the signal, which no handler can prevent.
    expect(await untilIdle(child.pid)).toBe(true)
    child.kill('SIGTERM')
    const exitCode = await new Promise((resolve) => child.on('close', resolve))
    expect([exitCode, stdout]).toEqual([2, expect.stringContaining('"block"')])
  })

  it('a removed working directory refuses or decides, as the rules demand', async () => {
    const root = folderWith({ 'hooks.json': rulesWith('PreToolUse', 'exit 2') })
    const gone = folderWith()
    const script = `cd ${gone} && rmdir ${gone} && exec "$0" "$@"`
    const ended = spawnSync(
      '/bin/sh',
      ['-c', script, process.execPath, binFile, 'run', '--rules', join(root, 'hooks.json')],
      {
        input: JSON.stringify(claudeShell('ls', root)),
        encoding: 'utf8',
        env: statelessEnv,
      },
    )
    expect([ended.status, ended.stdout]).toEqual([2, expect.stringContaining('deny')])
  })

  it('an event that is too large refuses', async () => {
    const huge = JSON.stringify(claudeShell('x'.repeat(17 * 1024 * 1024), '/'))
    const ended = await hookgate(['run', '--agent', 'claude-code'], { stdin: huge })
    expect(ended).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('is over 16777216 bytes') })
  })

  it('an unread stderr does not delay the answer', async () => {
    const long = 'x'.repeat(24_000)
    const root = folderWith({
      'hooks.json': {
        json: {
          hooks: {
            PreToolUse: [
              { hooks: [1, 2, 3, 4].map((n) => ({ type: 'command', command: `echo ${n}${long} >&2; exit 2` })) },
            ],
          },
        },
      },
    })
    const child = spawn(process.execPath, [binFile, 'run', '--rules', join(root, 'hooks.json')], {
      stdio: 'pipe',
      env: statelessEnv,
    })
    child.stdin.end(JSON.stringify(claudeShell('ls', root)))
    let stdout = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
    // stderr is never read.
    const exitCode = await new Promise((resolve) => child.on('exit', resolve))
    expect([exitCode, stdout]).toEqual([2, expect.stringContaining('"deny"')])
  })

  it('SIGTERM ends the hooks and refuses', async () => {
    const tag = `run-sigterm-${process.pid}`
    const root = folderWith({ 'hooks.json': rulesWith('PreToolUse', 'sleep 60') })
    const ended = await hookgate(['run', '--rules', join(root, 'hooks.json')], {
      stdin: JSON.stringify(claudeShell('ls', root)),
      env: { HOOKGATE_TEST_TAG: tag },
      onStart: (child) => {
        const kill = async () => {
          await until(() => liveProcesses(tag).length >= 3)
          child.kill('SIGTERM')
        }
        void kill()
      },
    })
    expect(ended.exitCode).toBe(2)
    expect(ended.stderr).toContain('SIGTERM')
    // The reaper ends when it notices that its parent is gone.
    expect(await survivors(tag)).toEqual([])
  })
})

describe('the command line', () => {
  it('prints its usage without a command, and fails', async () => {
    const ended = await hookgate([])
    expect(ended).toMatchObject({ stdout: '', exitCode: 1, stderr: expect.stringContaining('hookgate <command>') })
  })

  it('names an unknown command', async () => {
    expect(await hookgate(['windmill'])).toEqual({
      stdout: '',
      stderr: 'hookgate: there is no command `windmill`; see `hookgate --help`\n',
      exitCode: 1,
    })
  })

  it.each([
    ['rnu', 'run'],
    ['enabel', 'enable'],
    ['packes', 'packs'],
  ])('suggests the known command for a misspelt one: %s', async (word, meant) => {
    expect(await hookgate([word])).toEqual({
      stdout: '',
      stderr: `hookgate: there is no command \`${word}\`; did you mean \`${meant}\`?\n`,
      exitCode: 1,
    })
  })

  it.each([[['--agent', 'claude-code']], [['--agent=claude-code']]])(
    'a mistyped `run` in the settings of an agent (%j) refuses, since the agent would take exit code 1 for consent',
    async (flags) => {
      const ended = await hookgate(['rnu', ...flags], { stdin: JSON.stringify(claudeShell('ls', '/')) })
      expect(ended).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('did you mean `run`?') })
      expect(JSON.parse(ended.stdout)).toHaveProperty('hookSpecificOutput.permissionDecision', 'deny')
    },
  )
})
