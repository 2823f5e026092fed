import { errorText, HookgateError } from '../model/errors.ts'
import { FileChanges } from '../model/file-changes.ts'
import { shellWord } from '../model/text.ts'

/** The output of one of hookgate's own command lines. */
export interface CommandLineResult {
  readonly stdout: string
  readonly stderr: string
  /** The error that `stderr` shows, if the command failed. */
  readonly error?: HookgateError
}

/** The folder in which a command line runs, and the answers to its questions. */
export interface CommandLineSetting {
  readonly cwd: string
  /** Answers a question, as the person at the terminal would. Default: there is no person. */
  readonly ask?: (question: string) => Promise<string>
}

/** Runs a command line of hookgate in this process, as if it were typed. */
export type RunCommandLine = (argv: readonly string[], setting: CommandLineSetting) => Promise<CommandLineResult>

/**
 * Runs a command line that changes files, or shows how it would.
 *
 * @throws HookgateError that of the command; `unavailable` with what it said, if it printed no JSON
 */
export async function changeBy(
  run: RunCommandLine,
  argv: readonly string[],
  setting: CommandLineSetting,
): Promise<FileChanges> {
  const { stdout, stderr, error } = await run([...argv, '--json'], setting)
  if (error !== undefined) throw error
  if (stdout.trim() === '') {
    const said = stderr.trim().replace(/^hookgate: /, '')
    throw new HookgateError('unavailable', said === '' ? `${byHand(argv)} printed nothing` : said)
  }
  try {
    return FileChanges.parse(JSON.parse(stdout))
  } catch (cause) {
    throw new HookgateError('internal', `${byHand(argv)} printed something else: ${errorText(cause)}`, { cause })
  }
}

/** Returns a command line as a person types it. */
export const byHand = (argv: readonly string[]): string => ['hookgate', ...argv].map(shellWord).join(' ')
