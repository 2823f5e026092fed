import { limits } from '../../model/limits.ts'
import type { ProtectedPath } from '../../model/rule.ts'
import type { ShellCommand, TouchedPath } from '../../model/shell.ts'
import { quoted, withoutEnd } from '../../model/text.ts'
import { anyText, folded, literal, meeting, pathGlob } from '../../rules/match/glob.ts'
import { isUnderstood, unknownTail } from './mentions.ts'
import { byTool, changedPart, type Guarded, guardedTail, namedPart } from './protected-paths.ts'

/**
 * Says that a command changes a path of which only a part is known, and that this part fits something protected: its end
 * is written, or the line searches for its name. `undefined` if nothing fits.
 *
 * @param all every command of the line: the search may be any of them
 */
export function mayChangeGuarded(
  command: ShellCommand,
  all: readonly ShellCommand[],
  guarded: Guarded,
): string | undefined {
  for (const path of command.paths) {
    const isSure = path.access === 'write' || path.access === 'delete'
    if (!isSure && !mayChange(path, command)) continue
    const named = isSure ? undefined : changedPart({ ...path, access: 'write' }, byTool, guarded)?.path
    const found = named ?? fittingPart(path, command, all, guarded)
    if (found !== undefined)
      return `${quoted(command.program)} ${isSure ? 'would' : 'might'} change what may be ${quoted(found)}, which guards this session`
  }
  return undefined
}

/** Tells whether a command may do anything to a file that another one names, or with its name: a shell runs it. */
const mayChange = ({ access, from, unresolved, metadata }: TouchedPath, command: ShellCommand): boolean =>
  unresolved === true && from !== undefined && metadata !== true && (access === 'execute' || !isUnderstood(command))

function fittingPart(
  { written, absolute, unresolved }: TouchedPath,
  { cwd }: ShellCommand,
  all: readonly ShellCommand[],
  guarded: Guarded,
): string | undefined {
  const tail = unknownTail(written)
  if (absolute === undefined && tail !== undefined && guardedTail(tail, guarded)) return `…${tail}`
  if (absolute === undefined && unresolved !== true && cwd === undefined) return movedPart(written, all, guarded)
  if (unresolved !== true) return undefined
  return all.flatMap(searchesOf).flatMap((search) => foundPart(search, absolute, guarded)?.path ?? [])[0]
}

/** Finds what is protected below an unknown folder that the line has gone to. */
function movedPart(written: string, all: readonly ShellCommand[], guarded: Guarded): string | undefined {
  const way = folded(written).replace(/^(?:\.\/)+/, '')
  if (/^[~/]/.test(way)) return undefined
  for (const { program, args, paths } of all) {
    if (!/^(?:cd|pushd|chdir)$/.test(program)) continue
    const ends = args.flatMap(({ value }) => unknownTail(value) ?? [])
    const end = ends.find((one) => guardedTail(`${one}/${way}`, guarded))
    if (end !== undefined) return `…${end}/${way}`
    if (args.every(({ unresolved }) => unresolved !== true)) continue
    const tops = paths.flatMap(({ absolute }) => absolute ?? [])
    const name = way.slice(way.lastIndexOf('/') + 1)
    const found = tops.map((top) => namedPart((one) => one === name, top, guarded)).find((one) => one !== undefined)
    if (found?.path.endsWith(`/${way}`) === true) return found.path
  }
  return undefined
}

/** The name that a program searches for. */
interface SearchedName {
  readonly pattern: string
  /** The pattern may stand anywhere in the name. */
  readonly isPart: boolean
}

/** Returns the names of files that a command searches for. */
function searchesOf({ program, args }: ShellCommand): readonly SearchedName[] {
  const words = args.map(({ value }) => value)
  if (/^(?:g?find|bfs)$/.test(program))
    return words.flatMap((word, at) => {
      const kind = /^-i?(name|path|wholename|regex)$/.exec(word)?.[1]
      const pattern = words[at + 1]
      return kind === undefined || pattern === undefined
        ? []
        : [{ pattern: lastPart(pattern), isPart: kind === 'regex' }]
    })
  // A file that is found by its content may have any name.
  const isContent =
    (/^(?:[ef]?grep)$/.test(program) && words.some((word) => /^-\w*[rR]|^--rec/.test(word))) ||
    (/^(?:rg|ag)$/.test(program) && words.some((word) => /^(?:--hidden|-\w*(?:uu|\.))/.test(word)))
  if (isContent) return [{ pattern: '*', isPart: false }]
  const filters =
    /^(?:[ef]?grep|rg)$/.test(program) && !words.some((word) => /^-\w*[rRlLe]|^--(?:rec|files-w)/.test(word))
  if (!filters && !/^(?:fd|fdfind|[mp]?locate)$/.test(program)) return []
  const first = words.find((word) => !word.startsWith('-'))
  return first === undefined ? [] : [{ pattern: lastPart(first), isPart: true }]
}

/** Returns the last name of a pattern of paths, without the marks of a regular expression. */
const lastPart = (pattern: string) => {
  const plain = withoutEnd(folded(pattern).replaceAll(/\\(?=\.)|^\^|\$$/g, ''), '/')
  return plain.slice(plain.lastIndexOf('/') + 1)
}

/** Finds what is protected and found by a search below a folder. */
function foundPart(
  { pattern, isPart }: SearchedName,
  folder: string | undefined,
  guarded: Guarded,
): ProtectedPath | undefined {
  if (pattern === '' || pattern.length > limits.conditionSubjectCharactersMax) return undefined
  // A kind of file in a project is not a search for one of hookgate's.
  if (/^[*?.]*(?:\.\w+)?$/.test(pattern) && pattern.startsWith('*') && !guarded.isHome(folder ?? '/')) return undefined
  const glob = pathGlob('/', pattern)
  const meets = meeting(isPart ? [anyText, ...glob.slice(1), anyText] : glob)
  return namedPart((name) => meets(literal(isPart ? name : `/${name}`)), folder, guarded)
}
