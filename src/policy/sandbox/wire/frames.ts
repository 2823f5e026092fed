import type { CompiledModule, CompiledPolicy } from '../../../model/policy.ts'
import { readFileSync, readlinkSync } from 'node:fs'

/**
 * The frames between the gate and a thread that evaluates. Their first part is a line of text, with tabs between its
 * parts. JSON has neither raw tabs nor raw line ends, so it is carried as it is, and not parsed on the way. What may be
 * long stands in texts beside the line.
 *
 * To a thread, each with the number of the question:
 * - `load`, domain; the text is what a domain is made of: build its isolate
 * - `drop`, domain: nothing is answered
 * - `describe`, domain, which of its policies
 * - `ask`, when the answer is of no use any more, the time, the values of the facts, then of each domain its number and
 *   who is asked in it; the texts are the event
 *
 * From a thread, lines alone, in the order of the questions:
 * - `ready`, once, and what the system calls the thread
 * - `alive`: a sign of life from within a long answer
 * - `answer`, number of the question, then of each domain the milliseconds and the text, which begins with `!` where
 *   there is an error instead; to `ask` also which policies took long, as `index:ms` with commas between
 */
export const tags = {
  load: 'L',
  drop: 'U',
  describe: 'D',
  ask: 'E',
  ready: 'r',
  alive: 'm',
  answer: 'a',
} as const

export const errorMark = '!'

/** What is sent to a thread. */
export type SandboxFrame = readonly [line: string, ...texts: readonly string[]]

export function lineOf(...parts: readonly (string | number)[]): string {
  return parts.join('\t')
}

/** Cuts a stream of text into lines. A line that comes in many pieces is joined once, not with every piece. */
export function lineReader(take: (line: string) => void, onGrowth?: (characters: number) => void) {
  let pieces: string[] = []
  let held = 0
  return (text: string): void => {
    let start = 0
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
      let line = text.slice(start, end)
      start = end + 1
      if (pieces.length > 0) {
        line = pieces.join('') + line
        pieces = []
        held = 0
      }
      take(line)
    }
    if (start === text.length) return
    pieces.push(start === 0 ? text : text.slice(start))
    held += text.length - start
    onGrowth?.(held)
  }
}

/**
 * Events that a sandbox thread decides in one call if it has fallen behind: most of a call's fixed cost is then
 * shared.
 */
export const policyEventsAtOnceMax = 16

/** What an isolate is made with. The policies of a pack are made of the same few modules, which stand here once. */
export interface PolicyLoad {
  /** `hookgate/policy` is the last of them. */
  readonly library: readonly CompiledModule[]
  /** A module imports only from those before it. */
  readonly modules: readonly CompiledModule[]
  readonly policies: readonly PolicyEntry[]
}

interface PolicyEntry {
  readonly file: string
  /** The place of its own module. */
  readonly module: number
}

export function policyLoad(library: readonly CompiledModule[], compiled: readonly CompiledPolicy[]): PolicyLoad {
  const modules: CompiledModule[] = []
  /** By file: there is hardly more than one text of each. */
  const places = new Map<string, number[]>()
  const placeOf = (one: CompiledModule): number => {
    const ofFile = places.get(one.file) ?? []
    const known = ofFile.find((place) => isSame(modules[place], one))
    if (known !== undefined) return known
    const place = modules.push(one) - 1
    places.set(one.file, [...ofFile, place])
    return place
  }
  const policies = compiled.map(({ file, modules: own }) => {
    const placed: number[] = []
    for (const { imports, ...rest } of own) {
      const named = Object.entries(imports).map(([specifier, at]) => [specifier, placed[at] ?? -1] as const)
      placed.push(placeOf({ ...rest, imports: Object.fromEntries(named) }))
    }
    return { file, module: placed.at(-1) ?? -1 }
  })
  return { library, modules, policies }
}

function isSame(a: CompiledModule | undefined, b: CompiledModule): boolean {
  if (a?.code !== b.code) return false
  const [ours, theirs] = [Object.entries(a.imports), Object.entries(b.imports)]
  return ours.length === theirs.length && ours.every(([specifier, place]) => b.imports[specifier] === place)
}

/**
 * Names the calling thread for other processes: `<process>/task/<thread>`, as Linux's `/proc` has it. `''` on systems
 * without such names.
 */
export function nameOfThread(): string {
  try {
    return readlinkSync('/proc/thread-self')
  } catch {
    return ''
  }
}

/** Reads the CPU time of the calling thread, ms. The CPU time of isolated-vm's own counter is wall time, as it comes built. */
export function cpuMsHere(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** Reads the CPU time of a thread by its name, ms; `undefined` where the system does not tell. */
export function cpuMsOfThread(name: string): number | undefined {
  // INVARIANT: the name comes from a sandbox, and may be a path to anything.
  if (!/^\d+\/task\/\d+$/.test(name)) return undefined
  try {
    const [nanoseconds = ''] = readFileSync(`/proc/${name}/schedstat`, 'utf8').split(' ')
    return Number(nanoseconds) / 1e6
  } catch {
    return undefined
  }
}

// The one clock that the gate and the threads of its sandbox share: monotonic, and of the machine, not of a process.

/** The time of that clock at which `performance.now()` of this process began. */
const zeroMs = Number(process.hrtime.bigint()) / 1e6 - performance.now()

/** Converts a moment of this process's `performance.now()` for other processes, in whole milliseconds. */
export const onMachineClock = (ownMs: number): number => Math.floor(ownMs + zeroMs)

/** Converts a moment from another process to this process's `performance.now()`. */
export const onOwnClock = (machineMs: number): number => machineMs - zeroMs
