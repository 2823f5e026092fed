import { type ShellCommand, type ShellReach, type ShellWord, type TouchedPath, unknownPart } from '../model/shell.ts'
import { quotedWord } from '../model/text.ts'

/** Formats a command with its words expanded, as one would type it. */
export function commandText({
  written,
  args,
  assignments,
  redirections,
}: Pick<ShellCommand, 'written' | 'args' | 'assignments' | 'redirections'>): string {
  return [
    ...assignments.map(({ name, value }) => `${name}=${wordText(value)}`),
    ...(written === undefined ? [] : [wordText(written)]),
    ...args.map(wordText),
    ...redirections.map(({ operator, target }) => `${operator} ${target === undefined ? '-' : wordText(target)}`),
  ].join(' ')
}

/** Formats an expanded word. An unknown part is shown as its variable, or as `…`. */
function wordText({ value, variable, pattern }: ShellWord): string {
  const text = value.replaceAll(unknownPart, variable === undefined ? '…' : `$${variable}`)
  if (pattern !== undefined) return text
  return /^[\w@%+=:,./~$…{}-]+$/u.test(text) ? text : quotedWord(text)
}

/** Says how a command is reached and runs, as far as the command that starts it does not. */
export function commandNotes(command: ShellCommand, starter: ShellCommand | undefined): readonly string[] {
  const { reach, user, elsewhere, container } = command
  return [
    ...reachText(reach, starter?.reach ?? []),
    ...(user === undefined || user === starter?.user ? [] : [`as ${user}`]),
    ...(elsewhere === true && starter?.elsewhere !== true
      ? [container === undefined ? 'on another machine' : 'in a container']
      : []),
  ]
}

function reachText(reach: readonly ShellReach[], before: readonly ShellReach[]): readonly string[] {
  const own = reach.slice(before.length)
  const texts = own.map((one) => {
    switch (one.through) {
      case 'wrapper':
        return one.program
      case 'function':
      case 'alias':
        return `${one.through} ${one.name}`
      case 'code':
        return `${one.language} code`
      case 'subshell':
      case 'pipeline':
      case 'background':
      case 'coproc':
      case 'condition':
      case 'loop':
      case 'case':
      case 'substitution':
      case 'trap':
      case 'eval':
        return one.through
    }
  })
  return texts.length === 0 ? [] : [`through ${texts.join(', ')}`]
}

/** Formats a path as far as it is known. */
export function pathText(path: TouchedPath): string {
  const { written, pattern, absolute, real, recursive, metadata, unresolved } = path
  const notes = [
    ...(recursive === true ? ['and everything below'] : []),
    ...(metadata === true ? ['its entry only'] : []),
    ...(unresolved === true ? ['not fully known'] : []),
    ...(real === undefined ? [] : [`really ${real}`]),
  ]
  const known = pattern ?? (unresolved === true ? written : (absolute ?? written))
  return notes.length === 0 ? known : `${known} (${notes.join(', ')})`
}
