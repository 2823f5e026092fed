import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { errorText } from '../../../src/model/errors.ts'
import type { AgentResponse } from './seen.ts'
import { canaryMs, canaryAnswerBytesMax } from '../../../src/install/canary.ts'

/** A program to start as an agent would. */
export interface Program {
  readonly file: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Starts a program in its own process group, as agents do, so that `closing` can kill the whole group. */
export function start({ file, args, cwd, env }: Program, closing: AbortSignal): ChildProcess {
  const child = spawn(file, args, { cwd, env, detached: true, stdio: 'pipe', windowsHide: true })
  const close = () => end(child)
  if (closing.aborted) close()
  closing.addEventListener('abort', close)
  child.once('close', () => closing.removeEventListener('abort', close))
  return child
}

export function end({ pid, exitCode, signalCode }: ChildProcess): void {
  if (pid === undefined || exitCode !== null || signalCode !== null) return
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL')
  } catch {
    // It has already exited.
  }
}

/** Runs a program to its exit, and returns what an agent would get. @param closing kills it before */
export async function run(
  program: Program,
  event: string,
  closing: AbortSignal,
  whileRunning: (pid: number | undefined, ended: AbortSignal) => Promise<void> = async () => {},
): Promise<AgentResponse> {
  const child = start(program, closing)
  let [stdout, stderr] = ['', '']
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  child.stdin?.on('error', () => {}).end(event)
  const late = setTimeout(() => end(child), canaryMs)
  const ended = new Promise<AgentResponse>((resolve) => {
    child.on('error', (error) => resolve({ by: 'none', why: errorText(error) }))
    child.on('close', (exitCode) => resolve({ by: 'process', exitCode, stdout, stderr }))
  })
  const over = new AbortController()
  const response = ended.finally(() => over.abort())
  await Promise.all([response, whileRunning(child.pid, over.signal)])
  clearTimeout(late)
  return response
}

export interface Running {
  readonly pid: number
  readonly commandLine: string
}

/** Returns the live child processes of a process. */
export async function childrenOf(parent: number): Promise<readonly Running[]> {
  if (process.platform === 'linux') return childrenByProc(parent)
  const { stdout } = await promisify(execFile)('/bin/ps', ['-A', '-o', 'pid=,ppid=,args='], {
    maxBuffer: canaryAnswerBytesMax * 16,
  })
  return stdout.split('\n').flatMap((line) => {
    const [, pid, ppid, commandLine = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? []
    return Number(ppid) === parent ? [{ pid: Number(pid), commandLine }] : []
  })
}

/** Reads `/proc`, since not every container has `ps`. */
function childrenByProc(parent: number): readonly Running[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const [state, ppid] = (readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1) ?? '').split(' ')
        if (Number(ppid) !== parent || state === 'Z') return []
        return [{ pid: Number(pid), commandLine: readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ') }]
      } catch {
        return []
      }
    })
}
