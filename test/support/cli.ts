import { spawn, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { compileCache } from './compile-cache.ts'

const bin = fileURLToPath(new URL('../../src/cli/bin.ts', import.meta.url))

/** As most systems number the user who owns nothing. */
const nobody = 65_534

interface Call {
  readonly stdin?: string | Uint8Array
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  /** Another entry point than the source's. */
  readonly bin?: string
  /** Run it by a user who has no rights but those of everybody. Elsewhere than in a container, tests are run by one. */
  readonly asNobody?: boolean
  readonly onStart?: (child: ChildProcess) => void
}

export interface Ended {
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number | null
}

/** Runs the command line as a process of its own, with a home that has no rules unless the test gives one. */
export function hookgate(argv: readonly string[], call: Call = {}): Promise<Ended> {
  const env = { PATH: process.env['PATH'] ?? '', HOME: '/nonexistent', NODE_OPTIONS: '', ...compileCache, ...call.env }
  const user = call.asNobody === true && process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {}
  const child = spawn(process.execPath, [call.bin ?? bin, ...argv], { cwd: call.cwd, env, stdio: 'pipe', ...user })
  call.onStart?.(child)
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  // A command that does not read its stdin closes it; that is no failure of the test.
  child.stdin.on('error', () => {})
  child.stdin.end(call.stdin ?? '')
  return new Promise((resolve) => child.on('close', (exitCode) => resolve({ stdout, stderr, exitCode })))
}
