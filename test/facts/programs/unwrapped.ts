import { startsProgram } from '../../../src/facts/programs/command-text.ts'
import { unwrapFor } from '../../../src/facts/programs/table.ts'
import { splitWords, assignmentsBefore } from '../../../src/facts/programs/words.ts'
import type { ShellCommand, ShellWord } from '../../../src/model/shell.ts'

/** Lists what the wrapper of a program starts, one line each: `words: rm -rf /`, `script: …`. */
export function unwrapped(text: string, given: Partial<ShellCommand> = {}): readonly string[] {
  const { assignments, rest } = assignmentsBefore(splitWords(text))
  const [written, ...args] = rest
  const path = written?.value ?? ''
  const program = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  const command: ShellCommand = {
    program,
    args,
    assignments,
    redirections: [],
    cwd: '/home/u/proj',
    reach: [],
    paths: [],
    uncertain: [],
    place: { start: 0, end: text.length },
    ...given,
  }
  const found: string[] = []
  const plain = (word: ShellWord): string => word.value.replaceAll('\uFDD0', '?')
  unwrapFor(program)?.(command, {
    words: (words, where) =>
      found.push(`words${where?.elsewhere === true ? ' elsewhere' : ''}: ${words.map(plain).join(' ')}`),
    script: (script, where) => found.push(`script${where?.elsewhere === true ? ' elsewhere' : ''}: ${plain(script)}`),
    code: (language, code) => found.push(`${language}: ${plain(code)}`),
    variable: (name) => assignments.findLast((one) => one.name === name)?.value,
    content: (file) => (/^\/dev\/(?:stdin|fd\/0)$/.test(file.value) ? command.stdin : undefined),
    named: (value) => ({ value, unresolved: true }),
    touch: () => undefined,
    touchOutside: () => undefined,
    edits: () => undefined,
    unread: () => undefined,
    areProgram: (words) => startsProgram(words, 0, 'likely'),
    uncertain: (what) => found.push(`uncertain: ${what}`),
    leftOut: (what) => found.push(`left out: ${what}`),
    wrapper: () => undefined,
  })
  return found
}
