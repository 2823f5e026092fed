import type { ShellCommand, ShellFacts, TouchedPath } from '../model/shell.ts'

/** More of a place's name is not said, in UTF-16 units. */
const nameCharactersMax = 40

/**
 * Returns where a command runs that does not run here, in words: "on `web1`", "in container `db`"; `undefined` for a
 * command of this machine, and for one in another root of it.
 */
export function elsewhereOf(command: ShellCommand | undefined, { commands }: ShellFacts): string | undefined {
  if (command?.elsewhere !== true) return undefined
  let first = command
  let starter = commandAt(commands, first.startedBy)
  // Of several machines and containers, one in the other, the outermost is the one that the call names itself.
  while (starter?.elsewhere === true) {
    first = starter
    starter = commandAt(commands, first.startedBy)
  }
  const name = starter === undefined ? undefined : nameOf(starter, first)
  if (first.container === undefined) {
    if (command.container !== undefined) return `in a container on ${name ?? 'another machine'}`
    return command.view === undefined ? `on ${name ?? 'another machine'}` : undefined
  }
  if (name === undefined) return 'in a container'
  return /\brun$/.test(starter?.line?.subcommand ?? '') ? `in a container of ${name}` : `in container ${name}`
}

/** Adds to the name of a path where that is, if its command runs elsewhere: "/etc in container `db`". */
export function placedName(name: string, path: TouchedPath, command: ShellCommand, shell: ShellFacts): string {
  const place = path.bound === true ? undefined : elsewhereOf(command, shell)
  return place === undefined ? name : `${name} ${place}`
}

const commandAt = (commands: ShellFacts['commands'], at: number | undefined) =>
  at === undefined ? undefined : commands[at]

/** Programs whose first operand is the place in which they start a command, and no word of that command. */
const naming =
  /^(?:ssh|autossh|mosh|rsh|dbclient|sshpass|plink|vagrant|docker|podman|nerdctl|docker-compose|podman-compose|kubectl|oc|lxc|incus|ansible)$/

function nameOf(starter: ShellCommand, first: ShellCommand): string | undefined {
  const { program, line, args } = starter
  if (!naming.test(program) || line === undefined) return undefined
  const word = (line.words ?? args)[line.operands[0] ?? -1]
  if (word === undefined || word.unresolved === true || word.several === true || word === first.written)
    return undefined
  const name = word.value.replace(/^ssh:\/\//, '').replace(/^[^@/]*@/, '')
  return name === '' ? undefined : `\`${name.slice(0, nameCharactersMax)}\``
}
