import { delimiter, join } from 'node:path'
import type { Problem } from '../../../model/problem.ts'
import type { Program, Rule } from '../../../model/rule.ts'
import { quoted } from '../../../model/text.ts'
import { shellFacts } from '../../../facts/shell/shell-facts.ts'
import { neverBoth } from '../../../rules/match/matcher.ts'
import { presenceOf } from '../../../review/why/hook-files.ts'

type NeverProblem = Pick<Problem, 'message'> & { readonly remedy: string }

/** Finds reasons why a rule that loads can never take effect. */
export function neverProblems(rule: Rule, path: string | undefined): readonly NeverProblem[] {
  return [neverMet(rule), neverStarted(rule, path), neverWaitedFor(rule)].filter((problem) => problem !== undefined)
}

function neverMet({ match: { condition, matcher, subject } }: Rule): NeverProblem | undefined {
  if (condition === undefined) return undefined
  const named = { kind: 'names', names: [condition.tool] } as const
  if (!neverBoth(matcher, named) && !neverBoth(subject, named)) return undefined
  const message = `its condition ${quoted(condition.text)} is never met: the hook never gets \`${condition.tool}\``
  return { message, remedy: 'name the same tool in the matcher and in `if`' }
}

function neverWaitedFor({ handler, onFailure }: Rule): NeverProblem | undefined {
  if (handler.kind !== 'command' || !handler.async || onFailure === 'continue') return undefined
  const message = `it can never ${onFailure}: an \`async\` hook is not waited for`
  return { message, remedy: 'remove `async`, or `onFailure`' }
}

function neverStarted({ handler }: Rule, path: string | undefined): NeverProblem | undefined {
  const name = handler.kind === 'command' ? programOf(handler.program) : undefined
  if (name === undefined || path === undefined || process.platform === 'win32') return undefined
  const folders = path.split(delimiter).filter((folder) => folder !== '')
  if (folders.some((folder) => presenceOf(join(folder, name)) === 'executable')) return undefined
  return { message: `there is no program \`${name}\` on the PATH`, remedy: 'install it, or give its full path' }
}

/** Returns the name of the program that a hook starts first, if it is certainly looked up on the PATH. */
function programOf(program: Program): string | undefined {
  switch (program.form) {
    case 'script':
      return undefined
    case 'exec':
      return plainName.test(program.file) ? program.file : undefined
    case 'shell':
      return program.shell === 'powershell' ? undefined : firstProgram(program.command)
  }
}

function firstProgram(command: string): string | undefined {
  const { commands, uncertain } = shellFacts(command, { cwd: '/', workspaceRoots: [] })
  // A shell function is not a program.
  if (uncertain.length > 0 || /\(\s*\)|\bfunction\b/.test(command)) return undefined
  const [first] = commands
  const name = first?.written?.value
  const findsOthers = first?.assignments.some((assignment) => assignment.name === 'PATH') === true
  return name === undefined || findsOthers || !plainName.test(name) || ofTheShell.has(name) ? undefined : name
}

const plainName = /^\w[\w.+-]*$/

/** Builtins and keywords of `sh` and bash. */
const ofTheShell: ReadonlySet<string> = new Set(
  (
    'alias bg bind break builtin caller case cd command compgen complete compopt continue coproc declare dirs disown do done ' +
    'echo elif else enable esac eval exec exit export false fc fg fi for getopts hash help history if in jobs kill let ' +
    'local logout mapfile popd printf pushd pwd read readarray readonly return select set shift shopt source suspend test ' +
    'then time times trap true type typeset ulimit umask unalias unset until wait while'
  ).split(' '),
)
