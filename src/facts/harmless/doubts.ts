import type { Impact } from '../../model/impact.ts'
import {
  type HarmDoubt,
  type ShellCommand,
  type ShellFacts,
  type ShellRedirection,
  type ShellWord,
  unknownPart,
} from '../../model/shell.ts'
import { unversioned } from '../../model/text.ts'
import {
  isKnown,
  type Judge,
  type LookRule,
  matchesTable,
  namesIn,
  type ProgramCall,
  type Table,
  type TextReaders,
} from '../programs/looks/look.ts'
import { isSecretWord, readsEverything, readsOutside, readsSecret, showsVariable } from './reading.ts'
import { isPlainAssignment, isPlainVariable } from '../programs/looks/plain-variables.ts'
import { onlyPrints } from '../shell/code/awk.ts'
import { codeOnStdin, entriesOf, hasTrait, optionsKnown } from '../programs/table.ts'

/** Returns a program's name without its version: `python` for `python3`, `pip` for `pip3.12`. `b2` is a name of its own. */
const plainName = (program: string): string =>
  entriesOf(program).length === 0 && (codeOnStdin(program) !== undefined || /\d\.\d+$/.test(program))
    ? unversioned(program)
    : program

const judges = new Map<string, readonly Judge[]>()

/**
 * Returns functions that judge whether calls of a program only look; `undefined` for a program of which that is not known.
 * A call only looks if one of them says so.
 */
export function looksOf(program: string): readonly Judge[] | undefined {
  const name = plainName(program)
  const ready = judges.get(name)
  if (ready !== undefined) return ready
  const looks = entriesOf(name).flatMap((entry) => entry.program.looks ?? [])
  if (looks.length === 0) return undefined
  const made = looks.map((look) => judgeBy(look, name))
  judges.set(name, made)
  return made
}

function judgeBy(look: LookRule, program: string): Judge {
  if (look === true) return () => true
  if (typeof look === 'function') return look
  const table = withOptionsOf(program, typeof look === 'string' ? { lines: look } : look)
  return (call) => matchesTable(call, table)
}

/** Adds the options with a value that the program's row knows, so that no look says them again. */
function withOptionsOf(program: string, table: Table): Table {
  const row = optionsKnown(program)
  if (row === undefined) return table
  const own = new Set(namesIn(`${table.options ?? ''} ${table.valued ?? ''}`))
  const more = row.valued.filter((name) => !own.has(name))
  return { ...table, valued: `${table.valued ?? ''} ${more.join(' ')}` }
}

/**
 * Adds to the facts whether each command, and the text as a whole, is known to only look, or the reason for doubt.
 *
 * INVARIANT: a command with an impact is never harmless, whatever a row says of its program, unless it only installs
 * what the project declares, or nothing is known of it but a verb and what may be a stage.
 *
 * @param impacts what the text would do to what others depend on
 * @param roots folders whose content is the project's own
 */
export function withHarmless(
  text: string,
  shell: ShellFacts,
  impacts: readonly Impact[],
  roots: readonly string[],
): ShellFacts {
  const doing = new Set(impacts.flatMap((impact) => (isOwnInstall(impact) || isOnStage(impact) ? [] : [impact.by])))
  const started = countStarts(shell)
  const fed = new Set(shell.flows.map(({ to }) => to))
  const commands = shell.commands.map((command, at): ShellCommand => {
    const own = text.slice(command.place.start, command.place.end)
    const look: ProgramCall = {
      program: command.program,
      args: command.args,
      command,
      text: own,
      starts: started.get(at) ?? 0,
      isFed: fed.has(at),
    }
    return { ...command, harmless: doubtOf(command, look, roots, doing.has(at)) ?? true }
  })
  return { ...shell, commands, harmless: doubtOfText(text, shell) ?? true }
}

/** True for an installation of what the project declares: fetching that again, also in new versions, needs no question. */
const isOwnInstall = ({ kind, undo }: Impact): boolean => kind === 'install' && undo === 'easily'

/** True for an impact that only a verb says: rows know better which commands of a program look. */
const isOnStage = ({ area }: Impact): boolean => area === 'stages'

/** Returns the reason why a text as a whole is not known to be harmless; `undefined` if there is none. */
function doubtOfText(text: string, shell: ShellFacts): string | undefined {
  const [unsure] = shell.uncertain
  if (unsure !== undefined) return unsure
  if (shell.forkBomb === true) return 'it starts itself endlessly'
  if (text.includes("$'") && encoded.test(text)) return 'a part of it is written in numbers'
  if (invisible.test(text)) return 'it has characters that are not seen'
  if (imitates.test(text)) return 'an address in it may look like another'
  const name = maySet.test(text)
    ? [...text.matchAll(setting())].map((found) => found[1] ?? found[2] ?? '').find((one) => !isPlainVariable(one))
    : undefined
  return name === undefined ? undefined : `${name} changes what programs do`
}

/** Matches text that is hidden by an encoding: `$'\x72\x6d'`. */
const encoded = /\$'(?:[^'\\]|\\.)*?\\(?:[xuU][0-9a-fA-F]|[0-7]{2})/

/** Characters that have no width, or reverse the direction of the text behind them. */
const invisible = /[\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/

/** Matches an address whose host has letters outside of ASCII, or their encoding. */
const imitates = /:\/\/[^\s/?#]*(?:[^\0-\x7F]|xn--)/i

/** A quick check before `setting`, which few texts match. */
const maySet = /\b(?:for|select)\s|\$\{/

/** Variables set other than by assignment: in a loop, and by `${NAME:=…}`. */
const setting = () => /\b(?:for|select)\s+(\w+)|\$\{(\w+):?=/g

/** Matches a command substitution in one of the first two words: the program or its subcommand. */
const substitutedCommand = /^\s*(?:\S+\s+)?[^\s'"]*(?:\$\(|`)/

/** Longer words are data or generated, and each check of a command goes through its words. */
const wordCharactersMax = 4096

function doubtOf(
  command: ShellCommand,
  look: ProgramCall,
  roots: readonly string[],
  hasImpact: boolean,
): HarmDoubt | undefined {
  const { text: own = '' } = look
  const [unsure] = command.uncertain
  const name = command.program === '' ? 'a command' : `\`${command.program}\``
  if (
    (own.includes('$(') || own.includes('`')) &&
    command.written !== undefined &&
    substitutedCommand.test(own) &&
    (/^\s*\S*(\$\(|`)/.test(own) || !hasTrait(command.program, 'prints'))
  )
    return { why: 'a word that decides what runs comes from another command' }
  if (unsure !== undefined) return { why: unsure }
  if (command.args.some(({ value }) => value.length > wordCharactersMax))
    return { why: `${name} has a word that is too long` }
  if (!command.redirections.every(isHarmlessRedirection))
    return { why: `${name} writes to a file, or reads something unknown` }
  const unsafeAssignment = command.assignments.find(
    (one) => !isPlainAssignment(one) && !isForReading(command, one.name),
  )
  if (unsafeAssignment !== undefined) return { why: `${unsafeAssignment.name} changes what programs do` }
  if (command.written === undefined && command.args.length === 0) return undefined
  const areWordsKnown = isKnown(look)
  const isPlainCall = isPlainProgram(command)
  if (!isPlainCall && !areWordsKnown) return { why: `it is not known which program ${name} is` }
  if (readsSecret(command) || readsEverything(command) || showsVariable(command))
    return { why: `${name} reads what may be secret` }
  if (readsOutside(command, roots, own)) return { why: `what ${name} reads from elsewhere is used as a value` }
  const byCall = areWordsKnown ? { byCall: true as const } : {}
  if (!isPlainCall) return { why: `it is not known which program ${name} is`, ...byCall }
  if (hasImpact) return { why: `${name} does more than read`, ...byCall }
  if (hasTrait(command.program, 'prints') && command.paths.some(isChanged)) return { why: `${name} writes`, ...byCall }
  return onlyLooks(look) ? undefined : { why: `${name} is not known to be read-only when called like this`, ...byCall }
}

/** True for `IFS` in front of a builtin that reads: `IFS= read -r line` changes only how this line is split. */
const isForReading = ({ output }: ShellCommand, variable: string): boolean => variable === 'IFS' && output === 'kept'

/** Counts the commands that each command starts as a wrapper. */
function countStarts({ commands }: ShellFacts): ReadonlyMap<number, number> {
  const starts = new Map<number, number>()
  for (const { startedBy = -1, reach } of commands) {
    const depth = commands[startedBy]?.reach.length
    if (depth !== undefined && reach[depth]?.through === 'wrapper')
      starts.set(startedBy, (starts.get(startedBy) ?? 0) + 1)
  }
  return starts
}

const isNowhere = (path: string) => /^\/dev\/(?:null|std(?:out|err|in)|tty|fd\/[012])$/.test(path)

const isChanged = ({ access, absolute, written }: ShellCommand['paths'][number]): boolean =>
  access !== 'read' && access !== 'execute' && !isNowhere(absolute ?? written)

function isHarmlessRedirection({ operator, target }: ShellRedirection): boolean {
  if (operator === '<<' || operator === '<<<' || target === undefined) return true
  // Bash opens connections at these paths.
  if (target.several === true || /^\/dev\/(?:tcp|udp)\//.test(target.value)) return false
  // A path with a named first folder cannot be `/dev/tcp/…`.
  if (
    target.unresolved === true &&
    !(operator === '<' && /^(?:\.{0,2}[^/.\uFDD0][^/\uFDD0]*\/|\.{1,2}\/)/.test(target.value))
  )
    return false
  return operator === '<' ? !isSecretWord(target.value) : isNowhere(target.value)
}

/** True for a program that is called by its name, or by a path in a folder of the system: `./ls` may be anything. */
function isPlainProgram({ program, written }: ShellCommand): boolean {
  if (written === undefined || written.unresolved === true || written.several === true || written.pattern !== undefined)
    return false
  const { value } = written
  const name = value.slice(value.lastIndexOf('/') + 1)
  return (
    (name === program || name === `${program}.exe`) &&
    (name === value || /^(?:\/usr|\/usr\/local|\/opt\/homebrew|)\/s?bin\/[^/]+$/.test(value))
  )
}

/** True if all words are exact texts. */
const areAllKnown = (args: readonly ShellWord[]) =>
  args.every((word) => word.unresolved !== true && word.several !== true && word.pattern === undefined)

/** True if a call asks a program only for help: no option before it could take `--help` for its value. */
function asksForHelp({ program, args }: ProgramCall): boolean {
  const words = args.map(({ value }) => value)
  const last = words.at(-1) ?? ''
  if (!areAllKnown(args)) return false
  if (words.slice(0, -1).some((word) => word.startsWith('-') || /^(?:run|exec|x|dlx|start|tool)$/.test(word)))
    return false
  return words.length === 1
    ? /^(?:--help|--version|-h|-help|-version|-\?|-V|--usage)$/.test(last)
    : (last === '--help' || (last === '-help' && hasTrait(program, 'dashHelp'))) &&
        words.length <= 4 &&
        !hasTrait(program, 'noHelp')
}

/** True for `--help` or `--version` as the only word: unknown programs that follow conventions only print for it. */
const asksForHelpAlone = ({ program, args }: ProgramCall): boolean =>
  args.length === 1 &&
  /^--(?:help|version)$/.test(args[0]?.value ?? '') &&
  areAllKnown(args) &&
  /^[a-zA-Z][\w.+-]*$/.test(program) &&
  !hasTrait(program, 'noHelp') &&
  codeOnStdin(program) !== 'shell'

/** Strips the toolchain, which precedes all arguments: `cargo +nightly check`. */
const withoutToolchain = (look: ProgramCall): ProgramCall =>
  hasTrait(look.program, 'takesToolchain') && /^\+[\w.-]+$/.test(look.args[0]?.value ?? '')
    ? { ...look, args: look.args.slice(1) }
    : look

/** True unless a call has code that is neither checked by its text nor has its commands in the facts. */
const hasReadCode = ({ command }: ProgramCall): boolean =>
  command?.code === undefined ||
  command.code.language === 'awk' ||
  command.code.language === 'sql' ||
  (command.code.language === 'shell' && command.code.text !== undefined)

/** Returns whether a call of a program is known to only look. */
export function onlyLooks(given: ProgramCall): boolean {
  const look = withoutToolchain(given)
  const found = looksOf(look.program)
  if (!hasReadCode(look)) return false
  if (found === undefined) return asksForHelpAlone(look)
  return found.some((judge) => judge(look, readers)) || asksForHelp(look)
}

const readers: TextReaders = { isHarmlessText, awkOnlyPrints: onlyPrints }

/** True if a command in the text of an option only looks, and has no characters that a shell would interpret. */
function isHarmlessText(text: string): boolean {
  if (/[;&|<>`$\\\n()*?!]/.test(text.replaceAll('{}', ''))) return false
  const [program = '', ...rest] = text.trim().replaceAll(/['"]/g, '').split(/\s+/)
  const args = rest.map((value) =>
    value.startsWith('{') ? { value: unknownPart, unresolved: true as const } : { value },
  )
  return /^[\w-]+$/.test(program) && onlyLooks({ program, args })
}
