import type { Family } from '../program.ts'
import { unwrapLimits } from '../../../model/limits.ts'
import { quotedWord } from '../../../model/text.ts'
import { type ShellCommand, type ShellWord, unknownPart } from '../../../model/shell.ts'
import { fewRuns, type Starts } from '../starts.ts'
import { asWord, filled, joined, known, names, splitWords, wordOf } from '../words.ts'
import { readPrepared } from '../../../words/options.ts'
import type { Judge } from '../looks/look.ts'
import { type Line, optionsOf } from '../row.ts'

/** GNU parallel. */
export const parallel: Family = {
  programs: {
    'parallel env_parallel': {
      repeats: true,
      saysWhatStarts: true,
      options:
        'a=read arg-file=read arg-sep arg-file-sep basefile bf block block-size C colsep D d delimiter delay E env halt header I i j jobs max-procs P L l max-lines load limit joblog memfree memsuspend N max-replace-args n max-args nice profile J progress-bar recend recstart res results retries return rpl s max-chars S sshlogin sshloginfile slf sshdelay shellquote-char tagstring tempdir tmpdir tmuxpane timeout transferfile tf trc trim wd workdir ssh template tmpl joblog-time compress-program decompress-program pipe-part shebang-wrap onall-limit sql sqlmaster sqlworker link-limit',
      wholeNames: true,
      operandsLast: true,
      operands: 'none',
      starts: startRuns,
      effects({ operands }, recorder) {
        for (const word of filesIn(operands)) recorder.touch(word, 'read')
      },
    },
    'rust-parallel': {
      repeats: true,
      saysWhatStarts: true,
      options:
        'i=read input-file=read j jobs r regex t timeout-seconds shell-path=execute shell-argument channel-capacity',
      wholeNames: true,
      operandsLast: true,
      operands: 'none',
      starts: startRuns,
    },
    gargs: {
      repeats: true,
      saysWhatStarts: true,
      options: 'p procs n nlines s sep l=write log=write r retry',
      wholeNames: true,
      operands: 'none',
      starts(read, starts, { stdin }) {
        if (read.surely('d', ...names(idle))) return starts.wrapper()
        startLines(read.operands, stdin, starts, 0)
      },
    },
    // The name of each file, or each line, stands behind the command, or in `$ITEM`.
    ppss: {
      repeats: true,
      options:
        'd=names sourcedir=names f=read sourcefile=read c command C=execute config=execute p processes l=write log=write D delay S script=read m master n=read node=read k=key key=key K=read known-hosts=read u user o outputdir H homedir w working-dir workingdir e email interval file-age',
      wholeNames: true,
      starts(read, starts) {
        const command = read.value('c', 'command')
        if (command === undefined) return starts.wrapper()
        const folder = read.value('d', 'sourcedir')?.value
        const item = starts.named(folder === undefined ? unknownPart : `${folder}/${unknownPart}`)
        starts.wrapper()
        starts.script(/\$\{?ITEM/.test(command.value) ? command : joined([command, item]), {
          stdin: 'none',
          assignments: [{ name: 'ITEM', value: item }],
        })
      },
    },
  },
}

/** Options with which a runner only says what it would run, or something about itself. */
const idle = 'help h version V citation bibtex dry-run dryrun number-of-cores'

/**
 * Starts a shell script for each line of input: a command with the line in place of `{}`, and its fields of `{1}`, `{2}`.
 *
 * @param first the number of the first field
 * @param given values of further marks: `d=/tmp` for `{d}`
 */
export function startLines(
  words: readonly ShellWord[],
  stdin: ShellWord | undefined,
  starts: Starts,
  first: 0 | 1,
  given: readonly ShellWord[] = [],
): void {
  const template = given.reduce((text, { value }) => {
    const [, name = '', filling = ''] = /^(\w+)=([^]*)$/.exec(value) ?? []
    return filled(text, name === '' ? '' : `{${name}}`, filling)
  }, joined(words).value)
  const input = stdin ?? starts.named(unknownPart)
  starts.wrapper()
  for (const line of fewRuns(linesOf(input), starts)) {
    const isLong = template.split('{').length * line.length > unwrapLimits.filledMax
    const fields = line.split(/\s+/)
    const script = filled(template, '{}', line).replaceAll(/\{(\d*)([./%:#^@]*)\}/g, (_, at: string, part: string) =>
      part !== '' || line.includes(unknownPart) ? unknownPart : (fields[Number(at) - first] ?? ''),
    )
    starts.script(wordOf(isLong ? unknownPart : script, ...words, input), { stdin: 'none' })
  }
}

/** Separators before a list of arguments: `:::` lists them, `::::` names files that hold them. */
const separators = /^:{3,4}\+?$/

/** Starts a shell script for each argument, made of the words with the argument in place of `{}`. */
function startRuns(read: Line, starts: Starts, { stdin }: ShellCommand): void {
  if (read.surely(...names(idle))) return starts.wrapper()
  const at = read.operands.findIndex(({ value }) => separators.test(value))
  const template = at === -1 ? read.operands : read.operands.slice(0, at)
  const given =
    at === -1
      ? [linesOf(read.has('a', 'arg-file') || read.has('pipe', 'pipepart') ? undefined : stdin)]
      : sources(read.operands.slice(at), stdin)
  const where = {
    ...(read.has('S', 'sshlogin', 'sshloginfile', 'slf') && { elsewhere: true as const }),
    stdin: 'arguments' as const,
  }
  const hasFiles = read.has('a', 'arg-file') || filesIn(read.operands).length > 0
  const origins = [
    ...read.operands,
    ...(isStdinRead(read) ? [stdin] : []),
    ...(hasFiles ? [starts.named(unknownPart)] : []),
  ]
  starts.wrapper()
  for (const row of fewRuns(rows(given), starts)) {
    const placeholder = read.value('I')?.value ?? '{}'
    const [script, words] =
      template.length === 0 ? [row.join(' '), []] : ofRow(template, row, placeholder, read.has('q', 'quote'), origins)
    starts.script(wordOf(script, ...origins), where)
    if (words.length > 0) starts.words(words, where)
  }
}

const linesOf = (stdin: ShellWord | undefined): readonly string[] =>
  stdin === undefined ? [unknownPart] : stdin.value.split('\n').filter((line) => line !== '')

/** Tells whether arguments come from stdin: without other sources, or where `-` is one. */
const isStdinRead = (read: Line): boolean =>
  !read.operands.some(({ value }) => separators.test(value)) ||
  filesIn(read.operands).some(({ value }) => value === '-')

/** Returns the words behind `::::`. */
function filesIn(words: readonly ShellWord[]): readonly ShellWord[] {
  let inFiles = false
  return words.filter(({ value }) => {
    if (separators.test(value)) inFiles = value.startsWith('::::')
    return inFiles && !separators.test(value)
  })
}

function sources(words: readonly ShellWord[], stdin: ShellWord | undefined): readonly (readonly string[])[] {
  const files = new Set(filesIn(words))
  const all: (readonly string[])[] = []
  for (const word of words) {
    const source = files.has(word) ? (word.value === '-' ? linesOf(stdin) : [unknownPart]) : [word.value]
    if (separators.test(word.value)) all.push([])
    else all.push([...(all.pop() ?? []), ...source])
  }
  return all
}

/**
 * Returns the combinations of the sources' arguments, as without `--link`. Enough of them to notice if the limit is
 * exceeded.
 */
function rows(given: readonly (readonly string[])[]): readonly (readonly string[])[] {
  let made: readonly (readonly string[])[] = [[]]
  for (const source of given)
    made = made.slice(0, unwrapLimits.runsMax * 2).flatMap((row) => source.map((one) => row.concat(one)))
  return made
}

/** Returns the script of one run, and the words as intended where joining them has lost their quotes. */
function ofRow(
  template: readonly ShellWord[],
  row: readonly string[],
  placeholder: string,
  quoted: boolean,
  origins: readonly (ShellWord | undefined)[],
) {
  const isFilled = template.some(
    ({ value }) => value.includes(placeholder) || /\{(?:\d+|[./#%]|\/\/|\/\.|=.*=)\}?/.test(value),
  )
  const longest = Math.max(0, ...row.map((one) => one.length))
  const fill = (text: string, as: (argument: string) => string): string => {
    if (text.split('{').length * longest > unwrapLimits.filledMax) return unknownPart
    return filled(text, placeholder, as(row.join(' ')))
      .replaceAll(/\{(\d+)(?:\/\.|\/\/|[./])?\}/g, (whole, number: string) => {
        const one = row[Number(number) - 1]
        return one === undefined ? whole : as(one)
      })
      .replaceAll(/\{(?:\/\.|\/\/|[./])\}/g, () => unknownPart)
  }
  const behind = isFilled ? [] : row
  const script = [
    ...template.map(({ value }) => (quoted ? asOneWord(fill(value, String)) : fill(value, asOneWord))),
    ...behind.map(asOneWord),
  ]
  const lost = template.length > 1 && template.some(({ value }) => /[\s;&|<>$`]/.test(value))
  const made = lost ? [...template.map(({ value }) => fill(value, String)), ...behind] : []
  const words = made.map((value) => wordOf(value, ...origins))
  return [script.join(' '), words] as const
}

/** Quotes a text so that a shell reads it as one word. */
const asOneWord = (text: string): string => (/^[\w./:=@%+,~\uFDD0-]+$/.test(text) ? text : quotedWord(text))

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
    xargs: {
      repeats: true,
      saysWhatChanges: true,
      // Without a program, it echoes.
      output: ({ operands }) => (operands.length === 0 ? 'form' : undefined),
      options,
      operandsLast: true,
      operands: 'none',
      starts: startXargsRuns,
      looks: onlyStarts,
      noHelp: true,
      passesIds: true,
    },
    xe: {
      repeats: true,
      saysWhatStarts: true,
      options: 'A I f=read j N s',
      operandsLast: true,
      operands: 'none',
      starts: startXeRuns,
    },
    xjobs: {
      repeats: true,
      saysWhatStarts: true,
      options: 'j l q s=read v',
      operandsLast: true,
      operands: 'none',
      starts(read, starts, { stdin }) {
        const list = read.value('s')
        const input = list === undefined ? stdin : starts.content(list)
        const isWhole = read.has('0', '1')
        starts.wrapper()
        // Each line is a command, or the end of one, and may say where its output goes.
        for (const argument of fewRuns(argumentsIn(input, read.has('0'), starts), starts)) {
          const line = argument.value
          if (isWhole) starts.words([...read.operands, argument], { stdin: 'none' })
          else if (line !== '%%' && !line.startsWith('#'))
            starts.script(
              wordOf(
                [...read.operands.map(({ value }) => asOneWord(value)), line.replaceAll('>!', '>')].join(' '),
                argument,
                ...read.operands,
              ),
              { stdin: 'none' },
            )
        }
      },
    },
  },
}

/** Starts what `xe` makes of the lines that it reads, one for each run, or of the words behind `--` or another mark. */
function startXeRuns(read: Line, starts: Starts, { stdin }: ShellCommand): void {
  starts.wrapper()
  if (read.has('n')) return
  const mark = read.has('a') ? '--' : read.value('A')?.value
  const at = mark === undefined ? -1 : read.operands.findIndex(({ value }) => value === mark)
  const own = at === -1 ? read.operands : read.operands.slice(0, at)
  const list = read.value('f')
  const script = read.value('s')
  // Behind a script, the mark is the one that ends the options.
  const isGiven = at !== -1 || (mark !== undefined && script !== undefined)
  const given = isGiven
    ? read.operands.slice(at + 1)
    : argumentsIn(list === undefined ? stdin : starts.content(list), read.has('0'), starts)
  const each = Number(read.value('N')?.value ?? 1) || given.length
  const mostly = read.value('I')?.value ?? '{}'
  const runs = Array.from({ length: Math.ceil(given.length / Math.max(each, 1)) }, (_, run) =>
    given.slice(run * each, (run + 1) * each),
  )
  for (const run of fewRuns(runs, starts)) {
    if (script !== undefined) {
      starts.words([known('sh'), known('-c'), script, known('-'), ...run], { stdin: 'arguments' })
      continue
    }
    for (const template of read.has('p') ? rulesIn(own, run) : [own]) {
      const place = mostly === '' ? -1 : template.findIndex(({ value }) => value === mostly)
      const words = place === -1 ? [...template, ...run] : template.toSpliced(place, 1, ...run)
      if (words.length > 0) starts.words(words, { stdin: 'arguments' })
    }
  }
}

/** Returns the lines of a text, each as one argument. What is read from a file has no other origin than the program itself. */
function argumentsIn(text: ShellWord | undefined, nul: boolean, starts: Starts): readonly ShellWord[] {
  const unread = starts.named(unknownPart)
  const given = text === undefined ? unread : { ...unread, ...text, value: text.value }
  return linesRead(text?.value, nul).map((line) => asWord(line, given))
}

/** Returns the commands behind patterns, which `+` separates, with what a pattern matches in place of `%`. */
function rulesIn(words: readonly ShellWord[], run: readonly ShellWord[]): readonly (readonly ShellWord[])[] {
  const rules: ShellWord[][] = [[]]
  for (const word of words) {
    if (word.value === '+') rules.push([])
    else rules.at(-1)?.push(word)
  }
  return rules.map(([pattern, ...rule]) =>
    rule.map((word) =>
      // A pattern that is `%` alone matches all of it.
      replacing(word, '%', (pattern?.value === '%' ? run[0] : undefined) ?? { value: unknownPart, unresolved: true }),
    ),
  )
}

function startXargsRuns(read: Line, starts: Starts, { stdin }: ShellCommand): void {
  if (read.has('help', 'version')) return starts.wrapper()
  if (read.operands.length === 0) return
  starts.wrapper()
  const replaced =
    read.value('I')?.value ?? (read.has('i', 'replace') ? read.value('i', 'replace')?.value || '{}' : undefined)
  const list = read.value('a', 'arg-file')
  const text = (list === undefined ? stdin : starts.content(list))?.value
  // What is read from a file has no other origin than xargs itself.
  const unread = starts.named(unknownPart)
  const given = text === undefined ? unread : { ...unread, ...stdin, value: text }
  const where = { stdin: 'arguments' } as const
  if (replaced !== undefined && replaced !== '') {
    for (const line of fewRuns(linesRead(text, read.has('0', 'null')), starts))
      starts.words(
        read.operands.map((word) => replacing(word, replaced, asWord(line, given))),
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
    ? pieces(given, '\0')
    : delimiter === undefined
      ? splitWords(text, { of: given })
      : pieces(given, unescaped(delimiter))
  const each = Number(read.value('n', 'max-args', 'L', 'max-lines')?.value)
  const size = Number.isInteger(each) && each > 0 ? each : Math.max(words.length, 1)
  const runs = Array.from({ length: Math.max(1, Math.ceil(words.length / size)) }, (_, at) =>
    words.slice(at * size, (at + 1) * size),
  )
  for (const run of fewRuns(runs, starts)) starts.words([...read.operands, ...run], where)
}

function linesRead(text: string | undefined, nul: boolean): readonly string[] {
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
