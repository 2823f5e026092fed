import type { ShellWord } from '../../model/shell.ts'
import { substituted } from '../text-changes.ts'
import { inFolder } from './looks.ts'
import type { EditedFile, Starts } from './starts.ts'
import { wordOf } from './words.ts'

/** What stands before a command of `ed` and `ex`: its lines, what makes it silent, the lines that it is repeated for. */
const before =
  /[\s:]+|\d+|[.$%*,;+-]|'[\w<>[\]]|\/(?:\\.|[^/\\\n])*(?:\/|$)|\?(?:\\.|[^?\\\n])*(?:\?|$)|(?:sil(?:ent)?|noa(?:utocmd)?|keep\w+|lockmarks|verb(?:ose)?|exe(?:cute)?\s+["'])!?(?:\s+|(?<=["']))|(?:g(?:lobal)?|v(?:global)?)!?(?=\s*[/?])/y

/** The commands that write the file that they name, or else the one that is open. */
const writing =
  /^(?:w(?:r(?:i(?:te?)?)?)?|wq|wn(?:ext)?|x(?:it)?|exit?|up(?:d(?:a(?:te?)?)?)?|sav(?:e(?:as?)?)?|W|redir?)(?![A-Za-z])[!q]*\s*(?:\+\+\S+\s+)*>{0,2}\s*(.*)$/s
/** The commands that open another file, or give the open one another name. */
const opening =
  /^(?:e(?:d(?:it?)?)?|E|f(?:ile?)?|vi(?:sual)?|view?|new?|vnew?|sp(?:lit)?|vs(?:plit)?|tabe(?:dit)?|tabnew|bad?d?|n(?:ext)?|ar(?:gs)?)(?![A-Za-z])!?\s+(?:\+\S*\s+)*(.+)$/s
const changing = /^(?:l|t)?cd!?\s+(.+)$/s
/** A command that has lines to put in behind it, up to a dot. */
const inserting = /^[^A-Za-z]*[aic]!?\s*$/

/**
 * Records the files that commands of `ed`, `ex` and `vim` change. What may be a command counts as one, a line of a text
 * that is put in as well.
 *
 * @param operands the files that the editor opens first
 * @param lines its commands, one a line
 */
export const recordLineEdits = (operands: readonly ShellWord[], lines: readonly string[], starts: Starts): void =>
  starts.edits(lines.join('\n'), (script) => editsIn(script, operands, starts))

function editsIn(script: string, operands: readonly ShellWord[], starts: Starts): readonly EditedFile[] {
  const lines = script.split('\n')
  const { before: removed, after } = substituted(script)
  const texts = { removed, added: [after, ...insertedIn(lines)].join('\n') }
  const [written, opened]: [ShellWord[], ShellWord[]] = [[], []]
  let folder: ShellWord | undefined
  let writesOpen = false
  for (const command of lines.flatMap((line) => line.split(/(?<!\\)\|/))) {
    const text = withoutStart(command)
    const name = (match: string | undefined) => inFolder(folder, fileNamed(match ?? '', starts))
    const [isWrite, isOpen, isChange] = [writing.exec(text), opening.exec(text), changing.exec(text)]
    if (isWrite?.[1]?.startsWith('!') === true) continue
    if (isWrite !== null && /^[%#]?\s*$/.test(isWrite[1] ?? '')) writesOpen = true
    else if (isWrite !== null) written.push(name(isWrite[1]))
    else if (isOpen !== null) opened.push(name(isOpen[1]))
    else if (isChange !== null) folder = name(isChange[1])
  }
  const edit = (file: ShellWord, role: EditedFile['role']): EditedFile => ({ file, role, ...texts })
  return [
    ...operands.map((file) => edit(file, 'none')),
    ...opened.map((file) => edit(file, writesOpen ? 'edit' : 'read')),
    ...written.map((file) => edit(file, 'write')),
  ]
}

function withoutStart(command: string): string {
  let at = 0
  for (before.lastIndex = at; before.test(command); before.lastIndex = at) at = before.lastIndex
  return command.slice(at)
}

/** Reads a name as vim does, which expands variables and `~`, and takes a backslash from before any character. */
function fileNamed(text: string, starts: Starts): ShellWord {
  const home = starts.variable('HOME')?.value ?? '~'
  const plain = text.trim().replace(/["']$/, '')
  return wordOf(plain.replace(/^(?:~(?=\/|$)|\$HOME\b)/, home).replaceAll(/\\(.)/g, '$1'))
}

function insertedIn(lines: readonly string[]): readonly string[] {
  let isOpen = false
  return lines.filter((line) => {
    const was = isOpen
    isOpen = was ? line !== '.' : inserting.test(line)
    return was && isOpen
  })
}
