import { anyText, type Glob, literalText } from '../match/glob.ts'
import type { SimpleCommand } from '../match/shell-words.ts'

/** Programs that neither run another nor change which one a name stands for, whatever their arguments are. */
const runNothing: ReadonlySet<string> = new Set(
  'cat echo exit false grep head jq printf tail test tr true wc [ [['.split(' '),
)
const keywords: ReadonlySet<string> = new Set(['if', 'then', 'elif', 'else', 'fi', '!'])
/** A variable of the script's own: what the shell and other programs go by (`PATH`, `BASH_ENV`) is in capitals. */
const ownAssignment = /^[a-z_][a-z0-9_]*=/

/**
 * Whether a command runs nothing but programs that run nothing, so that no file of the workspace is code to it, by
 * whatever name: `x=$(cat); [[ $x == *secret* ]] && exit 2`. What is not on the list might run anything.
 */
export function runsNothing({ words }: SimpleCommand): boolean {
  let at = 0
  while (at < words.length && isPrefix(words[at])) at += 1
  const program = words[at]
  if (program === undefined) return true
  const name = literalText(program)
  // `printf -v PATH` sets a variable.
  if (name === 'printf' && !/^[^-]/.test(beginning(words[at + 1]))) return false
  return name !== undefined && runNothing.has(name)
}

function isPrefix(word: Glob | undefined): boolean {
  const text = beginning(word)
  return ownAssignment.test(text) || (word !== undefined && keywords.has(literalText(word) ?? ''))
}

/** A word as far as its text is known. */
function beginning(word: Glob = []): string {
  const unknown = word.indexOf(anyText)
  return String.fromCharCode(...(unknown < 0 ? word : word.slice(0, unknown)).slice(0, 100))
}
