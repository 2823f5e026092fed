import type { ShellCommand, ShellFacts } from 'hookgate/policy'

/** The person's own lists of commands that are harmless (`also`) and not harmless (`not`), each by its first words. */
interface PersonalLists {
  readonly also: readonly string[]
  readonly not: readonly string[]
}

/** Returns the reason why a shell command is not known to be harmless; `undefined` if it is. */
export function whyNot({ commands, harmless }: ShellFacts, { also, not }: PersonalLists): string | undefined {
  if (harmless !== true) return harmless ?? 'it is not known what it does'
  for (const command of commands) {
    const { program, written, harmless: doubt } = command
    if (written !== undefined && isOnList(program, command, not))
      return `\`${program}\` is on the list of commands not to allow`
    if (doubt === true) continue
    // An entry names a program as written: `npm` does not include `./npm`.
    const isVouchedFor =
      doubt?.byCall === true && written?.unresolved !== true && isOnList(written?.value ?? '', command, also)
    if (!isVouchedFor) return doubt?.why ?? 'it is not known what it does'
  }
  return undefined
}

/** True if a command begins with the words of a list's entry, with or without its options. */
function isOnList(program: string, { args }: ShellCommand, list: readonly string[]): boolean {
  if (list.length === 0) return false
  const words = [program, ...args.map(({ value }) => value)]
  const operands = words.filter((word, at) => at === 0 || !word.startsWith('-'))
  return list.some((one) => {
    const prefix = one.trim().split(/\s+/)
    return [words, operands].some((some) => prefix.every((word, at) => some[at] === word))
  })
}
