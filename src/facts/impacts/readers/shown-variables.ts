import type { Impact } from '../../../model/impact.ts'
import { type Call, elsewhereOf } from '../../../words/calls.ts'
import { setOf } from '../../../model/look-ups.ts'
import { lineIn } from '../../../words/loose-line.ts'
import { isSecretName } from '../../../words/names.ts'
import { lineOf } from '../../../words/options.ts'
import { type ShellCommand, type ShellFacts, type ShellWord, unknownPart } from '../../../model/shell.ts'
import { codePrintsEnvironment, codeShows } from '../../../words/variables.ts'
import { hasTrait } from '../../programs/table.ts'
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
  const means = command.code === undefined ? { words: '' } : ({ words: '…', through: 'code' } as const)
  return found.map((one) => makeImpact(call, lineIn(call, {}), { ...one, ...means }))
}

const ofContainer = 'the variables of a container'
const ofOthers = 'the variables of another machine'

/** Returns whose variables a command has: the caller's, a container's, another machine's; none with `env -i`. */
function whoseVariables(command: ShellCommand, shell: ShellFacts): string | undefined {
  const { commands } = shell
  for (let one: ShellCommand | undefined = command; one !== undefined; one = commands[one.startedBy ?? -1]) {
    const first = one.args[0]?.value ?? ''
    if (one.program === 'env' && /^(?:-|-[a-hj-z0]*i[a-z0]*|--ignore-environment)$/.test(first)) return undefined
    // A container that `run` starts has only variables that this command gives it.
    if (one.container === undefined && command.container !== undefined)
      return /(?:^| )run$/.test(lineOf(one)?.subcommand ?? '') ? ofOthers : ofContainer
  }
  return elsewhereOf(command, shell) === undefined ? 'all variables' : ofOthers
}

const echoing = setOf(['echo', 'printf', 'print', 'cat', 'tee'])
const listing = setOf(['env', 'printenv', 'set', 'export', 'declare', 'typeset'])

/** Returns the variables with names of secrets that a command shows. */
function namesShown(command: ShellCommand): readonly string[] {
  const { program, args } = command
  const inCode = command.code === undefined ? [] : codeShows(command).filter(isSecretName)
  if (inCode.length > 0) return inCode
  const words = args.map(({ value }) => value)
  if (program === 'printenv' || (hasTrait(program, 'declares') && /^-[a-z]*p/.test(words[0] ?? '')))
    return words.filter(isSecretName)
  return shownWords(command).flatMap(({ variable = '', variables = [variable] }) => variables.filter(isSecretName))
}

/** Returns the words that a command prints unchanged. */
function shownWords({ program, args, stdin }: ShellCommand): readonly ShellWord[] {
  if (!echoing.has(program)) return []
  return stdin !== undefined && (program === 'cat' || program === 'tee') ? [...args, stdin] : args
}

/** True if a command shows a variable whose name is only known at run time. */
const showsSome = (command: ShellCommand): boolean =>
  command.program === 'printenv'
    ? command.args.some(({ unresolved }) => unresolved === true)
    : shownWords(command).some(
        ({ value, variables = [] }) =>
          variables.includes(unknownPart) || new RegExp(`\\$\\{?${unknownPart}`).test(value),
      )

/** True if a command prints all variables. */
function printsEnvironment(command: ShellCommand): boolean {
  const { program, args, wrapper, assignments, reach } = command
  if (codePrintsEnvironment(command)) return true
  const words = args.map(({ value }) => value)
  switch (program) {
    case 'ps':
      // The options of BSD have no dash: `e` is the environment there.
      return /^[a-df-zA-Z]*e[a-zA-Z]*$/.test(words[0] ?? '')
    case 'npm':
      return words.join(' ') === 'run env'
    case 'jq':
    case 'gojq':
      return (
        words.some((word) => /(?<![.\w$"])(?:\$ENV|env)(?![.\w[:]|\s*\|\s*keys)/.test(word)) &&
        words.some((word) => /^-[a-zA-Z]*n|^--null-input$/.test(word))
      )
    case 'set':
      return (
        words.length === 0 ||
        (/^-[gU]*x[gUx]*$/.test(words.join('')) &&
          reach.some((one) => one.through === 'wrapper' && one.program === 'fish'))
      )
  }
  if (!listing.has(program) || wrapper === true) return false
  switch (program) {
    case 'env':
      return (
        assignments.length === 0 &&
        words.every(
          (word, at) =>
            /^(?:-0|--null|-u.*|--unset.*|-v|--debug)$/.test(word) || words[at - 1] === '-u' || /^\w+=/.test(word),
        )
      )
    case 'printenv':
      return words.every((word) => /^(?:-0|--null)$/.test(word))
    default:
      return words.length === 0 || (words.length === 1 && /^-[pxev]+$/.test(words[0] ?? ''))
  }
}
