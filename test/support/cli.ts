import { spawn, type ChildProcess } from 'node:child_process'
import { homedir } from 'node:os'
import { entryFile } from '../../src/files/program-files.ts'
import { main } from '../../src/cli/main.ts'
import { compileCache } from './compile-cache.ts'
import { emptyHome } from './own-folder.ts'
import type { KeyStream } from '../../src/cli/command.ts'

const bin = entryFile('cli/bin')

/** Gives every call a home without rules, unless the test names one. */
const ownEnv = { PATH: process.env['PATH'] ?? '', HOME: emptyHome }

/** The environment of this process for a hookgate that keeps no state in the home that the tests share. */
export const statelessEnv = { ...process.env, HOOKGATE_HOME: '/dev/null/none' }

/** Without a home of its own, a call keeps no state: root could even create that home. */
const noState = (env: LocalCall['env']) =>
  env?.['HOME'] === undefined ? { HOOKGATE_HOME: statelessEnv.HOOKGATE_HOME } : {}

interface LocalCall {
  readonly stdin?: string | Uint8Array
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  /** Answers for the person at a terminal; without it there is no terminal. */
  readonly ask?: (question: string) => Promise<string>
  readonly askHidden?: (question: string) => Promise<string>
  /** The keys of that person. */
  readonly openKeys?: () => KeyStream
}

interface Call extends LocalCall {
  /** The entry point, by default the source's. */
  readonly bin?: string
  /** Words before its command line, such as `withoutPrivileges()`. */
  readonly behind?: readonly string[]
  readonly onStart?: (child: ChildProcess) => void
}

export interface Ended {
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number | null
}

/** Runs the command line as a process of its own. */
export function hookgate(argv: readonly string[], call: Call = {}): Promise<Ended> {
  const env = { ...ownEnv, ...noState(call.env), NODE_OPTIONS: '', ...compileCache, ...call.env }
  const [program, ...words] = [...(call.behind ?? []), process.execPath, call.bin ?? bin, ...argv]
  const child = spawn(program ?? '', words, { cwd: call.cwd, env, stdio: 'pipe' })
  call.onStart?.(child)
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  // A command that does not read its stdin closes it, which must not fail the test.
  child.stdin.on('error', () => {})
  child.stdin.end(call.stdin ?? '')
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (exitCode) => resolve({ stdout, stderr, exitCode }))
  })
}

const ownFolder = process.cwd()
const ownHome = process.env['HOME'] ?? homedir()

/** Runs the command line in this process, since starting one from source takes longer than most commands. */
export async function hookgateHere(argv: readonly string[], call: LocalCall = {}): Promise<Ended> {
  const { stdin = '', cwd = ownFolder, env, ask, askHidden, openKeys } = call
  const event = Promise.resolve(typeof stdin === 'string' ? new TextEncoder().encode(stdin) : stdin)
  // Without this, output would be coloured if the tests run in a terminal.
  process.env['FORCE_COLOR'] = '0'
  // Both are read from the process when a gate is opened, or by default.
  process.env['HOME'] = env?.['HOME'] ?? ownEnv.HOME
  process.chdir(cwd)
  try {
    let written = ''
    const writeOut = (text: string) => {
      written += text
      return true
    }
    const { afterwards, ...ended } = await main(argv, (rest) => ({
      argv: rest,
      stdin: event,
      env: { ...ownEnv, ...noState(env), ...env },
      cwd,
      writeOut,
      ...(ask && { ask }),
      ...(askHidden && { askHidden }),
      ...(openKeys && { openKeys }),
    }))
    await afterwards?.()
    return { ...ended, stdout: written + ended.stdout }
  } finally {
    process.chdir(ownFolder)
    process.env['HOME'] = ownHome
  }
}
