import { type ShellSearch, type ShellWord, type TouchedPath, unknownWord } from '../../model/shell.ts'
import type { ShellNetwork } from '../../model/shell-network.ts'
import { shellLimits } from '../../model/limits.ts'
import type { LeftOut } from '../bounds.ts'
import { boundPath } from '../paths/place.ts'
import { changed, wordOf } from './words.ts'
import { heldPaths, type PathContext, type TouchedHow, touchedPath } from '../paths/index.ts'

/** The use that a program makes of a path. */
export type Role =
  /** The word is no path. */
  | 'none'
  /** Reads its content. */
  | 'read'
  /** Reads it, and the files that it names in each line: a list on stdin is `-`. */
  | 'list'
  /** Logs in with it, or tells by it who the other end is, and shows nothing of it. */
  | 'key'
  /** Hands what it holds to a program as variables, and shows nothing of it. */
  | 'variables'
  /** Reads its name, its attributes, or the names in it. */
  | 'names'
  | 'write'
  /** Listens at an address, which may be a path. */
  | 'bind'
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
  /** Words that are paths if another command names files in them, and anything else if not. */
  readonly perhaps?: readonly TouchedPath[]
  /** The paths of its inline code, where other commands name some of them. */
  readonly inCode?: readonly TouchedPath[]
  readonly network?: ShellNetwork
  readonly message?: boolean
  readonly search?: ShellSearch
  /** The writes that keep the former content. */
  readonly appended?: readonly TouchedPath[]
  /** The links that it creates: `names` lead to the file `to`. */
  readonly linked?: { readonly to: TouchedPath; readonly names: readonly TouchedPath[] }
  /** The paths that its output names, or below which it names some, if it does not read their names. */
  readonly prints?: readonly TouchedPath[]
  /** Its output names what it reads. */
  readonly namesRead?: true
  /** Its output has names without their folder. */
  readonly bareNames?: true
  /** It reads the files that its input or a file that it reads names. */
  readonly listed?: true
  /** A limit that was reached. */
  readonly leftOut?: LeftOut
  /** The command writes nothing to stdout of what it reads or receives. */
  readonly silent?: true
  /** The command reads no stdin. */
  readonly ignoresStdin?: true
  /** Set if it runs its input, or the text of `<(…)`, as a file that it is given: `make -f /dev/stdin`. */
  readonly runsInput?: true
}

/** The interface through which a program's row records the effects of a command. */
export interface EffectRecorder {
  readonly place: PathContext
  readonly touch: (word: ShellWord | undefined, role: Role, how?: TouchedHow) => void
  /** Records a word of other commands' output, which is a path only if those name files. */
  readonly mayTouch: (word: ShellWord, access: 'read' | 'execute') => void
  readonly network: (network: ShellNetwork) => void
  readonly message: (isOne: boolean) => void
  readonly search: (search: ShellSearch) => void
  /** Marks all writes recorded so far as appending. */
  readonly appendsAll: () => void
  readonly link: (to: ShellWord, names: readonly ShellWord[]) => void
  /** Records a path that the output names. */
  readonly prints: (word: ShellWord) => void
  readonly namesWhatItReads: () => void
  readonly printsBareNames: () => void
  readonly readsListed: () => void
  readonly writesNoStdout: () => void
  readonly readsNoStdin: () => void
  /** Overrides the row's `ignoresStdin` (and `writesStdout` its `silent`) for this command. */
  readonly readsStdin: () => void
  readonly writesStdout: () => void
}

interface RecordedEffects extends EffectRecorder {
  readonly effects: () => CommandEffects
}

/** Devices that store nothing, and paths that stand for descriptors. */
const noFile = /^\/dev\/(?:null|zero|full|u?random|tty|stdin|stdout|stderr|fd\/.*)$/

const isInput = (value: string): boolean => /^\/dev\/(?:stdin$|fd\/)/.test(value)

/** A device is there to be written to, and not to be taken away: then it is a path like others. */
const isPath = (value: string, role: Role, how: TouchedHow | undefined): boolean =>
  value !== '' &&
  value !== '-' &&
  (!value.startsWith('/dev/') || !noFile.test(value) || (isTaken(role, how) && !value.startsWith('/dev/fd/')))

const isTaken = (role: Role, how: TouchedHow | undefined): boolean =>
  role === 'delete' || role === 'move' || how?.change === 'wiped'

/** Records what is done to the files that the lines of a list name: they are read, if nothing else is said. */
export function touchListed(list: ShellWord | undefined, touch: EffectRecorder['touch'], role: Role = 'read'): void {
  const lines = list?.value.split(/[\n\0]/).filter((line) => line !== '') ?? []
  for (const line of lines.slice(0, shellLimits.pathsMax)) touch(wordOf(line, list), role, { recursive: true })
}

/** Returns what becomes of a file in which a text takes the place of all that was there. */
export const leftBy = (text: string | undefined): TouchedHow => (text?.trim() === '' ? { change: 'emptied' } : {})

/** The accesses to a path in each role. */
const accesses: Readonly<Record<Role, readonly RoleAccess[]>> = {
  none: [],
  read: [{ access: 'read' }],
  list: [{ access: 'read' }],
  key: [{ access: 'read', sealed: true }],
  variables: [{ access: 'read', sealed: true }],
  names: [{ access: 'read', metadata: true }],
  write: [{ access: 'write' }],
  bind: [{ access: 'write' }],
  append: [{ access: 'write', appends: true }],
  edit: [{ access: 'read' }, { access: 'write' }],
  into: [{ access: 'write', recursive: true, appends: true }],
  delete: [{ access: 'delete' }],
  move: [
    { access: 'read', recursive: true },
    { access: 'delete', recursive: true, change: 'moved' },
  ],
  mode: [{ access: 'write', metadata: true }],
  execute: [{ access: 'execute' }],
}

interface RoleAccess extends TouchedHow {
  readonly access: TouchedPath['access']
  /** The former content is kept. */
  readonly appends?: true
}

/** Returns the path in the address that a server listens at; `undefined` if it is none. */
function addressed(word: ShellWord | undefined): ShellWord | undefined {
  const path = word && boundPath(word.value)
  return word === undefined || path === undefined ? undefined : changed(word, path)
}

export function recordEffects(place: PathContext): RecordedEffects {
  const paths: TouchedPath[] = []
  const perhaps: TouchedPath[] = []
  let appended: TouchedPath[] | undefined
  let net: ShellNetwork | undefined
  let message: boolean | undefined
  let search: ShellSearch | undefined
  let linked: CommandEffects['linked']
  let prints: TouchedPath[] | undefined
  let namesRead = false
  let bareNames = false
  let listed = false
  let isCut = false
  let silent = false
  let ignoresStdin = false
  let runsInput = false

  const touch: EffectRecorder['touch'] = (given, role, how) => {
    const word = role === 'bind' ? addressed(given) : given
    runsInput ||= role === 'execute' && word !== undefined && isInput(word.value)
    if (word === undefined || !isPath(word.value, role, how)) return
    const isTooLong = word.value.length > shellLimits.pathCharactersMax
    for (const { access, appends, ...fixed } of accesses[role]) {
      if (paths.length >= shellLimits.pathsMax) {
        isCut = true
        return
      }
      isCut ||= isTooLong
      // What becomes of a path is said of what is written or deleted, or of the name that is given to it.
      const { rights, ...as } = { ...how, ...fixed }
      const change = how?.change ?? fixed.change
      const isChanged = access === 'write' || access === 'delete' || change === 'linked'
      const told = isChanged ? { ...as, change, rights } : { ...as, change: undefined }
      const path = touchedPath(isTooLong ? unknownWord : word, access, place, told)
      paths.push(path, ...heldPaths(word, path, place))
      if (appends === true) (appended ??= []).push(path)
    }
  }
  return {
    place,
    touch,
    mayTouch(word, access) {
      if (word.from !== undefined && perhaps.length < shellLimits.namedPlacesMax)
        perhaps.push(touchedPath(word, access, place))
    },
    network: (network) => (net = network),
    message: (isOne) => (message = isOne),
    search: (one) => (search = one),
    appendsAll: () => (appended = paths.filter(({ access }) => access === 'write')),
    link(to, names) {
      linked = {
        to: touchedPath(to, 'read', place),
        names: names.map((name) => touchedPath(name, 'write', place)),
      }
    },
    prints(word) {
      const isTooLong = word.value.length > shellLimits.pathCharactersMax
      prints ??= []
      if (prints.length <= shellLimits.namedPlacesMax)
        prints.push(touchedPath(isTooLong ? unknownWord : word, 'read', place, { metadata: true }))
    },
    namesWhatItReads: () => (namesRead = true),
    printsBareNames: () => (bareNames = true),
    readsListed: () => (listed = true),
    writesNoStdout: () => (silent = true),
    readsNoStdin: () => (ignoresStdin = true),
    readsStdin: () => (ignoresStdin = false),
    writesStdout: () => (silent = false),
    effects: () => ({
      paths,
      ...(perhaps.length > 0 && { perhaps }),
      ...(net !== undefined && { network: net }),
      ...(message !== undefined && { message }),
      ...(search !== undefined && { search }),
      ...(appended !== undefined && { appended }),
      ...(linked !== undefined && { linked }),
      ...(prints !== undefined && { prints }),
      ...(namesRead && { namesRead }),
      ...(bareNames && { bareNames }),
      ...(listed && { listed }),
      ...(isCut && { leftOut: 'it touches more paths than are analyzed' }),
      ...(silent && { silent }),
      ...(ignoresStdin && { ignoresStdin }),
      ...(runsInput && { runsInput }),
    }),
  }
}
