import type { Impact } from '../../../model/impact.ts'
import { type Call, elsewhereOf } from '../../../words/calls.ts'
import { setOf } from '../../../model/look-ups.ts'
import { lineIn } from '../../../words/loose-line.ts'
import { isSecretName } from '../../../words/names.ts'
import { lineOf } from '../../../words/options.ts'
import { type ShellCommand, type ShellFacts, type ShellWord, unknownPart } from '../../../model/shell.ts'
import { codePrintsEnvironment, codeShows } from '../../../words/variables.ts'
import type { TextForm } from '../../programs/program.ts'
import { hasTrait, printsVariables, textFormOf } from '../../programs/table.ts'
import { makeImpact } from '../make-impact.ts'
import { allShown, namedShown, type ShownVariables } from '../code/shown-secrets.ts'

/** Finds variables with names of secrets that a command shows, or that it shows all variables. */
export function findShownVariables(call: Call, shell: ShellFacts): readonly Impact[] {
  const { command, args } = call
  // A program that another program starts is a command of its own, and is judged as that.
  if (args !== command.args) return []
  const names = [...new Set(namesShown(command))]
  const isAll = printsEnvironment(command)
  const whose = isAll || showsSome(command) ? whoseVariables(command, shell) : undefined
  const found: readonly (ShownVariables & Pick<Impact, 'unsure'>)[] = [
    ...(names.length === 0 ? [] : [namedShown(names)]),
    ...(whose === undefined
      ? []
      : [
          {
            ...allShown(whose),
            ...(whose === ofContainer && { thing: 'variable' as const }),
            ...(!isAll && { unsure: true as const }),
          },
        ]),
  ]
  const means = command.code === undefined ? { words: '' } : ({ words: '', through: 'code' } as const)
  return found.map((one) => makeImpact(call, lineIn(call, {}), { ...one, ...means }))
}

const ofContainer = 'the variables of a container'
const ofOthers = 'the variables of another machine'

/** Returns whose variables a command has: the caller's, a container's, another machine's; none with `env -i`. */
function whoseVariables(command: ShellCommand, shell: ShellFacts): string | undefined {
  const { commands } = shell
  for (let one: ShellCommand | undefined = command; one !== undefined; one = commands[one.startedBy ?? -1]) {
    const first = one.args[0]?.value ?? ''
    if (hasTrait(one.program, 'givesVariables') && /^(?:-|-[a-hj-z0]*i[a-z0]*|--ignore-environment)$/.test(first))
      return undefined
    // A container that `run` starts has only variables that this command gives it.
    if (one.container === undefined && command.container !== undefined)
      return /(?:^| )run$/.test(lineOf(one)?.subcommand ?? '') ? ofOthers : ofContainer
  }
  return elsewhereOf(command, shell) === undefined ? 'all variables' : ofOthers
}

const echoing = setOf<TextForm>(['words', 'printed', 'format', 'input', 'copy'])

/** Returns the variables with names of secrets that a command shows. */
function namesShown(command: ShellCommand): readonly string[] {
  const { program, args } = command
  const inCode = command.code === undefined ? [] : codeShows(command).filter(isSecretName)
  if (inCode.length > 0) return inCode
  const words = args.map(({ value }) => value)
  if (textFormOf(program) === 'variables' || (hasTrait(program, 'declares') && /^-[a-z]*p/.test(words[0] ?? '')))
    return words.filter(isSecretName)
  return shownWords(command).flatMap(({ variable = '', variables = [variable] }) => variables.filter(isSecretName))
}

/** Returns the words that a command prints unchanged. */
function shownWords({ program, args, stdin }: ShellCommand): readonly ShellWord[] {
  const form = textFormOf(program)
  if (form === undefined || !echoing.has(form)) return []
  return stdin !== undefined && (form === 'input' || form === 'copy') ? [...args, stdin] : args
}

/** True if a command shows a variable whose name is only known at run time. */
const showsSome = (command: ShellCommand): boolean =>
  textFormOf(command.program) === 'variables'
    ? command.args.some(({ unresolved }) => unresolved === true)
    : shownWords(command).some(
        ({ value, variables = [] }) =>
          variables.includes(unknownPart) || new RegExp(`\\$\\{?${unknownPart}`).test(value),
      )

/** True if a command prints all variables. */
function printsEnvironment(command: ShellCommand): boolean {
  return codePrintsEnvironment(command) || printsVariables(command)
}
