import { type ShellCommand, type ShellFacts, type ShellRedirection, type ShellWord, unknownPart } from 'hookgate/policy'
import { type Call, isKnown } from './call.ts'
import { isPlain, ruleOf } from './families.ts'
import { isSecretWord } from './places.ts'
import { readsEverything, readsOutside, readsSecret } from './reading.ts'
import { matchesTable } from './table.ts'
import { isEnter } from './tables/enter.ts'
import { fd } from './tables/search.ts'
import { special } from './tables/special.ts'
import { wrappers } from './tables/wrappers.ts'
import { isPlainAssignment, isPlainVariable } from './variables.ts'

/** The person's own lists: first words of commands that are harmless, and of others that are not. */
export interface PersonalLists {
  readonly also: readonly string[]
  readonly not: readonly string[]
}

/** Returns the reason why a shell command is not known to be harmless; `undefined` if it is. */
export function whyNotHarmless(
  text: string,
  shell: ShellFacts,
  roots: readonly string[],
  lists: PersonalLists,
): string | undefined {
  const [unsure] = shell.uncertain
  if (unsure !== undefined) return unsure
  if (shell.forkBomb === true) return 'it starts itself endlessly'
  if (text.includes("$'") && hidden.test(text)) return 'a part of it is written in numbers'
  const name = maySet.test(text)
    ? [...text.matchAll(setting())].map((found) => found[1] ?? found[2] ?? '').find((one) => !isPlainVariable(one))
    : undefined
  if (name !== undefined) return `${name} changes what programs do`
  const started = startsOf(shell)
  const fed = new Set(shell.flows.map(({ to }) => to))
  for (const [index, command] of shell.commands.entries()) {
    const own = text.slice(command.place.start, command.place.end)
    const substitutes = own.includes('$(') || own.includes('`')
    if (
      substitutes &&
      command.written !== undefined &&
      madeUp.test(own) &&
      (/^\s*\S*(\$\(|`)/.test(own) || !isPlain(command.program))
    )
      return 'a word that decides what runs comes from another command'
    const call = callOf(command, started.get(index) ?? 0, fed.has(index), own)
    const why = whyNot(command, call, roots, lists, own)
    if (why !== undefined) return why
  }
  return undefined
}

/** `$'\x72\x6d'`: an encoding that serves to hide text. */
const hidden = /\$'(?:[^'\\]|\\.)*?\\(?:[xuU][0-9a-fA-F]|[0-7]{2})/

/** Most texts set none so. */
const maySet = /\b(?:for|select)\s|\$\{/

/** Variables set other than by assignment: in a loop, and by `${NAME:=…}`. */
const setting = () => /\b(?:for|select)\s+(\w+)|\$\{(\w+):?=/g

/** A command substitution in one of the first two words: the program or its subcommand. */
const madeUp = /^\s*(?:\S+\s+)?[^\s'"]*(?:\$\(|`)/

/** Longer words are data or generated. What is read of a word goes through it dozens of times. */
const wordCharactersMax = 4096

function whyNot(
  command: ShellCommand,
  call: Call,
  roots: readonly string[],
  lists: PersonalLists,
  own: string,
): string | undefined {
  const [unsure] = command.uncertain
  const name = command.program === '' ? 'a command' : `\`${command.program}\``
  if (unsure !== undefined) return unsure
  if (command.args.some(({ value }) => value.length > wordCharactersMax)) return `${name} has a word that is too long`
  if (!command.redirections.every(isHarmlessRedirection)) return `${name} writes to a file, or reads something unknown`
  const telling = command.assignments.find((one) => !isPlainAssignment(one) && !isForReading(command, one.name))
  if (telling !== undefined) return `${telling.name} changes what programs do`
  if (command.written === undefined && command.args.length === 0) return undefined
  if (isOnList(call, lists.not)) return `${name} is on the list of commands not to allow`
  // An entry names a program as written: `npm` does not include `./npm`.
  const isAllowedByPerson =
    command.written?.unresolved !== true &&
    isOnList({ ...call, program: command.written?.value ?? '' }, lists.also) &&
    isKnown(call)
  if (!isAllowedByPerson && !isPlainProgram(command)) return `it is not known which program ${name} is`
  if (readsSecret(command) || readsEverything(command)) return `${name} reads what may be secret`
  if (readsOutside(command, roots, own)) return `what ${name} reads from elsewhere is used as a value`
  if (isAllowedByPerson) return undefined
  if (
    isPlain(command.program) &&
    command.paths.some(
      ({ access, absolute, written }) => access !== 'read' && access !== 'execute' && !isNowhere(absolute ?? written),
    )
  )
    return `${name} writes`
  return isHarmless(call) ? undefined : `${name} is not known to be read-only when called like this`
}

/** `IFS= read -r line` changes the splitting of this one line only. */
const isForReading = ({ program }: ShellCommand, variable: string): boolean => variable === 'IFS' && program === 'read'

const callOf = (command: ShellCommand, starts: number, isFed: boolean, text: string): Call => ({
  program: command.program,
  args: command.args,
  command,
  text,
  starts,
  isFed,
})

/** Counts the commands that each command starts as a wrapper. */
function startsOf({ commands }: ShellFacts): ReadonlyMap<number, number> {
  const starts = new Map<number, number>()
  for (const { startedBy = -1, reach } of commands) {
    const depth = commands[startedBy]?.reach.length
    if (depth !== undefined && reach[depth]?.through === 'wrapper')
      starts.set(startedBy, (starts.get(startedBy) ?? 0) + 1)
  }
  return starts
}

const isNowhere = (path: string) => /^\/dev\/(null|std(out|err|in)|tty|fd\/[012])$/.test(path)

function isHarmlessRedirection({ operator, target }: ShellRedirection): boolean {
  if (operator === '<<' || operator === '<<<' || target === undefined) return true
  // Bash opens connections at these paths.
  if (target.several === true || /^\/dev\/(tcp|udp)\//.test(target.value)) return false
  // A path with a named first folder cannot be `/dev/tcp/…`.
  if (
    target.unresolved === true &&
    !(operator === '<' && /^(?:\.{0,2}[^/.\uFDD0][^/\uFDD0]*\/|\.{1,2}\/)/.test(target.value))
  )
    return false
  return operator === '<' ? !isSecretWord(target.value) : isNowhere(target.value)
}

/** A program by its name, or in a folder that belongs to the system: `./ls` may be anything. */
function isPlainProgram({ program, written }: ShellCommand): boolean {
  if (written === undefined || written.unresolved === true || written.several === true || written.pattern !== undefined)
    return false
  const { value } = written
  const name = value.slice(value.lastIndexOf('/') + 1)
  return (
    (name === program || name === `${program}.exe`) &&
    (name === value || /^(\/usr|\/usr\/local|\/opt\/homebrew|)\/s?bin\/[^/]+$/.test(value))
  )
}

const startsWith = (words: readonly string[], prefix: readonly string[]) =>
  prefix.length > 0 && prefix.every((word, at) => words[at] === word)

/** True if a command begins with the words of a list's entry, with or without its options. */
function isOnList({ program, args }: Call, list: readonly string[]): boolean {
  if (list.length === 0) return false
  const words = [program, ...args.map((word) => word.value)]
  const operands = [program, ...args.flatMap((word) => (word.value.startsWith('-') ? [] : [word.value]))]
  return list.some((one) => {
    const prefix = one.trim().split(/\s+/)
    return startsWith(words, prefix) || startsWith(operands, prefix)
  })
}

/** Asks a program for its help, and nothing else: there is no other option that could take this for its value. */
function asksForHelp({ program, args }: Call): boolean {
  const words = args.map((word) => word.value)
  const last = words.at(-1) ?? ''
  if (/^(?:docker|podman|nerdctl)$/.test(program) && isKnownAll(args) && /^(?:run|exec) --help$/.test(words.join(' ')))
    return true
  if (
    !isKnownAll(args) ||
    words.slice(0, -1).some((word) => word.startsWith('-') || /^(run|exec|x|dlx|start|tool)$/.test(word))
  )
    return false
  return words.length === 1
    ? /^(--help|--version|-h|-help|-version|-\?|-V|--usage)$/.test(last)
    : (last === '--help' || (last === '-help' && oneDash.test(program))) &&
        words.length <= 4 &&
        !startsOthers.test(program)
}

/** Programs whose long options have one dash. */
const oneDash = /^(?:terraform|tofu|packer|vault|consul|nomad)$/

/** Nothing but `--help` or `--version`: what is not known but keeps to that says so. */
const asksForItself = ({ program, args }: Call): boolean =>
  args.length === 1 &&
  /^--(?:help|version)$/.test(args[0]?.value ?? '') &&
  isKnownAll(args) &&
  /^[a-zA-Z][\w.+-]*$/.test(program) &&
  !startsOthers.test(program) &&
  !/^(?:reboot|poweroff|halt|shutdown|init|telinit|startx|login|logout|exit|\w*sh)$/.test(program)

const isKnownAll = (args: readonly ShellWord[]) =>
  args.every((word) => word.unresolved !== true && word.several !== true && word.pattern === undefined)

/** Programs that pass `--help` on to a program that they start. */
const startsOthers =
  /^(sudo|doas|su|env|xargs|exec|eval|nohup|time|timeout|nice|ssh|npx|uvx|pipx|source|\.|test|\[|echo|printf|kill|set|trap|bash|sh|zsh)$/

/** Strips the toolchain, which precedes all arguments: `cargo +nightly check`. */
const withoutToolchain = (call: Call): Call =>
  /^(?:cargo|rustc|rustfmt)$/.test(call.program) && /^\+[\w.-]+$/.test(call.args[0]?.value ?? '')
    ? { ...call, args: call.args.slice(1) }
    : call

function isHarmless(given: Call): boolean {
  const call = withoutToolchain(given)
  const rule = ruleOf(call.program)
  const own = special(call.program, isHarmlessText) ?? wrappers(call.program)
  if (call.command?.code !== undefined && !hasOwnCode(call)) return false
  if (own?.(call) === true) return true
  if ((rule !== undefined || own !== undefined) && asksForHelp(call)) return true
  if (rule === undefined) return own === undefined && asksForItself(call)
  if ((call.starts ?? 0) > 0 && (isEnter(call) || ((call.program === 'fd' || call.program === 'fdfind') && fd(call))))
    return true
  return typeof rule === 'function' ? rule(call) : matchesTable(call, rule)
}

/** True for code that is checked by its text, or whose commands are in the facts. */
const hasOwnCode = ({ command }: Call): boolean =>
  command?.code?.language === 'awk' ||
  command?.code?.language === 'sql' ||
  (command?.code?.language === 'shell' && command.code.text !== undefined)

/** A command as the text of an option, with nothing in it that a shell would see as more than words. */
function isHarmlessText(text: string): boolean {
  if (/[;&|<>`$\\\n()*?!]/.test(text.replaceAll('{}', ''))) return false
  const words = text.trim().replaceAll(/['"]/g, '').split(/\s+/)
  const [program = '', ...rest] = words
  return (
    /^[\w-]+$/.test(program) &&
    isHarmless({
      program,
      args: rest.map((value) => (value.startsWith('{') ? { value: unknownPart, unresolved: true } : { value })),
    })
  )
}
