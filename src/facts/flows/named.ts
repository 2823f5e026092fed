import { shellLimits } from '../../model/limits.ts'
import type { CommandEffects } from '../programs/effects.ts'
import { type PathContext, touchedPath } from '../paths/index.ts'
import {
  type CodeLanguage,
  type ShellCommand,
  type ShellFlow,
  type ShellWord,
  unknownPart,
  type TouchedPath,
} from '../../model/shell.ts'
import { programNamed, unwrapFor } from '../programs/table.ts'
import { readLine } from '../programs/unwrap.ts'

/**
 * Finds where the files are that one command names and another one touches: `rm $(find ~/.ssh)` deletes files below
 * `~/.ssh`, and so do `find ~/.ssh | xargs rm` and `for f in $(ls ~/.ssh)`. Only the folder that holds such a file is
 * known. What one command names is found once, however many others touch it.
 */
export function withNamed(
  commands: readonly ShellCommand[],
  effects: readonly CommandEffects[],
  structural: readonly ShellFlow[],
  place: PathContext,
): readonly CommandEffects[] {
  if (!effects.some((effect, at) => effect.listed || touchesNamed(effect) || commands[at]?.paths.some(isNamed)))
    return effects
  const into = Map.groupBy(structural, ({ to }) => to)
  const named: Named[] = []
  const files = new Map<string, readonly number[]>()
  return commands.map((command, at) => {
    const located = withLocated(command, effects[at] ?? noEffects, { named, commands, place })
    const received = receivedBy(located, into.get(at) ?? [], files)
    named.push(namedBy(command, located, received, named, place))
    for (const { access, metadata, unresolved, absolute } of located.paths)
      if (access === 'write' && metadata !== true && unresolved !== true && absolute !== undefined)
        files.set(absolute, [...(files.get(absolute) ?? []), at].slice(-shellLimits.fileWritersMax))
    return located.listed === true
      ? withListed(located, joined(received.map((from) => named[from] ?? anything)))
      : located
  })
}

/** Puts the files that a list names among those that its reader reads, as far as it is known what wrote the list. */
const withListed = (effect: CommandEffects, { places }: Named): CommandEffects => ({
  ...effect,
  paths: [...effect.paths, ...places.flatMap((one) => openedOf(one, { written: one.written, access: 'read' }))],
})

/** Returns the commands whose output a command reads, also in files that they have written; or else has for arguments. */
function receivedBy(
  { paths, ignoresStdin }: CommandEffects,
  into: readonly ShellFlow[],
  files: ReadonlyMap<string, readonly number[]>,
): readonly number[] {
  const read = ignoresStdin === true ? [] : into.filter(({ via }) => via === 'pipe' || via === 'descriptor')
  const opened = paths.flatMap(({ access, metadata, unresolved, absolute = '' }) =>
    access === 'read' && metadata !== true && unresolved !== true ? (files.get(absolute) ?? []) : [],
  )
  const received = new Set([...read.map(({ from }) => from), ...opened])
  if (received.size > 0) return [...received]
  return into.filter(({ via }) => via === 'argument' || via === 'variable').map(({ from }) => from)
}

const noEffects: CommandEffects = { paths: [] }

/** The files that a command's output names. */
interface Named {
  /** Paths that are named, or that hold all that is. */
  readonly places: readonly TouchedPath[]
  /** Names without their folder are among them, which mean files of the folder where they are used. */
  readonly isBare: boolean
  /** Other files may be named as well, anywhere. */
  readonly isOpen: boolean
  /** There were too many places. */
  readonly isCut: boolean
}

interface Before {
  /** What each of the commands before names. */
  readonly named: readonly Named[]
  readonly commands: readonly ShellCommand[]
  readonly place: PathContext
}

/** Tells whether all of a path, or its beginning, is output of other commands. */
const isNamed = ({ absolute, from, written }: TouchedPath): boolean =>
  from !== undefined && absolute === undefined && /^[\uFDD0$]/.test(written) && !leadsOut.test(written)
const touchesNamed = ({ paths, perhaps = [] }: CommandEffects): boolean => paths.some(isNamed) || perhaps.some(isNamed)
const leadsOut = /(?:^|[\\/])\.\.(?:[\\/]|$)/

/** Puts the places of what a path may be for each path that other commands name. */
function withLocated(command: ShellCommand, effect: CommandEffects, before: Before): CommandEffects {
  const { paths, perhaps = [], prints = [], appended } = effect
  const touched = [...paths, ...perhaps, ...prints, ...command.paths].filter(isNamed)
  if (touched.length === 0) return effect
  const located = new Map(touched.map((path) => [path, placesOf(command, path, before)] as const))
  const openedAt = (path: TouchedPath) => located.get(path)?.places.flatMap((one) => openedOf(one, path)) ?? []
  const all = (some: readonly TouchedPath[]) =>
    some.flatMap((path) => {
      const found = located.get(path)
      if (found === undefined) return [path]
      const opened = openedAt(path)
      return found.isOpen || found.isCut ? [...opened.filter(({ absolute }) => absolute !== undefined), path] : opened
    })
  const isCut = [...located.values()].some((found) => found.isCut)
  return {
    ...effect,
    paths: [...all(paths), ...perhaps.flatMap(openedAt).filter(({ absolute }) => absolute !== undefined)],
    ...(command.paths.length > 0 && { inCode: all(command.paths) }),
    ...(effect.prints !== undefined && { prints: all(prints) }),
    ...(appended !== undefined && { appended: all(appended) }),
    ...(isCut && { leftOut: 'it touches more paths than are analyzed' }),
  }
}

/** Returns the places of a path that other commands name, as its command finds them. */
function placesOf({ cwd, elsewhere }: ShellCommand, { from = [] }: TouchedPath, before: Before): Named {
  const named = joined(from.map((at) => before.named[at] ?? anything))
  // A relative name means another file where the folder has changed in between.
  const isMoved = from.some((at) => before.commands[at]?.cwd !== cwd)
  const isRelative = named.isBare || (isMoved && named.places.length > 0)
  if (!isRelative || cwd === undefined || elsewhere === true) return named
  const here = touchedPath({ value: cwd }, 'read', before.place, { metadata: true })
  return { ...named, places: distinct([here, ...named.places]) }
}

/**
 * Finds what a command's output names: what its program lists, or else what the commands name whose output it has
 * received, since most programs in a pipe pass on some of what they read.
 */
function namedBy(
  command: ShellCommand,
  { paths, prints, namesRead, bareNames }: CommandEffects,
  received: readonly number[],
  named: readonly Named[],
  place: PathContext,
): Named {
  const isBare = bareNames === true
  const own =
    prints ?? paths.filter(({ access, metadata }) => access === 'read' && (metadata === true || namesRead === true))
  if (own.length > 0)
    return joined([{ places: own, isBare, isOpen: own.some(({ absolute }) => absolute === undefined), isCut: false }])
  const inherited = joined(received.map((from) => named[from] ?? anything))
  const written = writtenIn(command, place)
  return joined([
    { ...inherited, isBare: isBare || inherited.isBare },
    { places: written, isBare: false, isOpen: (received.length === 0 && !isBare) || written.length > 0, isCut: false },
  ])
}

const anything: Named = { places: [], isBare: false, isOpen: true, isCut: false }

function joined(all: readonly Named[]): Named {
  const places = distinct(all.flatMap((one) => one.places))
  const { namedPlacesMax } = shellLimits
  return {
    places: places.slice(0, namedPlacesMax),
    isBare: all.some((one) => one.isBare),
    isOpen: all.some((one) => one.isOpen),
    isCut: places.length > namedPlacesMax || all.some((one) => one.isCut),
  }
}

function distinct(places: readonly TouchedPath[]): readonly TouchedPath[] {
  if (places.length < 2) return places
  return [...new Map(places.map((one) => [one.pattern ?? one.absolute, one])).values()]
}

/** Returns the paths at the beginning of the literals of inline code, any of which it may print. */
function writtenIn({ code }: ShellCommand, place: PathContext): readonly TouchedPath[] {
  const words = code?.text?.slice(0, shellLimits.pathCharactersMax).match(pathInCode) ?? []
  return words.slice(0, shellLimits.namedPlacesMax).map((word) => {
    const value = word.startsWith('~') && place.home !== undefined ? place.home + word.slice(1) : word
    return touchedPath({ value: value.replace(/\/[^/]*[*?[][^]*$/, '/') }, 'read', place, { metadata: true })
  })
}
const pathInCode = /(?<=['"`])~?\/[^'"`\s$]+/g

/**
 * Returns the paths that may be opened: what a folder holds, the matches of a listed pattern, and for reads the listed
 * path itself, as in `ls FILE`.
 */
function openedOf(place: TouchedPath, path: TouchedPath): readonly TouchedPath[] {
  const held = heldBy(place, path)
  if (place.unresolved === true) return [held]
  if (path.access === 'read' && path.metadata !== true) {
    const { metadata: _, ...itself } = place
    return [itself, held]
  }
  if (place.pattern === undefined) return [held]
  const { unresolved: _, ...match } = held
  return [{ ...match, written: place.written, pattern: place.pattern }, held]
}

function heldBy(
  { absolute, real, root, inRoot, inHome, bound }: TouchedPath,
  { written, access, recursive, metadata, change, rights, from }: TouchedPath,
): TouchedPath {
  return {
    written,
    access,
    unresolved: true,
    ...(recursive === true && { recursive }),
    ...(metadata === true && { metadata }),
    ...(change !== undefined && { change }),
    ...(rights !== undefined && { rights }),
    ...(absolute !== undefined && { absolute }),
    ...(real !== undefined && { real }),
    ...(root !== undefined && { root }),
    ...(inRoot !== undefined && { inRoot }),
    ...(inHome !== undefined && { inHome }),
    ...(from !== undefined && { from }),
    ...(bound === true && { bound }),
  }
}

const ignore = () => {}

/** Tells whether a command executes its stdin as code. */
export const runsStdin = (command: ShellCommand): boolean =>
  languageOfStdin(command) !== undefined || saysSo(command) || runsItInCode(command)

/** Ways in which code reads stdin, and runs a text. */
const readsStdin =
  /\bstdin\b|\breadFileSync\(\s*(?:0|['"]\/dev\/stdin)|\bARGF\b|\$<|<>|\bgets\b|\binput\s*\(|php:\/\/stdin|\bio\.read\b/i
const runs =
  /(?<![.\w])(?:exec|eval|load|loadstring|system|passthru|shell_exec|Function)\b\s*[(<\s]|\bos\.(?:system|popen)\b|\b(?:execSync|instance_eval|runInThisContext)\b/
/** Of awk, whose input are fields: `system($0)`, `$1 | getline`. */
const runsFields = /\bsystem\s*\([^"\n]{0,200}\$|\$\d\s*\|\s*getline/

/** Tells whether the code of a command runs a text that it reads. */
function runsItInCode({ code }: ShellCommand): boolean {
  if (code?.text === undefined) return false
  if (readsStdin.test(code.text) && (code.does.includes('evaluates') || runs.test(code.text))) return true
  return code.language === 'awk' && runsFields.test(code.text)
}

/** Tells whether the row of a command's program says that it runs its stdin. */
function saysSo(command: ShellCommand): boolean {
  const program = programNamed(command.program)
  const says = program?.row.runsStdin
  return says === true || (program !== undefined && says?.(readLine(program, command)) === true)
}

/** Returns the language of the code that a command reads from stdin: its program's row starts an unknown stdin. */
export function languageOfStdin(command: ShellCommand): CodeLanguage | undefined {
  const stdin: ShellWord = { value: unknownPart, unresolved: true }
  let found: CodeLanguage | undefined
  const noteStdin = (text: ShellWord, language: CodeLanguage = 'shell') => {
    if (text === stdin) found ??= language
  }
  unwrapFor(command.program)?.(
    { ...command, stdin },
    {
      words: ignore,
      script: (text) => noteStdin(text),
      code: (language, text) => noteStdin(text, language),
      variable: () => undefined,
      content: ({ value }) => (value === '-' || value === '/dev/stdin' ? stdin : undefined),
      named: (value) => ({ value, unresolved: true }),
      areProgram: () => false,
      touch: ignore,
      touchOutside: ignore,
      edits: ignore,
      unread: ignore,
      uncertain: ignore,
      leftOut: ignore,
      wrapper: ignore,
    },
  )
  return found
}

/** Returns the flows between a network connection and the commands that its program starts for it. */
export function handlerFlows(
  commands: readonly ShellCommand[],
  effects: readonly CommandEffects[],
): readonly ShellFlow[] {
  const flows: ShellFlow[] = []
  for (const [at, command] of commands.entries()) {
    const { startedBy } = command
    if (startedBy === undefined || programNamed(commands[startedBy]?.program ?? '')?.row.connects !== true) continue
    const direction = effects[startedBy]?.network?.direction
    if (direction === undefined) continue
    if (direction !== 'receive' && effects[at]?.silent !== true)
      flows.push({ from: at, to: startedBy, via: 'descriptor', as: 'data' })
    if (direction === 'send' || effects[at]?.ignoresStdin === true) continue
    flows.push({ from: startedBy, to: at, via: 'descriptor', as: runsStdin(command) ? 'code' : 'data' })
  }
  return flows
}
