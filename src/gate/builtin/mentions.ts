import { resolve } from 'node:path'
import { limits } from '../../model/limits.ts'
import { type ShellCommand, type ShellWord, unknownPart } from '../../model/shell.ts'
import { quoted } from '../../model/text.ts'
import { folded } from '../../rules/match/glob.ts'
import { type Guarded, guardedTail, heldPart, holdsBelow } from './protected-paths.ts'

/**
 * Programs of which the facts know every path that they change, or that change none: a protected path among their words
 * says nothing more. Every other program may do anything to it.
 */
const understood: ReadonlySet<string> = new Set(
  `ls ll dir vdir exa eza lsd tree stat file wc du df cat ccat zcat bat batcat tac nl head tail less more most od hexdump
  hd xxd strings base64 base32 cut tr column paste join comm sum cksum md5sum sha1sum sha256sum sha512sum b2sum shasum md5
  diff sdiff diff3 colordiff delta difft cmp sort uniq shuf fold fmt pr grep egrep fgrep zgrep rg ripgrep ag ack find fd
  fdfind locate jq jaq gojq yq echo printf test [ [[ cd pushd popd pwd true false : read source . export local declare
  typeset readonly set unset alias which type command hash whereis realpath readlink dirname basename mapfile readarray
  compgen cp mv rm rmdir mkdir touch ln link unlink install chmod chown chgrp tee dd truncate shred rsync scp sed awk gawk
  git hookgate claude code cursor vim nvim vi nano emacs open xdg-open docker podman ssh for case if while exit return
  sleep date env printenv xargs lsof fuser pgrep ps tar zip gzip curl wget socat nc ncat column sponge gh glab
  get-content gc import-csv import-clixml import-powershelldatafile get-filehash format-hex select-string test-path get-item gi
  get-childitem gci get-itemproperty gp get-acl resolve-path rvpa convert-path join-path split-path write-output write-host
  write-verbose write-warning measure-object set-content add-content clear-content clc out-file tee-object export-csv
  export-clixml set-item new-item ni copy-item cpi compress-archive expand-archive move-item mi rename-item rni set-acl
  set-itemproperty clear-itemproperty`
    .split(/\s+/)
    .flatMap((name) => [name, `g${name}`]),
)

/** Tells whether the facts say all that a command does with the paths among its words. */
export const isUnderstood = ({ program, wrapper, code, args }: ShellCommand): boolean =>
  (understood.has(program) &&
    !(program === 'emacs' && args.some(({ value }) => /^--?(?:batch|eval|script)/.test(value)))) ||
  wrapper === true ||
  // Clients of databases have commands of their own in their SQL: `.output FILE`, `\\o FILE`.
  (code?.text !== undefined && code.language !== 'sql') ||
  (args[0]?.value === '-m' && args[1]?.value === 'json.tool')

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
function outputsOf({ program, args, assignments, wrapper, code }: ShellCommand): readonly ShellWord[] {
  const set = assignments.filter(({ name }) => outputVariable.test(name)).map(({ value }) => value)
  if (/^(?:export|declare|typeset)$/.test(program))
    return args.filter(({ value }) => outputVariable.test(value.split('=')[0] ?? ''))
  if (program !== 'git' && wrapper !== true && code === undefined) return set
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
export function unknownTail(word: string): string | undefined {
  const tail = /^(?:[^]*\uFDD0|\$[A-Za-z_]\w*)(\/[^]*)$/.exec(word)?.[1]
  return tail === undefined ? undefined : folded(tail)
}
