import { type PrintedSecret, findPrintedSecrets } from './shown-secrets.ts'
import type { Impact } from '../../../model/impact.ts'
import { isSecretName } from '../../../words/names.ts'
import { showsEnvironment, showsVariables } from '../../../words/variables.ts'

/** What a command or a text of code shows of variables. */
export type ShownVariables = Pick<Impact, 'kind' | 'thing' | 'area' | 'undo' | 'names' | 'extent'> &
  Required<Pick<Impact, 'object' | 'instead'>>

const shown = { kind: 'show', thing: 'secret', area: 'environment', undo: 'work' } as const

/** Makes the impact of showing variables by their names. */
export const namedShown = (names: readonly string[]): ShownVariables => ({
  ...shown,
  object: 'secret variable',
  names,
  instead: 'use it where it is needed, without printing it',
  extent: names.length === 1 ? 'one' : 'some',
})

/** Makes the impact of showing all variables. */
export const allShown = (object = 'all variables'): ShownVariables => ({
  ...shown,
  object,
  names: [],
  instead: 'name the one that is needed, and use it',
  extent: 'all',
})

/** A line that prints the key, token or password of an account. */
const printsKey =
  /\b(?:print|display|console\.\w+|puts)\s*\(?[^\n]{0,120}\.(?:secret_key|secret_access_key|client_secret|access_token|refresh_token|private_key|password)\b/

/** Returns what a text of code shows, wherever it runs: in a notebook, or by a tool. */
export function shownByCode(code: string): readonly (ShownVariables | PrintedSecret)[] {
  const names = [...new Set(showsVariables(code).filter(isSecretName))]
  return [
    ...(names.length === 0 ? [] : [namedShown(names)]),
    ...(showsEnvironment(code) ? [allShown()] : []),
    ...(printsKey.test(code)
      ? [{ ...namedShown([]), object: 'what signs somebody in', extent: 'unknown' } as const]
      : []),
    ...findPrintedSecrets(code),
  ]
}
