import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { entryFile } from '../files/program-files.ts'
import { errorText, HookgateError } from '../model/errors.ts'
import { quoted } from '../model/text.ts'
import { ReplayProgress, ReplayReport } from '../review/replay/report.ts'

/** How long a replay that is stopped may take to remove what it wrote, ms. */
const pageReplayEndMs = 3000

/** What a failed replay may say of it, in UTF-16 units: many lines. */
const pageReplayErrorCharactersMax = 8192

/** A message of a running replay: its progress, and at the end its report. */
export type ReplayPart =
  | ({ readonly kind: 'progress' } & ReplayProgress)
  | { readonly kind: 'report'; readonly report: ReplayReport }

/** The folder in which the command runs. */
interface ReplayPlace {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/**
 * Runs `hookgate replay` as a process of its own, which ends when `signal` is aborted.
 *
 * @param line `replay` and its arguments
 * @throws HookgateError `unavailable` with what the command said, if it made no report
 */
export async function* runReplay(
  [command = '', ...rest]: readonly string[],
  { cwd, env }: ReplayPlace,
  signal: AbortSignal,
): AsyncIterable<ReplayPart> {
  const argv = [entryFile('cli/bin'), command, '--json', '--progress=json', ...rest]
  const child = spawn(process.execPath, argv, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], windowsHide: true })
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
  let problem = ''
  child.once('error', (error) => (problem = `it cannot be started in ${quoted(cwd)}: ${errorText(error)}`))
  const printed: string[] = []
  child.stdout.setEncoding('utf8').on('data', (text: string) => printed.push(text))
  const stop = () => end(child)
  signal.addEventListener('abort', stop)
  try {
    if (signal.aborted) stop()
    for await (const line of createInterface({ input: child.stderr })) {
      const progress = progressIn(line)
      if (progress !== undefined) yield { kind: 'progress', ...progress }
      else problem = `${problem}\n${line}`.slice(-pageReplayErrorCharactersMax)
    }
    await closed
    if (!signal.aborted) yield { kind: 'report', report: reportIn(printed.join(''), problem) }
  } finally {
    signal.removeEventListener('abort', stop)
    stop()
    await closed
  }
}

/** Ends a replay, which removes what it wrote, and kills it if it does not. */
function end(child: ChildProcess): void {
  if (child.exitCode !== null || child.signalCode !== null || child.killed) return
  child.kill('SIGTERM')
  const late = setTimeout(() => child.kill('SIGKILL'), pageReplayEndMs)
  child.once('close', () => clearTimeout(late))
}

function progressIn(line: string): ReplayProgress | undefined {
  if (!line.startsWith('{')) return undefined
  try {
    return ReplayProgress.safeParse(JSON.parse(line)).data
  } catch {
    return undefined
  }
}

function reportIn(printed: string, problem: string): ReplayReport {
  if (printed.trim() === '') {
    const said = problem.trim().replace(/^hookgate: /, '')
    throw new HookgateError('unavailable', said === '' ? 'the replay ended without a report' : said)
  }
  try {
    return ReplayReport.parse(JSON.parse(printed))
  } catch (cause) {
    throw new HookgateError('internal', `hookgate replay printed something else: ${errorText(cause)}`, { cause })
  }
}
