import { HookgateError } from '../model/errors.ts'

export { jsonText } from '../model/text.ts'

/** What a command is given: nothing is read from the process behind its back. */
export interface Invocation {
  /** The words after the command's name. */
  readonly argv: readonly string[]
  readonly stdin: Promise<Uint8Array>
  readonly env: Readonly<Record<string, string | undefined>>
  /**
   * The folder it is called in.
   *
   * @throws HookgateError `usage` where that is gone: what would be looked for there, or written, has no place
   */
  readonly cwd: string
}

/** @param isFolderGone whether the process had to leave the folder it was called in, which is not there any more */
export function invocationOf(argv: readonly string[], stdin: Promise<Uint8Array>, isFolderGone: boolean): Invocation {
  return {
    argv,
    stdin,
    env: process.env,
    get cwd() {
      if (!isFolderGone) return process.cwd()
      throw new HookgateError('usage', 'the current folder no longer exists', { remedy: '`cd` elsewhere' })
    },
  }
}

/** What a command prints and exits with. */
export interface Printed {
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number
}

export interface Command {
  /** One line for the list of commands. */
  readonly summary: string
  readonly help: string
  run(invocation: Invocation): Promise<Printed>
}

export function printed(stdout: string, exitCode = 0): Printed {
  return { stdout, stderr: '', exitCode }
}
