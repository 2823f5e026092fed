import { posix } from 'node:path'
import { type OptionRules, type OptionsRead, readOptions } from '../../../model/options.ts'
import type { ShellWord } from '../../../model/shell.ts'
import type { StartedIn, Unwrap } from '../unwrap.ts'
import { assignmentsBefore } from './words.ts'

/** How a program that starts the command in its last arguments reads its own. */
export interface PrefixRules extends OptionRules {
  /** How many operands of its own stand in front of the command: the duration of `timeout`. Default: 0. */
  readonly own?: number
  /** Options that take the place of those operands: `flock -n 3`, `taskset -c`. */
  readonly ownUnless?: readonly string[]
  /** Options under which nothing is started. `--help` and `--version` are always among them. */
  readonly idle?: readonly string[]
  /** Whether `NAME=value` may stand in front of the command. */
  readonly assignments?: boolean
  /** Options whose value is a script for a shell. */
  readonly scripts?: readonly string[]
  /** Options whose value is the working directory. */
  readonly folders?: readonly string[]
  /** Options whose value is the user to become, and who it is without. */
  readonly users?: readonly string[]
  readonly user?: string
  readonly elsewhere?: true
  /** Whether the working directory is not the caller's. */
  readonly strayed?: boolean
}

/** Unwraps a program that is put in front of another: `nice -n 5 make`. */
export function prefix(rules: PrefixRules): Unwrap {
  return ({ args, cwd }, starts) => {
    const read = readOptions(args, { ...rules, operandsLast: true })
    if (read.has('help', 'version', ...(rules.idle ?? []))) {
      starts.wrapper()
      return
    }
    const where = whereabouts(read, rules, cwd)
    const scripts = (rules.scripts ?? []).flatMap((name) => read.given.get(name) ?? [])
    for (const script of scripts) starts.script(script, where)
    const own = rules.ownUnless !== undefined && read.has(...rules.ownUnless) ? 0 : (rules.own ?? 0)
    const behindOwn = withoutDashes(read.operands.slice(own))
    if (scripts.length > 0) {
      starts.wrapper()
      return
    }
    const { assignments, rest } =
      rules.assignments === true ? assignmentsBefore(behindOwn) : { assignments: [], rest: behindOwn }
    const words = withoutDashes(rest)
    if (words.length === 0) return
    starts.wrapper()
    starts.words(words, assignments.length === 0 ? where : { ...where, assignments })
  }
}

/** `timeout 5 -- make`: the operands end the options, and what follows may be kept apart once more. */
export const withoutDashes = (words: readonly ShellWord[]): readonly ShellWord[] =>
  words[0]?.value === '--' ? words.slice(1) : words

function whereabouts(read: OptionsRead, rules: PrefixRules, cwd: string | undefined): StartedIn {
  const user = rules.users === undefined ? undefined : (read.value(...rules.users)?.value ?? rules.user)
  const folder = rules.folders === undefined ? undefined : read.value(...rules.folders)
  return {
    ...(user !== undefined && { user }),
    ...(rules.elsewhere === true && { elsewhere: true }),
    ...(rules.strayed === true && { cwd: undefined }),
    ...(folder !== undefined && { cwd: folderFrom(cwd, folder) }),
  }
}

/** Where `-C FOLDER` leads, as far as that can be known. */
export function folderFrom(cwd: string | undefined, folder: ShellWord): string | undefined {
  if (folder.unresolved === true || folder.several === true) return undefined
  if (folder.value.startsWith('/')) return posix.resolve('/', folder.value)
  return cwd === undefined ? undefined : posix.resolve(cwd, folder.value)
}
