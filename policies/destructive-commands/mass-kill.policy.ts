import {
  abstains,
  ask,
  asks,
  definePolicy,
  denies,
  deny,
  setOf,
  type PolicyEvent,
  type ShellCommand,
  type ShellFacts,
} from 'hookgate/policy'
import { callIn } from './calls.ts'

/**
 * `-1` behind the signal, or as the only word behind `--`, is every process there is, and so is what ends the first one,
 * but in a container, where that is its program.
 */
function killsAll(command: ShellCommand, shell: ShellFacts): boolean {
  const { program, args } = command
  if (program !== 'kill') return false
  const words = args.map(({ value }) => value)
  if (words.some((word) => /^-[lL0]$|^--(?:list|table|help)/.test(word))) return false
  const hasSignal = words.some((word) => /^-(?:s|n|-signal)/.test(word)) || /^-(?:[A-Z]+\w*|\d+)$/i.test(words[0] ?? '')
  return words
    .slice(hasSignal ? 1 : 0)
    .some((word, at) => (word === '1' && !isInContainer(command, shell)) || (word === '-1' && (hasSignal || at > 0)))
}

const containers = setOf(['docker', 'podman', 'nerdctl', 'kubectl', 'oc'])

/** True for what a command runs in a container that it names. */
function isInContainer({ startedBy = -1, elsewhere }: ShellCommand, shell: ShellFacts): boolean {
  const starter = shell.commands[startedBy]
  return (
    elsewhere === true && starter !== undefined && (containers.has(starter.program) || isInContainer(starter, shell))
  )
}

const everything = [
  { programs: 'killall5', does: '' },
  { programs: 'pkill', words: /(?:^| )(?:\.|\.\*|\^|''|-u \S+|-U \S+|--u?id \S+)$/, does: '' },
  { programs: 'killall', words: /(?:^| )(?:-u \S+|--user \S+|-r \.\*?)$/, does: '' },
  { programs: 'taskkill', words: /\/im \*|\/fi /i, does: '' },
] as const

/** The process at one port that no system service uses is probably the project's own server. */
const onePort = /^(?:-[a-z0-9]+ )*(?:[1-9]\d{3,4}\/tcp|-n tcp [1-9]\d{3,4})$/

/** A script by its name, or a program by a path that is none of the system's. */
const isOwnFile =
  /^(?:[\w@-]+(?:\.\*| ))?(?!\/(?:usr|s?bin|lib\w*|opt|etc|System|Library|Applications)\/)[\w@./-]*(?:\w\w\/[\w-]{2,}|[\w-]{2,}\\?\.(?:[cm]?[jt]sx?|py|rb|sh|php|pl|exs?|jar|go|lua))$/i

/** A command line in so many words is that of one program: `pkill -f 'node dist/server.js'`. */
const isOneLine = ({ program, args: words }: ShellCommand): boolean => {
  // Of one's own processes, or of anybody's: there are no more of them than without.
  const args = words.filter(({ value }, at) => !/^-[uU]$/.test(value) && !/^-[uU]$/.test(words[at - 1]?.value ?? ''))
  const [pattern, more] = args.filter(({ value }) => !value.startsWith('-'))
  // A letter in brackets keeps the pattern from matching the line that it stands in.
  const line = pattern?.value.replaceAll(/\[(\w)\]/g, '$1') ?? ''
  return (
    program === 'pkill' &&
    args.every(
      ({ value, unresolved }) =>
        unresolved !== true && (!value.startsWith('-') || /^-(?:f|9|15|KILL|TERM|INT|HUP|9f|f9)$/.test(value)),
    ) &&
    args.some(({ value }) => /^-9?f9?$/.test(value)) &&
    more === undefined &&
    (/^(?!(?:ba|z|da|k|c)?sh )[a-z][\w./-]* (?=.*[a-z]{2}|\d{4,5}$)[\w./:@= -]{3,}$/i.test(line) ||
      isOwnFile.test(line))
  )
}

/** Programs of so many processes, an agent's own among them, that a restart of one says nothing of the others. */
const shared = setOf(
  'node python python2 python3 java ruby php perl bun deno go sh bash zsh npm npx pnpm yarn uv docker ssh claude codex gemini cursor code chrome'.split(
    ' ',
  ),
)
/** Programs that start what they have built, by the name that their words give. */
const builders = setOf(
  'cargo dotnet swift zig mix stack cabal gradle mvn make just poetry pipenv bazel task'.split(' '),
)
/** Programs that only look for processes or say something of them. */
const looking = setOf(
  'echo printf grep egrep rg pgrep ps lsof cat tail head less ls sleep kill pkill killall'.split(' '),
)

/** True if what is ended by its name is started again in the same line: `pkill -f uvicorn; uvicorn app:app &`. */
function isRestarted({ program, args }: ShellCommand, at: number, { commands }: ShellFacts): boolean {
  if (program !== 'pkill' && program !== 'killall') return false
  const names = args.filter(({ value }) => !value.startsWith('-'))
  const name = names[0]?.value ?? ''
  if (names.length !== 1 || names[0]?.unresolved === true || !/^[\w][\w ./:@-]{2,}$/.test(name)) return false
  if (shared.has(name.toLowerCase())) return false
  if (args.some(({ value }) => /^-(?!f$|e$|x$|\d+$|[A-Z]+$|s$|w$|q$)/.test(value))) return false
  return commands.slice(at + 1).some((one) => {
    if (one.program === '' || looking.has(one.program)) return false
    const isByLine = shared.has(one.program) || builders.has(one.program) || one.wrapper === true
    const words = [one.program, ...(isByLine || name.includes(' ') ? one.args.map(({ value }) => value) : [])]
    return words.join(' ').includes(name)
  })
}

/** Words of a folder's name that say nothing of whose a program is. */
const general = setOf(
  'server client service services daemon worker workers project projects workspace code test tests main master develop node python backend frontend docker chrome desktop agent claude codex github'.split(
    ' ',
  ),
)

/** True if the one process that is meant is called like the folder that the agent works in: `acme-api` in `acme`. */
function isOfProject({ program, args }: ShellCommand, { session, workspaceRoots }: PolicyEvent): boolean {
  const [name, more] = args.filter(({ value }) => !value.startsWith('-'))
  if (program !== 'pkill' || name === undefined || more !== undefined || !/^[\w-]{5,}$/.test(name.value)) return false
  if (args.some(({ value }) => /^-(?!f$|x$|\d+$|[A-Z]+$)/.test(value))) return false
  const words = name.value.toLowerCase().split(/[-_]/)
  const roots = workspaceRoots.length === 0 ? [session.cwd] : workspaceRoots
  return roots.some((root) =>
    root
      .slice(root.lastIndexOf('/') + 1)
      .toLowerCase()
      .split(/[-_.]/)
      .some((word) => word.length > 3 && !general.has(word) && words.includes(word)),
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

/** True if PowerShell ends what listens at one port, as `lsof -ti :3000 | xargs kill` does. */
function isAtPort({ program, args, startedBy = -1 }: ShellCommand, { commands }: ShellFacts, typed: string): boolean {
  const text = commands[startedBy]?.code?.text ?? typed
  return (
    program === 'stop-process' &&
    args.some(({ value }) => /^-id$/i.test(value)) &&
    /\bGet-NetTCPConnection\b[^;|\n]{0,200}-LocalPort\s+[1-9]\d{3,4}\b/i.test(text) &&
    !/\bGet-(?:Process|CimInstance|WmiObject)\b/i.test(text)
  )
}

const enders = setOf(['kill', 'pkill', 'skill'])
/** Programs that pass on process ids without leaving any out. */
const passing = setOf(['awk', 'gawk', 'cut', 'tr', 'sed', 'tail', 'xargs', 'cat', 'sort', 'uniq'])

/** True for a listing of all processes, or all of a user: `ps aux`, `pgrep -u me`. */
function listsAll({ program, args }: ShellCommand): boolean {
  const words = args.map(({ value }) => value).join(' ')
  if (program === 'ps')
    return !/(?:^| )(?:-?p\d*|-[CtqgGs]|--(?:pid|ppid|tty|quick-pid|group|sid)\S*)(?: |$)/.test(words)
  return program === 'pgrep' && /(?:^| )(?:\.|\.\*|\^|''|-u \S+|-U \S+|--u?id \S+)$/.test(words)
}

/** True if awk, sed or tail only selects a column or removes a heading. */
const isWhole = ({ program, args }: ShellCommand) =>
  passing.has(program) && !args.some(({ value }) => /\/[^/]*\w[^/]*\/|[=<>~]=|!~|\$\d+ ?[~<>]/.test(value))

/** True if the ids come from a listing that was not filtered. */
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
  interest: { words: [...enders.members, ...[...everything, ...byName].map(({ programs }) => programs)] },
  decide({ event, tool, shell }) {
    const typed = typeof tool.input['command'] === 'string' ? tool.input['command'] : ''
    const all = shell.commands.findIndex(
      (command, at) => killsAll(command, shell) || callIn(command, everything) !== undefined || endsListed(at, shell),
    )
    if (all !== -1)
      return deny(
        `${shell.commands[all]?.program} would kill every process there is: give it the ids of those you started`,
        { at: all },
      )
    const some = shell.commands.findIndex(
      (command, at) =>
        callIn(command, byName) !== undefined &&
        !isOneLine(command) &&
        !isRestarted(command, at, shell) &&
        !isAtPort(command, shell, typed) &&
        !isOfProject(command, event),
    )
    if (some === -1) return undefined
    return ask(
      `${shell.commands[some]?.program} kills processes by name, including those that are not yours: use kill with the ids of those you started`,
      { at: some },
    )
  },
  examples: [
    denies('everything', 'kill -9 -1'),
    abstains('one process', 'kill -9 1234'),
    denies('the first process', 'sudo kill 1'),
    abstains("a container's program", 'docker exec web kill -HUP 1'),
    denies('the first process of another machine', 'ssh host kill -9 1'),
    denies('everything in a container', 'docker exec web kill -9 -1'),
    abstains('by the gentlest signal', 'kill -1 1234'),
    denies('with a named signal', 'kill -s KILL -- -1'),
    abstains('the names of signals', 'kill -l'),
    asks('by name', 'killall node'),
    abstains('one of Windows', 'taskkill //F //PID 1234'),
    asks('by name on Windows', 'taskkill /F /IM node.exe'),
    asks('both of it', 'taskkill /PID 1234 /IM node.exe'),
    denies('all of them there', 'taskkill /F /IM *'),
    abstains('one in PowerShell', "pwsh -c 'Stop-Process -Id 1234'"),
    abstains(
      'at one port in PowerShell',
      "pwsh -c '(Get-NetTCPConnection -LocalPort 3000).OwningProcess | % { Stop-Process -Id $_ -Force }'",
    ),
    asks(
      'found by name in PowerShell',
      "pwsh -c 'Get-Process node | ForEach-Object { Stop-Process -Id $_.Id -Force }'",
    ),
    asks('by name in PowerShell', "pwsh -c 'Stop-Process -Name node'"),
    abstains('by its line', 'pkill -f "node dist/server.js"'),
    asks('by a part of it', 'pkill -f node'),
    abstains('what is started again', 'pkill -f uvicorn; uvicorn app:app &'),
    abstains('what is built and started again', 'pkill -f shop-api; cargo run -p shop-api &'),
    abstains('a program that is called like the project', 'pkill -9 -f acme-server', { cwd: '/home/u/acme-2' }),
    asks('a program that is called otherwise', 'pkill -9 -f acme-server', { cwd: '/home/u/server' }),
    asks('what is only looked for again', 'pkill -f uvicorn; pgrep uvicorn'),
    abstains('a script', 'pkill -f server.py'),
    asks('every script', 'pkill -f .py'),
    abstains('a program of the project', 'pkill -9 -f target/debug/app'),
    asks('a program of the system', 'pkill -f /usr/bin/app'),
    abstains('at a port', 'fuser -k 3000/tcp'),
    asks('at a port of the system', 'fuser -k 22/tcp'),
    abstains('looking by name', 'pgrep node'),
    denies('all of a user', 'pkill -9 -u me'),
    denies('all that are listed', 'kill -9 $(ps -eo pid)'),
    abstains('one by its parent', 'kill $(ps -o pid= --ppid 12)'),
    denies('all that are listed, by a column', "ps aux | awk '{print $2}' | xargs kill -9"),
    abstains('some that are listed', "ps aux | grep '[n]ode server' | awk '{print $2}' | xargs kill"),
    abstains('some that a column tells', "ps aux | awk '/node server/ {print $2}' | xargs kill"),
    denies('all that any name has', 'pgrep . | xargs kill'),
    abstains('some that a name has', 'pgrep -f vite | xargs kill'),
    abstains('as text', 'echo "kill -9 -1"'),
  ],
})
