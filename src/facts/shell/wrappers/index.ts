import type { Unwrap } from '../unwrap.ts'
import { archives } from './archives.ts'
import { builtins } from './builtins.ts'
import { containers } from './containers.ts'
import { environments } from './environments.ts'
import { finders } from './find.ts'
import { git } from './git.ts'
import { interpreterFor } from './interpreters.ts'
import { launchers } from './launchers.ts'
import { startingOptions } from './options-that-start.ts'
import { otherLanguages } from './other-languages.ts'
import { parallel } from './parallel.ts'
import { windows } from './powershell.ts'
import { privileges } from './privileges.ts'
import { remotes } from './remote.ts'
import { runners } from './runners.ts'
import { scripted } from './scripted.ts'
import { seds } from './sed.ts'
import { multicalls, shellFor } from './shells.ts'
import { tools } from './tools.ts'
import { xargs } from './xargs.ts'

/** Every program that starts another, by its name in lower case. */
const wrappers: ReadonlyMap<string, Unwrap> = new Map(
  Object.entries({
    ...archives,
    ...builtins,
    ...containers,
    ...environments,
    ...finders,
    ...launchers,
    ...multicalls,
    ...otherLanguages,
    ...privileges,
    ...remotes,
    ...runners,
    ...scripted,
    ...seds,
    ...startingOptions,
    ...tools,
    ...windows,
    git,
    parallel,
    xargs,
    gxargs: xargs,
  }),
)

/** What unwraps a program: the one of its name, or of its family (`python3.12`, `bash-5.2`). */
export function unwrapFor(program: string): Unwrap | undefined {
  const one = wrappers.get(program) ?? shellFor(program)
  const interpreter = interpreterFor(program)
  if (one === undefined || interpreter === undefined) return one ?? interpreter
  // `bun` is both: a runner of packages and an interpreter.
  return (command, starts) => {
    one(command, starts)
    interpreter(command, starts)
  }
}
