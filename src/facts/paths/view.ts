import { posix } from 'node:path'
import type { ShellBind, ShellView, ShellWord } from '../../model/shell.ts'
import { below, escaped } from './place.ts'

/** Returns true for a path that goes up again behind a part that is not known. */
function leadsOut(path: string): boolean {
  const at = path.search(/[\uFDD0\0]/)
  return at !== -1 && /\/\.\.(?:\/|$)/.test(path.slice(at))
}

/** Makes a path of a view absolute, by its own names; `undefined` if its beginning is unknown. */
export function absoluteIn({ cwd }: ShellView, path: string): string | undefined {
  if (/^[\uFDD0\0]/.test(path) || leadsOut(path)) return undefined
  if (path.startsWith('/')) return posix.resolve(path)
  return cwd?.startsWith('/') === true ? posix.resolve(cwd, path) : undefined
}

/** Returns the bind that holds a path of a view, if one does. */
function bindOf(path: string, binds: readonly ShellBind[]): ShellBind | undefined {
  let found: ShellBind | undefined
  for (const one of binds)
    if (one.there.length >= (found?.there.length ?? 0) && below(one.there, path) !== undefined) found = one
  return found
}

/** Returns the path that a path of a view has on this machine; `undefined` if it is in no folder of it. */
export function hereOf(path: string, binds: readonly ShellBind[]): string | undefined {
  const bind = bindOf(path, binds)
  return bind?.here === undefined ? undefined : joined(bind.here, path.slice(bind.there.length))
}

const joined = (folder: string, rest: string) => `${folder.replace(/\/$/, '')}/${rest.replace(/^\//, '')}`

/** Returns the word by which this machine would name what a word of a view names; `undefined` if it is not of it. */
export function wordHere(word: ShellWord, view: ShellView): ShellWord | undefined {
  const there = absoluteIn(view, word.value)
  const here = there === undefined ? undefined : hereOf(there, view.binds)
  if (there === undefined || here === undefined) return undefined
  const { pattern, ...rest } = word
  const moved = { ...rest, value: here, ...(here.includes('\uFDD0') && { unresolved: true as const }) }
  if (pattern === undefined) return moved
  const bind = bindOf(there, view.binds)
  const open = pattern.startsWith('/') ? pattern : `${escaped(view.cwd ?? '')}/${pattern}`
  const start = escaped(bind?.there ?? '').replace(/\/$/, '')
  // A pattern that leads out of the bind may match what is in no folder of it.
  if (!open.startsWith(start) || open.includes('/..'))
    return { ...moved, value: `${bind?.here}/\uFDD0`, unresolved: true }
  return { ...moved, pattern: joined(escaped(bind?.here ?? ''), open.slice(start.length)) }
}

/** Returns the binds below a path of a view, which whatever is done to all of that path is done to as well. */
export function bindsBelow(path: string, { binds }: ShellView): readonly ShellBind[] {
  return binds.filter(({ there }) => there !== path && below(path, there) !== undefined)
}
