import { type CodeLanguage, type ShellCommand, type ShellWord, unknownPart } from '../../model/shell.ts'
import { unwrapFor } from '../programs/table.ts'

const ignore = () => {}

/** Tells whether a command executes its stdin as code. */
export const runsStdin = (command: ShellCommand): boolean => languageOfStdin(command) !== undefined

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
