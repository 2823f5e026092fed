import { isKnown, type Judge, type Looks, readLook } from '../look.ts'
import { declaresPlainly, isPlainVariable } from '../variables.ts'

/** Lines that become the value of variables: of those that tell no program what to do. `-C` calls something. */
const readsInto: Judge = (look) => {
  const { names } = readLook(look.args, 'a d i n N p t u O s')
  return (
    isKnown(look) &&
    names.every((name) => /^[ersadinNptuO]$/.test(name)) &&
    look.args.every(({ value }) => !/^\w+$/.test(value) || isPlainVariable(value))
  )
}

/** ps: every listing but that of the variables that processes were started with. */
const ps: Judge = ({ args }) =>
  args.every(({ value, unresolved }, at) => {
    const isValue = args[at - 1]?.value.startsWith('-') === true
    if (value.startsWith('-')) return value.startsWith('--') || !/^-\w*E/.test(value)
    return isValue || unresolved === true || !(/^[a-z]+$/i.test(value) && /e/i.test(value))
  })

/** Commands of the shell that only set variables that no program obeys, and others with a way of their own. */
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
