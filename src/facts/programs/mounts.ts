import type { ShellContainer, ShellWord } from '../../model/shell.ts'
import type { EffectRecorder } from './effects.ts'
import type { CommandView, Line, View } from './row.ts'
import type { Bind } from './starts.ts'
import { changed, known } from './words.ts'

/** A folder of this machine that a program shows to what it starts. */
interface Mount {
  /** Absent for a volume. */
  readonly here?: ShellWord
  /** Empty if it is not said. */
  readonly there: string
  readonly isReadOnly: boolean
}

/** Parses `HERE:THERE:ro` or `type=bind,source=HERE,target=THERE,readonly`. A source without a slash names a volume. */
export function mountOf(word: ShellWord): Mount {
  const { value } = word
  const named = (names: string) => new RegExp(`(?:^|,)(?:${names})=([^,]*)`).exec(value)?.[1]
  const source = named('source|src')
  const [first = '', second = ''] = value.split(':')
  const here = source ?? first
  const there = named('target|dst|destination') ?? second
  const isVolume = /(?:^|,)type=(?!bind)/.test(value) || !/^[./~\uFDD0]/.test(here)
  return {
    ...(!isVolume && { here: changed(word, here) }),
    there,
    isReadOnly: /:(?:[a-zA-Z]*,)*ro(?:,|$)|,(?:readonly|ro)(?:,|=true|=1|$)/.test(value),
  }
}

/** Returns the container that a program starts a command in, by the options that give it more of this machine. */
export const containerOf = (line: Line): ShellContainer => ({
  ...(line.has('rm') && { passing: true }),
  ...(line.has('privileged', 'pid', 'device', 'volumes-from', 'cap-add', 'userns') && { open: true }),
})

/** The person's home, which some programs show under its own name. */
const homeBind: Bind = { here: known('~'), there: '~' }

/** Returns the view of a program that keeps the person's home and working directory. */
export const sharedHome = (_: Line, { cwd }: CommandView): View => ({ binds: [homeBind], cwd })

/** Makes a folder the root that a command sees. */
export const rootBind = (here: ShellWord): Bind => ({ here, there: '/' })

/** Returns the binds of mounts whose place there is known. Of a mount that says none, it is the one that it has here. */
export const bindsOf = (words: readonly ShellWord[]): readonly Bind[] =>
  words.map(mountOf).flatMap(({ here, there }): readonly Bind[] => {
    const place = there === '' ? (here?.value ?? '') : there
    return place.startsWith('/') ? [{ ...(here !== undefined && { here }), there: place }] : []
  })

/** Records that a program may change folders in whatever it starts, but for the whole disk. */
export function recordBinds(words: readonly ShellWord[], recorder: EffectRecorder): void {
  for (const { here, isReadOnly } of words.map(mountOf))
    if (here !== undefined && here.value !== '/' && !isReadOnly) recorder.touch(here, 'into')
}
