import { limits } from '../../model/limits.ts'
import type { ShellCommand } from '../../model/shell.ts'
import { anyText, type ConditionGlob, folded, literal, meeting, pathGlob } from '../../rules/match/glob.ts'

/** The process of the resident gate. */
export interface GateProcess {
  readonly pid: number | undefined
  /** Where it listens for HTTP hooks. */
  readonly port: number | undefined
  /** Files that start it. */
  readonly programs: readonly string[]
  /** The program that runs them. */
  readonly node: string
  /** With these options, where it runs the resident gate. */
  readonly nodeOptions: readonly string[]
  /** Returns true if one of hookgate's own state files is among a command's paths. */
  readsState(command: ShellCommand): boolean
  /** Returns true for a folder with hookgate's state files somewhere below it. */
  holdsState(folder: string): boolean
}

/** Node names its main thread in its own way on some systems. */
const processNames: readonly string[] = ['node', 'node-mainthread', 'mainthread', 'hookgate']

/** The lines by which the system lists the gate, the page, and the processes that work for them. */
const commandLines = ({ programs, node, nodeOptions }: GateProcess) =>
  [...programs, '/node_modules/hookgate/dist/cli/bin.js'].flatMap((bin) => {
    const folder = bin.replace(/cli[\\/]bin\.\w+$/, '')
    return [
      `${node} ${nodeOptions.join(' ')} ${bin} serve`,
      `${node} ${bin} serve`,
      `${node} ${bin} up`,
      `${node} ${bin} ui`,
      `${node} ${folder}policy/sandbox/thread/sandbox-main.js`,
      `${node} ${folder}hooks/companion.js`,
    ].map(folded)
  })

export const namesAmong = (words: readonly string[]): readonly string[] =>
  words.filter((word) => word !== '' && !word.startsWith('-'))

/** Returns true if the gate's process has this name, or one that the wildcards in it match. */
export function isProcessName(name: string): boolean {
  const meets = meeting(pathGlob('/', folded(name).replace(/\.exe$/, '')))
  return processNames.some((one) => meets(literal(`/${one}`)))
}

/** Returns true if a regular expression may find a process of the gate by its name. */
export const fitsProcessName = (expression: string): boolean => fitsSome(expression, processNames)

/** Returns true for a choice of processes by their owner, terminal, session or parent alone. */
export function choosesUser(words: readonly string[]): boolean {
  const at = words.findIndex((word) => /^(?:-[uUgGst]|--(?:user|e?uid|terminal|session|p?group))(?:=|$)/.test(word))
  const owner = words[at]?.includes('=') === true ? at : at + 1
  // The system's first process is the gate's parent.
  const isOrphaned = words.some((word, index) => word === '1' && /^(?:-P|--parent)$/.test(words[index - 1] ?? ''))
  return isOrphaned || (at !== -1 && chosenNames(words.filter((_, index) => index !== owner)).length === 0)
}

/** Returns what is no option, nor the value of one that takes a signal or a time. */
const chosenNames = (words: readonly string[]) =>
  namesAmong(words.filter((_, at) => !/^(?:-[soy]|--(?:signal|older-than|younger-than))$/.test(words[at - 1] ?? '')))

/** Returns true if `pkill` or `pgrep` finds the gate by these words. */
export function namesGate(words: readonly string[], gate: GateProcess): boolean {
  const isOnCommandLine = words.some((word) => /^-\w*f|^--full$/.test(word))
  const lines = isOnCommandLine ? commandLines(gate) : processNames
  return choosesUser(words) || namesAmong(words).some((name) => fitsSome(name, lines))
}

/** Returns true if the gate is among what a search of processes, or of their list, finds. */
export function findsGate(program: string, words: readonly string[], gate: GateProcess): boolean {
  const listed = () => [...commandLines(gate), socket]
  if (namesPort(words, gate)) return true
  switch (program) {
    case 'seq':
    case 'jot':
      return countsTo(program, words, gate)
    case 'pgrep':
    case 'pidof':
      return namesGate(words, gate)
    case 'ps':
      return listsGate(words)
    case 'lsof':
      return opensAsGate(words, gate) || words.some((word) => ownSocket.test(word))
    case 'grep':
    case 'egrep':
    case 'fgrep':
    case 'rg':
    case 'ag':
      return namesAmong(words).some((name) => fitsSome(name, listed()))
    case 'awk':
    case 'gawk':
    case 'sed':
    case 'perl':
    case 'ruby':
      return words.some(
        (word) =>
          ownSocket.test(word) || [...word.matchAll(betweenSlashes)].some(([, one = '']) => fitsSome(one, listed())),
      )
    default:
      return program === 'ss' && words.some((word) => ownSocket.test(word))
  }
}
const socket = '/hookgate/gate.sock'
export const ownSocket = /hookgate|gate\W{1,2}(?:sock|json|lock)/i

/** Returns true if one of the words has the gate's port, or a range with it: `-i:8080`, `sport = :8080`, `8080/tcp`. */
export const namesPort = (words: readonly string[], { port }: GateProcess): boolean =>
  port !== undefined &&
  words.some((word) =>
    [...word.matchAll(/(?<![\w.])(\d{1,5})(?:-(\d{1,5}))?(?!\w)/g)].some(([, from, to = from]) =>
      isBetween(port, from, to),
    ),
  )

/** Returns true if the numbers that a program prints have the gate's process among them. */
function countsTo(program: string, words: readonly string[], { pid }: GateProcess): boolean {
  const numbers = words.filter((word) => /^\d{1,12}$/.test(word)).map(Number)
  const [first = 0, last = 0] = [numbers[0], numbers.at(-1)]
  if (pid === undefined) return false
  if (program === 'jot') return isBetween(pid, numbers[1] ?? 1, (numbers[1] ?? 1) + first)
  return isBetween(pid, numbers.length > 1 ? first : 1, last)
}

export const isBetween = (number: number, from: string | number = 0, to: string | number = 0): boolean =>
  number >= Number(from) && number <= Number(to)
/** A pattern in the code of `awk` and the like; one of less letters than this is a separator. */
const betweenSlashes = /\/((?:[^/\\\n]|\\.){3,200})\//g

/** Returns true if `ps` lists nothing but numbers, of processes that the gate is among. */
function listsGate(words: readonly string[]): boolean {
  const chosen = words.findIndex((word) => /^-C$/.test(word))
  if (chosen !== -1) return (words[chosen + 1] ?? '').split(',').some(isProcessName)
  const isBounded = words.some((word) => /^-?(?:p|q|t|g)$|^--(?:pid|ppid|quick-pid|tty|sid|group)/.test(word))
  return !isBounded && words.length > 1 && words.some((word) => /^(?:-o)?(?:pid=?)$|^--format=pid=?$/.test(word))
}

/** Returns true if `lsof` lists processes by their name, owner or program alone. */
function opensAsGate(words: readonly string[], { node, port }: GateProcess): boolean {
  // Without a port, all that have a connection are listed.
  if (words.some((word) => /^-\w*i/.test(word))) return port !== undefined && !words.some((word) => /\d/.test(word))
  const valueOf = (letter: string) => {
    const at = words.findIndex((word) => new RegExp(`^-[a-zA-Z]*${letter}`).test(word))
    const joined = words[at]?.replace(/^-[a-zA-Z]*?[cu]/, '')
    return at === -1 ? undefined : joined === '' ? words[at + 1] : joined
  }
  const name = valueOf('c')
  const isNamed = name !== undefined && processNames.some((one) => one.startsWith(folded(name)))
  return isNamed || words.includes(node) || (valueOf('u') !== undefined && namesAmong(words).length < 2)
}

/** Returns true if a regular expression may match a text. It is not run: the model wrote it. */
const fitsSome = (expression: string, texts: readonly string[]) =>
  expression.length > limits.conditionSubjectCharactersMax ||
  expression.split('|').some((one) => texts.some((text) => meeting(looseGlob(one))(literal(text))))

/** Turns a regular expression into a glob of its plain letters, and any text for everything else. */
function looseGlob(expression: string): ConditionGlob {
  const parts = [...folded(expression).matchAll(/([\w /@:=,~-])(?![*?{])|\\([^\w])|\[[^\]]*(?:\]|$)|[^]/g)]
  return [
    anyText,
    ...parts.flatMap(([, plain, escaped]) =>
      plain === undefined && escaped === undefined ? anyText : literal(plain ?? escaped ?? ''),
    ),
    anyText,
  ]
}
