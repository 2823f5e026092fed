import type { ShellNetwork, ShellWord, TouchedPath } from '../../model/shell.ts'
import { shellLimits } from '../../model/limits.ts'
import type { LeftOut } from '../bounds.ts'
import { type PathContext, type TouchedHow, touchedPath } from '../paths/index.ts'

/** The use that a program makes of a path. */
export type Role =
  /** The word is no path. */
  | 'none'
  /** Reads its content. */
  | 'read'
  /** Reads its name, its attributes, or the names in it. */
  | 'names'
  | 'write'
  /** Appends to its content. */
  | 'append'
  /** Reads and rewrites it. */
  | 'edit'
  /** Creates files in the folder, under names that are not known here. */
  | 'into'
  | 'delete'
  /** Reads and deletes it, as `mv` does with its sources. */
  | 'move'
  /** Changes its mode, owner or times. */
  | 'mode'
  | 'execute'

/** A command's effects on files and the network. */
export interface CommandEffects {
  readonly paths: readonly TouchedPath[]
  readonly network?: ShellNetwork
  /** The writes that keep the former content. */
  readonly appended?: readonly TouchedPath[]
  /** The links that it creates: `names` lead to the file `to`. */
  readonly linked?: { readonly to: TouchedPath; readonly names: readonly TouchedPath[] }
  /** The access to files whose unknown names come on stdin. */
  readonly listed?: TouchedPath['access']
  /** A limit that was reached. */
  readonly leftOut?: LeftOut
  /** The command writes nothing to stdout of what it reads or receives. */
  readonly silent?: true
  /** The command reads no stdin. */
  readonly ignoresStdin?: true
}

/** The interface through which a program's row records the effects of a command. */
export interface EffectRecorder {
  readonly place: PathContext
  readonly touch: (word: ShellWord | undefined, role: Role, how?: TouchedHow) => void
  readonly network: (network: ShellNetwork) => void
  /** Marks all writes recorded so far as appending. */
  readonly appendsAll: () => void
  readonly link: (to: ShellWord, names: readonly ShellWord[]) => void
  readonly lists: (access: TouchedPath['access']) => void
  readonly writesNoStdout: () => void
  readonly readsNoStdin: () => void
  /** Overrides the row's `ignoresStdin` (and `writesStdout` its `silent`) for this command. */
  readonly readsStdin: () => void
  readonly writesStdout: () => void
}

export interface RecordedEffects extends EffectRecorder {
  readonly effects: () => CommandEffects
}

/** Devices that store nothing, and paths that stand for descriptors. */
const noFile = /^\/dev\/(?:null|zero|full|u?random|tty|stdin|stdout|stderr|fd\/.*)$/

export function recordEffects(place: PathContext): RecordedEffects {
  const paths: TouchedPath[] = []
  let appended: TouchedPath[] | undefined
  let net: ShellNetwork | undefined
  let linked: CommandEffects['linked']
  let listed: CommandEffects['listed']
  let isCut = false
  let silent = false
  let ignoresStdin = false

  const add = (word: ShellWord, access: TouchedPath['access'], how?: TouchedHow): void => {
    if (paths.length < shellLimits.pathsMax) paths.push(touchedPath(word, access, place, how))
    else isCut = true
  }
  /** Adds a write that appends. */
  const addBehind = (word: ShellWord, how?: TouchedHow): void => {
    add(word, 'write', how)
    const path = paths.at(-1)
    if (!isCut && path !== undefined) (appended ??= []).push(path)
  }
  const touch: EffectRecorder['touch'] = (word, role, how) => {
    if (word === undefined || role === 'none') return
    const { value } = word
    if (value === '' || value === '-') return
    if (value.startsWith('/dev/') && noFile.test(value)) return
    switch (role) {
      case 'read':
        add(word, 'read', how)
        return
      case 'names':
        add(word, 'read', { ...how, metadata: true })
        return
      case 'write':
        add(word, 'write', how)
        return
      case 'into':
        addBehind(word, { ...how, recursive: true })
        return
      case 'append':
        addBehind(word, how)
        return
      case 'edit':
        add(word, 'read', how)
        add(word, 'write', how)
        return
      case 'delete':
        add(word, 'delete', how)
        return
      case 'move':
        add(word, 'read', { recursive: true })
        add(word, 'delete', { recursive: true })
        return
      case 'mode':
        add(word, 'write', { ...how, metadata: true })
        return
      case 'execute':
        add(word, 'execute', how)
        return
    }
  }
  return {
    place,
    touch,
    network: (network) => (net = network),
    appendsAll: () => (appended = paths.filter(({ access }) => access === 'write')),
    link(to, names) {
      linked = {
        to: touchedPath(to, 'read', place),
        names: names.map((name) => touchedPath(name, 'write', place)),
      }
    },
    lists: (access) => (listed = access),
    writesNoStdout: () => (silent = true),
    readsNoStdin: () => (ignoresStdin = true),
    readsStdin: () => (ignoresStdin = false),
    writesStdout: () => (silent = false),
    effects: () => ({
      paths,
      ...(net !== undefined && { network: net }),
      ...(appended !== undefined && { appended }),
      ...(linked !== undefined && { linked }),
      ...(listed !== undefined && { listed }),
      ...(isCut && { leftOut: 'it touches more paths than are looked at' }),
      ...(silent && { silent }),
      ...(ignoresStdin && { ignoresStdin }),
    }),
  }
}
