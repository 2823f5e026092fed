import type { Impact, ShellCommand, ShellFacts } from 'hookgate/policy'

/** Param of the policies on fetched scripts. */
export const trustedHosts = {
  type: 'strings',
  default: [],
  description: 'hosts whose scripts may be run; `*.example.com` matches every host below it',
} as const

/**
 * Finds the command that runs, as code, what another puts out: along any chain of pipes, files, variables and arguments,
 * whose last step hands it over as code. Indices.
 */
export function runnersOf(shell: ShellFacts): (start: number) => number | undefined {
  const { commands } = shell
  const stepsFrom = stepsOf(shell)
  // From these nothing leads to a runner, wherever one comes from.
  const vain = new Set<number>()
  return (start) => {
    const reached = new Set([start])
    for (const at of reached) {
      for (const { to, runs } of stepsFrom(at)) {
        if (runs) return to
        if (!vain.has(to) && commands[to] !== undefined) reached.add(to)
      }
    }
    for (const at of reached) vain.add(at)
    return undefined
  }
}

interface Step {
  readonly to: number
  readonly runs: boolean
}

/** The next commands that receive a command's output. */
function stepsOf({ commands, flows }: ShellFacts): (at: number) => readonly Step[] {
  const steps = commands.map((): Step[] => [])
  for (const { from, to, as, via } of flows) {
    const receiver = commands[to]
    const runs = as === 'code' || (receiver !== undefined && runsText(receiver, via === 'pipe'))
    steps[from]?.push({ to, runs })
  }
  for (const [at, command] of commands.entries()) {
    const { startedBy } = command
    const starter = startedBy === undefined ? undefined : commands[startedBy]
    if (startedBy === undefined || starter === undefined) continue
    // A command's output is also that of the command that started it.
    if (carriesOutput(starter)) steps[at]?.push({ to: startedBy, runs: false })
    // Input that is turned into words may be a script, to a shell, or a program.
    if (starter.wrapper === true) steps[startedBy]?.push({ to: at, runs: isGivenWords(command) && takesCode(command) })
  }
  return (at) => steps[at] ?? []
}

/** True for an uncertainty about a text that is run. */
const isTextRun = (what: string) => what.startsWith('the text that')
const isDescriptor = (word: string) => /^\/(?:dev\/fd|proc\/(?:self|thread-self|\d+)\/fd)\//.test(word)
/** Variables that name a file which a shell or an interpreter runs first, or a library that every program loads. */
const runFirst = /^(?:BASH_ENV|ENV|PYTHONSTARTUP|LD_PRELOAD|LD_AUDIT|DYLD_INSERT_LIBRARIES)$/

/** True if all of a line is what a command is to start, as for `parallel`, or a variable names what it gets and runs. */
const runsText = ({ assignments, uncertain }: ShellCommand, onStdin: boolean): boolean =>
  onStdin
    ? uncertain.some(isTextRun)
    : assignments.some(({ name, value }) => runFirst.test(name) && isDescriptor(value.value))

const isGivenWords = ({ reach }: ShellCommand): boolean => {
  const last = reach.at(-1)
  return last?.through === 'wrapper' && last.given === true
}

const takesCode = (command: ShellCommand) =>
  // A line as the program, or behind a program that starts what it is given.
  (command.program === '' && command.written?.unresolved === true) ||
  (command.wrapper === true && command.args[0]?.unresolved === true) ||
  (command.code !== undefined && command.code.text === undefined) ||
  command.uncertain.some(isTextRun) ||
  command.paths.some(({ access, unresolved }) => access === 'execute' && unresolved === true)

/** A connection that starts a program gives it what it receives, and prints nothing of it. */
const carriesOutput = (command: ShellCommand) => command.network === undefined

/** `*.example.com` is any host below it. */
export const isTrusted = (host: string | undefined, trusted: readonly string[]) =>
  host !== undefined &&
  trusted.some((one) => (one.startsWith('*.') ? host.endsWith(one.slice(1)) : host.toLowerCase() === one.toLowerCase()))

/** True if an impact surely opens this machine to others. */
export const isOpened = ({ kind, unsure }: Impact): boolean => kind === 'open' && unsure !== true

/** True if an impact surely opens a shell of this machine to others: what they run in it, nothing undoes. */
export const isShellOpened = (impact: Impact): boolean => isOpened(impact) && impact.undo === 'never'
