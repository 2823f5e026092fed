import { spawn, spawnSync } from 'node:child_process'
import { Socket } from 'node:net'
import { entryFile } from '../../src/files/program-files.ts'

/** `script` of util-linux gives a command a terminal of its own, and `setsid -f` has it outlive whoever started it. */
export const hasTerminals =
  process.platform === 'linux' &&
  spawnSync('script', ['--version']).status === 0 &&
  spawnSync('setsid', ['-V']).status === 0

interface TerminalCall {
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
  /** What the person types, as soon as the terminal is there. */
  readonly typed?: string
  /** The file of the command line. Default: the one that tests run. */
  readonly bin?: string
}

/**
 * Starts a shell command as a person does: in a terminal of its own, below nothing that has started the tests, which may
 * be an agent. What is written to `keys` is typed.
 */
export function startInTerminal(command: string, { env, cwd }: Pick<TerminalCall, 'env' | 'cwd'>) {
  // Node closes the input of a child that has ended, which `setsid` does at once: the terminal reads another descriptor.
  const line = `exec setsid -f script -qefc '${command.replaceAll("'", String.raw`'\''`)}' /dev/null <&3 3<&-`
  const { stdout, stdio } = spawn('sh', ['-c', line], {
    env: { PATH: process.env['PATH'] ?? '', TERM: 'dumb', ...env },
    cwd,
    stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
  })
  const [, , , keys] = stdio
  if (stdout === null || !(keys instanceof Socket)) throw new Error('the terminal has no pipes')
  return { stdout: stdout.setEncoding('utf8'), keys }
}

/** Runs a command of hookgate in such a terminal, and returns all that it shows. */
export function inTerminal(argv: readonly string[], { typed = '', bin = entryFile('cli/bin'), ...call }: TerminalCall) {
  const words = [process.execPath, bin, ...argv].map((word) => `'${word}'`).join(' ')
  const terminal = startInTerminal(`${words}; echo "exit $?"`, call)
  const { promise, resolve } = Promise.withResolvers<{ shown: string; exitCode: number | undefined }>()
  let text = ''
  terminal.stdout.on('data', (part: string) => (text += part))
  terminal.stdout.on('close', () => {
    const shown = text.replaceAll('\r\n', '\n')
    const [, exit] = /exit (\d+)\n$/.exec(shown) ?? []
    resolve({ shown, exitCode: exit === undefined ? undefined : Number(exit) })
  })
  terminal.keys.write(typed)
  return promise
}
