import { unwrapLimits } from '../../model/limits.ts'
import { type ShellWord, unknownPart } from '../../model/shell.ts'
import { bounded, type ReportLeftOut } from '../bounds.ts'
import { startsProgram } from './command-text.ts'
import { splitWords } from './split.ts'

/**
 * Finds the commands that a program's arguments make of the lines it reads, whatever its language is: the `rm` of
 * `sed 's/^/rm /'`, `awk '{print "rm " $0}'` and `printf 'rm %s\n'`.
 *
 * @param names stands for what the program reads
 */
export function shapedIn(
  args: readonly ShellWord[],
  names: ShellWord,
  leftOut: ReportLeftOut,
): readonly (readonly ShellWord[])[] {
  const found = args.flatMap(({ value }) =>
    value.length > unwrapLimits.mentionTextMax ? [] : [...withoutEnd(value).matchAll(shape)].map(([line]) => line),
  )
  const lines = [...new Set(found)].map((line) => splitWords(line).concat(names))
  return bounded(
    lines.filter((words) => startsProgram(words, 0, 'certain')),
    unwrapLimits.mayStartMax,
    'it starts more commands than are analyzed',
    leftOut,
  )
}

/** Matches a word that a blank or a quote follows, with the words after it up to where a language puts in other text. */
const shape = new RegExp(
  `(?<![\\w.~$-]|[\\w.~]/)[a-z][\\w.+-]*(?=[ \\t"'])[^"'\`$%&\\\\{}()|;#\\n${unknownPart}]*`,
  'g',
)

/** Removes the end of sed's `s/…/…/g`, which is no part of the line. */
const withoutEnd = (text: string): string => (/^[\d,$]*s\W/.test(text) ? text.replace(/\W\w*$/, '') : text)
