import type { ShellCommand, ShellFacts } from 'hookgate/policy'
import { isInterpreter, isShell, runsWhatItGets } from './runners.ts'

/**
 * The command that runs, as code, what one of the given commands puts out: along any chain of pipes, files, variables and
 * arguments, whose last step hands it over as code. Indices.
 */
export function runnerOf({ commands, flows }: ShellFacts, starts: Iterable<number>): number | undefined {
  const reached = new Set(starts)
  for (const at of reached) {
    for (const { from, to, as, via } of flows) {
      if (from !== at) continue
      const receiver = commands[to]
      if (as === 'code' || (receiver !== undefined && runsWhatItGets(receiver, via === 'pipe'))) return to
      reached.add(to)
    }
    const startedBy = commands[at]?.startedBy
    // What a command prints is what the one that started it prints.
    if (startedBy !== undefined && carriesOutput(commands[startedBy])) reached.add(startedBy)
    if (commands[at]?.wrapper !== true) continue
    for (const [child, command] of commands.entries()) {
      if (command.startedBy !== at) continue
      // What `xargs` reads becomes words, and a word of a shell may be what it runs.
      if (makesWords.has(commands[at]?.program ?? '') && takesCode(command)) return child
      reached.add(child)
    }
  }
  return undefined
}

const makesWords = new Set(['xargs', 'parallel', 'rush', 'gxargs'])

const takesCode = (command: ShellCommand) =>
  (isShell(command) || isInterpreter(command)) &&
  (command.uncertain.length > 0 || (command.code !== undefined && command.code.text === undefined))

/** A connection that starts a program gives it what it receives, and prints nothing of it. */
const carriesOutput = (command: ShellCommand | undefined) => command?.network === undefined

/** `*.example.com` is any host below it. */
export const isTrusted = (host: string | undefined, trusted: readonly string[]) =>
  host !== undefined &&
  trusted.some((one) => (one.startsWith('*.') ? host.endsWith(one.slice(1)) : host.toLowerCase() === one.toLowerCase()))

/** A device of bash that is a connection. */
export const isSocket = (target: string | undefined) => target !== undefined && /^\/dev\/(?:tcp|udp)\//.test(target)
