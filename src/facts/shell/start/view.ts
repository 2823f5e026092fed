import { posix } from 'node:path'
import { type ShellBind, type ShellView, unknownPart } from '../../../model/shell.ts'
import { absoluteIn, below, hereOf } from '../../paths/index.ts'
import type { Bind } from '../../programs/starts.ts'
import type { Draft } from '../state/context.ts'

/**
 * Returns the binds of a command that a starter gives folders of its own. Where the starter is in a container itself,
 * only those of its folders count that it has from this machine.
 */
export function bindsWithin(
  binds: readonly Bind[],
  { cwd, view, elsewhere }: Draft,
  home: string | undefined,
): readonly ShellBind[] {
  const fromHome = (path: string) => (home === undefined ? path : path.replace(/^~(?=\/|$)/, home))
  const around: ShellView = view ?? { ...(cwd !== undefined && { cwd }), binds: [] }
  return binds.flatMap(({ here, there: place }): readonly ShellBind[] => {
    const there = posix.resolve('/', fromHome(place))
    if (here === undefined) return [{ there }]
    const outer = absoluteIn(around, fromHome(here.value))
    // An unknown folder may be any, so it stays unknown where it is used.
    if (outer === undefined) return here.value.startsWith(unknownPart) ? [{ here: here.value, there }] : []
    const moved = view === undefined ? (elsewhere === true ? undefined : outer) : hereOf(outer, around.binds)
    const inside = around.binds.flatMap((one) => {
      const way = one.there === outer ? undefined : below(outer, one.there)
      return way === undefined ? [] : [{ ...one, there: posix.join(there, way) }]
    })
    return [...(moved === undefined ? [] : [{ here: moved, there }]), ...inside]
  })
}
