import { chmodSync, existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { limits } from '../../src/model/limits.ts'
import { shellWord } from '../../src/model/text.ts'
import type { HookExit, HookProcess } from '../../src/model/rule.ts'
import { startHook } from '../../src/hooks/spawn.ts'
import { hook, hookFile, shellHook } from '../support/hooks.ts'
import { liveProcesses, processTag, survivors, until } from '../support/processes.ts'
import { missing } from '../support/own-folder.ts'
import { folderWith } from '../support/workspace.ts'

/** Runs a hook, and expects it to leave no process. */
async function runToItsEnd(what: HookProcess): Promise<HookExit> {
  const { tag, env } = processTag()
  const exit = await startHook({ ...what, env: { ...env, ...what.env } }, () => {}).exit
  expect(await survivors(tag)).toEqual([])
  return exit
}

const denial = '{"cancel":true,"errorMessage":"no","decision":"block","reason":"no"}\n'
/** More than any pipe or socket buffer holds. */
const longEvent = 'é'.repeat(200 * 1024)

const pipesOpen = () => process.getActiveResourcesInfo().filter((name) => name === 'PipeWrap').length

describe('a hook that exits by itself', () => {
  it('gets the whole event, and its output is returned byte for byte', async () => {
    const stdin = `{"text":"${longEvent}"}`
    expect(await runToItsEnd(hook('echo-event', { stdin }))).toMatchObject({ exitCode: 0, stdout: stdin, stderr: '' })
  })

  it.each([
    ['denies', 0, denial],
    ['prints-nothing', 0, ''],
    ['prints-half-json', 0, '{"cancel":true,"errorMessage":"n'],
    ['exits-1-with-cancel', 1, denial],
    ['prints-then-killed', null, denial],
    ['no-shebang', 0, denial],
    ['never-reads-stdin', 0, denial],
    ['bom-output', 0, `\uFEFF${denial}`],
    ['multibyte-across-chunks', 0, '{"cancel":true,"errorMessage":"café","decision":"block","reason":"café"}\n'],
    ['non-utf8', 0, '{"cancel":true,"errorMessage":"caf\uFFFD","decision":"block","reason":"caf\uFFFD"}\n'],
  ])('%s: its exit code is %j and its stdout is returned', async (name, exitCode, stdout) => {
    expect(await runToItsEnd(hook(name))).toMatchObject({ kind: 'exited', exitCode, stdout })
  })

  it.each([
    ['exits-1', 'nonzeroExit', 'exited with code 1: something is wrong'],
    ['exits-2', 'nonzeroExit', 'exited with code 2: not on my watch'],
    ['killed-by-signal', 'signalled', 'killed by SIGKILL'],
    ['prints-then-killed', 'signalled', 'killed by SIGKILL'],
    ['non-utf8', 'outputNotUtf8', 'its stdout is not UTF-8'],
  ])('%s: has failed as %s', async (name, code, message) => {
    expect(await runToItsEnd(hook(name))).toMatchObject({ kind: 'exited', failure: { code, message } })
  })

  const system = '/usr/bin:/bin'
  it('has failed as interpreterMissing if env does not find its interpreter', async () => {
    const name = 'missing-env-interpreter'
    const message = `\`${hookFile(name)}\` needs the interpreter \`no-such-interpreter\`, which does not exist`
    const exit = await runToItsEnd(hook(name, { env: { PATH: system } }))
    expect(exit).toMatchObject({ kind: 'exited', failure: { code: 'interpreterMissing', message } })
  })

  it.skipIf(process.getuid?.() === 0)('has failed as not found if a folder of PATH may not be searched', async () => {
    const closed = folderWith()
    chmodSync(closed, 0)
    const rest = { env: { PATH: `${closed}:${system}` } }
    const found = 'was not found in the folders of PATH that may be searched'
    const byEnv = (await runToItsEnd(hook('missing-env-interpreter', rest))).failure
    expect(byEnv?.message).toContain(`\`no-such-interpreter\`, which ${found}`)
    const exec = { program: { form: 'exec', file: 'no-such-program', args: [] }, ...rest } as const
    expect((await runToItsEnd(hook('', exec))).failure?.message).toBe(`\`no-such-program\` ${found}`)
    // Some shells say that permission is denied, others that nothing was found.
    const byShell = (await runToItsEnd(shellHook('no-such-program', rest))).failure
    expect(byShell?.message).toMatch(/^`no-such-program` was not found in /)
  })

  it.each(['', '--input-type=module'])(
    'that is a Node program (%s) and crashes is reported with its error',
    async (option) => {
      const args = [...(option === '' ? [] : [option]), '-e', 'throw new RangeError("no such tool")']
      const exit = await runToItsEnd(hook('', { program: { form: 'exec', file: process.execPath, args } }))
      expect(exit.failure?.message).toBe('exited with code 1: RangeError: no such tool')
    },
  )

  it('has its stderr returned', async () => {
    expect(await runToItsEnd(hook('writes-to-stderr'))).toMatchObject({
      failure: undefined,
      stdout: denial,
      stderr: 'looking at the event\n',
    })
  })

  it('may answer without reading a long event', async () => {
    const exit = await runToItsEnd(hook('never-reads-stdin', { stdin: longEvent }))
    expect(exit).toMatchObject({ kind: 'exited', exitCode: 0, stdout: denial, failure: undefined })
  })

  it('has failed as stdinClosed if it closed stdin on a long event and failed', async () => {
    const exit = await runToItsEnd(hook('closes-stdin-and-fails', { stdin: longEvent }))
    const message = 'exited with code 1 before it read the event from its stdin: I do not want to know'
    expect(exit).toMatchObject({ exitCode: 1, failure: { code: 'stdinClosed', message } })
  })

  it('has failed as stdinClosed if it left a long event unread and failed', async () => {
    const exit = await runToItsEnd(shellHook('sleep 0.2; exit 3', { stdin: longEvent }))
    expect(exit).toMatchObject({ exitCode: 3, failure: { code: 'stdinClosed' } })
  })

  it('has its own working directory and environment, and inherits nothing', async () => {
    const cwd = mkdtempSync(join(tmpdir(), 'hookgate-spawn-'))
    process.env['HOOKGATE_TEST_OURS'] = 'secret'
    const exit = await runToItsEnd(hook('echoes-environment', { cwd, env: { GUARD: 'on', PATH: '/usr/bin:/bin' } }))
    delete process.env['HOOKGATE_TEST_OURS']
    const lines = exit.kind === 'exited' ? exit.stdout.split('\n') : []
    expect(lines).toEqual(expect.arrayContaining([cwd, 'GUARD=on', 'PATH=/usr/bin:/bin']))
    expect(lines.join('\n')).not.toContain('HOOKGATE_TEST_OURS')
  })

  it('leads its own process group', async () => {
    const exit = await runToItsEnd(shellHook('ps -o pgid= -p $$ && echo $$'))
    const [group, pid] = exit.kind === 'exited' ? exit.stdout.trim().split(/\s+/) : []
    expect(group).toBe(pid)
  })

  it.each([
    [
      'a program and its arguments',
      { form: 'exec', file: 'printf', args: ['%s|', 'a b', '$HOME', '"'] },
      'a b|$HOME|"|',
    ],
    ['a command for the shell', { form: 'shell', shell: 'sh', command: 'echo "$GUARD" | tr a-z A-Z' }, 'ON\n'],
  ] as const)('runs as %s', async (_, program, stdout) => {
    const env = { PATH: process.env['PATH'] ?? '', GUARD: 'on' }
    expect(await runToItsEnd(hook('', { program, env }))).toMatchObject({ exitCode: 0, stdout })
  })
})

describe('a hook that cannot be started', () => {
  it.each([
    ['missing-interpreter', 'interpreterMissing', 'needs the interpreter `/no/such/interpreter`, which does not exist'],
    ['not-executable', 'notExecutable', `is not executable; run \`chmod +x ${shellWord(hookFile('not-executable'))}\``],
    ['nothing', 'commandNotFound', 'does not exist'],
  ])('%s: has failed as %s', async (name, code, message) => {
    expect(await runToItsEnd(hook(name))).toMatchObject({
      kind: 'failed',
      failure: { code, message: `\`${hookFile(name)}\` ${message}` },
    })
  })

  it('because its lines end in CR LF has that reason', async () => {
    const exit = await runToItsEnd(hook('crlf-shebang'))
    expect(exit.failure).toMatchObject({ code: 'interpreterMissing' })
    expect(exit.failure?.message).toContain('ends in CR LF')
  })

  it.each([
    ['guard-that-is-not-there --all', 'commandNotFound', '`guard-that-is-not-there` was not found in PATH'],
    [shellWord(hookFile('nothing')), 'commandNotFound', `\`${hookFile('nothing')}\` does not exist`],
    [
      shellWord(hookFile('not-executable')),
      'notExecutable',
      `\`${hookFile('not-executable')}\` is not executable; run \`chmod +x ${shellWord(hookFile('not-executable'))}\``,
    ],
    [
      shellWord(hookFile('missing-interpreter')),
      'interpreterMissing',
      `\`${hookFile('missing-interpreter')}\` needs the interpreter \`/no/such/interpreter\`, which does not exist`,
    ],
  ])('by a shell has the same failure: %s', async (command, code, message) => {
    expect((await runToItsEnd(shellHook(command))).failure).toEqual({ code, message })
  })

  it('because its working directory is missing names it', async () => {
    const exit = await runToItsEnd(hook('denies', { cwd: missing }))
    expect(exit.failure).toEqual({
      code: 'spawnFailed',
      message: `its working directory \`${missing}\` does not exist`,
    })
  })

  it.each([
    ['an argument list that no system takes', 'x'.repeat(4 * 1024 * 1024), 'argument list too long (E2BIG)'],
    ['a NUL in an argument', 'a\0b', 'null bytes'],
  ])('for %s has failed as spawnFailed, with the system’s message', async (_, argument, words) => {
    const exit = await runToItsEnd(hook('', { program: { form: 'exec', file: 'true', args: [argument] } }))
    expect(exit).toMatchObject({ kind: 'failed', failure: { code: 'spawnFailed' } })
    expect(exit.failure?.message).toContain(words)
  })
})

describe('a hook that does not exit', () => {
  it('is killed at its timeout', async () => {
    const exit = await runToItsEnd(hook('sleeps-forever', { timeoutMs: 200 }))
    expect(exit).toMatchObject({
      kind: 'failed',
      stderr: '',
      failure: { code: 'timeout', message: expect.stringContaining('timed out after 200 ms') },
    })
    expect(exit.durationMs).toBeGreaterThanOrEqual(200)
  })

  it('gets SIGTERM before SIGKILL', async () => {
    const cwd = mkdtempSync(join(tmpdir(), 'hookgate-spawn-'))
    await runToItsEnd(hook('cleans-up-on-sigterm', { cwd, timeoutMs: 300 }))
    expect(existsSync(join(cwd, 'cleaned-up'))).toBe(true)
  })

  it('is killed when it ignores SIGTERM', async () => {
    const exit = await runToItsEnd(hook('ignores-sigterm', { timeoutMs: 200 }))
    expect(exit.failure?.code).toBe('timeout')
    expect(exit.durationMs).toBeGreaterThanOrEqual(200 + limits.graceMs)
  })

  it('has its output discarded', async () => {
    const exit = await runToItsEnd(shellHook(`echo '${denial}'; echo why >&2; exec sleep 600`, { timeoutMs: 300 }))
    expect(exit).toEqual({
      kind: 'failed',
      stderr: '',
      durationMs: exit.durationMs,
      failure: { code: 'timeout', message: expect.stringContaining('timed out after 300 ms') },
    })
  })

  it('is killed with all its child processes', async () => {
    const exit = await runToItsEnd(shellHook('sleep 600 & (trap "" TERM; sleep 601) & wait', { timeoutMs: 300 }))
    expect(exit.failure?.code).toBe('timeout')
  })

  it('is cancelled on abort, and stays cancelled', async () => {
    const { tag, env } = processTag()
    const running = startHook(hook('ignores-sigterm', { env }), () => {})
    running.cancel()
    running.cancel()
    expect(await running.exit).toMatchObject({ kind: 'failed', stderr: '', failure: { code: 'cancelled' } })
    expect(await survivors(tag)).toEqual([])
    running.cancel()
    expect((await running.exit).failure?.code).toBe('cancelled')
  })
})

describe('a hook that leaves a process behind', () => {
  it('may answer, after a short wait, although a grandchild holds its stdout', async () => {
    const exit = await runToItsEnd(hook('leaves-grandchild'))
    expect(exit).toMatchObject({ kind: 'exited', exitCode: 0, stdout: denial, failure: undefined })
    expect(exit.durationMs).toBeGreaterThanOrEqual(limits.graceMs)
  })

  it('may answer at once where the grandchild holds no stream', async () => {
    const order: string[] = []
    const held = runToItsEnd(hook('leaves-grandchild')).then(() => order.push('held'))
    const exit = await runToItsEnd(hook('leaves-quiet-grandchild'))
    order.push('quiet')
    await held
    expect(exit).toMatchObject({ kind: 'exited', exitCode: 0, stdout: denial, failure: undefined })
    expect(order).toEqual(['quiet', 'held'])
  })

  it('does not time out because of it, if the hook itself was in time', async () => {
    const exit = await runToItsEnd(hook('leaves-grandchild', { timeoutMs: limits.graceMs / 2 }))
    expect(exit).toMatchObject({ kind: 'exited', stdout: denial })
  })

  it('returns what the grandchild prints during that wait', async () => {
    const exit = await runToItsEnd(shellHook('(sleep 0.1; echo late; sleep 600) & echo early'))
    expect(exit).toMatchObject({ kind: 'exited', stdout: 'early\nlate\n' })
  })

  it('is cancelled at once during that wait', async () => {
    const { tag, env } = processTag()
    const order: string[] = []
    const held = runToItsEnd(hook('leaves-grandchild')).then(() => order.push('held'))
    const running = startHook(hook('leaves-grandchild', { env }), () => setTimeout(() => running.cancel(), 200))
    expect((await running.exit).failure?.code).toBe('cancelled')
    order.push('cancelled')
    await held
    expect(order).toEqual(['cancelled', 'held'])
    expect(await survivors(tag)).toEqual([])
  })

  it('does not hold the gate’s streams open with a process outside its group', async () => {
    const { tag, env } = processTag()
    const before = pipesOpen()
    const exit = await startHook(shellHook('setsid sleep 600 & echo fine', { env }), () => {}).exit
    expect(exit).toMatchObject({ kind: 'exited', stdout: 'fine\n', failure: undefined })
    expect(await until(() => pipesOpen() === before)).toBe(true)
    for (const pid of liveProcesses(tag)) process.kill(pid, 'SIGKILL')
  })
})

describe('a hook that prints endlessly', () => {
  it.each([
    ['floods-stdout', 'stdout'],
    ['floods-stderr', 'stderr'],
  ])('%s: is killed and reported', async (name, stream) => {
    const message = `printed more than 1,048,576 bytes to ${stream} and was killed`
    expect(await runToItsEnd(hook(name))).toMatchObject({
      kind: 'failed',
      failure: { code: 'outputTooLarge', message },
    })
  })

  it('is killed although it ignores write errors', async () => {
    const command = `trap '' TERM PIPE; yes flood; while :; do sleep 1; done`
    expect((await runToItsEnd(shellHook(command))).failure?.code).toBe('outputTooLarge')
  })

  it('is stopped at once by a closed pipe, although it ignores SIGTERM', async () => {
    const order: string[] = []
    const held = runToItsEnd(hook('leaves-grandchild')).then(() => order.push('held'))
    const exit = await runToItsEnd(shellHook(`trap '' TERM; yes flood`))
    order.push('flood')
    await held
    expect(exit.failure?.code).toBe('outputTooLarge')
    expect(order).toEqual(['flood', 'held'])
  })

  it('may print up to the limit', async () => {
    const exit = await runToItsEnd(shellHook(`head -c ${limits.hookOutputBytesMax} /dev/zero`))
    expect(exit).toMatchObject({ kind: 'exited', stdout: '\0'.repeat(limits.hookOutputBytesMax), failure: undefined })
  })

  it('may not print one byte over the limit', async () => {
    const exit = await runToItsEnd(shellHook(`head -c ${limits.hookOutputBytesMax + 1} /dev/zero`))
    expect(exit).toMatchObject({ kind: 'failed', failure: { code: 'outputTooLarge' } })
  })

  it('has its stderr returned for its author', async () => {
    const exit = await runToItsEnd(shellHook('echo "going mad" >&2; sleep 0.5; exec yes'))
    expect(exit).toMatchObject({ kind: 'failed', stderr: 'going mad\n' })
  })
})

describe('starting a hook', () => {
  it('reports its process id first', async () => {
    const { tag, env } = processTag()
    const pids: number[] = []
    const running = startHook(hook('sleeps-forever', { env }), (pid) => pids.push(pid))
    expect(pids).toHaveLength(1)
    expect(readFileSync(`/proc/${pids[0]}/stat`, 'utf8').startsWith(`${pids[0]} (`)).toBe(true)
    running.cancel()
    await running.exit
    expect(liveProcesses(tag)).toEqual([])
  })

  it('reports no process id where the system could not start it', async () => {
    const pids: number[] = []
    await startHook(hook('nothing'), (pid) => pids.push(pid)).exit
    expect(pids).toEqual([])
  })

  it('that is cancelled before it failed to start is cancelled', async () => {
    const running = startHook(hook('nothing'), () => {})
    running.cancel()
    expect((await running.exit).failure?.code).toBe('cancelled')
  })
})
