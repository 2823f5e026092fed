import { spawn } from 'node:child_process'

export interface Ended {
  readonly ms: number
  readonly stdout: Buffer
  readonly stderr: Buffer
  readonly code: number | null
}

/** Runs a program as an agent written in Node does: writes the event to its stdin and waits for its exit. */
export function ran([file = '', ...words]: readonly string[], stdin: Uint8Array): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now()
    const child = spawn(file, words, { stdio: 'pipe' })
    const outs: Buffer[] = []
    const errs: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => outs.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => errs.push(chunk))
    child.stdin.on('error', () => {}).end(stdin)
    child.on('error', reject)
    child.on('close', (code) =>
      resolve({ ms: performance.now() - startedAt, stdout: Buffer.concat(outs), stderr: Buffer.concat(errs), code }),
    )
  })
}
