/** Variables of the environment: which a command sets or shows, and with which values nothing is checked any more. */
import { lineOf } from './options.ts'
import { hasShellTrait } from '../model/shell-traits.ts'
import { type ShellCommand } from '../model/shell.ts'

/** Returns the variables that a command sets for itself or later ones: `X=y make`, `export X=y`, `setx X y`. */
export function assignmentsOf(command: ShellCommand): readonly (readonly [string, string])[] {
  const { assignments, args } = command
  const own = assignments.map(({ name, value }) => [name, value.value] as const)
  if (hasShellTrait(command, 'setsByWords')) {
    const at = args.findIndex((word) => !word.value.startsWith('-'))
    const [name, value] = at === -1 ? [] : args.slice(at)
    return name === undefined || value === undefined ? own : [...own, [name.value.toUpperCase(), value.value]]
  }
  if (!hasShellTrait(command, 'givesVariables') && !hasShellTrait(command, 'declares')) return own
  const given = args.flatMap(({ value }) => {
    const [, name, text] = /^(\w+)\+?=(.*)$/s.exec(value) ?? []
    return name === undefined || text === undefined ? [] : [[name, text] as const]
  })
  return [...own, ...given]
}

/** All variables at once, in the languages of inline code: neither a list of their names, nor what a program is given. */
const allAtOnce = new RegExp(
  [
    String.raw`(?<!(?:\blen|\bin |keys|sorted|\*\*|\.{3})\s*\(?\s*)\bos\.environ\b(?!\s*(?:\.(?!items|copy|values)|\[))`,
    String.raw`\bin os\.environ\.items\b|\bsorted\(os\.environ\.(?:items|values)\b|\b(?:print|dict)\(environ\)`,
    String.raw`(?<!(?:keys\(|\.{3}|\bin)\s*)\bprocess\.env\b(?!\s*(?:\.|\[|\?\.))|\bDeno\.env\.toObject\(|\bBun\.env\b(?!\s*[.[])`,
    String.raw`\bENV\.(?:to_|each|inspect|map|sort)|\b(?:p|pp|puts) ENV\s*$|\bprintln\(ENV\)|\bdotenv_values\(`,
    String.raw`\bgetenv\(\)|\$_ENV\b(?!\s*\[)|\$_SERVER\b(?!\s*\[)|\bget_env\(\)|\\%ENV\b|\beach %ENV\b`,
  ].join('|'),
)
/** One variable, whose name only the running code knows: `process.env[k]`. */
const byUnknownName =
  /(?<!(?:!|\b(?:bool|Boolean|len|if|defined)\b\s*\(?)\s*)(?:\bos\.environ\[|\bos\.(?:environ\.get|getenv)\(|\bprocess\.env\[|\bDeno\.env\.get\(|\bBun\.env\[|\bENV\[|\bENV\.fetch\(|\bgetenv\(|\b[Gg]et[Ee]nvironment[Vv]ariable\(|\bENVIRON\[|\$ENV\{)\s*\$?[A-Za-z_]\w*\s*[\]),}](?!\s*=(?!=))/
/** Prints something. */
const shows =
  /\bconsole\.\w+\s*\(|\b(?:print\w*|puts|p|pp|pprint|inspect|echo|var_dump|print_r|var_export|stdout\.write)\b/
/** Variables that are given to a started program, and not shown. */
const forProgram =
  /\benv\s{0,9}[=:]\s{0,9}(?:dict\()?\{?\s{0,9}(?:\.{3}|\*\*)?\s{0,9}(?:os\.environ|process\.env)\b(?:\.copy\(\))?/
/** One variable that the code names and shows as it is. */
const shownByName =
  /(?:\b(?:console\.\w+|stdout\.write)\s*\(|\b(?:print\w*|puts|p|pp|echo|var_dump)\b\s*\(?)\s*(?:(["'`])[^"'`]*\1\s*,\s*)?(?:process\.env\.|process\.env\[["']|os\.environ\[["']|os\.environ\.get\(["']|os\.getenv\(["']|getenv\(["']|Deno\.env\.get\(["']|Bun\.env\.|ENV\[["']|ENVIRON\[["']|ENV\.fetch\(["']|\$ENV\{["']?)(\w+)["'\])}]*\s*(?:(?:\|\||\?\?|or\b)\s*(["'`])\3\s*)?(?=$|[);,\n])/

/** All variables in PowerShell: its drive of them, or .NET's table. */
export const listsVariables =
  /\b(?:get-childitem|gci|dir|ls|get-item|gi)\s+(?:-(?:literal)?path\s+)?["']?env:[\\/]?\*?["']?(?=[\s|;)}]|$)|\[(?:system\.)?environment\]::getenvironmentvariables\(\s*\)|\bcmd(?:\.exe)?\s+\/c\s+["']?set["']?(?=\s*(?:[|;)\n]|$))/i

/** The text of inline code, in which a value is printed also where the program does that by itself. */
const textOf = (command: ShellCommand) => {
  const { program, code, args } = command
  const text = code?.text ?? (program === 'elixir' ? args.map(({ value }) => value).join(' ') : '')
  const isPrinted = code?.language === 'r' || lineOf(command)?.has('p', 'print') === true
  return text !== '' && isPrinted ? `console.log(${text})` : text
}

/** True if inline code shows all variables, or a program that loads a file of them starts one that does. */
export function codePrintsEnvironment(command: ShellCommand): boolean {
  if (hasShellTrait(command, 'loadsVariables'))
    return / -- (?:env|printenv)$/.test(command.args.map(({ value }) => ` ${value}`).join(''))
  if (command.code?.language === 'cmd') return /(?:^|[&(])\s*set\s*(?:$|[&)])/i.test(textOf(command))
  // A list that goes into no other cmdlet is shown.
  if (command.code?.language === 'powershell')
    return (
      /^[^|;=]{0,200}(?:\|\s*(?:format-|out-|sort|ft\b|fl\b)[^|;=]{0,200})*$/i.test(textOf(command)) &&
      listsVariables.test(textOf(command))
    )
  return showsEnvironment(textOf(command))
}

/** True if a text of code shows all variables, or those of names that stand nowhere in it. */
export function showsEnvironment(code: string): boolean {
  const text = code.replace(forProgram, '')
  return shows.test(text) && (allAtOnce.test(text) || (byUnknownName.test(text) && namesIn(text).length === 0))
}

/** Returns the variables that a text of code shows by their names, wherever in it the names stand. */
export function showsVariables(code: string): readonly string[] {
  const name = shownByName.exec(code)?.[2]
  if (name !== undefined) return [name]
  return byStatement.test(code) || (byUnknownName.test(code) && shows.test(code)) ? namesIn(code) : []
}

/** Matches an expression of PowerShell that stands alone, so that its value is printed. */
const byStatement = /(?:^|[;\n{])[^\S\n]*\[(?:system\.)?environment\]::getenvironmentvariable\(/i

/** Words of a text that can be the names of variables, as they are usually written. */
const namesIn = (code: string): readonly string[] =>
  code.match(/(?<![\w.$])[A-Z][A-Z\d]*(?:_[A-Z\d]+)+(?!\w)|\b(?:HOME|PATH|USER|TOKEN|SECRET|PASSWORD)\b/g) ?? []

/** Returns the variables that inline code shows by their names. */
export const codeShows = (command: ShellCommand): readonly string[] => showsVariables(textOf(command))

/** Writes into a file. */
const keeps =
  /\b(?:write\w*|append_?[fF]ile\w*|dump|fwrite|fputs|file_put_contents|outputFile\w*)\s*\(|\bBun\.write\(|\bprint\b[^;\n]{0,200}\bfile\s{0,9}=|\b(?:set|add)-content\b|\bout-file\b/i
/** A variable by its name, wherever code reads it. */
const named = () =>
  /(?:\bprocess\.env\.|\bprocess\.env\[["']|\bos\.environ\[["']|\bos\.environ\.get\(["']|\bos\.getenv\(["']|\bgetenv\(["']|\bDeno\.env\.get\(["']|\bBun\.env\.|\bENV\[["']|\bENV\.fetch\(["']|\$ENV\{["']?|\$env:)(\w+)/gi

/** Returns the variables that inline code writes into a file, by itself or by a name that it gives them; `[]` for all. */
export function codeKeeps({ code }: ShellCommand): readonly string[] | undefined {
  const statements = code?.text?.split(/[;\n]/) ?? []
  const held = new Map<string, string>()
  for (const statement of statements) {
    const [, name, value = ''] = /^\s*(?:const |let |var |my )?([$\w]+)\s*=(?!=)([^]*)$/.exec(statement) ?? []
    if (name !== undefined && (allAtOnce.test(value) || named().test(value))) held.set(name, value)
  }
  const kept = statements.flatMap((statement) => {
    if (!keeps.test(statement)) return []
    const words = new Set(statement.match(/[$\w]+/g))
    return [statement].concat([...held].flatMap(([name, value]) => (words.has(name) ? [value] : [])))
  })
  if (kept.some((text) => allAtOnce.test(text))) return []
  const found = kept.flatMap((text) => [...text.matchAll(named())].map(([, name = '']) => name))
  return found.length === 0 ? undefined : found
}

/** True if a command first loads a file of variables. */
export const loadsVariables = (command: ShellCommand): boolean =>
  hasShellTrait(command, 'loadsVariables') ||
  /\bdotenv\b/.test(command.code?.text ?? '') ||
  command.args.some(({ value }) => /^--env-file(?:=|$)|^dotenv\/config$/.test(value))

/** A setting, or a variable of the environment, and its values with which a check is off. */
type Unchecked = readonly [name: RegExp, value: RegExp]

/** Settings, and what they are when nothing is checked any more. */
const settings: readonly Unchecked[] = [
  [/strict-?ssl$/i, /^(?:false|0|no|off)$/i],
  [/(?:^|\.)trusted-host$/i, /./],
  [/^(?:http\.)?ssl-?verify$|^ssl_verify$|^http\.schannelcheckrevoke$/i, /^(?:false|0|no|off)$/i],
  [/^secure-http$|^disable-tls$/i, /^(?:false|true)$/i],
  [/^gosumdb$/i, /^off$/i],
  [/^(?:gonosumdb|gonosumcheck|goinsecure|gonoverify)$/i, /./],
  [/^certificates\..*|^verify_ssl$/i, /^(?:false|0)$/i],
  [/^ignore-scripts$/i, /^(?:false|0)$/i],
  [/^checksumbehavior$/i, /^(?:ignore|update)$/i],
  [/^unsafe-?perm$/i, /^true$/i],
  [/^gpgcheck$/i, /^0$/],
]

const variables: readonly Unchecked[] = [
  [/^node_tls_reject_unauthorized$/i, /^0$/],
  [/^npm_config_strict_ssl$|^yarn_(?:enable_)?strict_ssl$/i, /^(?:false|0)$/i],
  [/^pip_trusted_host$|^uv_insecure_host$/i, /./],
  [/^pythonhttpsverify$/i, /^0$/],
  [/^gosumdb$/i, /^off$/i],
  [/^(?:gonosumdb|gonosumcheck|goinsecure)$/i, /./],
  [/^goflags$/i, /-insecure/],
  [/^git_ssl_no_verify$/i, /^(?:1|true|yes|on)$/i],
  [/^bundle_ssl_verify_mode$/i, /^0$/],
  [/^yarn_checksum_behavior$/i, /^(?:ignore|update)$/i],
  [/^homebrew_no_verify_attestations$|^homebrew_no_require_checksum.*/i, /./],
  [/^cargo_http_check_revoke$|^cargo_http_ssl_verify$/i, /^(?:false|0)$/i],
]

/**
 * True if a setting of a package manager, of git or of TLS, or a variable of the environment, has a value with which
 * nobody checks who answers or what comes: `strict-ssl=false`, `NODE_TLS_REJECT_UNAUTHORIZED=0`.
 */
export const isUnchecked = (as: 'setting' | 'variable', name: string, value: string): boolean =>
  (as === 'setting' ? settings : variables).some(([known, off]) => known.test(name) && off.test(value))
