import type { Unwrap } from '../unwrap.ts'
import { builtins } from './builtins.ts'
import { environments } from './environments.ts'
import { launchers } from './launchers.ts'
import { privileges } from './privileges.ts'
import { multicalls, shellFor } from './shells.ts'

/** Every program that starts another, by its name in lower case. */
const wrappers: ReadonlyMap<string, Unwrap> = new Map(
  Object.entries({
    ...builtins,
    ...environments,
    ...launchers,
    ...multicalls,
    ...privileges,
  }),
)

/** What unwraps a program: the one of its name, or of its family (`python3.12`, `bash-5.2`). */
export function unwrapFor(program: string): Unwrap | undefined {
  return wrappers.get(program) ?? shellFor(program)
}
