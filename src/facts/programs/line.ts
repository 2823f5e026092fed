import { type PlacedRead, readPrepared } from '../../words/options.ts'
import type { PlacedOption, ShellLine, ShellWord } from '../../model/shell.ts'
import type { CommandView, PreparedRow } from './row.ts'
import { programNamed } from './table.ts'
import { argsOf, subcommandIn } from './unwrap.ts'

/**
 * Returns which arguments of a command are options, values and operands, by its program's row and those of its
 * subcommands. Words are given by their places, since the same texts twice would double what a policy's input takes.
 */
export function lineIn(command: CommandView): ShellLine | undefined {
  const program = programNamed(command.program)
  if (program === undefined) return undefined
  const args = argsOf(program, command)
  const { names, globals, ...own } = follow(program, command, { args, places: [...args.keys()], end: args.length })
  return {
    ...(names.length > 0 && { subcommand: names.join(' ') }),
    ...(globals.length > 0 && { globals }),
    ...own,
    ...(args !== command.args && { words: args }),
  }
}

/** Some of a command's words, with their places among all of them. */
interface PlacedWords {
  readonly args: readonly ShellWord[]
  readonly places: readonly number[]
  /** The number of all of them. */
  readonly end: number
}

type FollowedLine = Omit<ShellLine, 'subcommand' | 'globals' | 'words'> & {
  readonly names: readonly string[]
  readonly globals: readonly PlacedOption[]
}

function follow(program: PreparedRow, command: CommandView, placed: PlacedWords): FollowedLine {
  // The words that are placed, and not others that the row would make anew.
  const line = { ...readPrepared(placed.args, program.options), program: command.program }
  const sub = subcommandIn(program, line, placed.args)
  if (sub === undefined) {
    return {
      names: [],
      globals: [],
      start: placed.places[0] ?? placed.end,
      options: placedOptions(line.given, placed),
      operands: placesOf(line.operands, placed),
      ...(line.uncertain && { uncertain: true }),
    }
  }
  const inner = { args: sub.args, places: placesOf(sub.args, placed), end: placed.end }
  const rest = follow(sub.program, { ...command, program: sub.name, args: sub.args }, inner)
  return {
    ...rest,
    ...(program.subcommands.get(sub.name) === undefined && { isGeneral: true as const }),
    names: [sub.name, ...rest.names],
    globals: [...placedOptions(sub.before, placed), ...rest.globals],
  }
}

/** Finds words that stand in the same order among others. */
function placesOf(words: readonly ShellWord[], { args, places }: PlacedWords): readonly number[] {
  let at = -1
  return words.map((word) => places[(at = args.indexOf(word, at + 1))] ?? 0)
}

function placedOptions(given: PlacedRead['given'], { args, places }: PlacedWords): readonly PlacedOption[] {
  return given.map(({ name, value, at, state }): PlacedOption => {
    const own = args[at]
    if (state !== undefined) {
      const length = own?.value.length ?? 0
      return [name, places[at] ?? 0, length - value.value.length, state]
    }
    const behind = [at + 1, at + 2].find((next) => args[next] === value)
    if (behind !== undefined) return [name, places[behind] ?? 0]
    const offset = (own?.value.length ?? 0) - value.value.length
    return own === undefined || value.value === '' || offset <= 0 ? [name] : [name, places[at] ?? 0, offset]
  })
}
