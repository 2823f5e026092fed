import type { ShellCommand } from 'hookgate/policy'

/** All variables as one value, in the languages of inline code; not their names alone, and not what a program is given. */
const whole =
  /(?<!(?:\blen|\bin |keys|sorted|\*\*|\.{3})\s*\(?\s*)\bos\.environ\b(?!\s*(?:\.(?!items|copy|values)|\[))|\bin os\.environ\.items\b|\bsorted\(os\.environ\.(?:items|values)\b|\bos\.environ\[[a-z]\w*\](?!\s*=(?!=))|(?<!(?:keys\(|\.{3})\s*)\bprocess\.env\b(?!\s*(?:\.|\[|\?\.))|\bENV\.(?:to_|each|inspect|map|sort)|\b(?:p|pp|puts) ENV\s*$|\bgetenv\(\)|\$_ENV\b(?!\s*\[)|\bDeno\.env\.toObject\(|\bBun\.env\b(?!\s*[.[])|\bdotenv_values\(|\$ENV\{\$/
const shows = /\bconsole\.\w+\s*\(|\b(?:print\w*|puts|p|pp|pprint|echo|var_dump|print_r|var_export|stdout\.write)\b/
/** Variables that are given to a started program, and not shown. */
const forProgram =
  /\benv\s{0,9}[=:]\s{0,9}(?:dict\()?\{?\s{0,9}(?:\.{3}|\*\*)?\s{0,9}(?:os\.environ|process\.env)\b(?:\.copy\(\))?/
/** A variable that is shown as it is, by its name. */
const one =
  /(?:\b(?:console\.\w+|stdout\.write)\s*\(|\b(?:print\w*|puts|p|pp|echo|var_dump)\b\s*\(?)\s*(?:(["'`])[^"'`]*\1\s*,\s*)?(?:process\.env\.|process\.env\[["']|os\.environ\[["']|os\.environ\.get\(["']|os\.getenv\(["']|getenv\(["']|Deno\.env\.get\(["']|Bun\.env\.|ENV\[["']|ENV\.fetch\(["']|\$ENV\{["']?)(\w+)["'\])}]*\s*(?:(?:\|\||\?\?|or\b)\s*(["'`])\3\s*)?(?=$|[);,\n])/

/** All variables in PowerShell: its drive of them, or .NET's table. */
export const listsVariables =
  /\b(?:get-childitem|gci|dir|ls|get-item|gi)\s+(?:-(?:literal)?path\s+)?["']?env:[\\/]?\*?["']?(?=[\s|;)}]|$)|\[(?:system\.)?environment\]::getenvironmentvariables\(\s*\)|\bcmd(?:\.exe)?\s+\/c\s+["']?set["']?(?=\s*(?:[|;)\n]|$))/i

const textOf = ({ code, args }: ShellCommand) => {
  const text = code?.text ?? ''
  return text !== '' && args.some(({ value }) => /^(?:-p|-pe|--print)$/.test(value)) ? `console.log(${text})` : text
}

/** True if inline code shows all variables, or a program that loads a file of them starts one that does. */
export function codePrintsEnvironment(command: ShellCommand): boolean {
  if (/^dotenvx?$/.test(command.program))
    return / -- (?:env|printenv)$/.test(command.args.map(({ value }) => ` ${value}`).join(''))
  // A list that goes into no other cmdlet is shown.
  if (command.code?.language === 'powershell')
    return /^[^|;=]{0,200}$/.test(textOf(command)) && listsVariables.test(textOf(command))
  return showsEnvironment(textOf(command))
}

/** True if a text of code shows all variables, or those of some names. */
export function showsEnvironment(code: string): boolean {
  const text = code.replace(forProgram, '')
  return whole.test(text) && shows.test(text)
}

/** Returns the variable that a text of code shows by its name. */
export const showsVariable = (code: string): string | undefined => one.exec(code)?.[2]

/** The variable that inline code shows by its name. */
export const codeShows = (command: ShellCommand): string | undefined => one.exec(textOf(command))?.[2]

/** True if a command first loads a file of variables. */
export const loadsVariables = ({ program, args, code }: ShellCommand): boolean =>
  /^dotenvx?$/.test(program) ||
  /\bdotenv\b/.test(code?.text ?? '') ||
  args.some(({ value }) => /^--env-file(?:=|$)|^dotenv\/config$/.test(value))
