import type { ChildProcess } from 'node:child_process'
import { createServer } from 'node:net'
import { HookgateError } from '../../../src/model/errors.ts'
import { firstLine, quoted } from '../../../src/model/text.ts'
import { newKey, tokenOf } from '../../../src/files/state/keys.ts'
import { end, start } from './program.ts'
import type { ScratchUser } from './scratch.ts'
import { gateStartMs } from '../../../src/service/server/ensure-gate.ts'

/** A gate that only the matrix uses. */
export interface ScratchGate {
  readonly pid: number
  readonly origin: string
  readonly token: string
}

export interface Launching {
  readonly user: ScratchUser
  readonly cwd: string
  /** The command line that starts hookgate, with any wrapper. */
  readonly hookgate: readonly [file: string, ...args: string[]]
  readonly flags: readonly string[]
  /** Kills it with its whole process group. */
  readonly closing: AbortSignal
}

/** @throws HookgateError `unavailable` */
export async function startGate(launching: Launching): Promise<ScratchGate> {
  // Created before the gate, whose disk may be full.
  const token = tokenOf(launching.user.places)
  newKey(launching.user.places)
  for (let tries = 1; ; tries += 1) {
    // oxlint-disable no-await-in-loop -- retries only if another process took the port
    const port = await freePort()
    const { child, problem } = await launched(launching, port)
    // oxlint-enable no-await-in-loop
    if (problem === undefined && child.pid !== undefined) {
      return { pid: child.pid, origin: `http://127.0.0.1:${port}`, token }
    }
    end(child)
    if (tries === 3) throw new HookgateError('unavailable', `the doctor's own gate does not start: ${problem}`)
  }
}

async function launched({ user, cwd, hookgate, flags, closing }: Launching, port: number) {
  const [file, ...args] = hookgate
  const child = start({ file, args: [...args, 'serve', '--http', `${port}`, ...flags], cwd, env: user.env }, closing)
  const problem = await listening(child)
  return { child, problem }
}

/** Waits until the gate listens. @returns why it does not */
function listening(child: ChildProcess): Promise<string | undefined> {
  return new Promise((resolve) => {
    let stderr = ''
    child.stdin?.end()
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text))
    child.on('error', (error) => resolve(error.message))
    child.on('close', () => resolve(quoted(firstLine(stderr))))
    child.stdout?.once('data', () => resolve(undefined))
    setTimeout(() => resolve('it takes too long'), gateStartMs).unref()
  })
}

/** Finds a free port of the loopback address. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}
