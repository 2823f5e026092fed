import { commandCall, effectsByName } from './effects.ts'
import type { CodeEnvironment } from './findings.ts'
import type { Findings } from './findings.ts'
import { folderOfVariable } from './powershell-written.ts'
import { text } from './values.ts'

const commands = effectsByName({
  deletes: 'del erase rd rmdir',
  moves: 'move ren rename',
  copies: 'copy xcopy',
  reads: 'type',
  marks: 'attrib icacls takeown',
})
const printsOnly = /^(?:rem|echo|set)$/i
const option = /^\/[a-z?]+(?::\S+)?$/i

/** Finds the programs that a `cmd.exe` script starts, and the files it touches. */
export function scanCmd(source: string, findings: Findings, environment: CodeEnvironment): void {
  const { home = '%USERPROFILE%' } = environment
  for (const line of expanded(source)) {
    for (const [, quoted, bare = ''] of line.matchAll(/>{1,2}\s*(?:"([^"]+)"|([^\s"&|<>]+))/g)) {
      const file = quoted ?? bare
      if (!/^(?:nul|con|&\d)$/i.test(file)) findings.path(text(slashed(file)), 'write')
    }
    const [name = '', ...rest] = wordsOf(
      line
        .replaceAll(/\d?>{1,2}\s*(?:"[^"]+"|&?[^\s"&|<>]+)/g, '')
        .replaceAll(/%(?:USERPROFILE|HOME)%/gi, (variable) => environment.home ?? variable)
        .replaceAll(/%(\w{1,64})%/g, (written, variable: string) => folderOfVariable(variable, home) ?? written)
        .trim()
        .replace(/^@/, ''),
    )
    const effect = commands.get(name.toLowerCase())
    if (name === '' || printsOnly.test(name)) continue
    if (effect !== undefined) {
      const operands = rest.filter((word) => !option.test(word)).map(slashed)
      const recursive = rest.some((word) => /^\/s$/i.test(word))
      effect(commandCall(operands, recursive, { language: 'cmd', findings, environment }))
    } else {
      // `cmd.exe` searches the working directory before `PATH`.
      const program = /^[\w-]+\.(?:bat|cmd|exe|com|vbs|ps1)$/i.test(name) ? `./${name}` : name
      findings.words([program, ...rest].map(text))
    }
  }
}

/**
 * Returns the commands of a script without `^`, which escapes a character, `call`, and with the values of the variables
 * that it sets: `%a%`, with delayed expansion `!a!`, and the variable of a `for` over words.
 */
function expanded(source: string): readonly string[] {
  const values = new Map<string, string>()
  return source
    .replaceAll(/\^(?!\n)/g, '')
    .split(/\n|&&?|\|\|?/)
    .flatMap((line) => {
      const [, name, value = ''] = /^\s*@?set\s+"?(\w+)=([^"]*)/i.exec(line) ?? []
      if (name !== undefined) values.set(name.toLowerCase(), value.trimEnd())
      const known = line
        .replaceAll(/([%!])(\w{1,64})\1/g, (written, _, one: string) => values.get(one.toLowerCase()) ?? written)
        .replace(/^\s*@?call\s+(?!:)/i, '')
      const [, variable = '', words = '', body] =
        /^\s*@?for\s+%%?(\w)\s+in\s+\(([^)]*)\)\s+do\s+(.*)$/i.exec(known) ?? []
      if (body === undefined) return [known]
      return words.split(/[\s,;]+/, roundsMax).map((word) => body.replaceAll(new RegExp(`%%?${variable}`, 'g'), word))
    })
}
const roundsMax = 16

const wordsOf = (line: string): readonly string[] =>
  [...line.matchAll(/"([^"]*)"|'([^']*)'|[^\s"']+/g)].map((found) => found[1] ?? found[2] ?? found[0])

/** Converts backslashes in an absolute path without a drive, such as `\tmp\x`, to slashes. */
const slashed = (path: string): string => (/^(?:\\[^\\]|\/)/.test(path) ? path.replaceAll('\\', '/') : path)
