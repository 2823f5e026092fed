import type { Impact } from '../../../model/impact.ts'
import type { ShellFacts } from '../../../model/shell.ts'
import { gitCallsIn } from './git-calls.ts'
import { historyByBfg, lossesOf } from './losses.ts'
import { programsOf } from './programs.ts'
import { pushesOf } from './pushes.ts'
import { skippedHooks } from './skipped-hooks.ts'

/** Returns what the calls of git do to the repository, to its remotes, and by programs that git is made to run. */
export function gitImpacts(shell: ShellFacts): readonly Impact[] {
  const calls = gitCallsIn(shell)
  return [
    ...pushesOf(calls, shell),
    ...calls.flatMap((call) => lossesOf(call, calls, shell)),
    ...historyByBfg(shell),
    ...skippedHooks(calls, shell),
    ...programsOf(calls, shell),
  ]
}
