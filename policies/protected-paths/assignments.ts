import type { ShellCommand } from 'hookgate/policy'

/** Returns the variables that a command sets for itself or later ones: `X=y make`, `export X=y`, `setx X y`. */
export function assignmentsOf({ assignments, program, args }: ShellCommand): readonly (readonly [string, string])[] {
  const own = assignments.map(({ name, value }) => [name, value.value] as const)
  if (program === 'setx' || program === 'setenv') {
    return [...own, [args[0]?.value.toUpperCase() ?? '', args[1]?.value ?? '']]
  }
  if (!/^(?:export|declare|typeset|readonly|env)$/.test(program)) return own
  const given = args.flatMap(({ value }) => {
    const [, name, text] = /^(\w+)\+?=(.*)$/s.exec(value) ?? []
    return name === undefined || text === undefined ? [] : [[name, text] as const]
  })
  return [...own, ...given]
}
