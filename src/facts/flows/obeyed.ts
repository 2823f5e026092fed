import { onlyTries } from '../../words/options.ts'
import type { ShellCommand, ShellFlow } from '../../model/shell.ts'
import type { Obeys } from '../programs/row.ts'
import { programNamed } from '../programs/table.ts'

/** Adds to commands which earlier ones have written a file, or pipe a text, that they do as they are told by. */
export const withObeyed = (commands: readonly ShellCommand[], flows: readonly ShellFlow[]): readonly ShellCommand[] =>
  commands.map((command, at) => {
    const says = at === 0 ? undefined : programNamed(command.program)?.row.obeys
    if (says === undefined) return command
    const words = wordsOf(command)
    if (says.when?.test(words.join(' ')) === false) return command
    if (onlyTries(command.args, ...trials, ...(says.looks?.split(' ') ?? []))) return command
    const piped =
      says.stdin?.(words) === true
        ? flows.filter(({ to, via }) => to === at && via === 'pipe').map(({ from }) => from)
        : []
    const written = commands.slice(0, at).flatMap((earlier, from) => {
      const isObeyed = earlier.paths.some(
        ({ access, absolute }) =>
          access === 'write' && absolute !== undefined && isNamed(absolute, words, says, command),
      )
      return isObeyed ? [from] : []
    })
    const obeys = [...new Set([...written, ...piped])]
    return obeys.length === 0 ? command : { ...command, obeys }
  })

const trials = ['dry-run', 'check', 'help']

const wordsOf = ({ args, redirections }: ShellCommand): readonly string[] => [
  ...args.map(({ value }) => value),
  ...redirections.flatMap(({ operator, target }) => (operator === '<' ? [target?.value ?? ''] : [])),
]

/** True if a command names a file by one of its words, or by the value in it, or reads it without being told. */
function isNamed(file: string, words: readonly string[], { files }: Obeys, { cwd = '' }: ShellCommand): boolean {
  const isOwn = files !== undefined && file.startsWith(`${cwd}/`)
  if (isOwn && (files.test(file.slice(file.lastIndexOf('/') + 1)) || files.test(file))) return true
  return words.some((word) => {
    const named = word.replace(/^-[^=]*=/, '').replace(/^(?:@|file:\/\/)?(?:\.\/)?/, '')
    return named === file || (named !== '' && !named.startsWith('/') && file.endsWith(`/${named}`))
  })
}
