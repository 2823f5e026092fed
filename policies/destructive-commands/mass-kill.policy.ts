import { ask, definePolicy, deny, setOf, type ShellCommand, type ShellFacts } from 'hookgate/policy'
import { callIn } from './calls.ts'

/** `-1` behind the signal, or as the only word behind `--`, is every process there is. */
function killsAll({ program, args }: ShellCommand): boolean {
  if (program !== 'kill') return false
  const words = args.map(({ value }) => value)
  if (words.some((word) => /^-[lL0]$|^--(?:list|table|help)/.test(word))) return false
  const hasSignal = words.some((word) => /^-(?:s|n|-signal)/.test(word)) || /^-(?:[A-Z]+\w*|\d+)$/i.test(words[0] ?? '')
  return words.slice(hasSignal ? 1 : 0).some((word, at) => word === '1' || (word === '-1' && (hasSignal || at > 0)))
}

const everything = [
  { programs: 'killall5', does: '' },
  { programs: 'pkill', words: /(?:^| )(?:\.|\.\*|\^|''|-u \S+|-U \S+|--u?id \S+)$/, does: '' },
  { programs: 'killall', words: /(?:^| )(?:-u \S+|--user \S+|-r \.\*?)$/, does: '' },
  { programs: 'taskkill', words: /\/im \*|\/fi /i, does: '' },
] as const

/** What listens at one port that no service of the system has is what somebody is working on. */
const onePort = /^(?:-[a-z0-9]+ )*(?:[1-9]\d{3,4}\/tcp|-n tcp [1-9]\d{3,4})$/

/** A command line in so many words is that of one program: `pkill -f 'node dist/server.js'`. */
const isOneLine = ({ program, args }: ShellCommand): boolean => {
  const [pattern, more] = args.filter(({ value }) => !value.startsWith('-'))
  return (
    program === 'pkill' &&
    args.every(
      ({ value, unresolved }) =>
        unresolved !== true && (!value.startsWith('-') || /^-(?:f|9|15|KILL|TERM|INT|HUP|9f|f9)$/.test(value)),
    ) &&
    args.some(({ value }) => /^-9?f9?$/.test(value)) &&
    more === undefined &&
    /^(?!(?:ba|z|da|k|c)?sh )[a-z][\w./-]* (?=.*[a-z]{2})[\w./:@= -]{3,}$/i.test(pattern?.value ?? '')
  )
}

const byName = [
  { programs: 'killall', words: /\S/, without: /^(?:-l|--list|-V)$/, does: '' },
  { programs: 'pkill', words: /\S/, without: /(?:^| )-0(?: |$)/, does: '' },
  { programs: 'taskkill', words: /\S/, without: /^(?=.*\/pid \d)(?!.*\/im\b)/i, does: '' },
  { programs: 'stop-process', words: /\S/, without: /^(?=.*-id \d)(?!.*-(?:n|input))/i, does: '' },
  { programs: 'skill xkill', words: /\S/, without: /(?:^| )-0(?: |$)/, does: '' },
  { programs: 'fuser', words: /(?:^| )(?:-[a-z]*k|--kill)/, without: onePort, does: '' },
] as const

const enders = setOf(['kill', 'pkill', 'skill'])
/** What hands the numbers on, and leaves out none of them. */
const passing = setOf(['awk', 'gawk', 'cut', 'tr', 'sed', 'tail', 'xargs', 'cat', 'sort', 'uniq'])

/** Whether a listing is of all processes, or all of somebody's: `ps aux`, `pgrep -u me`. */
function listsAll({ program, args }: ShellCommand): boolean {
  const words = args.map(({ value }) => value).join(' ')
  if (program === 'ps')
    return !/(?:^| )(?:-?p\d*|-[CtqgGs]|--(?:pid|ppid|tty|quick-pid|group|sid)\S*)(?: |$)/.test(words)
  return program === 'pgrep' && /(?:^| )(?:\.|\.\*|\^|''|-u \S+|-U \S+|--u?id \S+)$/.test(words)
}

/** Whether awk, sed or tail only takes a column or leaves out a heading. */
const isWhole = ({ program, args }: ShellCommand) =>
  passing.has(program) && !args.some(({ value }) => /\/[^/]*\w[^/]*\/|[=<>~]=|!~|\$\d+ ?[~<>]/.test(value))

/** Whether the processes that are ended are those of a listing that nothing was left out of. */
function endsListed(at: number, { commands, flows }: ShellFacts): boolean {
  const seen = new Set<number>()
  const from = (to: number): boolean => {
    if (seen.has(to)) return false
    seen.add(to)
    return flows.some((flow) => {
      const command = flow.to === to ? commands[flow.from] : undefined
      return command !== undefined && (listsAll(command) || (isWhole(command) && from(flow.from)))
    })
  }
  const { program = '', startedBy = -1 } = commands[at] ?? {}
  return enders.has(program) && (from(at) || (commands[startedBy]?.program === 'xargs' && from(startedBy)))
}

export default definePolicy({
  id: 'mass-kill',
  severity: 'medium',
  description: 'Refuses to kill every process; asks before processes are killed by name',
  on: 'PreToolUse',
  tool: 'shell',
  decide({ shell }) {
    const all = shell.commands.find(
      (command, at) => killsAll(command) || callIn(command, everything) !== undefined || endsListed(at, shell),
    )
    if (all !== undefined)
      return deny(`${all.program} would kill every process there is: give it the ids of those you started`)
    const some = shell.commands.find((command) => callIn(command, byName) !== undefined && !isOneLine(command))
    if (some === undefined) return undefined
    return ask(
      `${some.program} kills processes by name, including those that are not yours: use kill with the ids of those you started`,
    )
  },
  examples: [
    { name: 'everything', given: { input: { command: 'kill -9 -1' } }, want: 'deny' },
    { name: 'one process', given: { input: { command: 'kill -9 1234' } }, want: 'abstain' },
    { name: 'the first process', given: { input: { command: 'sudo kill 1' } }, want: 'deny' },
    { name: 'by the gentlest signal', given: { input: { command: 'kill -1 1234' } }, want: 'abstain' },
    { name: 'with a named signal', given: { input: { command: 'kill -s KILL -- -1' } }, want: 'deny' },
    { name: 'the names of signals', given: { input: { command: 'kill -l' } }, want: 'abstain' },
    { name: 'by name', given: { input: { command: 'killall node' } }, want: 'ask' },
    { name: 'one of Windows', given: { input: { command: 'taskkill //F //PID 1234' } }, want: 'abstain' },
    { name: 'by name on Windows', given: { input: { command: 'taskkill /F /IM node.exe' } }, want: 'ask' },
    { name: 'both of it', given: { input: { command: 'taskkill /PID 1234 /IM node.exe' } }, want: 'ask' },
    { name: 'all of them there', given: { input: { command: 'taskkill /F /IM *' } }, want: 'deny' },
    { name: 'one in PowerShell', given: { input: { command: "pwsh -c 'Stop-Process -Id 1234'" } }, want: 'abstain' },
    { name: 'by name in PowerShell', given: { input: { command: "pwsh -c 'Stop-Process -Name node'" } }, want: 'ask' },
    { name: 'by its line', given: { input: { command: 'pkill -f "node dist/server.js"' } }, want: 'abstain' },
    { name: 'by a part of it', given: { input: { command: 'pkill -f node' } }, want: 'ask' },
    { name: 'at a port', given: { input: { command: 'fuser -k 3000/tcp' } }, want: 'abstain' },
    { name: 'at a port of the system', given: { input: { command: 'fuser -k 22/tcp' } }, want: 'ask' },
    { name: 'looking by name', given: { input: { command: 'pgrep node' } }, want: 'abstain' },
    { name: 'all of a user', given: { input: { command: 'pkill -9 -u me' } }, want: 'deny' },
    { name: 'all that are listed', given: { input: { command: 'kill -9 $(ps -eo pid)' } }, want: 'deny' },
    { name: 'one by its parent', given: { input: { command: 'kill $(ps -o pid= --ppid 12)' } }, want: 'abstain' },
    {
      name: 'all that are listed, by a column',
      given: { input: { command: "ps aux | awk '{print $2}' | xargs kill -9" } },
      want: 'deny',
    },
    {
      name: 'some that are listed',
      given: { input: { command: "ps aux | grep '[n]ode server' | awk '{print $2}' | xargs kill" } },
      want: 'abstain',
    },
    {
      name: 'some that a column tells',
      given: { input: { command: "ps aux | awk '/node server/ {print $2}' | xargs kill" } },
      want: 'abstain',
    },
    { name: 'all that any name has', given: { input: { command: 'pgrep . | xargs kill' } }, want: 'deny' },
    { name: 'some that a name has', given: { input: { command: 'pgrep -f vite | xargs kill' } }, want: 'abstain' },
    { name: 'as text', given: { input: { command: 'echo "kill -9 -1"' } }, want: 'abstain' },
  ],
})
