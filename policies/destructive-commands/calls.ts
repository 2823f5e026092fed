import type { ShellCommand } from 'hookgate/policy'

/** A way to call a program that does something. All of what is given must hold. */
export interface Call {
  readonly programs: string
  /** Its words, with one blank between them, must hold this. */
  readonly words?: RegExp
  /** And may not hold this. */
  readonly without?: RegExp
  readonly does: string
}

const help = /(?:^| )(?:--help|--version|-\?|\/\?)(?: |$)/

/** The first of the calls that a command is. */
export function callIn<Known extends Call>(command: ShellCommand, calls: readonly Known[]): Known | undefined {
  let words: string | undefined
  for (const call of calls) {
    if (!` ${call.programs} `.includes(` ${command.program} `) || command.program === '') continue
    words ??= command.args.map(({ value }) => value).join(' ')
    if (help.test(words)) return undefined
    if (call.words !== undefined && !call.words.test(words)) continue
    if (call.without?.test(words)) continue
    return call
  }
  return undefined
}
