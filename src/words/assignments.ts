import type { ShellCommand } from '../model/shell.ts'

/** Programs that set variables for what follows them, by words such as `NAME=value`. */
const setters = /^(?:export|declare|typeset|readonly|env)$/

/** Returns the variables that a command sets for itself or later ones: `X=y make`, `export X=y`, `setx X y`. */
export function assignmentsOf({ assignments, program, args }: ShellCommand): readonly (readonly [string, string])[] {
  const own = assignments.map(({ name, value }) => [name, value.value] as const)
  if (program === 'setx' || program === 'setenv') {
    return [...own, [args[0]?.value.toUpperCase() ?? '', args[1]?.value ?? '']]
  }
  if (!setters.test(program)) return own
  const given = args.flatMap(({ value }) => {
    const [, name, text] = /^(\w+)\+?=(.*)$/s.exec(value) ?? []
    return name === undefined || text === undefined ? [] : [[name, text] as const]
  })
  return [...own, ...given]
}

/** Returns the variables that a command has by its own assignments, or by those before it in the same text. */
export const variablesOf = (at: number, commands: readonly ShellCommand[]): readonly (readonly [string, string])[] => [
  ...(commands[at]?.assignments.map(({ name, value }) => [name, value.value] as const) ?? []),
  ...commands.slice(0, at).flatMap((one) => (one.program === 'export' ? assignmentsOf(one) : [])),
]
