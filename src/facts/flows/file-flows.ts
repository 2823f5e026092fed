import { shellLimits } from '../../model/limits.ts'
import type { ShellCommand, ShellFlow, TouchedPath } from '../../model/shell.ts'
import type { CommandEffects } from '../programs/effects.ts'
import { runsStdin } from './runs-stdin.ts'

/**
 * Returns the structural flows that carry data, plus the flows through files: one command writes, copies, moves or packs
 * a file that a later one reads, runs or sends. Overwriting or deleting a file ends the flows from its former content,
 * but only where it happens for certain: a conditional command may run or not, so both outcomes are kept.
 */
export function fileFlows(
  commands: readonly ShellCommand[],
  effects: readonly CommandEffects[],
  structural: readonly ShellFlow[],
): Followed {
  const flows = structural.filter((flow) => carries(flow, effects))
  if (!effects.some(({ paths }) => paths.some(writes))) return { flows, isCut: false }
  const files = new Map<string, Written>()
  const early = new Map<string, Reader[]>()
  let readers = 0
  let isCut = false
  const seen = new Set<string>()
  const flow = (from: number, to: number, as: ShellFlow['as']) => {
    if (from === to) return
    if (seen.size >= shellLimits.fileFlowsMax) {
      isCut = true
      return
    }
    const key = `${from} ${to} ${as}`
    if (seen.has(key)) return
    seen.add(key)
    flows.push({ from, to, via: 'file', as })
  }
  for (let at = 0; at < commands.length; at++) {
    const command = commands[at]
    const effect = effects[at]
    if (command === undefined || effect === undefined) continue
    const certain = isCertain(command)
    const makesPipe = command.program === 'mkfifo' || movesPipe(effect, files)
    for (const path of effect.paths) {
      if (path.metadata === true || path.access === 'write' || path.access === 'delete') continue
      const as = path.access === 'execute' || (isStdin(path, command) && runsStdin(command)) ? 'code' : 'data'
      const key = keyOf(path)
      for (const writer of writersOf(files, key, path)) flow(writer, at, as)
      if (readers++ >= shellLimits.fileReadersMax) {
        isCut = true
        continue
      }
      const reader = { at, as, waits: waits(command), loops: loops(command) } as const
      const same = early.get(key)
      if (same === undefined) early.set(key, [reader])
      else same.push(reader)
    }
    for (const path of effect.paths) {
      if (path.access !== 'delete') continue
      if (certain && path.pattern === undefined && path.unresolved !== true) forget(files, keyOf(path))
    }
    for (const path of effect.paths) {
      if (path.access !== 'write' || path.metadata === true) continue
      const key = keyOf(path)
      const anew =
        certain && path.recursive !== true && path.pattern === undefined && effect.appended?.includes(path) !== true
      const before = files.get(key)
      const pipe = makesPipe || before?.pipe === true
      const all = anew && !pipe ? [at] : [...(before?.writers ?? []), at]
      const writers = all.slice(-shellLimits.fileWritersMax)
      if (writers.length < all.length) isCut = true
      if (files.size < shellLimits.filesMax || before !== undefined) {
        files.set(key, { writers, since: anew && !pipe ? at : (before?.since ?? -1), pipe })
      } else isCut = true
      for (const reader of early.get(key) ?? []) {
        if (pipe || reader.waits || (reader.loops && loops(command))) flow(at, reader.at, reader.as)
      }
    }
  }
  return { flows, isCut }
}

/** The result of following data. `isCut`: a limit was reached, so flows may be missing. */
export interface Followed {
  readonly flows: readonly ShellFlow[]
  readonly isCut: boolean
}

interface Written {
  /** Indices of the commands that may have written the content, in order. */
  readonly writers: readonly number[]
  /** Index of the last command that overwrote the file; earlier writes to a folder above it no longer count. */
  readonly since: number
  readonly pipe: boolean
}

interface Reader {
  readonly at: number
  readonly as: ShellFlow['as']
  /** The reader runs in the background, so it also sees what later commands write. */
  readonly waits: boolean
  readonly loops: boolean
}

const writes = (path: TouchedPath): boolean => path.access === 'write' && path.metadata !== true

/** Returns the identity of a file. Paths that are not fully known are taken as equal where their text is equal. */
function keyOf({ absolute, real, unresolved, written }: TouchedPath): string {
  return absolute === undefined || unresolved === true ? `?${written}` : (real ?? absolute)
}

function* writersOf(files: ReadonlyMap<string, Written>, key: string, path: TouchedPath): Generator<number> {
  const own = files.get(key)
  if (own !== undefined) yield* own.writers
  const since = own?.since ?? -1
  for (let end = key.lastIndexOf('/'); end > 0; end = key.lastIndexOf('/', end - 1)) {
    for (const writer of files.get(key.slice(0, end))?.writers ?? []) if (writer > since) yield writer
  }
  if (path.recursive !== true && path.pattern === undefined) return
  const folder = key.endsWith('/') ? key : `${key}/`
  for (const [file, { writers }] of files) if (file.startsWith(folder)) yield* writers
}

function forget(files: Map<string, Written>, key: string): void {
  files.delete(key)
  for (const file of files.keys()) if (file.startsWith(`${key}/`)) files.delete(file)
}

/** Detects a moved named pipe: after `mkfifo a; mv a b`, `b` is the pipe. */
function movesPipe({ paths }: CommandEffects, files: ReadonlyMap<string, Written>): boolean {
  return paths.some((path) => path.access === 'delete' && files.get(keyOf(path))?.pipe === true)
}

/** Tells whether a command runs for certain, and ends before the next one starts. */
function isCertain({ reach }: ShellCommand): boolean {
  return reach.every((one) =>
    one.through === 'wrapper' ? !repeatingWrappers.has(one.program) : !uncertainReach.has(one.through),
  )
}
const uncertainReach: ReadonlySet<string> = new Set(['background', 'condition', 'loop', 'case', 'trap', 'coproc'])
/** Wrappers that may start their command any number of times, also never: once per item of input, or later. */
const repeatingWrappers: ReadonlySet<string> = new Set([
  'xargs',
  'parallel',
  'find',
  'watch',
  'entr',
  'at',
  'batch',
  'fd',
  'git',
])

const waits = ({ reach }: ShellCommand): boolean =>
  reach.some(({ through }) => through === 'background' || through === 'coproc')
const loops = ({ reach }: ShellCommand): boolean =>
  reach.some(({ through }) => through === 'loop' || through === 'function')

const isStdin = (path: TouchedPath, { redirections }: ShellCommand): boolean =>
  redirections.some(
    ({ operator, descriptor, target }) => operator === '<' && descriptor === 0 && target?.value === path.written,
  )

/** Tells whether a pipe can carry data: a download into a file prints nothing, and `echo` reads no stdin. */
function carries({ from, to, via }: ShellFlow, effects: readonly CommandEffects[]): boolean {
  if (via !== 'pipe') return true
  return effects[from]?.silent !== true && effects[to]?.ignoresStdin !== true
}
