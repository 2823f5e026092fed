import { type PlacedRead, readPrepared } from '../../words/options.ts'
import type { ShellCommand, ShellWord } from '../../model/shell.ts'
import { type Folder, folderIn } from '../paths/index.ts'
import {
  inFolder,
  namesThisMachine,
  splitWords,
  assignmentsBefore,
  behindDashes,
  joined,
  withoutDashes,
} from './words.ts'
import type { CommandBehind, CommandView, Line, PreparedRow } from './row.ts'
import type { StartedIn, Starts, Unwrap } from './starts.ts'
import { touchListed } from './effects.ts'

/** Parses a command line with the options of its program's row. */
export function readLine(program: PreparedRow, command: CommandView): Line {
  return { ...readPrepared(argsOf(program, command), program.options), program: command.program }
}

/** Returns a command's arguments in the form that its program's row reads. */
export const argsOf = ({ row }: PreparedRow, command: CommandView): readonly ShellWord[] =>
  row.words?.(command) ?? command.args

/** A subcommand with a row of its own, and its arguments. */
interface Subcommand {
  readonly program: PreparedRow
  readonly name: string
  readonly args: readonly ShellWord[]
  /** The options before it. */
  readonly before: PlacedRead['given']
}

/** Finds the subcommand of a command line. Its name may have two words or one; two are tried first. */
export function subcommandIn(program: PreparedRow, line: Line, args: readonly ShellWord[]): Subcommand | undefined {
  if (program.subcommands.size === 0) return undefined
  const { operands, given } = program.options.operandsLast ? line : readPrepared(args, program.ownOptions)
  for (const length of [2, 1]) {
    const words = operands.slice(0, length).map(({ value }) => value)
    const name = words.join(' ')
    const isKnown = length === 1 && operands[0]?.unresolved !== true && operands[0]?.several !== true
    const own = program.subcommands.get(name) ?? (isKnown ? program.subcommands.get('*') : undefined)
    const sub = words.length === length ? own : undefined
    if (sub !== undefined) return { program: sub, name, args: operands.slice(length), before: given }
  }
  return undefined
}

/** Makes the function that finds the commands that a program starts; `undefined` if it starts none. */
export function unwrapOf(program: PreparedRow): Unwrap | undefined {
  const { row, startRoles, variables, subcommands } = program
  const hasOptions = [...startRoles.values()].some((role) => role === 'script' || role === 'words' || role === 'list')
  const startsInSub = [...subcommands.values()].some(({ unwrap }) => unwrap !== undefined)
  if (row.starts === undefined && !hasOptions && variables.length === 0 && !startsInSub) return undefined
  return (command, starts) => {
    const line = readLine(program, command)
    const hasScript = startOptions(program, line, starts, command.cwd ?? command.folder)
    startVariables(variables, starts)
    if (typeof row.starts === 'function') row.starts(line, starts, command)
    else if (row.starts !== undefined && (hasScript || isIdle(program, line))) markWrapper(row.starts, starts)
    else if (row.starts !== undefined) startBehind(row.starts, program, line, starts, command)
    const sub = subcommandIn(program, line, argsOf(program, command))
    const folder = row.inside?.(line)
    sub?.program.unwrap?.({ ...command, args: sub.args }, folder === undefined ? starts : startsIn(folder, starts))
  }
}

/** Takes the files of a subcommand from the folder that an option changes to. */
const startsIn = (folder: ShellWord, starts: Starts): Starts => ({
  ...starts,
  content: (file) => starts.content(inFolder(folder, file)),
  edits: (text, read) =>
    starts.edits(text, (one) =>
      read(one).map((edit) => Object.assign({}, edit, { file: inFolder(folder, edit.file) })),
    ),
})

const isIdle = (program: PreparedRow, line: Line): boolean =>
  line.has('help', 'version') || (program.idleOptions.length > 0 && line.has(...program.idleOptions))

/** Starts the commands in option values, and returns whether one of them is a script. */
function startOptions(program: PreparedRow, line: Line, starts: Starts, cwd: Folder): boolean {
  let hasScript = false
  if (program.startRoles.size === 0) return false
  const where = whereabouts(program, line, cwd)
  for (const { name, value } of line.given) {
    const role = value.value === '' ? undefined : program.startRoles.get(name)
    if (role === 'script') starts.script(value, where)
    else if (role === 'words') starts.words(splitWords(value.value), where)
    else if (role === 'list') touchListed(starts.content(value), starts.touch)
    hasScript ||= role === 'script'
  }
  return hasScript
}

/** Starts the scripts in variables of the command's environment. */
export function startVariables(variables: readonly string[], starts: Starts): void {
  for (const name of variables) {
    const value = starts.variable(name)
    if (value !== undefined && value.value !== '') starts.script(value)
  }
}

function markWrapper({ doesMore }: CommandBehind, starts: Starts): void {
  if (doesMore !== true) starts.wrapper()
}

function startBehind(
  behind: CommandBehind,
  program: PreparedRow,
  line: Line,
  starts: Starts,
  command: ShellCommand,
): void {
  const { args, cwd = command.folder } = command
  const operands = behind.dashes === true ? (behindDashes(args) ?? []) : line.operands
  const own = withoutDashes(operands.slice(behind.own ?? 0))
  const { assignments, rest } = behind.assignments === true ? assignmentsBefore(own) : { assignments: [], rest: own }
  const words = withoutDashes(rest)
  const where: StartedIn = {
    ...behind.view?.(line, command),
    ...whereabouts(program, line, cwd),
    ...(assignments.length > 0 && { assignments }),
  }
  if (words.length === 0) {
    // Without a command, most of them start a shell, which reads commands from stdin.
    const isWhole = behind.dashes !== true && operands.length >= (behind.own ?? 0)
    if (isWhole && command.stdin !== undefined) starts.script(command.stdin, { ...where, stdin: 'none', guessed: true })
    return
  }
  markWrapper(behind, starts)
  const isText = behind.joined === true || (behind.joined !== undefined && !line.has(...behind.joined.split(' ')))
  if (isText) starts.script(joined(words), where)
  else starts.words(words, where)
}

function whereabouts({ row, startRoles }: PreparedRow, line: Line, cwd: Folder): StartedIn {
  const behind = typeof row.starts === 'object' ? row.starts : undefined
  const last = (role: string) => line.given.findLast(({ name }) => startRoles.get(name) === role)?.value
  const [folder, user] = startRoles.size === 0 ? [] : [last('folder'), last('user')]
  const name = user?.value ?? behind?.user
  const isHere = [...line.operands.slice(0, behind?.own ?? 0), ...line.given.map(({ value }) => value)].some(
    namesThisMachine,
  )
  return {
    ...(name !== undefined && { user: name }),
    ...(behind?.elsewhere === true && !isHere && { elsewhere: true }),
    ...(behind?.container !== undefined && { container: behind.container(line) }),
    ...(behind?.leaves === true && { leaves: true }),
    ...(behind?.strayed === true && { cwd: undefined }),
    ...(folder !== undefined && { cwd: folderFrom(cwd, folder) }),
  }
}

/** Resolves the folder of an option such as `-C FOLDER`. */
export const folderFrom = (cwd: Folder, folder: ShellWord): Folder => folderIn(cwd, folder)
