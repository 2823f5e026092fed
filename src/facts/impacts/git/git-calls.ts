import { hasShellTrait } from '../../../model/shell-traits.ts'
import { setOf } from '../../../model/look-ups.ts'
import { lineOf, type LineRead, wordsBeside } from '../../../words/options.ts'
import { type ShellCommand, type ShellFacts, type ShellWord, unknownPart } from '../../../model/shell.ts'
import { typedWords } from '../../../words/typed-words.ts'
import type { Impact } from '../../../model/impact.ts'
import { placeOf } from '../make-impact.ts'

/** One call of git, its own options read. */
export interface GitCall {
  readonly subcommand: string
  /** Its own options as far as they are known; `undefined` if they are not. */
  readonly line: LineRead | undefined
  /** Behind the subcommand. */
  readonly args: readonly ShellWord[]
  /** `-c name=value` in front of it, the names in lower case. */
  readonly settings: readonly Setting[]
  readonly command: ShellCommand
  /** The command's index. */
  readonly at: number
}

export interface Setting {
  readonly name: string
  readonly value: string
}

/** The calls of git among the commands, also by the name of the subcommand's own program: `git-push`. */
export function gitCallsIn({ commands }: ShellFacts): readonly GitCall[] {
  return commands.flatMap((command, at): readonly GitCall[] => {
    const { program, args } = command
    if (hasShellTrait(command, 'git')) {
      const line = lineOf(command)
      if (line === undefined) return []
      const isKnown = line.subcommand !== undefined
      const [first] = line.operands
      const subcommand = line.subcommand ?? first?.value
      if (subcommand === undefined) return []
      const { values } = isKnown ? line.globals : line
      return [
        {
          subcommand,
          line: isKnown ? line : undefined,
          args: isKnown ? line.rest : args.slice((command.line?.operands[0] ?? 0) + 1),
          settings: [
            ...values('c').map(({ value }) => settingOf(value)),
            ...values('config-env').map(({ value }) => fromVariable(settingOf(value), command)),
          ],
          command,
          at,
        },
      ]
    }
    if (!/^git-[a-z-]+$/.test(program)) return []
    return [{ subcommand: program.slice('git-'.length), line: lineOf(command), args, settings: [], command, at }]
  })
}

export function settingOf(text: string): Setting {
  const equals = text.indexOf('=')
  const name = equals === -1 ? text : text.slice(0, equals)
  return { name: name.toLowerCase(), value: equals === -1 ? 'true' : text.slice(equals + 1) }
}

/** A setting whose value is in a variable: `--config-env=NAME=VARIABLE`. */
const fromVariable = ({ name, value }: Setting, { assignments }: ShellCommand): Setting => ({
  name,
  value: assignments.find((one) => one.name === value)?.value.value ?? unknownPart,
})

/** Subcommands whose `-h` is no call for help: `grep` without file names, `ls-remote` of branches. */
const hIsNoHelp = setOf(['grep', 'ls-remote'])

/** A subcommand's options; `undefined` where it would only print its help, or where they are not known. */
export function optionsOf({ subcommand, line }: GitCall): LineRead | undefined {
  const isHelp = line?.has('help') === true || (line?.has('h') === true && !hIsNoHelp.has(subcommand))
  return isHelp ? undefined : line
}

/** The words behind `--`; `undefined` where there is none. */
export function pathsBehindDashes(args: readonly ShellWord[]): readonly ShellWord[] | undefined {
  const at = args.findIndex(({ value }) => value === '--')
  return at === -1 ? undefined : args.slice(at + 1)
}

/** Shows a word in a reason, with `…` for its unknown parts. */
export const shown = ({ value, variable }: ShellWord) =>
  value.replaceAll(unknownPart, variable === undefined ? '…' : `$${variable}`)

type GitImpactFound = Pick<Impact, 'kind' | 'object' | 'undo' | 'unsure' | 'consequence' | 'instead'> &
  Partial<Pick<Impact, 'thing' | 'names' | 'extent' | 'targets'>> & {
    /** The words of the call that say so, without `git`. Default: the subcommand. */
    readonly words?: string
  }

/** Makes the impact of a call of git: on the repository, where nothing else is said. */
export function gitImpact(
  { subcommand, args, command, at }: GitCall,
  { words = subcommand, ...found }: GitImpactFound,
): Impact {
  const { names = [] } = found
  const operands = wordsBeside(args)
  return {
    thing: 'repository',
    area: 'git',
    extent: names.length === 0 ? 'unknown' : names.length === 1 ? 'one' : 'some',
    where: placeOf([], command.assignments),
    by: at,
    command: ['git', subcommand, ...operands].join(' ').slice(0, commandCharactersMax),
    targets: {},
    ...found,
    names,
    words: typedWords(`git ${words}`, command),
  }
}

/** As much of a command as its first words need to be recognised by, in UTF-16 units. */
const commandCharactersMax = 400
