import { isKnown, type ShellText } from '../values/text.ts'
import { type Context, note } from './context.ts'
import type { State } from './state.ts'

/** The shell's own tables of what names stand for, which scripts may write as any other array: bash's, then zsh's. */
export const aliasTables = ['BASH_ALIASES', 'aliases'] as const
export const commandTables = ['BASH_CMDS', 'commands'] as const
export const functionTables = ['functions'] as const
/** Those of zsh for names anywhere in a command, and for the ends of names. */
const unfollowed = ['galiases', 'saliases'] as const

/** Returns what a name may stand for by these tables, and notes where that is not known. */
export function tabled(
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

/** In zsh, names and values may be listed in turn: `aliases=(ls 'ls -l')`. */
const nextOf = (items: { get(key: string): readonly ShellText[] | undefined }, key: string): readonly ShellText[] =>
  /^\d*[02468]$/.test(key) ? (items.get(`${Number(key) + 1}`) ?? []) : []
