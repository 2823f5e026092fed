import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { liveCommands, processTag, until } from './processes.ts'

const program = fileURLToPath(new URL('embedder.ts', import.meta.url))

/** A running `embedder.ts`. All processes that it starts carry its tag. */
export interface Embedding {
  readonly tag: string
  readonly child: ChildProcess
  /** Resolves once it and all holders of its pipes have ended. */
  readonly ended: Promise<{ readonly code: number | null; readonly signal: string | null }>
  printed(): { readonly stdout: string; readonly stderr: string }
}

/** Starts the embedder in its own process group, and waits until its first hook has answered. */
export async function embed(starter: string, then: string, ...commands: string[]): Promise<Embedding> {
  const { tag, env } = processTag()
  const child = spawn(process.execPath, [program, starter, then, ...commands], {
    env: { ...process.env, ...env },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const printed = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => (printed.stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (printed.stderr += text))
  const ended = once(child, 'close').then(() => ({ code: child.exitCode, signal: child.signalCode }))
  if (!(await until(() => printed.stdout.includes('ready\n')))) {
    throw new Error(`the embedder did not get ready: ${printed.stderr}`)
  }
  return { tag, child, ended, printed: () => ({ ...printed }) }
}

/** Waits until so many processes of the embedder have a text in their command line. */
export async function untilRunning({ tag }: Embedding, text: string, count = 1): Promise<void> {
  if (!(await until(() => liveCommands(tag, text).length >= count))) throw new Error(`\`${text}\` is not running`)
}
