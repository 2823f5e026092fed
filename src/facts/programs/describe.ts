import {
  type PlacedOption,
  type ShellCommand,
  type ShellLine,
  type ShellOutput,
  type ShellRedirection,
  type ShellWord,
  unknownPart,
} from '../../model/shell.ts'
import { behind, type PlacedRead, readPrepared, wordsBeside } from '../../words/options.ts'
import { type PathContext, placeFor, type TouchedHow } from '../paths/index.ts'
import { type CommandEffects, type EffectRecorder, leftBy, recordEffects, touchListed } from './effects.ts'
import { inFolder, looksLikePath, roleBehind } from './words.ts'
import { type CommandView, holdsOf, isListed, type Line, type PreparedRow } from './row.ts'
import { sameOptions } from './same-options.ts'
import { programNamed } from './table.ts'
import { argsOf, readLine, subcommandIn } from './unwrap.ts'

/** Finds which paths a command touches, and what it does with the network. */
export function effectsOf(command: CommandView, around: PathContext): CommandEffects {
  const recorder = recordEffects(placeFor(command, around))
  if (command.written?.value.includes('/') === true) recorder.touch(command.written, 'execute')
  const program = programNamed(command.program)
  if (program?.row.message !== undefined) recorder.message(program.row.message(readLine(program, command)))
  if (program !== undefined && saysPaths(program)) recordProgram(program, command, recorder)
  else if (command.wrapper !== true) {
    touchWhatLooksLikePaths(command, recorder)
    if (saysThatItSends(command)) recorder.network({ kind: 'share', direction: 'send' })
  }
  const isDeaf = command.redirections.length > 0 && recorder.effects().ignoresStdin === true
  for (const redirection of command.redirections) redirect(redirection, recorder, command, isDeaf)
  return recorder.effects()
}

/** Tells whether a row describes a program's effects, and not only what it starts. */
function saysPaths({ row, paths, unwrap, subcommands }: PreparedRow): boolean {
  const saysElse = row.message === undefined || row.options !== undefined
  if ((unwrap === undefined && saysElse) || paths.size > 0 || typeof row.starts === 'object') return true
  const effectFields = [row.operands, row.first, row.effects, row.network, row.ignoresStdin, row.bareNames]
  return effectFields.some((one) => one !== undefined) || [...subcommands.values()].some(hasEffects)
}

const hasEffects = ({ row, paths }: PreparedRow): boolean =>
  paths.size > 0 || [row.operands, row.first, row.effects, row.network].some((one) => one !== undefined)

function recordProgram(program: PreparedRow, command: CommandView, recorder: EffectRecorder): void {
  const line = readLine(program, command)
  if (asksForHelp(line, program)) return
  const own = withHow(program.row.how?.(line, command), recorder)
  recordLine(program, line, own, command)
  const sub = subcommandIn(program, line, argsOf(program, command))
  if (sub === undefined) return
  const inner = within(program.row.inside?.(line), own)
  recordProgram(sub.program, { ...command, program: sub.name, args: sub.args }, inner)
}

/** Wraps a recorder so that what a row says of all its paths is said of each. */
function withHow(how: TouchedHow | undefined, recorder: EffectRecorder): EffectRecorder {
  if (how === undefined) return recorder
  return { ...recorder, touch: (word, role, own) => recorder.touch(word, role, { ...own, ...how }) }
}

/** Wraps a recorder so that paths are resolved from the folder that an option changes to. */
function within(folder: ShellWord | undefined, recorder: EffectRecorder): EffectRecorder {
  if (folder === undefined) return recorder
  return {
    ...recorder,
    touch: (word, role, how) => recorder.touch(word === undefined ? undefined : inFolder(folder, word), role, how),
    prints: (word) => recorder.prints(word.value === unknownPart ? word : inFolder(folder, word)),
  }
}

const asksForHelp = (line: Line, { row }: PreparedRow): boolean =>
  line.given.some(
    ({ name, value }) =>
      value.value === '' && (name === 'help' || name === 'version' || (name === 'h' && row.shortHelp === true)),
  )

function recordLine(program: PreparedRow, line: Line, recorder: EffectRecorder, command: CommandView): void {
  const { row, paths } = program
  if (row.silent === true) recorder.writesNoStdout()
  if (row.ignoresStdin === true) recorder.readsNoStdin()
  if (row.namesRead === true || (program.namesReadOptions.length > 0 && line.has(...program.namesReadOptions)))
    recorder.namesWhatItReads()
  const search = row.search?.(line, command)
  if (search !== undefined) recorder.search(search)
  if (row.bareNames === true) recorder.printsBareNames()
  if (isListed(program, line)) recorder.readsListed()
  if (paths.size > 0)
    for (const { name, value } of line.given) {
      const role = paths.get(name)
      if (role !== undefined) recorder.touch(value, role)
      if (role === 'list' && value.value === '-') touchListed(command.stdin, recorder.touch)
    }
  recordOperands(program, line, recorder, command.stdin === undefined)
  const network = typeof row.network === 'function' ? row.network(line) : row.network
  if (network !== undefined) recorder.network(network)
  row.effects?.(line, recorder, command)
}

function recordOperands(program: PreparedRow, line: Line, recorder: EffectRecorder, isAlone: boolean): void {
  const { row, recursiveOptions, firstUnlessOptions } = program
  const { operands } = line
  const recursive = row.recursive === true || (recursiveOptions.length > 0 && line.has(...recursiveOptions))
  const how = recursive ? { recursive } : undefined
  const isFirst = row.first !== undefined && !line.has(...firstUnlessOptions)
  for (const [at, word] of operands.entries()) {
    if (at === 0 && isFirst) recorder.touch(word, row.first ?? 'none', how)
    else if (at > 0 && at === operands.length - 1 && row.last !== undefined) recorder.touch(word, row.last, how)
    else recorder.touch(word, row.operands ?? 'none', how)
  }
  if (row.otherwise !== undefined && isAlone && operands.length === (isFirst ? 1 : 0)) {
    recorder.touch({ value: row.otherwise[0] }, row.otherwise[1], how)
  }
}

/**
 * Records a read for every argument that looks like a path, and a write for one at which it listens: the assumptions
 * about an unknown program.
 */
function touchWhatLooksLikePaths(command: CommandView, recorder: EffectRecorder): void {
  const { args } = command
  const edits = saysThatItEdits(command)
  for (const [at, word] of args.entries()) {
    const [option = '', joined] = listening.exec(word.value) ?? []
    if (joined !== undefined) recorder.touch(behind(word, option.length), 'bind')
    else if (option !== '') recorder.touch(args[at + 1], 'bind')
    else if (/^file:\/\//i.test(word.value)) recorder.touch(behind(word, 'file://'.length), 'read')
    else if (looksLikePath(word.value))
      recorder.touch(word, edits ? 'edit' : roleBehind(args[at - 1]), edits ? { recursive: true } : undefined)
    else recorder.mayTouch(word, 'read')
  }
}

/** Tells whether a program says by an option, its verb or its name that it rewrites the files that it is given. */
const saysThatItEdits = ({ program, args }: CommandView): boolean =>
  !args.some(({ value }) => showsOnly.test(value)) &&
  (args.some(({ value }) => inPlace.test(value)) ||
    /^(?:fmt|format|fix)$/.test(wordsBeside(args)[0] ?? '') ||
    /(?:fmt|format(?:ter)?|beautify|-fixer)$/.test(program))
const inPlace =
  /^--(?:in-?place|write(?:-changes)?|(?:auto-?)?fix(?:-only)?|auto-?correct(?:-all)?|reformat|overwrite(?:-in-?place)?|replace)$/
const showsOnly = /^--(?:help|version|check|diff|dry-?run|list-different|stdout|verify[\w-]*|no-write)$|^-h$/

/** Tells whether an unknown program says by its name or its verb that it sends. A project's own script says nothing. */
const saysThatItSends = ({ program, written, args }: CommandView): boolean =>
  written?.value.includes('/') !== true &&
  !args.some(({ value }) => value === '--help' || value === '-h') &&
  (/(?:^|[-_.\d])(?:send|share|paste)(?:[-_.]|$)|upload(?:er)?(?:\.\w+)?$/.test(program) ||
    args.slice(0, 2).some(({ value }) => /^(?:upload(?:-file)?|send(?:-file)?|share|paste|put)$/.test(value)))

/** Names of options that say where a server listens: `--uds x`, `--unixsocket x`, `--input-ipc-server=x`. */
const listening = /^--?(?:[a-z]+-)*(?:uds|listen|bind|(?:unix-?)?socket(?:-path)?|ipc-server|address)(?:$|(=))/i

/** Records the file that a redirection opens, or the connection that bash makes for `/dev/tcp/HOST/PORT`. */
function redirect(
  { operator, descriptor, target }: ShellRedirection,
  recorder: EffectRecorder,
  { writes }: CommandView,
  isDeaf: boolean,
): void {
  if (target === undefined || operator === '<<' || operator === '<<<') return
  const socket = socketHost(target.value)
  if (socket !== undefined) {
    const direction = operator === '<' ? 'receive' : operator === '<>' ? 'both' : 'send'
    recorder.network({
      kind: 'stream',
      direction,
      ...(socket !== '' && !socket.includes(unknownPart) && { host: socket }),
    })
    return
  }
  // The shell opens it, and a program that reads no stdin leaves it at that.
  if (operator === '<') recorder.touch(target, isDeaf && descriptor === 0 ? 'names' : 'read')
  else if (operator === '>') recorder.touch(target, 'write', descriptor === 1 ? leftBy(writes) : undefined)
  else if (operator === '>>') recorder.touch(target, 'append')
  else recorder.touch(target, 'edit')
}

/** Returns the host of bash's network paths. */
function socketHost(path: string): string | undefined {
  return /^\/dev\/(?:tcp|udp)\/([^/]*)/.exec(path)?.[1]
}

/**
 * Returns which arguments of a command are options, values and operands, by its program's row and those of its
 * subcommands. Words are given by their places, since the same texts twice would double what a policy's input takes.
 */
export function lineIn(command: CommandView): ShellLine | undefined {
  const program = programNamed(command.program)
  if (program === undefined) return undefined
  const args = argsOf(program, command)
  const all = { args, places: [...args.keys()], end: args.length }
  const { names, globals, row, ...own } = follow(program, command, all)
  const same = (known: PreparedRow, options: readonly PlacedOption[], words: readonly string[]) =>
    sameOptions(
      command.program,
      words,
      options.map(([name]) => ({ name })),
      known,
    )
  const operands = own.operands.slice(0, subcommandWordsMax).map((at) => args[at]?.value ?? '')
  const [ofGlobals, ofOptions] = [same(program, globals, []), same(row, own.options, [...names, ...operands])]
  return {
    ...(names.length > 0 && { subcommand: names.join(' ') }),
    ...(globals.length > 0 && { globals }),
    ...own,
    ...(ofGlobals && { globalsSame: ofGlobals }),
    ...(ofOptions && { same: ofOptions }),
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
  /** The row of the last subcommand. */
  readonly row: PreparedRow
}

/** More words of a subcommand are not in the table of options with several names. */
const subcommandWordsMax = 3

function follow(program: PreparedRow, command: CommandView, placed: PlacedWords): FollowedLine {
  // The words that are placed, and not others that the row would make anew.
  const line = { ...readPrepared(placed.args, program.options), program: command.program }
  const sub = subcommandIn(program, line, placed.args)
  if (sub === undefined) {
    return {
      names: [],
      globals: [],
      row: program,
      start: placed.places[0] ?? placed.end,
      options: placedOptions(line.given, placed),
      ...usesOf(line.given, program),
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

/** Finds the options whose value a request sends along, and those that it logs in with. */
function usesOf(given: PlacedRead['given'], { uses }: PreparedRow): Pick<ShellLine, 'data' | 'login'> {
  if (uses.size === 0) return {}
  const used = (as: 'data' | 'login') => given.flatMap(({ name }, at) => (uses.get(name) === as ? [at] : []))
  const [data, login] = [used('data'), used('login')]
  return { ...(data.length > 0 && { data }), ...(login.length > 0 && { login }) }
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
    const place = [at + 1, at + 2].find((next) => args[next] === value)
    if (place !== undefined) return [name, places[place] ?? 0]
    const offset = (own?.value.length ?? 0) - value.value.length
    return own === undefined || value.value === '' || offset <= 0 ? [name] : [name, places[at] ?? 0, offset]
  })
}

/** Returns what the row of a command's program says of what the command prints and writes. */
export function outputsOf(
  command: ShellCommand,
): Pick<ShellCommand, 'output' | 'filter' | 'logsIn' | 'copies' | 'sealed' | 'echoes' | 'listed'> | undefined {
  const program = programNamed(command.program)
  if (program === undefined) return undefined
  const { copies, sealed, logsIn, filter, echoes, listed } = program.row
  const output = outputOf(command, program)
  const mayBeListed = listed !== undefined || program.startRoles.size > 0
  const said = output ?? copies ?? sealed ?? logsIn ?? filter ?? echoes
  if (said === undefined && !mayBeListed) return undefined
  const line = filter !== undefined || echoes !== undefined || mayBeListed ? readLine(program, command) : undefined
  const filtered = line && filter?.(line)
  return {
    ...(output !== undefined && { output }),
    ...(filtered !== undefined && { filter: filtered }),
    ...(logsIn && { logsIn }),
    ...(copies && { copies }),
    ...(sealed && { sealed }),
    ...(line && holdsOf(echoes, line) && { echoes: true as const }),
    ...(line && mayBeListed && isListed(program, line) && { listed: true as const }),
  }
}

/** Returns what a command puts out, by its program's row or that of its subcommand. */
function outputOf(command: CommandView, program: PreparedRow): ShellOutput | undefined {
  if (!program.hasOutput) return undefined
  const { output } = program.row
  if (typeof output === 'string') return output
  const line = readLine(program, command)
  if (output !== undefined) return output(line, command)
  const sub = subcommandIn(program, line, argsOf(program, command))
  return sub && outputOf({ ...command, program: sub.name, args: sub.args }, sub.program)
}
