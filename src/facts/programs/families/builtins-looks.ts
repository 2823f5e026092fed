import type { Family } from '../program.ts'
import { isKnown, type Judge, readLook } from '../looks/look.ts'
import { isPlainVariable } from '../looks/variables.ts'

/** Judges `read` and the like, which must set only variables that change no program. `mapfile -C` runs a command. */
export const readsInto: Judge = (look) => {
  const { names } = readLook(look.args, 'a d i n N p t u O s')
  return (
    isKnown(look) &&
    names.every((name) => /^[ersadinNptuO]$/.test(name)) &&
    look.args.every(({ value }) => !/^\w+$/.test(value) || isPlainVariable(value))
  )
}

/** Judges `ps`, which only looks unless it also lists the variables of processes. */
export const ps: Judge = ({ args }) =>
  args.every(({ value, unresolved }, at) => {
    const isValue = args[at - 1]?.value.startsWith('-') === true
    if (value.startsWith('-')) return value.startsWith('--') || !/^-\w*E/.test(value)
    return isValue || unresolved === true || !(/^[a-z]+$/i.test(value) && /e/i.test(value))
  })

/** Builtins that set variables which change no program, and programs that print variables or processes. */
export const builtins: Family = {
  programs: {},
}
