import { applyPatchFiles, diffFiles, type PatchedFile } from '../../agents/codec/patch.ts'
import type { ShellCommand, ShellWord } from '../../model/shell.ts'
import type { Role } from './effects.ts'
import { inFolder, wordOf } from './words.ts'
import type { Line } from './row.ts'
import type { EditedFile, Starts } from './starts.ts'

/** How a program applies the patches that it is given. */
interface Applied {
  /** The files that hold patches. Without one, and for `-`, stdin does. */
  readonly patches: readonly (ShellWord | undefined)[]
  readonly read: (text: string) => readonly PatchedFile[]
  /** The file that is changed whatever the patch names. */
  readonly only?: ShellWord | undefined
  /** The folder of the files that the patch names. */
  readonly folder?: ShellWord | undefined
  /** The patch names its files from the top of a repository. */
  readonly fromTop?: true
  readonly isReversed?: boolean
}

/** Records what the patches of a command change in files, as far as their texts are known. */
function applyPatches(how: Applied, starts: Starts, stdin: ShellWord | undefined): void {
  for (const patch of how.patches.length === 0 ? [undefined] : how.patches) {
    const text = patch === undefined || patch.value === '-' ? stdin : starts.content(patch)
    if (text === undefined || text.unresolved === true) starts.unread()
    if (text !== undefined) starts.edits(text.value, (one) => how.read(one).flatMap((file) => editsOf(file, how)))
  }
}

function editsOf({ names, removed, added, isGone }: PatchedFile, how: Applied): readonly EditedFile[] {
  const { only, folder, fromTop, isReversed } = how
  const texts = isReversed === true ? { removed: added, added: removed } : { removed, added }
  const role: Role = isGone === true ? 'delete' : 'write'
  const words = only === undefined ? names.map((name) => inFolder(folder, wordOf(name))) : [only]
  return words.map((word) => Object.assign({ file: word, role, ...(fromTop === true && { fromTop: word }) }, texts))
}

/** Returns how many folders a patch's names lose; `otherwise` without a number. */
function foldersLost<Otherwise>(line: Line, otherwise: Otherwise, ...names: readonly string[]): number | Otherwise {
  const number = Number.parseInt(line.value(...names)?.value ?? '', 10)
  return Number.isNaN(number) ? otherwise : number
}

/** Records what `git apply` and `git am` change: they read their operands, or stdin. */
export function startGitPatches(line: Line, starts: Starts, { stdin }: ShellCommand): void {
  if (line.has('check', 'stat', 'numstat', 'summary', 'cached') && !line.has('apply')) return
  const strip = foldersLost(line, 1, 'p')
  const read = (text: string) => mailTexts(text).flatMap((one) => diffFiles(one, { strip, hunks: 'plain' }))
  const [folder, isReversed] = [line.value('directory'), line.has('R', 'reverse')]
  applyPatches({ patches: line.operands, read, folder, fromTop: true, isReversed }, starts, stdin)
}

/** Records what `patch [FILE [PATCH]]` changes. */
export function startPatch(line: Line, starts: Starts, { stdin }: ShellCommand): void {
  if (line.has('dry-run')) return
  const [only, behind] = line.operands
  const strip = foldersLost(line, undefined, 'p', 'strip')
  const hunks = line.has('c', 'context', 'e', 'ed', 'n', 'normal') ? 'none' : 'indented'
  const how: Applied = {
    patches: [line.value('i', 'input') ?? behind],
    read: (text) => diffFiles(text, { strip, hunks }),
    only: line.value('o', 'output') ?? only,
    folder: line.value('d', 'directory'),
    isReversed: line.has('R', 'reverse'),
  }
  applyPatches(how, starts, stdin)
}

/** Records what `hg import` changes, which reads mails as `git am` does, and what `svn patch FILE [FOLDER]` does. */
export function startOtherPatches(line: Line, starts: Starts, { stdin }: ShellCommand): void {
  const [verb, ...operands] = line.operands
  const isSvn = line.program === 'svn' && verb?.value === 'patch'
  if (!isSvn && !(/^(?:hg|sl|stg)$/.test(line.program) && /^(?:import|patch|fold)$/.test(verb?.value ?? ''))) return
  if (line.has('dry-run')) return
  const strip = foldersLost(line, isSvn ? 0 : 1, 'p', 'strip')
  const read = (text: string) => mailTexts(text).flatMap((one) => diffFiles(one, { strip, hunks: 'plain' }))
  const isReversed = line.has('reverse-diff', 'R', 'reverse')
  if (isSvn) applyPatches({ patches: operands.slice(0, 1), read, folder: operands[1], isReversed }, starts, stdin)
  else applyPatches({ patches: operands, read, folder: line.value('prefix'), fromTop: true, isReversed }, starts, stdin)
}

/** Records what Codex's own program changes: its only operand is the patch itself, which is on stdin without one. */
export const startApplyPatch = (line: Line, starts: Starts, { stdin }: ShellCommand): void =>
  applyPatches({ patches: [], read: applyPatchFiles }, starts, line.operands[0] ?? stdin)

const encoded = (encoding: string) =>
  new RegExp(String.raw`^content-transfer-encoding:[ \t]*(?:\r?\n[ \t]+)?${encoding}\b`, 'im')
const asBase64 = encoded('base64')
const asQuoted = encoded('quoted-printable')

/**
 * Returns the texts that programs find in mails with patches: each mail as it is written, and as it is decoded behind the
 * first header that says so. What is no such text in it, other parts and headers, is decoded to signs without a meaning.
 */
const mailTexts = (text: string): readonly string[] =>
  text.split(/^(?=From )/m).flatMap((mail) => {
    const base64 = bodyBehind(mail, asBase64)?.split('\n').map(fromBase64).join('')
    const quoted = bodyBehind(mail, asQuoted)
    return [mail, base64 ?? '', quoted === undefined ? '' : fromQuoted(quoted)].filter((one) => one !== '')
  })

/** Returns what stands behind the empty line after a header. */
function bodyBehind(mail: string, header: RegExp): string | undefined {
  const at = header.exec(mail)?.index
  const end = at === undefined ? null : /\r?\n\r?\n/.exec(mail.slice(at))
  return at === undefined || end === null ? undefined : mail.slice(at + end.index + end[0].length)
}

const fromBase64 = (line: string): string => Buffer.from(line, 'base64').toString('utf8')

const fromQuoted = (text: string): string =>
  Buffer.from(
    Buffer.from(text)
      .toString('latin1')
      .replaceAll(/=[ \t]{0,80}\r?\n/g, '')
      .replaceAll(/=([\dA-F]{2})/gi, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16))),
    'latin1',
  ).toString('utf8')
