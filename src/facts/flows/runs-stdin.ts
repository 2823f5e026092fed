import { type CodeLanguage, type ShellCommand, type ShellFlow, type ShellWord, unknownPart } from '../../model/shell.ts'
import { programNamed, unwrapFor } from '../programs/table.ts'
import { readLine } from '../programs/unwrap.ts'
import type { CommandEffects } from '../programs/effects.ts'

const ignore = () => {}

/** Tells whether a command executes its stdin as code. */
export const runsStdin = (command: ShellCommand): boolean =>
  languageOfStdin(command) !== undefined || saysSo(command) || runsItInCode(command)

/** Ways in which code reads stdin, and runs a text. */
const readsStdin =
  /\bstdin\b|\breadFileSync\(\s*(?:0|['"]\/dev\/stdin)|\bARGF\b|\$<|<>|\bgets\b|\binput\s*\(|php:\/\/stdin|\bio\.read\b/i
const runs =
  /(?<![.\w])(?:exec|eval|load|loadstring|system|passthru|shell_exec|Function)\b\s*[(<\s]|\bos\.(?:system|popen)\b|\b(?:execSync|instance_eval|runInThisContext)\b/
/** Of awk, whose input are fields: `system($0)`, `$1 | getline`. */
const runsFields = /\bsystem\s*\([^"\n]{0,200}\$|\$\d\s*\|\s*getline/

/** Tells whether the code of a command runs a text that it reads. */
function runsItInCode({ code }: ShellCommand): boolean {
  if (code?.text === undefined) return false
  if (readsStdin.test(code.text) && (code.does.includes('evaluates') || runs.test(code.text))) return true
  return code.language === 'awk' && runsFields.test(code.text)
}

/** Tells whether the row of a command's program says that it runs its stdin. */
function saysSo(command: ShellCommand): boolean {
  const program = programNamed(command.program)
  const says = program?.row.runsStdin
  return says === true || (program !== undefined && says?.(readLine(program, command)) === true)
}

/** Returns the language of the code that a command reads from stdin: its program's row starts an unknown stdin. */
export function languageOfStdin(command: ShellCommand): CodeLanguage | undefined {
  const stdin: ShellWord = { value: unknownPart, unresolved: true }
  let found: CodeLanguage | undefined
  const noteStdin = (text: ShellWord, language: CodeLanguage = 'shell') => {
    if (text === stdin) found ??= language
  }
  unwrapFor(command.program)?.(
    { ...command, stdin },
    {
      words: ignore,
      script: (text) => noteStdin(text),
      code: (language, text) => noteStdin(text, language),
      variable: () => undefined,
      content: ({ value }) => (value === '-' || value === '/dev/stdin' ? stdin : undefined),
      named: (value) => ({ value, unresolved: true }),
      touchOutside: ignore,
      edits: ignore,
      unread: ignore,
      uncertain: ignore,
      leftOut: ignore,
      wrapper: ignore,
    },
  )
  return found
}

/** Returns the flows between a network connection and the commands that its program starts for it. */
export function handlerFlows(
  commands: readonly ShellCommand[],
  effects: readonly CommandEffects[],
): readonly ShellFlow[] {
  const flows: ShellFlow[] = []
  for (const [at, command] of commands.entries()) {
    const { startedBy } = command
    if (startedBy === undefined || programNamed(commands[startedBy]?.program ?? '')?.row.connects !== true) continue
    const direction = effects[startedBy]?.network?.direction
    if (direction === undefined) continue
    if (direction !== 'receive' && effects[at]?.silent !== true)
      flows.push({ from: at, to: startedBy, via: 'descriptor', as: 'data' })
    if (direction === 'send' || effects[at]?.ignoresStdin === true) continue
    flows.push({ from: startedBy, to: at, via: 'descriptor', as: runsStdin(command) ? 'code' : 'data' })
  }
  return flows
}
