import type { ShellCommand, ShellFacts } from '../../src/model/shell.ts'
import { shellFacts } from '../../src/facts/shell/shell-facts.ts'

/** The facts of a command that a project's user gives. */
export const factsOf = (text: string): ShellFacts =>
  shellFacts(text, { cwd: '/home/u/proj', home: '/home/u', workspaceRoots: ['/home/u/proj'] })

/** A command as one line: the program and its arguments, `…` for what is not known. */
export const lineOf = ({ program, args }: ShellCommand): string =>
  [program, ...args.map(({ value }) => value)].join(' ').replaceAll('\uFDD0', '…')

/** The commands that a text runs, but for those of assignments alone. */
export const linesOf = (text: string): readonly string[] =>
  factsOf(text)
    .commands.filter(({ written }) => written !== undefined)
    .map(lineOf)
