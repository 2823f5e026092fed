import { setOf, type ShellCommand, type ShellFacts, type TouchedPath } from 'hookgate/policy'

const nothing = /^(?:if=)?\/dev\/(?:null|zero|u?random|full)$/

/** Programs that leave a file empty or as noise, whatever was in it. */
const emptiers = setOf(['truncate', 'gtruncate', 'fallocate'])
/** Programs that empty a file if they are given nothing to write. */
export const copiers = setOf([
  'cp',
  'gcp',
  'mv',
  'gmv',
  'ln',
  'rsync',
  'install',
  'ginstall',
  'dd',
  'gdd',
  'tee',
  'sponge',
])

/** True if a program leaves all files empty that it is given. */
export const empties = ({ program, args }: ShellCommand): boolean =>
  emptiers.has(program) || (copiers.has(program) && args.some(({ value }) => nothing.test(value)))

/** Returns the text that a command prints, where its words say it. */
export function printedBy({ program, args, stdin }: ShellCommand): string | undefined {
  const words = args.map(({ value }) => value)
  if (/^(?:|:|true|false)$/.test(program)) return ''
  if (program === 'echo' || program === 'printf')
    return words
      .filter((word) => !/^-[neE]+$/.test(word))
      .join(' ')
      .replaceAll('\\n', '\n')
  if (program !== 'cat' && program !== 'tee' && program !== 'sponge') return undefined
  if (program === 'cat' && words.length > 0 && words.every((word) => word === '/dev/null')) return ''
  return program === 'cat' && words.some((word) => word !== '-') ? undefined : stdin?.value
}

/** Returns the text that a command puts in place of what is in the files that it writes, where that is known. */
export function replacedBy(command: ShellCommand, { commands }: ShellFacts): string | undefined {
  if (empties(command)) return ''
  const { program, args, stdin, redirections } = command
  if (redirections.some(({ operator, descriptor }) => /^(?:>|>\|)$/.test(operator) && descriptor === 1))
    return printedBy(command)
  if (!/^(?:tee|sponge)$/.test(program) || args.some(({ value }) => /^(?:-a|--append)$/.test(value))) return undefined
  const from = commands[stdin?.from?.[0] ?? -1]
  return from === undefined ? stdin?.value : printedBy(from)
}

/** Code that opens a file anew or writes an empty text. */
const emptyingCode =
  /truncat|clear-content|,\s*(?:mode\s*=\s*)?(['"])w[bt+]*\1|,\s*(['"])\2\s*\)|write_(?:text|bytes)\(\s*b?(['"])\3|(['"])>\4|set-content[^|;]*(['"])\5/i

/** True if a command leaves a file empty that it writes; what inline code writes is not known, only that it begins anew. */
export function leavesEmpty(command: ShellCommand, { access, metadata }: TouchedPath, shell: ShellFacts): boolean {
  if (access !== 'write' || metadata === true) return false
  const { code } = command
  return code === undefined ? replacedBy(command, shell)?.trim() === '' : emptyingCode.test(code.text ?? '')
}
