import { setOf, type ShellCommand } from 'hookgate/policy'
import { isSecretName } from './printers.ts'

/** Programs whose words are sent as they are. */
const requesters = setOf(['curl', 'wget', 'http', 'https', 'xh', 'httpie', 'nc', 'ncat', 'netcat'])
/** Options whose value is for logging in. */
const login =
  /^(?:-H|--header|--headers|-u|--user|--oauth2-bearer|--proxy-user|-U|-b|--cookie|-a|--auth|--http-password|--password|--token|-x|--proxy|--ftp-password|-A|--cert|-E|--pass)(?:=|$)/

/** The secret variable that a command sends as data, or as a part of an address, and not to log in with. */
export function sentVariable({ program, args }: ShellCommand): string | undefined {
  if (!requesters.has(program)) return undefined
  return args.find(({ value, variable }, at) => {
    if (variable === undefined || !isSecretName(variable)) return false
    if (login.test(value) || /^-[a-zA-Z]*[Hu]./.test(value)) return false
    const before = args[at - 1]?.value ?? ''
    // HTTPie has its headers as `Name:value`, and an address may begin with a variable that is one as a whole.
    return (
      !login.test(before) &&
      !/^-[a-zA-Z]*[HuU]$/.test(before) &&
      !/^[\w-]+:[^/]/.test(value) &&
      !(isWhole(value) && !data.test(before))
    )
  })?.variable
}

/** Options whose value is sent as it is. */
const data = /^(?:-d|--data.*|-F|--form.*|-T|--json|--post-data|--body-data|--url-query|--raw)$/

/** A word that is nothing but the variable is an address: `curl "$DATABASE_URL"`. */
const isWhole = (value: string) => value.length === 1
