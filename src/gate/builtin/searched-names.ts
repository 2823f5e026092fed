import { hasShellTrait } from '../../model/shell-traits.ts'
import { resolve } from 'node:path'
import { limits } from '../../model/limits.ts'
import type { ProtectedPath } from '../../model/rule.ts'
import { type ShellCommand, type ShellWord, type TouchedPath, unknownPart } from '../../model/shell.ts'
import { quoted, withoutEnd } from '../../model/text.ts'
import { anyText, folded, literal, meeting, pathGlob } from '../../rules/match/glob.ts'
import { byTool, changedPart, type Guarded, guardedTail, heldPart, holdsBelow, namedPart } from './protected-paths.ts'

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
  for (const command of all) {
    if (!hasShellTrait(command, 'changesFolder')) continue
    const { args, paths } = command
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

/** Returns the names of files that a command searches for: a search of files by its tests, one of lines by its pattern. */
function searchesOf(command: ShellCommand): readonly SearchedName[] {
  const { search, args } = command
  if (search !== undefined && search.finds !== 'entries' && search.finds !== 'lines') {
    const isAnywhere = search.finds === 'indexed' || search.andOthers === true
    return search.names.map((name) => ({ pattern: lastPart(name), isPart: isAnywhere || /\\|\.\*/.test(name) }))
  }
  if (!hasShellTrait(command, 'greps')) return []
  const words = args.map(({ value }) => value)
  // A file that is found by its content may have any name. Most that search whole folders leave hidden files out, unasked.
  if (words.some((word) => /^-\w*[rR]|^--(?:rec|hidden)|^-\w*(?:uu|\.)/.test(word)))
    return [{ pattern: '*', isPart: false }]
  if (words.some((word) => /^-\w*[lLe]|^--files-w/.test(word))) return []
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

/** Tells whether the facts say all that a command does with the paths among its words. */
const isUnderstood = (command: ShellCommand): boolean => {
  const { wrapper, code, args } = command
  return (
    hasShellTrait(command, 'saysWhatChanges') ||
    wrapper === true ||
    // Clients of databases have commands of their own in their SQL: `.output FILE`, `\\o FILE`.
    (code?.text !== undefined && code.language !== 'sql') ||
    (args[0]?.value === '-m' && args[1]?.value === 'json.tool')
  )
}

/** Says what is protected among the words of a program that may do anything to it; `undefined` if nothing is. */
export function mentionsGuarded(command: ShellCommand, guarded: Guarded, home: string): string | undefined {
  if (command.program === '') return undefined
  const args = isUnderstood(command) ? outputsOf(command) : command.args
  const found = namedIn({ ...command, args }, home).find(({ name, tail }) =>
    tail === undefined
      ? heldPart(name, guarded) !== undefined
      : name === ''
        ? guardedTail(tail, guarded)
        : holdsBelow(name, tail, guarded),
  )
  return found === undefined
    ? undefined
    : `it is not known what ${quoted(command.program)} does to ${quoted(found.written.replaceAll(unknownPart, '…'))}`
}

/** Returns the words that say where a program writes beside its work: an option's, or a variable's. */
function outputsOf(command: ShellCommand): readonly ShellWord[] {
  const { args, assignments, wrapper, code } = command
  const set = assignments.filter(({ name }) => outputVariable.test(name)).map(({ value }) => value)
  if (hasShellTrait(command, 'declares'))
    return args.filter(({ value }) => outputVariable.test(value.split('=')[0] ?? ''))
  if (!hasShellTrait(command, 'git') && wrapper !== true && code === undefined) return set
  return [...set, ...args.filter(({ value }, at) => outputOption.test(value) || isBare(args[at - 1]?.value))]
}
const isBare = (option = '') => outputOption.test(option) && !option.includes('=')
const outputOption =
  /^(?:-o(?=[~/])|--(?:[\w-]+-)?(?:out(?:put|file)?|log|save|export|dump|redirect|report|trace|pid|record|prof|git-dir)(?:-[\w-]+)?(?:=|$)|(?:trace2\.\w+target|core\.worktree)(?:=|$))/i
const outputVariable =
  /LOG|TRACE|HISTFILE|HISTORY|OUTPUT|WARNINGS|DUMP|REPORT|PROFILE|COVERAGE|^GIT_(?:INDEX_FILE|OBJECT_DIRECTORY|DIR|COMMON_DIR|CONFIG(?:_GLOBAL|_SYSTEM)?)$/

/** A path that a word may mean. */
interface NamedPath {
  readonly written: string
  /** The path, or as much of its beginning as is known. */
  readonly name: string
  /** Set if a part of it is unknown: what follows that. */
  readonly tail: string | undefined
}

/** Returns the paths that a command's words may mean: a word, an option's value, a part of a text. */
function namedIn({ args, cwd = '/' }: ShellCommand, home: string): readonly NamedPath[] {
  const pieces = [...new Set(args.flatMap(piecesOf))].slice(0, mentionsMax)
  const placed = pieces.map((piece) => piece.replace(/^~(?=\/|$)/, home))
  // An option may name the folder of all other words: `tar -C`, `unzip -d`, `7z -o`.
  const folders = [cwd, ...placed.filter((piece) => piece.startsWith('/')).slice(0, mentionedFoldersMax)]
  return placed.flatMap((piece): readonly NamedPath[] => {
    const unknown = piece.indexOf(unknownPart)
    const known = unknown === -1 ? piece : piece.slice(0, unknown).replace(/[^/]*$/, '')
    const tail = unknown === -1 ? undefined : piece.slice(piece.lastIndexOf(unknownPart) + 1)
    // Of a word that may be anything nothing is known.
    if (known === '') return tail?.includes('/') === true ? [{ written: piece, name: '', tail }] : []
    if (known.startsWith('/')) return [{ written: piece, name: resolve(known), tail }]
    return folders.map((folder) => ({ written: piece, name: resolve(folder, known), tail }))
  })
}
/** Pieces of a command's words that may be protected paths: each is compared with some hundred of them. */
const mentionsMax = 400
const mentionedFoldersMax = 8

/** Returns what may be a path in a word. */
function piecesOf({ value }: ShellWord): readonly string[] {
  if (value.length > limits.conditionSubjectCharactersMax) return value.split(/[\s"'=:,;]+/).filter(looksPlaced)
  const joined = /^-\w(?=.)(.*)$/s.exec(value)?.[1]
  const behind = /^[^=/]*=(.*)$/s.exec(value)?.[1]
  const parts = /[\s"']/.test(value) ? value.split(/[\s"'=]+/) : []
  return [value, joined, behind, ...parts].flatMap((piece) =>
    piece !== undefined && looksPlaced(piece) ? [piece.replace(/^\/files(?=[~/])/, '')] : [],
  )
}
const looksPlaced = (piece: string) => /[./~]/.test(piece) && !piece.startsWith('--')

/** Returns the end of a path whose beginning is unknown; `undefined` where the beginning is known. */
function unknownTail(word: string): string | undefined {
  const tail = /^(?:[^]*\uFDD0|\$[A-Za-z_]\w*)(\/[^]*)$/.exec(word)?.[1]
  return tail === undefined ? undefined : folded(tail)
}
