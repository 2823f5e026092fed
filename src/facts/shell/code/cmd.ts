import { commandCall, effectsByName } from './effects.ts'
import type { CodeEnvironment } from './findings.ts'
import type { Findings } from './findings.ts'
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
  for (const line of source.split(/\n|&&?|\|\|?/)) {
    for (const [, quoted, bare = ''] of line.matchAll(/>{1,2}\s*(?:"([^"]+)"|([^\s"&|<>]+))/g)) {
      const file = quoted ?? bare
      if (!/^(?:nul|con|&\d)$/i.test(file)) findings.path(text(slashed(file)), 'write')
    }
    const [name = '', ...rest] = wordsOf(
      line
        .replaceAll(/\d?>{1,2}\s*(?:"[^"]+"|&?[^\s"&|<>]+)/g, '')
        .replaceAll(/%(?:USERPROFILE|HOME)%/gi, (variable) => environment.home ?? variable)
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

const wordsOf = (line: string): readonly string[] =>
  [...line.matchAll(/"([^"]*)"|'([^']*)'|[^\s"']+/g)].map((found) => found[1] ?? found[2] ?? found[0])

/** Converts backslashes in an absolute path without a drive, such as `\tmp\x`, to slashes. */
const slashed = (path: string): string => (/^\\[^\\]/.test(path) ? path.replaceAll('\\', '/') : path)
