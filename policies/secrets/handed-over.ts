import { type Impact, setOf, type ShellCommand, type ShellFacts } from 'hookgate/policy'
import { isNear } from './belonging.ts'
import { isProvider, logsInAt } from './sent-variable.ts'
import { passesOn, showsAnyVariable } from './shown.ts'

/** True for a filter that passes on what it is given, or a part of it. */
const isFilter = (command: ShellCommand) =>
  (passesOn(command) &&
    (command.code === undefined || command.code.language === 'awk') &&
    !command.paths.some(({ access }) => access === 'write')) ||
  command.program === 'xargs'

/** Programs that only look at a value that they are given, or keep it in a variable. */
const keepers = setOf(['', 'export', 'declare', 'local', 'typeset', 'readonly', 'test', '[', '[['])
/** Clients of databases, which take a connection's address as a word of theirs. */
const clients = setOf(
  'psql mysql mariadb mongosh mongo redis-cli pgcli usql sqlcmd cockroach clickhouse-client'.split(' '),
)

/** Names of variables, and of keys of JSON, of which a filter picks one. */
const picked = /(?<![A-Za-z0-9_])(?:[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|[a-z][a-z0-9]*(?:_[a-z0-9]+)+)(?![A-Za-z0-9_])/

/** True if a command hands what it is given to a program of the project as a variable, and not as a word. */
const isGivenAsVariable = (command: ShellCommand) =>
  command.assignments.some(({ value }) => value.unresolved === true) &&
  command.args.every(({ unresolved }) => unresolved !== true)

/** True for a program that prints variables, whatever they are called. */
const shows = (command: ShellCommand) =>
  command.program === 'printenv' || (command.program === 'env' && command.wrapper !== true)

/** Options with which a program also prints what it sends. */
const isLoud = ({ args }: ShellCommand) =>
  args.some(({ value }) => /^-[a-zA-Z]*v[a-zA-Z]*$|^--(?:verbose|trace\S*|print=\S*H\S*)$/.test(value))

/** True if one variable is picked out of a file, and goes nowhere but to its own provider, or to a program of the project. */
export function isHandedOver({ commands, flows }: ShellFacts, impacts: readonly Impact[], at: number): boolean {
  const reached = new Set([at])
  const receivers: ShellCommand[] = []
  let name: string | undefined
  for (const one of reached) {
    const command = commands[one]
    const onward = flows.filter(({ from }) => from === one)
    if (command === undefined || !isFilter(command) || onward.length === 0) return false
    for (const { value } of command.args) name ??= picked.exec(value)?.[0]
    for (const { to, via } of onward) {
      const receiver = commands[to]
      if (receiver === undefined || via === 'file' || via === 'descriptor') return false
      if (via === 'pipe') reached.add(to)
      else receivers.push(receiver)
    }
  }
  const variable = name?.toUpperCase()
  if (variable === undefined || receivers.length === 0 || commands.some(shows) || showsAnyVariable(impacts))
    return false
  return receivers.every((receiver) => {
    if (keepers.has(receiver.program)) return true
    if (isGivenAsVariable(receiver)) return true
    if (clients.has(receiver.program)) return /UR[IL]|DSN|CONN|HOST|USER|PASS/.test(variable)
    const host = receiver.network?.host?.toLowerCase() ?? ''
    return logsInAt(receiver) && !isLoud(receiver) && (isNear(host) || isProvider(variable, host))
  })
}
