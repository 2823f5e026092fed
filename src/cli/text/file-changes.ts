import type { FileChanges } from '../../model/file-changes.ts'
import { printable } from '../../model/text.ts'
import { type CommandOutput, jsonText, printed } from '../command.ts'

/**
 * Prints what a command did to files or, in a dry run, would do.
 *
 * @param more further fields of the JSON
 */
export function printChanges(
  { changed, files, copies, notes }: FileChanges,
  { asJson, more = {}, exitCode = 0 }: { readonly asJson: boolean; readonly more?: object; readonly exitCode?: number },
): CommandOutput {
  if (asJson) return printed(jsonText({ ...more, changed, files, copies, notes }, 2), exitCode)
  const done = changed
    ? [...files.map(({ file }) => `wrote ${file}\n`), ...copies.map((copy) => `the old one is kept in ${copy}\n`)]
    : [files.length === 0 ? 'it is so already: nothing was changed\n' : 'nothing was changed\n']
  const text = [...files.map(({ diff }) => diff), ...done, ...notes.map((note) => `${note}\n`)].join('')
  return printed(printable(text), exitCode)
}
