import { shellLimits } from '../../model/limits.ts'
import type { ShellCommand, ShellFlow, TouchedPath } from '../../model/shell.ts'
import type { CommandEffects } from '../programs/effects.ts'
import { hasTrait, programNamed } from '../programs/table.ts'
import { runsStdin } from './named.ts'

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
  const all: FileHistory = { flows, keys: new Set(), files: new Map(), early: new Map(), readers: 0, isCut: false }
  for (const [at, command] of commands.entries()) {
    const effect = effects[at]
    if (effect === undefined) continue
    const makesPipe = hasTrait(command.program, 'makesPipe') || movesPipe(effect, all.files)
    const goal = copiedTo(command, effect)
    for (const path of effect.paths) if (opens(path)) noteReader(all, at, command, path, goal !== undefined)
    const copied = goal === undefined ? [] : copiesOf(effect, goal, all.files)
    if (isCertain(command)) for (const path of effect.paths) if (isWholeDeletion(path)) forget(all.files, keyOf(path))
    for (const path of effect.paths) if (writes(path)) noteWriter(all, at, command, effect, path, makesPipe)
    for (const [file, writers] of copied) noteCopy(all, file, writers)
  }
  return { flows, isCut: all.isCut }
}

/** The files that the commands so far have written and read. */
interface FileHistory {
  readonly flows: ShellFlow[]
  /** Identities of the flows through files, to add each once. */
  readonly keys: Set<string>
  readonly files: Map<string, Written>
  readonly early: Map<string, Reader[]>
  readers: number
  isCut: boolean
}

function addFlow(all: FileHistory, from: number, to: number, as: ShellFlow['as']): void {
  const key = `${from} ${to} ${as}`
  if (from === to || all.keys.has(key)) return
  if (all.keys.size >= shellLimits.fileFlowsMax) {
    all.isCut = true
    return
  }
  all.keys.add(key)
  all.flows.push({ from, to, via: 'file', as })
}

/** Returns the one folder that a program copies others to, as `cp -r` and `git clone` do. */
function copiedTo({ program }: ShellCommand, { paths }: CommandEffects): string | undefined {
  if (!paths.some(isFolder) || programNamed(program)?.row.copies !== true) return undefined
  const [goal, ...others] = paths.filter(writes)
  // What packs a folder into a file reads all of it.
  if (goal?.recursive !== true && !paths.some(({ change }) => change === 'moved')) return undefined
  return goal?.absolute === undefined || goal.unresolved === true || others.length > 0 ? undefined : keyOf(goal)
}

const isFolder = (path: TouchedPath): boolean => path.recursive === true && opens(path)

/** Returns what is written below copied folders, by its name in the copy: in a folder that is there, or a new one. */
function copiesOf({ paths }: CommandEffects, goal: string, files: ReadonlyMap<string, Written>): readonly Copied[] {
  return paths.filter(isFolder).flatMap((path) => {
    const folder = keyOf(path)
    const base = folder.slice(folder.lastIndexOf('/'))
    return [...files].flatMap(([file, { writers }]): readonly Copied[] => {
      if (!file.startsWith(`${folder}/`)) return []
      const rest = file.slice(folder.length)
      return [
        [`${goal}${rest}`, writers],
        [`${goal}${base}${rest}`, writers],
      ]
    })
  })
}

type Copied = readonly [file: string, writers: readonly number[]]

function noteCopy(all: FileHistory, file: string, writers: readonly number[]): void {
  const before = all.files.get(file)
  if (before === undefined && all.files.size >= shellLimits.filesMax) {
    all.isCut = true
    return
  }
  const kept = [...new Set([...(before?.writers ?? []), ...writers])].slice(-shellLimits.fileWritersMax)
  all.files.set(file, { writers: kept, since: before?.since ?? -1, pipe: before?.pipe === true })
}

/** @param isCopied what is below it goes on under other names, and not through the command */
function noteReader(all: FileHistory, at: number, command: ShellCommand, path: TouchedPath, isCopied: boolean): void {
  const as = path.access === 'execute' || (isStdin(path, command) && runsStdin(command)) ? 'code' : 'data'
  const key = keyOf(path)
  for (const writer of writersOf(all.files, key, path, isCopied)) addFlow(all, writer, at, as)
  if (all.readers++ >= shellLimits.fileReadersMax) {
    all.isCut = true
    return
  }
  const reader = { at, as, waits: waits(command), loops: loops(command) } as const
  const same = all.early.get(key)
  if (same === undefined) all.early.set(key, [reader])
  else same.push(reader)
}

function noteWriter(
  all: FileHistory,
  at: number,
  command: ShellCommand,
  { appended }: CommandEffects,
  path: TouchedPath,
  makesPipe: boolean,
): void {
  const key = keyOf(path)
  const before = all.files.get(key)
  const pipe = makesPipe || before?.pipe === true
  const isWhole = path.recursive !== true && path.pattern === undefined && appended?.includes(path) !== true
  const anew = isWhole && !pipe && isCertain(command)
  const writers = anew ? [at] : [...(before?.writers ?? []), at]
  if (writers.length > shellLimits.fileWritersMax) all.isCut = true
  if (all.files.size < shellLimits.filesMax || before !== undefined) {
    const kept = writers.slice(-shellLimits.fileWritersMax)
    all.files.set(key, { writers: kept, since: anew ? at : (before?.since ?? -1), pipe })
  } else all.isCut = true
  for (const reader of all.early.get(key) ?? []) {
    if (pipe || reader.waits || (reader.loops && loops(command))) addFlow(all, at, reader.at, reader.as)
  }
}

/** The result of following data. `isCut`: a limit was reached, so flows may be missing. */
interface Followed {
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

const opens = ({ access, metadata }: TouchedPath): boolean =>
  metadata !== true && (access === 'read' || access === 'execute')
const isWholeDeletion = ({ access, pattern, unresolved }: TouchedPath): boolean =>
  access === 'delete' && pattern === undefined && unresolved !== true
const writes = (path: TouchedPath): boolean => path.access === 'write' && path.metadata !== true

/** Returns the identity of a file. Paths that are not fully known are taken as equal where their text is equal. */
function keyOf({ absolute, real, unresolved, written }: TouchedPath): string {
  return absolute === undefined || unresolved === true ? `?${written}` : (real ?? absolute)
}

function* writersOf(
  files: ReadonlyMap<string, Written>,
  key: string,
  path: TouchedPath,
  isCopied: boolean,
): Generator<number> {
  const own = files.get(key)
  if (own !== undefined) yield* own.writers
  const since = own?.since ?? -1
  for (let end = key.lastIndexOf('/'); end > 0; end = key.lastIndexOf('/', end - 1)) {
    for (const writer of files.get(key.slice(0, end))?.writers ?? []) if (writer > since) yield writer
  }
  if ((path.recursive !== true || isCopied) && path.pattern === undefined) return
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
    one.through === 'wrapper' ? !hasTrait(one.program, 'repeats') : !uncertainReach.has(one.through),
  )
}
const uncertainReach: ReadonlySet<string> = new Set(['background', 'condition', 'loop', 'case', 'trap', 'coproc'])

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
