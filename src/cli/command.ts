export { jsonText } from '../model/text.ts'

/** What a command is given: nothing is read from the process behind its back. */
export interface Invocation {
  /** The words after the command's name. */
  readonly argv: readonly string[]
  readonly stdin: Promise<Uint8Array>
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
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
