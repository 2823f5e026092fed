import { isKnown, type ShellText } from '../values/text.ts'
import { type Context, note } from './context.ts'
import type { State } from './state.ts'

/** Arrays of bash, then of zsh, by which a shell looks up aliases, commands and functions. Scripts may assign to them. */
export const aliasTables = ['BASH_ALIASES', 'aliases'] as const
export const commandTables = ['BASH_CMDS', 'commands'] as const
export const functionTables = ['functions'] as const
/** Arrays of zsh for aliases anywhere in a command, and for endings of file names. Their effects are not followed. */
const unfollowed = ['galiases', 'saliases'] as const

/** Returns the texts that a name may stand for by some of these tables, and notes if the result is uncertain. */
export function lookUpInTables(
  context: Context,
  { variables }: State,
  tables: typeof aliasTables | typeof commandTables | typeof functionTables,
  name: string,
): readonly string[] {
  if (variables.size === 0) return []
  const other = tables === aliasTables ? unfollowed.find((one) => variables.has(one)) : undefined
  if (other !== undefined) note(context, `\`${other}\` changes what names stand for`)
  return tables.flatMap((table) => {
    const { items, open } = variables.get(table) ?? {}
    if (items === undefined) return []
    const texts =
      items.get(name) ?? [...items].flatMap(([key, [one]]) => (one.value === name ? nextOf(items, key) : []))
    if (open === true || texts.some((text) => !isKnown(text)))
      note(context, `\`${table}\` changes what names stand for`)
    return texts.filter(isKnown).map(({ value }) => value)
  })
}

/** Returns the value behind a name, since in zsh an array may list names and values in turn: `aliases=(ls 'ls -l')`. */
const nextOf = (items: { get(key: string): readonly ShellText[] | undefined }, key: string): readonly ShellText[] =>
  /^\d*[02468]$/.test(key) ? (items.get(`${Number(key) + 1}`) ?? []) : []
