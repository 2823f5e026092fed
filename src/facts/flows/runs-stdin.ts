import { type ShellCommand, type ShellWord, unknownPart } from '../../model/shell.ts'
import { unwrapFor } from '../programs/table.ts'

const ignore = () => {}

/** Tells whether a command executes its stdin as code: its program's row starts an unknown stdin. */
export function runsStdin(command: ShellCommand): boolean {
  const stdin: ShellWord = { value: unknownPart, unresolved: true }
  let runs = false
  const noteStdin = (text: ShellWord) => {
    runs ||= text === stdin
  }
  unwrapFor(command.program)?.(
    { ...command, stdin },
    {
      words: ignore,
      script: noteStdin,
      code: (_, text) => noteStdin(text),
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
  return runs
}
