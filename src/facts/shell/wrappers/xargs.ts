import { readOptions } from '../../../model/options.ts'
import { type ShellWord, unknownPart } from '../../../model/shell.ts'
import { unwrapLimits } from '../../../model/limits.ts'
import { bounded } from '../../bounds.ts'
import type { Starts, Unwrap } from '../unwrap.ts'
import { asWord, splitWords } from './split.ts'
import { changed, filled, names } from './words.ts'

const options = {
  valued: names('a arg-file d delimiter E I L n max-args P max-procs s max-chars J R S process-slot-var'),
  flags: names('null eof replace max-lines no-run-if-empty interactive verbose exit open-tty show-limits help version'),
  abbreviations: true,
  operandsLast: true,
}

export const xargs: Unwrap = ({ args, stdin }, starts) => {
  const read = readOptions(plainOptions(args), options)
  if (read.has('help', 'version')) {
    starts.wrapper()
    return
  }
  if (read.operands.length === 0) return
  starts.wrapper()
  const replaced = read.value('I')?.value ?? (read.has('replace') ? read.value('replace')?.value || '{}' : undefined)
  const text = read.has('a', 'arg-file') ? undefined : stdin?.value
  const where = { stdin: 'arguments' } as const
  if (replaced !== undefined && replaced !== '') {
    // Where nothing has its place, an argument would be lost: it is taken for one that stands behind, as it was meant.
    const isPlaced = read.operands.some(({ value }) => value.includes(replaced))
    for (const line of fewRuns(linesOf(text, read.has('0', 'null')), starts)) {
      const words = read.operands.map((word) => replacing(word, replaced, line))
      starts.words(isPlaced || text === undefined ? words : [...words, { value: line }], where)
    }
    return
  }
  if (text === undefined) {
    starts.words([...read.operands, unknownArguments], where)
    return
  }
  const delimiter = read.value('d', 'delimiter')?.value
  const words = read.has('0', 'null')
    ? pieces(text, '\0')
    : delimiter === undefined
      ? splitWords(text)
      : pieces(text, unescaped(delimiter))
  const each = Number(read.value('n', 'max-args', 'L', 'max-lines')?.value)
  const size = Number.isInteger(each) && each > 0 ? each : Math.max(words.length, 1)
  const runs = Array.from({ length: Math.max(1, Math.ceil(words.length / size)) }, (_, at) =>
    words.slice(at * size, (at + 1) * size),
  )
  for (const run of fewRuns(runs, starts)) starts.words([...read.operands, ...run], where)
}

/** Options with a value that is joined or none at all: getopt's rules have no word for them. */
function plainOptions(args: readonly ShellWord[]): readonly ShellWord[] {
  const plain: ShellWord[] = []
  for (const [at, word] of args.entries()) {
    if (!word.value.startsWith('-') || word.value === '--') {
      const valued =
        /^-[0rtpxo]*[adEILnPsJRS]$|^--(?:arg-file|delimiter|max-args|max-procs|max-chars|process-slot-var)$/
      if (word.value === '--' || !valued.test(args[at - 1]?.value ?? '')) return [...plain, ...args.slice(at)]
    }
    const [, flags = '', letter, value = ''] = /^-([0rtpxo]*)([iel])(.*)$/s.exec(word.value) ?? []
    if (letter === undefined) plain.push(word)
    else {
      if (flags !== '') plain.push({ value: `-${flags}` })
      if (letter === 'i') plain.push({ value: '-I' }, changed(word, value || '{}'))
    }
  }
  return plain
}

/** What is read from a place of which nothing is known: any number of words. */
const unknownArguments: ShellWord = { value: unknownPart, unresolved: true, several: true }

function linesOf(text: string | undefined, nul: boolean): readonly string[] {
  if (text === undefined) return [unknownPart]
  return text
    .split(nul ? '\0' : '\n')
    .map((line) => line.trimStart())
    .filter((line) => line !== '')
}

const pieces = (text: string, between: string): readonly ShellWord[] =>
  text
    .split(between)
    .filter((piece, at, all) => piece !== '' || at < all.length - 1)
    .map(asWord)

const escapes: Readonly<Record<string, string>> = { '\\n': '\n', '\\0': '\0', '\\t': '\t', '\\\\': '\\' }
const unescaped = (delimiter: string): string => escapes[delimiter] ?? (delimiter || '\n')

/** A word with an argument in the place of `{}`. The argument stays one word, whatever it holds. */
function replacing(word: ShellWord, placeholder: string, argument: string): ShellWord {
  if (!word.value.includes(placeholder)) return word
  const value = filled(word.value, placeholder, argument)
  return value.includes(unknownPart) ? { value, unresolved: true } : { value }
}

/** At most so many as anybody would write by hand. */
export const fewRuns = <T>(all: readonly T[], { leftOut }: Starts): readonly T[] =>
  bounded(all, unwrapLimits.runsMax, 'it starts more commands than are looked at', leftOut)
