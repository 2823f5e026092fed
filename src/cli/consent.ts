import type { FileChanges } from '../model/file-changes.ts'
import { jsonText, printable, shellWord } from '../model/text.ts'
import { type CommandOutput, type Invocation, printed } from './command.ts'

/**
 * One way to write for all commands that change something: at a terminal, the change is shown and a person agrees to it;
 * with `--yes`, nobody is asked. Without a terminal, the words of a command that say all that is to be changed
 * (`packs git-safety --off`) are the consent, and a command that chooses by itself (`init`, `suggest --write`) needs `--yes`.
 * What was written is said, and how to undo it.
 */
interface ConsentQuestion {
  readonly ask: Invocation['ask']
  /** `--yes`. */
  readonly yes: boolean | undefined
  /** What would be changed. */
  readonly shown: string
  /** Default: `go ahead? [Y/n]`. A question that ends with `[y/N]` is only agreed to by `y`. */
  readonly question?: string
}

/** Returns whether a person agrees; `undefined` if nobody says so and nobody can be asked. */
export async function consentTo({
  ask,
  yes,
  shown,
  question = 'go ahead? [Y/n]',
}: ConsentQuestion): Promise<boolean | undefined> {
  if (yes === true) return true
  if (ask === undefined) return undefined
  const answer = (await ask(`${shown}${question} `)).trim()
  return answer === '' ? question.endsWith('[Y/n]') : /^y(?:es)?$/i.test(answer)
}

/** Says that a command would write, and cannot ask. */
export const needsYes = (command: string) =>
  `hookgate: nothing was changed: there is no terminal to ask at; \`hookgate ${command} --yes\` does it\n`

/** The answer to a person who does not agree. */
export const declined: CommandOutput = { stdout: 'nothing was changed\n', stderr: '', exitCode: 1 }

/** Returns what would be changed, as `diff -u` shows it. */
export const diffOf = ({ files }: Pick<FileChanges, 'files'>): string =>
  printable(files.map(({ diff }) => diff).join(''))

/** Says how to undo that files were made. */
export const undoMade = (files: readonly string[]): string => `undo: \`rm ${files.map(shellWord).join(' ')}\``

/** Says how to undo what was written: the old file is put back, or the new one is removed. */
export const undoText = (file: string, copy: string | undefined): string => `undo: \`${undoing(file, copy)}\`\n`

const undoing = (file: string, copy: string | undefined) =>
  copy === undefined ? `rm ${shellWord(file)}` : `cp ${shellWord(copy)} ${shellWord(file)}`

interface PrintedAs {
  readonly asJson: boolean
  /** Further fields of the JSON. */
  readonly more?: object
  readonly exitCode?: number
  /** The command that undoes it. Default: the old file is put back. */
  readonly undo?: string
}

/** Prints what a command did to files, and how to undo it, or, in a dry run, what it would do. */
export function printChanges(
  { changed, files, copies, notes }: FileChanges,
  { asJson, more = {}, exitCode = 0, undo }: PrintedAs,
): CommandOutput {
  if (asJson) return printed(jsonText({ ...more, changed, files, copies, notes }, 2), exitCode)
  const done = changed
    ? [...files.map(({ file }) => `wrote ${file}\n`), ...copies.map((copy) => `the old one is kept in ${copy}\n`)]
    : [files.length === 0 ? 'already set: nothing had to be changed\n' : 'nothing was changed\n']
  const [only, ...others] = files
  const way = undo ?? (changed && only !== undefined && others.length === 0 ? undoing(only.file, copies[0]) : undefined)
  const last = changed && way !== undefined ? [`undo: \`${way}\`\n`] : []
  const text = [...files.map(({ diff }) => diff), ...done, ...notes.map((note) => `${note}\n`), ...last].join('')
  return printed(printable(text), exitCode)
}

/** Returns changes as they are printed to a person whom the question has shown them. */
export const withoutDiffs = (changes: FileChanges): FileChanges => ({
  ...changes,
  files: changes.files.map(({ file }) => ({ file, diff: '' })),
})

/** Makes a change that a command names, once a person has seen it and agreed, where one can be asked, and prints it. */
export async function changeAgreed(
  make: (isDry: boolean) => Promise<FileChanges>,
  {
    isDry,
    asJson,
    yes,
    undo,
  }: { readonly isDry: boolean; readonly asJson: boolean; readonly yes: boolean | undefined; readonly undo?: string },
  { ask }: Invocation,
): Promise<CommandOutput> {
  const asks = ask !== undefined && !isDry && !asJson && yes !== true
  const planned = asks ? await make(true) : undefined
  if (planned !== undefined && planned.files.length > 0) {
    if ((await consentTo({ ask, yes, shown: diffOf(planned) })) !== true) return declined
    return printChanges(withoutDiffs(await make(false)), { asJson, ...(undo !== undefined && { undo }) })
  }
  return printChanges(await make(isDry), { asJson, ...(undo !== undefined && { undo }) })
}
