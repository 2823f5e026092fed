import { describe, expect, it } from 'vitest'
import type { HookProcess, Program } from '../../src/model/rule.ts'
import { type ProcessEnding, hookExit, stdinBufferedBytesMax } from '../../src/hooks/exit-facts.ts'
import type { Look } from '../../src/hooks/start-failure.ts'

const script: Program = { form: 'script', file: '/hooks/guard' }
const sh = (command: string): Program => ({ form: 'shell', shell: 'sh', command })
const processOf = (program: Program, rest: Partial<HookProcess> = {}): HookProcess => ({
  program,
  cwd: '/work',
  env: {},
  stdin: '{}',
  timeoutMs: 30_000,
  ...rest,
})

const missing: Look = { path: '', is: 'missing', executable: false, interpreter: undefined }
const folder: Look = { ...missing, is: 'folder' }
const file: Look = { path: '', is: 'file', executable: true, interpreter: undefined }
/** A file system with these files and the working directory. */
const disk =
  (files: Readonly<Record<string, Look>> = {}) =>
  (path: string): Look => ({ ...({ '/work': folder, ...files }[path] ?? missing), path })

const exited = (rest: Partial<ProcessEnding & { kind: 'exited' }>): ProcessEnding => ({
  kind: 'exited',
  exitCode: 0,
  signal: null,
  stdout: Buffer.from(''),
  stderr: Buffer.from(''),
  stdinUnread: false,
  ...rest,
})

const refused = (code: string | undefined, name = '/hooks/guard'): ProcessEnding => ({
  kind: 'refused',
  file: name,
  code,
  detail: 'too many open files (EMFILE)\nmore',
})

const tracebackOf = (error: string) => `Traceback (most recent call last):\n  File "g.py", line 2\n    x\n${error}\n`
const withStdin = (bytes: number) => processOf(script, { stdin: 'x'.repeat(bytes) })
const failed = (exitCode: number, stderr: string) => exited({ exitCode, stderr: Buffer.from(stderr) })

function failureOf(ending: ProcessEnding, hook = processOf(script), files: Readonly<Record<string, Look>> = {}) {
  const { failure } = hookExit(hook, ending, 5, disk(files))
  return failure === undefined ? undefined : [failure.code, failure.message]
}

describe('a process that exited', () => {
  it('with 0 and UTF-8 succeeded', () => {
    const ending = exited({ stdout: Buffer.from('{"a":"é"}'), stderr: Buffer.from('well') })
    expect(hookExit(processOf(script), ending, 5, disk())).toEqual({
      kind: 'exited',
      exitCode: 0,
      stdout: '{"a":"é"}',
      stderr: 'well',
      failure: undefined,
      durationMs: 5,
    })
  })

  it.each([1, 2, 3, 255])('with %i has failed, with the message on its stderr', (exitCode) => {
    expect(failureOf(exited({ exitCode, stderr: Buffer.from('\n  no jq\nmore') }))).toEqual([
      'nonzeroExit',
      `exited with code ${exitCode}: no jq`,
    ])
    expect(failureOf(exited({ exitCode }))).toEqual(['nonzeroExit', `exited with code ${exitCode}`])
  })

  it.each<[string, string, string]>([
    [
      'Python’s traceback by the error at its end',
      'Traceback (most recent call last):\n  File "g.py", line 2, in <module>\n    check()\nKeyError: \'tool\'\n',
      "KeyError: 'tool'",
    ],
    [
      'Python’s chain of tracebacks by the last error, and that by its first line',
      `${tracebackOf('ValueError: a\nb')}\nDuring handling, another exception occurred:\n\n${tracebackOf('guard.No: c\nd')}`,
      'guard.No: c',
    ],
    [
      'Python’s traceback by its error, despite earlier lines that look like one',
      `Error: not this\n${tracebackOf('OSError: this')}`,
      'OSError: this',
    ],
    ['a traceback that was cut off by its first line', 'Traceback (most recent call last):\n  File', 'Traceback (most'],
    [
      'Python’s syntax error by its name',
      '  File "g.py", line 1\n    f(\n     ^\nSyntaxError: \'(\' was never closed\n',
      "SyntaxError: '(' was never closed",
    ],
    [
      'a crash of Node by its error',
      "node:internal/modules/cjs/loader:1568\n  throw err;\n  ^\n\nError: Cannot find module './x'\n    at f (g.js:1:1)\n",
      "Error: Cannot find module './x'",
    ],
    [
      'a crash of Node by its error with a code',
      'node:internal/errors:1\r\n    throw e\r\n    ^\r\n\r\nTypeError [ERR_INVALID_ARG_TYPE]: no\r\n    at f\r\n',
      'TypeError [ERR_INVALID_ARG_TYPE]: no',
    ],
    [
      'a rejection in Node with another value than an error',
      'node:internal/process/promises:394\n  x\n  ^\n\n[UnhandledPromiseRejection: The reason was "no".] {\n',
      '[UnhandledPromiseRejection: The reason was "no".] {',
    ],
    ['text that only mentions an error by its first line', 'checking\nno Error: here\n', 'checking'],
  ])('reports %s', (_, stderr, line) => {
    expect(failureOf(failed(1, stderr))?.[1]).toContain(`exited with code 1: ${line}`)
  })

  it('has control sequences removed from its message', () => {
    const stderr = Buffer.from('\u001b]0;owned\u0007bad')
    expect(failureOf(exited({ exitCode: 1, stderr }))?.[1]).toBe('exited with code 1: \\x1b]0;owned\\x07bad')
  })

  it('by a signal has a null exit code', () => {
    const ending = exited({ exitCode: null, signal: 'SIGSEGV', stderr: Buffer.from('boom') })
    expect(hookExit(processOf(script), ending, 5, disk())).toMatchObject({ kind: 'exited', exitCode: null })
    expect(failureOf(ending)).toEqual(['signalled', 'killed by SIGSEGV: boom'])
    expect(failureOf(exited({ exitCode: null, signal: null }))).toEqual(['signalled', 'killed by a signal'])
  })

  it('with invalid UTF-8 has it replaced and reported', () => {
    const ending = exited({ stdout: Buffer.from([0x61, 0xff, 0x62]) })
    expect(hookExit(processOf(script), ending, 5, disk())).toMatchObject({ stdout: 'a\uFFFDb' })
    expect(failureOf(ending)).toEqual(['outputNotUtf8', 'its stdout is not UTF-8'])
    expect(failureOf(exited({ stderr: Buffer.from([0xff]) }))).toBeUndefined()
  })

  it.each([
    ['UTF-16, the lesser byte first', Buffer.from('{"cancel":true}', 'utf16le')],
    ['UTF-16, the greater byte first', Buffer.from('{"cancel":true}', 'utf16le').swap16()],
    ['UTF-16 behind its mark', Buffer.from('\ufeff{"cancel":true}', 'utf16le')],
    ['one NUL among letters', Buffer.from('all\u0000fine')],
  ])('with %s has unreadable output', (_what, stdout) => {
    expect(failureOf(exited({ stdout }))).toEqual([
      'outputNotUtf8',
      'its stdout looks like UTF-16, and has to be UTF-8',
    ])
  })

  it.each(['', '\u0000\u0000', String.raw`{"reason":"\u0000"}`])('with %j has readable output', (text) => {
    expect(failureOf(exited({ stdout: Buffer.from(text) }))).toBeUndefined()
  })

  it('with an error code and invalid UTF-8 has failed by its code', () => {
    expect(failureOf(exited({ exitCode: 2, stdout: Buffer.from([0xff]) }))?.[0]).toBe('nonzeroExit')
  })
})

describe('a process that did not read the event', () => {
  const ending = exited({ exitCode: 1, stdinUnread: true, stderr: Buffer.from('nope') })

  it('has failed with stdinClosed if it failed and the event exceeds the kernel’s buffer', () => {
    expect(failureOf(ending, withStdin(stdinBufferedBytesMax + 1))).toEqual([
      'stdinClosed',
      'exited with code 1 before it read the event from its stdin: nope',
    ])
  })

  it('has failed by its code if the event was so short that the difference is a race', () => {
    expect(failureOf(ending, withStdin(stdinBufferedBytesMax))?.[0]).toBe('nonzeroExit')
  })

  it('has succeeded if it exited with 0', () => {
    expect(failureOf(exited({ stdinUnread: true }), withStdin(400_000))).toBeUndefined()
  })
})

describe('a process that we killed', () => {
  it.each([
    [30_000, 'timed out after 30 s; make it faster, or raise its `timeout`'],
    [1500, 'timed out after 1500 ms; make it faster, or raise its `timeout`'],
  ])('after its time of %i ms has timed out', (timeoutMs, message) => {
    expect(hookExit(processOf(script, { timeoutMs }), { kind: 'timedOut' }, 5, disk())).toEqual({
      kind: 'failed',
      failure: { code: 'timeout', message },
      stderr: '',
      durationMs: 5,
    })
  })

  it('after an abort is cancelled', () => {
    expect(failureOf({ kind: 'cancelled' })?.[0]).toBe('cancelled')
  })

  it.each(['stdout', 'stderr'] as const)('because it flooded %s has that reason', (stream) => {
    const exit = hookExit(processOf(script), { kind: 'flooded', stream, stderr: Buffer.from('why') }, 5, disk())
    expect(exit).toMatchObject({ kind: 'failed', stderr: 'why', failure: { code: 'outputTooLarge' } })
    expect(exit.failure?.message).toBe(`printed more than 1,048,576 bytes to ${stream} and was killed`)
  })
})

describe('a program that the system could not start', () => {
  it('because it does not exist', () => {
    expect(failureOf(refused('ENOENT'))).toEqual(['commandNotFound', '`/hooks/guard` does not exist'])
    expect(failureOf(refused('ENOENT', './guard'))).toEqual(['commandNotFound', '`./guard` does not exist'])
    expect(failureOf(refused('ENOENT', 'guard'))).toEqual(['commandNotFound', '`guard` was not found in PATH'])
    expect(failureOf(refused('ENOENT', 'C:\\guard'))?.[1]).toBe('`C:\\guard` does not exist')
  })

  it('because its working directory does not exist', () => {
    const hook = processOf(script, { cwd: '/gone' })
    const files = { '/hooks/guard': file }
    expect(failureOf(refused('ENOENT'), hook, files)).toEqual([
      'spawnFailed',
      'its working directory `/gone` does not exist',
    ])
  })

  it.each([
    ['/usr/bin/ruby -w', '`/hooks/guard` needs the interpreter `/usr/bin/ruby -w`, which does not exist'],
    [undefined, '`/hooks/guard` exists, but its loader does not'],
    [
      '/bin/sh\r',
      'the first line of `/hooks/guard` ends in CR LF, so its interpreter is not found; convert the file to LF line endings',
    ],
  ])('because its interpreter %j does not exist', (interpreter, message) => {
    const files = { '/hooks/guard': { ...file, interpreter } }
    expect(failureOf(refused('ENOENT'), undefined, files)).toEqual(['interpreterMissing', message])
  })

  it.each<[string, Look, string]>([
    ['no execute bit', { ...file, executable: false }, 'is not executable; run `chmod +x /hooks/guard`'],
    ['folder', folder, 'is a folder, not a program'],
    ['interpreter', { ...file, interpreter: '/etc/motd' }, 'names an interpreter that is not executable: `/etc/motd`'],
    ['file system', file, 'cannot be executed: a folder above it or its file system forbids it'],
  ])('because it may not be executed: %s', (_, found, message) => {
    expect(failureOf(refused('EACCES'), undefined, { '/hooks/guard': found })).toEqual([
      'notExecutable',
      `\`/hooks/guard\` ${message}`,
    ])
  })

  it('has a remedy with a quoted path, ready to paste', () => {
    const odd = "/hooks/it's one"
    const found = { [odd]: { ...file, executable: false } }
    expect(failureOf(refused('EACCES', odd), undefined, found)?.[1]).toContain(
      String.raw`run ${'`'}chmod +x '/hooks/it'\''s one'${'`'}`,
    )
  })

  it.each(['EMFILE', 'ENFILE', 'EAGAIN', 'ENOMEM'])('because resources are exhausted: %s', (code) => {
    expect(failureOf(refused(code))).toEqual([
      'exhausted',
      'the machine has no resources left to start it: too many open files (EMFILE)',
    ])
  })

  it('because a folder of PATH may not be searched', () => {
    const hook = processOf({ form: 'exec', file: 'guard', args: [] })
    expect(failureOf(refused('EACCES', 'guard'), hook)).toEqual([
      'commandNotFound',
      '`guard` was not found in the folders of PATH that may be searched',
    ])
  })

  it.each(['E2BIG', undefined])('for another reason: %s', (code) => {
    expect(failureOf(refused(code))).toEqual([
      'spawnFailed',
      '`/hooks/guard` could not be started: too many open files (EMFILE)',
    ])
  })
})

describe('exit codes 127 and 126 of a shell', () => {
  it.each([
    'warning: this and that\n/bin/sh: 1: guard: not found\n',
    '/bin/sh: line 1: guard: command not found\n',
    'sh: guard: command not found\n',
    '/bin/sh: guard: not found\n',
    './wrapper: 3: guard: not found\n',
  ])('name the missing command: %j', (stderr) => {
    expect(failureOf(failed(127, stderr), processOf(sh('guard --all')))).toEqual([
      'commandNotFound',
      '`guard` was not found in PATH',
    ])
  })

  it('name the missing file', () => {
    const stderr = '/bin/sh: line 1: ./guard: No such file or directory'
    expect(failureOf(failed(127, stderr), processOf(sh('./guard')))).toEqual([
      'commandNotFound',
      '`./guard` does not exist',
    ])
  })

  it.each([
    [127, '/bin/sh: 1: ./guard: not found'],
    [127, '/bin/sh: line 1: ./guard: cannot execute: required file not found'],
    [126, '/bin/sh: line 1: ./guard: /usr/bin/ruby: bad interpreter: No such file or directory'],
    [126, '/bin/sh: ./guard: /usr/bin/ruby: bad interpreter: No such file or directory'],
  ])('name the missing interpreter: %i %j', (exitCode, stderr) => {
    const files = { './guard': { ...file, interpreter: '/usr/bin/ruby' } }
    expect(failureOf(failed(exitCode, stderr), processOf(sh('./guard')), files)).toEqual([
      'interpreterMissing',
      '`./guard` needs the interpreter `/usr/bin/ruby`, which does not exist',
    ])
  })

  it.each([
    [
      '/bin/sh: 1: ./guard: Permission denied',
      { ...file, executable: false },
      'is not executable; run `chmod +x ./guard`',
    ],
    ['/bin/sh: line 1: ./guard: Is a directory', folder, 'is a folder, not a program'],
  ])('name the file that may not be executed: %j', (stderr, found, message) => {
    expect(failureOf(failed(126, stderr), processOf(sh('./guard')), { './guard': found })).toEqual([
      'notExecutable',
      `\`./guard\` ${message}`,
    ])
  })

  it.each([
    ['bash', sh('guard --all'), '/bin/sh: line 1: guard: Permission denied'],
    ['dash', sh('guard --all'), '/bin/sh: 1: guard: Permission denied'],
  ])('name a command that %s does not find because a folder of PATH may not be searched', (_, program, stderr) => {
    expect(failureOf(failed(126, stderr), processOf(program))).toEqual([
      'commandNotFound',
      '`guard` was not found in the folders of PATH that may be searched',
    ])
  })

  it.each([
    ['GNU', 'env: ‘ruby’: Permission denied'],
    ['GNU, without a locale', "/usr/bin/env: 'ruby': Permission denied"],
    ['busybox', "env: can't execute 'ruby': Permission denied"],
    ['macOS', 'env: ruby: Permission denied'],
  ])('name the interpreter that env of %s may not start', (_, stderr) => {
    expect(failureOf(failed(126, stderr))).toEqual([
      'interpreterMissing',
      '`/hooks/guard` needs the interpreter `ruby`, which was not found in the folders of PATH that may be searched',
    ])
    const files = { ruby: { ...file, executable: false } }
    expect(failureOf(failed(126, stderr), undefined, files)).toEqual([
      'notExecutable',
      '`ruby` is not executable; run `chmod +x ruby`',
    ])
  })

  it('are reported as they are where the command is unknown', () => {
    expect(failureOf(failed(127, ''), processOf(sh('exit 127')))).toEqual([
      'commandNotFound',
      'exited with code 127, as shells do when a command was not found',
    ])
    expect(failureOf(failed(126, 'what now'), processOf(sh('exit 126')))).toEqual([
      'notExecutable',
      'exited with code 126, as shells do when a command is not executable: what now',
    ])
  })

  it('are like any other from a program that is not a shell', () => {
    expect(failureOf(failed(127, './x: 3: jq: not found'))).toEqual([
      'nonzeroExit',
      'exited with code 127: ./x: 3: jq: not found',
    ])
  })
})

describe('an interpreter that env cannot find', () => {
  it.each([
    '/usr/bin/env: ‘deno’: No such file or directory\n',
    "/usr/bin/env: 'deno': No such file or directory\n",
    'env: deno: No such file or directory\n',
    "env: can't execute 'deno': No such file or directory\n",
  ])('is named: %j', (stderr) => {
    expect(failureOf(failed(127, stderr))).toEqual([
      'interpreterMissing',
      '`/hooks/guard` needs the interpreter `deno`, which does not exist',
    ])
  })

  it('is named where a shell ran the script', () => {
    expect(failureOf(failed(127, '/usr/bin/env: ‘deno’: No such file or directory'), processOf(sh('./guard')))).toEqual(
      ['interpreterMissing', 'it needs the interpreter `deno`, which does not exist'],
    )
  })

  it('is a missing command where the command is env itself', () => {
    expect(failureOf(failed(127, 'env: ‘deno’: No such file or directory'), processOf(sh('env deno run x')))).toEqual([
      'commandNotFound',
      '`deno` was not found in PATH',
    ])
  })
})
