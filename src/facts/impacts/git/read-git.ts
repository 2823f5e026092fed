import { hasShellTrait } from '../../../model/shell-traits.ts'
import type { Impact } from '../../../model/impact.ts'
import { pathsHere, type ShellCommand, type ShellFacts } from '../../../model/shell.ts'
import { type GitCall, gitCallsIn, gitImpact, optionsOf } from './git-calls.ts'
import { historyByBfg, lossesOf } from './losses.ts'
import { programsOf } from './programs.ts'
import { pushesOf } from './pushes.ts'
import { mapOf } from '../../../model/look-ups.ts'

/** Returns what the calls of git do to the repository, to its remotes, and by programs that git is made to run. */
export function gitImpacts(shell: ShellFacts): readonly Impact[] {
  const calls = gitCallsIn(shell)
  return [
    ...pushesOf(calls, shell),
    ...calls.flatMap((call) => lossesOf(call, calls, shell)),
    ...historyByBfg(shell),
    ...skippedHooks(calls, shell),
    ...programsOf(calls, shell),
    ...calls.flatMap((call) => runsOfPulled(call, shell)),
  ]
}

/** Finds what runs a file of the folder into which changes were pulled just before. */
function runsOfPulled(call: GitCall, { commands }: ShellFacts): readonly Impact[] {
  if (call.subcommand !== 'pull' || optionsOf(call) === undefined) return []
  const next = commands
    .slice(call.at + 1)
    .find((one) => !hasShellTrait(one, 'changesFolder') && one.startedBy !== call.at)
  const file = next === undefined ? undefined : pathsHere(next).find(({ access }) => access === 'execute')
  if (file === undefined) return []
  return [
    gitImpact(call, {
      kind: 'run',
      thing: 'worktree',
      object: 'pulled file',
      names: [file.written],
      undo: 'work',
      instead: 'let the person read what has come first',
    }),
  ]
}

/** `-n` is something else for most subcommands. */
const skips = (call: GitCall) => {
  if (!/^(?:commit|push|merge|am|rebase|cherry-pick|revert)$/.test(call.subcommand)) return false
  const read = optionsOf(call)
  return read !== undefined && (read.has('no-verify') || (call.subcommand === 'commit' && read.has('n')))
}

const switches = mapOf([
  ['HUSKY', /^0$/],
  ['HUSKY_SKIP_HOOKS', /./],
  ['LEFTHOOK', /^(?:0|false)$/],
  ['LEFTHOOK_EXCLUDE', /./],
  ['SKIP', /./],
  ['PRE_COMMIT_ALLOW_NO_CONFIG', /./],
])

/** True if a command sets a variable by which hooks do not run, for itself, or for what follows it. */
function switchOf(command: ShellCommand): string | undefined {
  const declared = hasShellTrait(command, 'declares') ? command.args.map(({ value }) => value) : []
  return [...command.assignments.map(({ name, value }) => `${name}=${value.value}`), ...declared].find((text) => {
    const [name = '', ...rest] = text.split('=')
    return switches.get(name)?.test(rest.join('='))
  })
}

/** True if git is told to find its hooks nowhere, or no longer where a project's manager keeps them. */
const losesHooks = ({ subcommand, line }: GitCall) => {
  if (subcommand !== 'config' || line === undefined) return false
  const words = line.operands.map(({ value }) => value)
  const at = words.findIndex((word) => word.toLowerCase() === 'core.hookspath')
  return at !== -1 && (line.has('unset', 'unset-all') || words[0] === 'unset' || words[at + 1] === '')
}

/** Finds calls for which the repository's own checks do not run. */
const skippedHooks = (calls: readonly GitCall[], shell: ShellFacts): readonly Impact[] =>
  calls.flatMap((call) => {
    const before = shell.commands
      .slice(0, call.at)
      .filter((one) => one.program === '' || hasShellTrait(one, 'declares'))
    const off = /^(?:commit|push)$/.test(call.subcommand)
      ? [...before, call.command].map(switchOf).find((one) => one !== undefined)
      : undefined
    return skips(call) || losesHooks(call) || off !== undefined
      ? [
          gitImpact(call, {
            kind: 'weaken',
            thing: 'guard',
            object: "the repository's own checks",
            undo: 'work',
            ...(skips(call)
              ? { words: `${call.subcommand} --no-verify` }
              : off !== undefined && { consequence: `which \`${off}\` switches off` }),
            instead: 'run them, and fix what they find',
          }),
        ]
      : []
  })
