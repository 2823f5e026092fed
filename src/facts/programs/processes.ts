import { hasShellTrait } from '../../model/shell-traits.ts'
import type { ChosenProcess, ShellCommand, ShellProcesses, ShellWord } from '../../model/shell.ts'
import { readLine } from '../../words/loose-line.ts'
import { type OptionLookUps, readOptions } from '../../words/options.ts'
import type { ProcessWords } from './program.ts'
import { optionsKnown, processesOf } from './table.ts'
import { names } from './words.ts'

/** The processes that a command chooses, with what else of its words says what becomes of them. */
export interface ChosenProcesses {
  readonly processes: ShellProcesses
  /** It asks for help or a list, or whether the processes are there: the signal 0 does no more. */
  readonly onlyAsks: boolean
  /** The names of its options. */
  readonly options: readonly string[]
}

/** For a program of which its entry says only that it ends processes: each of its words may be an id, a name or a port. */
const anyWord: ProcessWords = { operands: 'any', options: { id: 'p pid', name: 'n name', port: 'port' } }
/** For a program of which its entry says only that it hinders processes: each of its words may be an id. */
const anyNumber: ProcessWords = { operands: 'id', options: { id: 'p pid t tree attach' } }

const choiceOf = (command: Pick<ShellCommand, 'program' | 'traits'>): ProcessWords | undefined =>
  processesOf(command.program) ??
  (hasShellTrait(command, 'endsProcesses')
    ? anyWord
    : hasShellTrait(command, 'hindersProcesses')
      ? anyNumber
      : undefined)

const isNarrow = ({ by }: ChosenProcess) => by !== 'id' && by !== 'owner' && by !== 'parent'

/** Returns which processes a command chooses; `undefined` for a program of which nothing says that it chooses any. */
export function chosenBy(command: Pick<ShellCommand, 'program' | 'args' | 'traits'>): ChosenProcesses | undefined {
  const choice = choiceOf(command)
  if (choice === undefined) return undefined
  const { line, operands } = read(choice, command)
  const has = (list = '') => list !== '' && line.has(...names(list))
  const valuesOf = (list = '') => line.values(...names(list))
  const [space] = valuesOf(choice.spaces).map(({ value }) => value)
  const given = [
    ...operands.flatMap((word) => choicesOf(choice.operands, word)),
    ...marks.flatMap((by) => valuesOf(choice.options?.[by]).flatMap((word) => choicesOf(by, word))),
  ].map(({ by, word }): ChosenProcess => {
    if (by === 'file' && has(choice.mounts)) return { by: 'mount', word }
    if (by === 'name' && has(choice.patterns)) return { by: 'pattern', word }
    if (by === 'id' && choice.finds === true && !/^[\d,]+$/.test(word.value)) return { by: 'found', word }
    if (by === 'pattern' && has(choice.lines)) return { by: 'line', word }
    return by === 'file' && space !== undefined && space !== 'file'
      ? { by: 'port', word: { ...word, value: `${word.value}/${space}` } }
      : { by, word }
  })
  // An owner only narrows what else is chosen.
  const choices = given.filter(({ by }) => by !== 'owner' || !given.some(isNarrow))
  const words = command.args.map(({ value }) => value).join(' ')
  const isAll = has(choice.others) || (choices.length === 0 && choice.all?.(words) === true)
  const instead: ChosenProcess = { by: isAll ? 'all' : 'found', word: { value: '' } }
  const isEnder = hasShellTrait(command, 'endsProcesses') || hasShellTrait(command, 'hindersProcesses')
  const ends = isEnder && (choice.when?.test(words) ?? (choice.endsBy === undefined || has(choice.endsBy)))
  return {
    processes: {
      chosen: isAll || (choices.length === 0 && choice.finds === true) ? [instead] : choices,
      ...(ends && { ends }),
    },
    onlyAsks: line.has('help', 'version') || has(choice.idle) || line.values('s', 'signal').at(-1)?.value === '0',
    options: line.given.map(({ name }) => name),
  }
}

/** Reads the words of a command with the options of its entry, and of how that says which processes it chooses. */
function read(
  choice: ProcessWords,
  { program, args }: Pick<ShellCommand, 'program' | 'args'>,
): { readonly line: OptionLookUps; readonly operands: readonly ShellWord[] } {
  const row = optionsKnown(program)
  const { options = {}, valued = '', windows } = choice
  const values = [...Object.values(options), valued, choice.spaces ?? ''].flatMap(names)
  if (windows !== undefined) {
    const line = readLine(args, { windows, valued: values.join(' '), flags: choice.flags ?? '' })
    return {
      line,
      operands: line.words.map(({ text, unknown }) => (unknown ? { value: text, unresolved: true } : { value: text })),
    }
  }
  const { patterns = '', lines = '', mounts = '', others = '', idle = '', endsBy = '', flags = '' } = choice
  const line = readOptions(choice.words?.(args) ?? args, {
    valued: [...values, ...(row?.valued ?? [])],
    flags: [patterns, lines, mounts, others, idle, endsBy, flags].flatMap(names),
    joined: names(choice.joined ?? ''),
    abbreviations: true,
  })
  const known = new Set([...values, ...(row?.valued ?? []), ...names(choice.joined ?? '')])
  // An option that is not known may choose as well.
  const more = line.given.flatMap(({ name, value }) => (known.has(name) || value.value === '' ? [] : [value]))
  return { line, operands: [...line.operands, ...more] }
}

type Mark = NonNullable<ProcessWords['operands']>
const marks: readonly Exclude<Mark, 'any'>[] = [
  'id',
  'name',
  'pattern',
  'line',
  'owner',
  'parent',
  'port',
  'file',
  'mount',
  'condition',
]

/** Returns what a word chooses. A list of ids or names stays one word: a fact is no larger than the command. */
function choicesOf(by: Mark | undefined, word: ShellWord): readonly ChosenProcess[] {
  const { value } = word
  switch (by) {
    case undefined:
      return []
    case 'any':
      return choicesOf(/^[\d,]+$/.test(value) ? 'id' : /^:\d+$/.test(value) ? 'port' : 'name', word)
    case 'condition':
      return conditionIn(word)
    case 'file':
      return [{ by: /^\d+(?:,[^/]*)?\/(?:tcp|udp|sctp)$/.test(value) ? 'port' : 'file', word }]
    case 'port':
      // `lsof -i`, `-i 4` and `-i tcp` mean all that have a connection.
      return [{ by: /^(?:[46]?(?:tcp|udp)?|-.*)$/i.test(value) ? 'all' : 'port', word }]
    case 'id':
    case 'name':
    case 'pattern':
    case 'line':
    case 'owner':
    case 'parent':
    case 'mount':
    case 'found':
    case 'all':
      return [{ by, word }]
  }
}

/** Finds what a condition of Windows' programs compares, and with what: `IMAGENAME eq node.exe`, `processid=4711`, `"commandline like '%serve%'"`. */
const compared =
  /^\W*(?:(imagename|name|caption|description|executablepath)|(commandline)|pid|processid|handle)['"\s]*(?:eq\b|=|like\b)['"\s]*([^'"]*)/i
const compares = /[=<>]|\b(?:eq|ne|gt|lt|ge|le|like)\b/i

/** Returns which processes a condition chooses: those of an owner, where it compares anything else. */
function conditionIn(word: ShellWord): readonly ChosenProcess[] {
  const [, name, line, value] = compared.exec(word.value) ?? []
  const of = (text: string): ShellWord => ({ ...word, value: text })
  if (value === undefined)
    return /^\d+$/.test(word.value) ? [{ by: 'id', word }] : compares.test(word.value) ? [{ by: 'owner', word }] : []
  if (line !== undefined) return [{ by: 'line', word: of(value.replaceAll('%', '.*')) }]
  return [name === undefined ? { by: 'id', word: of(value) } : { by: 'name', word: of(value.replaceAll('%', '*')) }]
}
