import { maskSecrets } from '../mask/mask.ts'
import { limits } from '../model/limits.ts'
import type { ShellCommand, ShellFacts } from '../model/shell.ts'

/** Returns the facts of a shell command's text; `undefined` if they cannot be determined. */
export type ShellOf = (text: string) => Promise<ShellFacts | undefined>

/**
 * Masks a text that may be a command, or hold commands, for the record and for the person who is asked about it.
 *
 * INVARIANT: read as shell, the masked text has the same commands as the text, as the facts say: a mask reaches over
 * blanks and operators, as in `-p'two words'`, only if what it hides is no command. If not even masks within their
 * words leave all commands, only tokens and keys are masked.
 */
export async function maskText(text: string, shellOf: ShellOf): Promise<string> {
  const whole = maskSecrets(text, 'value')
  if (whole === text) return text
  const cautious = maskSecrets(text, 'word')
  if (text.length > limits.comparedMaskCharactersMax) return cautious
  const shell = await shellOf(text)
  if (shell === undefined || shell.commands.length > comparedMaskCommandsMax) return cautious
  const commands = outlineOf(shell)
  for (const masked of new Set([whole, cautious])) {
    // oxlint-disable-next-line no-await-in-loop -- the second only where the first is of no use
    if (outlineOf(await shellOf(masked)) === commands) return masked
  }
  return maskSecrets(text, 'token')
}
/** Commands of a text whose mask is compared with it: texts with more are scripts, too long to be analysed three times. */
const comparedMaskCommandsMax = 100

/**
 * Returns what a mask must leave: the commands, the number of their words, the ways in which they are reached. What words
 * name is left out, since that is what it replaces.
 */
function outlineOf(shell: ShellFacts | undefined): string | undefined {
  if (shell === undefined) return undefined
  const { commands, flows, forkBomb } = shell
  return JSON.stringify([commands.map(outlineOfCommand), flows, forkBomb])
}

function outlineOfCommand({ program, args, assignments, redirections, reach, code, ...how }: ShellCommand) {
  const { startedBy, wrapper, elsewhere, user } = how
  return [
    program,
    args.map(({ unresolved, several, from }) => [unresolved, several, from]),
    assignments.map(({ name, value }) => [name, value.unresolved, value.from]),
    redirections.map(({ operator, descriptor, target }) => [operator, descriptor, target?.unresolved]),
    reach.map(({ through }) => through),
    [startedBy, wrapper, elsewhere, user, code?.language, code?.does],
  ]
}
