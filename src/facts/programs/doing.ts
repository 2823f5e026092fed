import { type ShellNetwork, type ShellWord, type TouchedPath, unknownPart } from '../../model/shell.ts'
import { shellLimits } from '../../model/limits.ts'
import type { LeftOut } from '../bounds.ts'
import { type Place, type TouchedHow, touchedPath } from '../paths/index.ts'
import type { Role } from './role.ts'

/** What a command does with files and the network. */
export interface Did {
  readonly paths: readonly TouchedPath[]
  readonly network?: ShellNetwork
  /** Those of its writes that leave what was there before. */
  readonly appended?: readonly TouchedPath[]
  /** What it makes a name of another file: `ln`. */
  readonly linked?: { readonly to: TouchedPath; readonly names: readonly TouchedPath[] }
  /** What it does with files whose names come on stdin, where these are not known. */
  readonly listed?: TouchedPath['access']
  /** What it does more of than is looked at. */
  readonly leftOut?: LeftOut
  /** It writes nothing of what it reads or receives to stdout. */
  readonly silent?: true
  /** It reads no stdin. */
  readonly deaf?: true
}

/** Where a program's row says what the command does, word by word. */
export interface Doing {
  readonly place: Place
  readonly touch: (word: ShellWord | undefined, role: Role, how?: TouchedHow) => void
  readonly network: (network: ShellNetwork) => void
  /** All that was written so far was put behind what is there. */
  readonly keepsAll: () => void
  readonly link: (to: ShellWord, names: readonly ShellWord[]) => void
  readonly lists: (access: TouchedPath['access']) => void
  readonly silent: () => void
  readonly deaf: () => void
  /** It does read stdin, or write to stdout, whatever its row says of it. */
  readonly hears: () => void
  readonly speaks: () => void
}

export interface Collected extends Doing {
  readonly did: () => Did
}

/** Devices that hold nothing, and descriptors that are no files. */
const noFile = /^\/dev\/(?:null|zero|full|u?random|tty|stdin|stdout|stderr|fd\/.*)$/

export function collect(place: Place): Collected {
  const paths: TouchedPath[] = []
  let appended: TouchedPath[] | undefined
  let net: ShellNetwork | undefined
  let linked: Did['linked']
  let listed: Did['listed']
  let isCut = false
  let silent = false
  let deaf = false

  const add = (word: ShellWord, access: TouchedPath['access'], how?: TouchedHow): void => {
    if (paths.length < shellLimits.pathsMax) paths.push(touchedPath(word, access, place, how))
    else isCut = true
  }
  /** The same for what is put behind what is there. */
  const addBehind = (word: ShellWord, how?: TouchedHow): void => {
    add(word, 'write', how)
    const path = paths.at(-1)
    if (!isCut && path !== undefined) (appended ??= []).push(path)
  }
  const touch: Doing['touch'] = (word, role, how) => {
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
    keepsAll: () => (appended = paths.filter(({ access }) => access === 'write')),
    link(to, names) {
      linked = {
        to: touchedPath(to, 'read', place),
        names: names.map((name) => touchedPath(name, 'write', place)),
      }
    },
    lists: (access) => (listed = access),
    silent: () => (silent = true),
    deaf: () => (deaf = true),
    hears: () => (deaf = false),
    speaks: () => (silent = false),
    did: () => ({
      paths,
      ...(net !== undefined && { network: net }),
      ...(appended !== undefined && { appended }),
      ...(linked !== undefined && { linked }),
      ...(listed !== undefined && { listed }),
      ...(isCut && { leftOut: 'it touches more paths than are looked at' }),
      ...(silent && { silent }),
      ...(deaf && { deaf }),
    }),
  }
}

/** A word of its own, made of what another says. */
export const wordOf = (value: string): ShellWord =>
  value.includes(unknownPart) ? { value, unresolved: true } : { value }
