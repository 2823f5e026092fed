import type { ShellCommand } from '../../model/shell.ts'
import type { ToolFacts } from '../../model/tool-facts.ts'

/**
 * Returns the facts of a call without those of some of its commands. All others keep their index.
 *
 * Flows stay: what a command passes on is judged by its receiver.
 */
export function withoutCommands(
  { shell, paths, changes, impacts }: ToolFacts,
  indices: ReadonlySet<number>,
): ToolFacts {
  const commands = shell.commands.map((command, index) => (indices.has(index) ? inert(command) : command))
  const inCommands = shell.commands.filter(isHere).reduce((sum, one) => sum + one.paths.length, 0)
  const own = paths.slice(0, paths.length - inCommands)
  const left = commands.filter(isHere).flatMap((one) => one.paths)
  const gone = new Set(paths.slice(own.length).flatMap(({ absolute, written }) => [absolute ?? written]))
  for (const { absolute, written } of [...own, ...left]) gone.delete(absolute ?? written)
  return {
    shell: { ...shell, commands },
    paths: [...own, ...left],
    changes: changes.filter(({ path }) => !gone.has(path)),
    impacts: impacts.filter(({ by }) => typeof by === 'string' || !indices.has(by)),
  }
}

const isHere = ({ elsewhere }: ShellCommand) => elsewhere !== true

/** Returns a command in the same place that does nothing, not even by its text. */
function inert({ reach, startedBy, cwd, place }: ShellCommand): ShellCommand {
  return {
    program: '',
    args: [],
    assignments: [],
    redirections: [],
    ...(cwd !== undefined && { cwd }),
    reach,
    ...(startedBy !== undefined && { startedBy }),
    paths: [],
    uncertain: [],
    place: { start: place.start, end: place.start },
  }
}
