import type { Family } from '../program.ts'
import { type ShellCommand, type ShellWord, unknownPart } from '../../../model/shell.ts'
import { readPrepared } from '../../../words/options.ts'
import type { Judge } from '../looks/look.ts'
import { type Line, optionsOf } from '../row.ts'
import { asWord, splitWords, filled, wordOf } from '../words.ts'
import { fewRuns, type Starts } from '../starts.ts'

const options =
  'a=read arg-file=read d delimiter e? E i? I l? L n max-args P max-procs s max-chars J R S process-slot-var +null +eof +replace +max-lines +no-run-if-empty +interactive +verbose +exit +open-tty +show-limits +help +version'

/** Judges xargs, which has to name a program: without one it echoes, which is hardly ever meant. */
const onlyStarts: Judge = ({ args, starts = 0 }) => {
  const { given, operands } = readPrepared(args, optionsOf({ options, wholeNames: true, operandsLast: true }))
  return (
    starts > 0 &&
    operands.length > 0 &&
    !given.some(({ name }) => /^(?:p|o|open-tty)$/.test(name) || (name.length > 1 && 'interactive'.startsWith(name)))
  )
}

/** xargs, which builds command lines from stdin. */
export const xargs: Family = {
  programs: {
    'xargs gxargs': {
      // Without a program, it echoes.
      output: ({ operands }) => (operands.length === 0 ? 'form' : undefined),
      options,
      operandsLast: true,
      operands: 'none',
      starts: startRuns,
      looks: onlyStarts,
    },
  },
}

function startRuns(read: Line, starts: Starts, { stdin }: ShellCommand): void {
  if (read.has('help', 'version')) return starts.wrapper()
  if (read.operands.length === 0) return
  starts.wrapper()
  const replaced =
    read.value('I')?.value ?? (read.has('i', 'replace') ? read.value('i', 'replace')?.value || '{}' : undefined)
  const text = read.has('a', 'arg-file') ? undefined : stdin?.value
  // What is read from a file has no other origin than xargs itself.
  const unread = starts.named(unknownPart)
  const names = text === undefined ? unread : { ...unread, ...stdin, value: text }
  const where = { stdin: 'arguments' } as const
  if (replaced !== undefined && replaced !== '') {
    for (const line of fewRuns(linesOf(text, read.has('0', 'null')), starts))
      starts.words(
        read.operands.map((word) => replacing(word, replaced, asWord(line, names))),
        where,
      )
    return
  }
  if (text === undefined) {
    starts.words([...read.operands, { ...unread, several: true }], where)
    return
  }
  const delimiter = read.value('d', 'delimiter')?.value
  const words = read.has('0', 'null')
    ? pieces(names, '\0')
    : delimiter === undefined
      ? splitWords(text, { of: names })
      : pieces(names, unescaped(delimiter))
  const each = Number(read.value('n', 'max-args', 'L', 'max-lines')?.value)
  const size = Number.isInteger(each) && each > 0 ? each : Math.max(words.length, 1)
  const runs = Array.from({ length: Math.max(1, Math.ceil(words.length / size)) }, (_, at) =>
    words.slice(at * size, (at + 1) * size),
  )
  for (const run of fewRuns(runs, starts)) starts.words([...read.operands, ...run], where)
}

function linesOf(text: string | undefined, nul: boolean): readonly string[] {
  if (text === undefined) return [unknownPart]
  return text
    .split(nul ? '\0' : '\n')
    .map((line) => line.trimStart())
    .filter((line) => line !== '')
}

const pieces = (text: ShellWord, between: string): readonly ShellWord[] =>
  text.value
    .split(between)
    .filter((piece, at, all) => piece !== '' || at < all.length - 1)
    .map((piece) => asWord(piece, text))

const escapes: Readonly<Record<string, string>> = { '\\n': '\n', '\\0': '\0', '\\t': '\t', '\\\\': '\\' }
const unescaped = (delimiter: string): string => escapes[delimiter] ?? (delimiter || '\n')

/** Replaces the placeholder in a word with an argument, which is not split, whatever it contains. */
function replacing(word: ShellWord, placeholder: string, argument: ShellWord): ShellWord {
  if (!word.value.includes(placeholder)) return word
  return wordOf(filled(word.value, placeholder, argument.value), word, argument)
}
