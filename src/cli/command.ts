import { emitKeypressEvents } from 'node:readline'
import type { styleText } from 'node:util'
import { codeOf, HookgateError } from '../model/errors.ts'
import { writeWhole } from './start/write-whole.ts'

export { jsonText } from '../model/text.ts'

/** Inputs of a command, which reads nothing else from the process. */
export interface Invocation {
  /** The arguments after the command's name. */
  readonly argv: readonly string[]
  readonly stdin: Promise<Uint8Array>
  /** Opens stdin as a stream, for more than one event; absent if it was read already, into `stdin`. */
  readonly openStdin?: () => AsyncIterable<Uint8Array>
  readonly env: Readonly<Record<string, string | undefined>>
  /**
   * The working directory.
   *
   * @throws HookgateError `usage` if it was removed: nothing can be read or written there
   */
  readonly cwd: string
  /** Asks the person at the terminal, and returns the line of the answer; absent without a terminal. */
  readonly ask?: (question: string) => Promise<string>
  /** The same, for what nobody may read on the screen. */
  readonly askHidden?: (question: string) => Promise<string>
  /** Opens the terminal for single keys, and returns each as it is pressed; absent without a terminal. */
  readonly openKeys?: () => KeyStream
  /**
   * Writes a part of a long or endless output to stdout at once. Waits while the reader does not read.
   *
   * @returns false once the reader has gone
   */
  readonly writeOut: (text: string) => boolean
}

/** @param isFolderGone true if the working directory was removed and the process had to leave it */
export function invocationOf(argv: readonly string[], stdin: Promise<Uint8Array>, isFolderGone: boolean): Invocation {
  return {
    argv,
    stdin,
    openStdin: () => process.stdin,
    writeOut: (text) => writeWhole(1, text, Infinity),
    env: process.env,
    ...(process.stdin.isTTY &&
      process.stdout.isTTY && {
        ask: (question: string) => askAtTerminal(question),
        askHidden: (question: string) => askAtTerminal(question, true),
        openKeys: () => keysFrom(process.stdin),
      }),
    get cwd() {
      if (!isFolderGone) return process.cwd()
      throw new HookgateError('usage', 'the current folder no longer exists', { remedy: '`cd` elsewhere' })
    },
  }
}

async function askAtTerminal(question: string, isHidden = false): Promise<string> {
  const [{ createInterface }, { PassThrough }] = await Promise.all([
    import('node:readline/promises'),
    import('node:stream'),
  ])
  if (isHidden) process.stderr.write(question)
  // What is typed goes where nobody reads.
  const output = isHidden ? new PassThrough().resume() : process.stderr
  const terminal = createInterface({ input: process.stdin, output, terminal: true })
  try {
    return await terminal.question(isHidden ? '' : question)
  } catch (error) {
    // Ctrl+D ends the input: the person gives no answer.
    if (codeOf(error) === 'ABORT_ERR') return ''
    throw error
  } finally {
    terminal.close()
    if (isHidden) process.stderr.write('\n')
  }
}

/** Output and exit code of a command. */
export interface CommandOutput {
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number
  /** The error that `stderr` shows, if the command failed. */
  readonly error?: HookgateError
  /** Called once the output is written. The process exits when it is done. */
  readonly afterwards?: () => Promise<void>
}

/** A colour or style of text on a terminal. */
export type TextStyle = Parameters<typeof styleText>[0]

/** Colours a text, if it goes to a terminal that has colours. */
export type Paint = (style: TextStyle, text: string) => string

export interface Command {
  readonly help: string
  run(invocation: Invocation): Promise<CommandOutput>
}

/** A command as the overview lists it. Its code is loaded on demand: an agent waits for `run`, which needs a tenth. */
export interface ListedCommand {
  /** One line for the overview. */
  readonly summary: string
  readonly load: () => Promise<Command>
}

/** Commands by their names. */
export type CommandGroup = Readonly<Record<string, ListedCommand>>

export function printed(stdout: string, exitCode = 0): CommandOutput {
  return { stdout, stderr: '', exitCode }
}

/** Creates the error for a command line that cannot be understood. */
export function usage(message: string, command: string): HookgateError {
  return new HookgateError('usage', message, { remedy: `see \`hookgate ${command} --help\`` })
}

/** The keys that a person presses, until it is closed: `a`, `up`, `enter`, `ctrl-c`. */
export interface KeyStream {
  /** Returns the next key; `undefined` if none is pressed in that time. */
  next(withinMs: number): Promise<string | undefined>
  /** Gives the terminal back. */
  close(): void
}

/** A terminal's input: with `setRawMode`, it hands over each key at once. */
type KeyInput = NodeJS.ReadableStream & { setRawMode?(isRaw: boolean): unknown }

/** Reads single keys from a terminal. */
export function keysFrom(input: KeyInput): KeyStream {
  const pressed: string[] = []
  let wake: (() => void) | undefined
  const onKey = (text: string | undefined, key: { readonly name?: string; readonly ctrl?: boolean }) => {
    pressed.push(key.ctrl === true ? `ctrl-${key.name ?? ''}` : (key.name ?? text ?? ''))
    wake?.()
  }
  emitKeypressEvents(input)
  input.setRawMode?.(true)
  input.on('keypress', onKey).resume()
  return {
    async next(withinMs) {
      if (pressed.length === 0) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, withinMs)
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
      return pressed.shift()
    },
    close() {
      input.removeListener('keypress', onKey).pause()
      input.setRawMode?.(false)
    },
  }
}
