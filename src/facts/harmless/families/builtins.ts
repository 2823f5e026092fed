import { isKnown, type Judge, type Looks, readLook } from '../look.ts'
import { declaresPlainly, isPlainVariable } from '../variables.ts'

/** Judges `read` and the like, which must set only variables that change no program. `mapfile -C` runs a command. */
const readsInto: Judge = (look) => {
  const { names } = readLook(look.args, 'a d i n N p t u O s')
  return (
    isKnown(look) &&
    names.every((name) => /^[ersadinNptuO]$/.test(name)) &&
    look.args.every(({ value }) => !/^\w+$/.test(value) || isPlainVariable(value))
  )
}

/** Judges `ps`, which only looks unless it also lists the variables of processes. */
const ps: Judge = ({ args }) =>
  args.every(({ value, unresolved }, at) => {
    const isValue = args[at - 1]?.value.startsWith('-') === true
    if (value.startsWith('-')) return value.startsWith('--') || !/^-\w*E/.test(value)
    return isValue || unresolved === true || !(/^[a-z]+$/i.test(value) && /e/i.test(value))
  })

/** Builtins that set variables which change no program, and programs that print variables or processes. */
export const builtins: Looks = {
  'export declare typeset local readonly': ({ args }) => declaresPlainly(args),
  unset: (look) => isKnown(look) && look.args.every(({ value }) => value === '-v' || isPlainVariable(value)),
  'read mapfile readarray': readsInto,
  tee: ({ args }) =>
    args.every(
      (word) => word.unresolved !== true && /^(?:-[aip]+|\/dev\/(?:null|stdout|stderr|tty))$/.test(word.value),
    ),
  printenv: ({ args }) =>
    args.length > 0 &&
    args.every((word) => word.unresolved !== true && !/secret|token|key|pass|cred|auth/i.test(word.value)),
  ps,
}
