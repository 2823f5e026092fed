import type { ShellCommand, ShellFacts } from '../../src/model/shell.ts'
import { shellFacts } from '../../src/facts/shell/shell-facts.ts'

/** Analyses a command in a project. */
export const factsOf = (text: string): ShellFacts =>
  shellFacts(text, { cwd: '/home/u/proj', home: '/home/u', workspaceRoots: ['/home/u/proj'] })

/** Formats a command as one line: program and arguments, with `…` for unknown parts. */
export const lineOf = ({ program, args }: ShellCommand): string =>
  [program, ...args.map(({ value }) => value)].join(' ').replaceAll('\uFDD0', '…')

/** Lists the commands that a text runs, without mere assignments. */
export const linesOf = (text: string): readonly string[] =>
  factsOf(text)
    .commands.filter(({ written }) => written !== undefined)
    .map(lineOf)
