import type { InnerCode } from '../../agents/install/install.ts'
import { descriptorOf } from '../../agents/registry.ts'
import type { ShellCommand } from '../../model/shell.ts'
import { quoted } from '../../model/text.ts'

/** Returns what these agents load into their own process, above the hooks that ask hookgate. */
export const innerCodeOf = (agents: readonly string[]): readonly InnerCode[] =>
  [...new Set(agents)].flatMap((agent) => descriptorOf(agent)?.innerCode ?? [])

/**
 * Says by which word a command starts an agent with code that stands above its hooks, or installs such code; `undefined`
 * for any other command.
 *
 * @param all every command of the line: an earlier one may export a variable
 */
export function loadsInnerCode(
  command: ShellCommand,
  all: readonly ShellCommand[],
  kinds: readonly InnerCode[],
): string | undefined {
  const kind = kinds.find(({ programs }) => programs.includes(command.program))
  if (kind === undefined) return undefined
  const words = command.args.map(({ value }) => value)
  if (showsHelp(words)) return undefined
  const option = words.find((word) => kind.options.test(word) || kind.settings.test(word))
  const variable = kind.variables.find((name) => all.some((one) => sets(one, name)))
  const operands = words.filter((word) => !word.startsWith('-')).join(' ')
  const by = option ?? variable ?? (kind.commands.test(operands) ? operands : undefined)
  if (by === undefined) return undefined
  return `${quoted(command.program)} with ${quoted(by.slice(0, shownMax))} loads code that can overrule hookgate`
}
const shownMax = 80

/** True if a program prints its help and does nothing else. After `--`, or as the value of an option, the word is only a text. */
function showsHelp(words: readonly string[]): boolean {
  const end = words.indexOf('--')
  const before = end < 0 ? words : words.slice(0, end)
  return before.some((word, at) => (word === '--help' || word === '-h') && before[at - 1]?.startsWith('-') !== true)
}

/** True if a command sets a variable for itself, or exports it. */
const sets = ({ program, args, assignments }: ShellCommand, variable: string) =>
  assignments.some(({ name }) => name === variable) ||
  (/^(?:export|declare|typeset|setenv|set)$/.test(program) &&
    args.some(({ value }) => value === variable || value.startsWith(`${variable}=`)))
