import { liveByVerbs } from '../deeds/deeds.ts'
import type { Row, Line } from '../row.ts'
import { type Judge, type LookLine, mayBeOption, readLook } from '../looks/look.ts'
import type { Family } from '../program.ts'
import { type ShellCommand, type ShellWord, unknownPart } from '../../../model/shell.ts'
import type { EffectRecorder } from '../effects.ts'
import { awkFilter, sedFilter } from '../filters.ts'
import type { Starts } from '../starts.ts'
import { joined, wordOf } from '../words.ts'

const sedOptions = 'e expression l line-length f file i? in-place?'
const sedLooks =
  /^(?:[nErszu]|quiet|silent|regexp-extended|separate|unbuffered|null-data|zero-terminated|posix|debug|sandbox|e|expression|l|line-length|version|help)$/

/** Judges sed, whose scripts must only print. A script in a file is not read. */
const sed: Judge = ({ args }) => {
  const line = readLook(args, sedOptions)
  return (
    !args.some(mayBeOption) &&
    line.names.every((name) => sedLooks.test(name)) &&
    areScriptsHarmless(line, 'e', 'expression', sedOnlyPrints)
  )
}

const awkLooks =
  /^(?:F|v|field-separator|assign|e|source|version|help|V|posix|P|c|traditional|b|n|S|sandbox|r|re-interval|O|M|csv|k)$/

/** Judges awk, whose program must stand on the command line and only print. */
const awk: Judge = ({ args }, { awkOnlyPrints }) => {
  const line = readLook(args, 'F v f e source field-separator assign file')
  return (
    !args.some((word) => word.several === true) &&
    line.names.every((name) => awkLooks.test(name)) &&
    areScriptsHarmless(line, 'e', 'source', awkOnlyPrints)
  )
}

/** True if all scripts of a line are known and only look. Without options that hold scripts, the first operand is one. */
function areScriptsHarmless(
  { values, operands }: LookLine,
  short: string,
  long: string,
  looks: (script: string) => boolean,
): boolean {
  const given = values(short, long)
  const scripts = given.length > 0 ? given : operands.slice(0, 1)
  return scripts.length > 0 && scripts.every(({ value }) => !value.includes(unknownPart) && looks(value))
}

const streamEditor: Row = {
  filter: sedFilter,
  output: 'parts',
  options:
    'e expression f=read file=read i? in-place? l line-length +quiet +silent +regexp-extended +null-data +separate +posix +unbuffered +sandbox',
  first: 'none',
  firstUnless: 'e expression f file',
  operands: 'read',
  starts: startSed,
  effects(line, recorder) {
    const own = !line.has('e', 'expression', 'f', 'file')
    if (line.has('i', 'in-place')) for (const word of line.operands.slice(own ? 1 : 0)) recorder.touch(word, 'write')
    const scripts = own ? line.operands.slice(0, 1) : []
    for (const script of [...line.values('e', 'expression'), ...scripts]) recordScript(script, recorder)
  },
}

const awkInterpreter: Row = {
  filter: awkFilter,
  output: 'parts',
  options:
    'F field-separator f=read file=read v assign E=read exec=read i include l load L? lint? o?=write d? dump-variables? D? debug? p? profile? e source +sandbox +posix +traditional +csv',
  first: 'none',
  firstUnless: 'f file e source E exec',
  starts: startAwk,
  effects(line, recorder) {
    const own = !line.has('f', 'file', 'e', 'source', 'E', 'exec')
    const inPlace = line.given.some(
      ({ name, value }) => (name === 'i' || name === 'include') && value.value.startsWith('inplace'),
    )
    for (const word of line.operands.slice(own ? 1 : 0)) {
      if (!/^[A-Za-z_]\w*=/.test(word.value)) recorder.touch(word, inPlace ? 'edit' : 'read')
    }
  },
}

/** Stream editors, whose scripts can themselves read and write files and start programs: sed and awk. */
export const streamEditors: Family = {
  rows: { saysWhatStarts: true },
  programs: {
    sed: {
      text: 'sed',
      ...streamEditor,
      looks: sed,
      does: liveByVerbs('publish', 'upload'),
      scripted: true,
      patternsFirst: true,
      passesIds: true,
      saysWhatChanges: true,
    },
    ssed: { ...streamEditor, text: 'sed' },
    'awk gawk mawk nawk': {
      text: 'awk',
      ...awkInterpreter,
      looks: awk,
      does: liveByVerbs('publish', 'upload'),
      scripted: true,
      patternsFirst: true,
      passesIds: true,
      saysWhatChanges: true,
    },
    goawk: awkInterpreter,
  },
}

/** Starts what GNU sed runs: the script of its command `e`, or the result of `s/…/…/e`. */
function startSed(line: Line, starts: Starts, { stdin }: ShellCommand): void {
  if (line.has('help', 'version')) return starts.wrapper()
  if (line.has('sandbox')) return
  const expressions = line.values('e', 'expression')
  const first = line.has('f', 'file') ? undefined : line.operands[0]
  const script = expressions.length > 0 ? joined(expressions, '\n') : first
  if (script === undefined) return
  for (const found of sedScript(script.value).runs) {
    starts.script(script.unresolved === true ? { ...script, value: found } : wordOf(found, stdin))
  }
}

/** Starts an awk program, which is the first operand unless an option gives its text or file. */
function startAwk(line: Line, starts: Starts, { stdin }: ShellCommand): void {
  if (line.has('help', 'version', 'V', 'h')) return starts.wrapper()
  const sources = line.values('e', 'source')
  const first = line.has('f', 'file', 'E', 'exec') ? undefined : line.operands[0]
  const file = line.value('f', 'file', 'E', 'exec')
  const program = sources.length > 0 ? joined(sources, '\n') : (first ?? textIn(file, starts, stdin))
  if (program !== undefined) starts.code('awk', program)
}

/** Returns the text of a script's file, as far as the command line tells. */
function textIn(file: ShellWord | undefined, starts: Starts, stdin: ShellWord | undefined): ShellWord | undefined {
  if (file === undefined) return undefined
  return file.value === '-' ? stdin : starts.content(file)
}

/** Records the files of `r FILE`, `w FILE` and `s/…/…/w FILE` in a sed script. */
function recordScript(word: ShellWord, recorder: EffectRecorder): void {
  const { reads, writes } = sedScript(word.value)
  for (const file of reads) recorder.touch({ ...word, value: file }, 'read')
  for (const file of writes) recorder.touch({ ...word, value: file }, 'write')
}

/** The side effects of a sed script: the scripts it runs, and the files it reads and writes. */
interface SedScript {
  /** Scripts that a shell runs, with unknown parts in place of the lines that sed reads. */
  readonly runs: readonly string[]
  readonly reads: readonly string[]
  readonly writes: readonly string[]
  /** Nothing in it can be read in two ways, and no command is unknown. */
  readonly isClear: boolean
}

/** Tells whether a sed script only prints: it reads and writes no file, and starts nothing. */
function sedOnlyPrints(script: string): boolean {
  const { runs, reads, writes, isClear } = sedScript(script)
  return isClear && runs.length + reads.length + writes.length === 0
}

/** Parses the commands of a sed script: addresses, name, and for `s` and `y` the parts between delimiters. */
function sedScript(text: string): SedScript {
  const runs: string[] = []
  const reads: string[] = []
  const writes: string[] = []
  let isClear = true
  const lineEndAt = ends(text, '\n')
  const bracketEndAt = ends(text, ']')
  /** Returns the position after the next delimiter that is neither escaped nor in brackets. */
  const behindPart = (from: number, delimiter: string, brackets = true): number => {
    let place = from
    while (place < text.length && text.charAt(place) !== delimiter) {
      if (brackets && text.charAt(place) === '[' && delimiter !== '[') {
        const close = bracketEndAt(place + (text.charAt(place + 1) === '^' ? 3 : 2))
        if (close < Math.min(text.length, lineEndAt(place))) {
          // Some versions of sed end the part at a delimiter in brackets.
          if (text.slice(place, close).includes(delimiter)) isClear = false
          place = close
        }
      } else if (text.charAt(place) === '\\') place++
      else if (text.charAt(place) === '\n') isClear = false
      place++
    }
    if (place >= text.length || delimiter === '' || /[\\\n]/.test(delimiter)) isClear = false
    return place + 1
  }
  for (let at = 0; at < text.length;) {
    at = behind(/[\s;{}]*/y, text, at)
    if (at >= text.length) break
    at = behind(/\d+(?:~\d+)?|\$/y, text, at)
    if (text.charAt(at) === '/') at = behindPart(at + 1, '/')
    else if (text.charAt(at) === '\\') at = behindPart(at + 2, text.charAt(at + 1))
    const rest = behind(/[IM]*\s*,\s*[+~]?|[IM]*\s*!*\s*/y, text, at)
    const isRange = text.slice(at, rest).includes(',')
    at = rest
    if (isRange) continue
    const name = text.charAt(at++)
    const lineEnd = lineEndAt(at)
    if (name === 'e') {
      runs.push(text.slice(at, lineEnd).trim() || unknownPart)
      at = lineEnd
    } else if (name === 's' || name === 'y') {
      const delimiter = text.charAt(at)
      const second = behindPart(at + 1, delimiter)
      const end = behindPart(second, delimiter, false)
      const options = behind(/[gpiIMme\d]*/y, text, end)
      if (name === 's' && text.slice(end, options).includes('e'))
        runs.push(replacedBy(text.slice(at + 1, second - 1), text.slice(second, end - 1)))
      if (text.charAt(options) === 'w') writes.push(fileOf(text.slice(options + 1, lineEndAt(options))))
      at = text.charAt(options) === 'w' ? lineEndAt(options) : options
      if (!/^[;}\n#]?$/.test(text.charAt(behind(/[^\S\n]*/y, text, at)))) isClear = false
    } else if (/[rRwW]/.test(name)) {
      const files = name === 'r' || name === 'R' ? reads : writes
      files.push(fileOf(text.slice(at, lineEnd)))
      at = lineEnd
    } else if (name === '#') at = lineEnd
    // The text goes on behind a backslash at the end of the line.
    else if (/[aic]/.test(name)) at = behind(/(?:[^\n\\]|\\[^])*/y, text, at)
    else if (/[btT:]/.test(name)) at = behind(/[^;}\n]*/y, text, at)
    else if (/[qQlL]/.test(name)) at = behind(/\s*\d*/y, text, at)
    else if (!/^[{}=dDgGhHnNpPxzF]$/.test(name)) isClear = false
  }
  return { runs, reads, writes, isClear }
}

/** Returns a file name, which sed reads to the end of the line; after `;` or `}`, a further command is assumed. */
const fileOf = (rest: string): string => (/^[^;}]*/.exec(rest)?.[0] ?? '').trim()

function behind(part: RegExp, text: string, at: number): number {
  part.lastIndex = at
  return part.test(text) ? part.lastIndex : at
}

/** Makes a cached search for the next position of a character, or the end of the text. Avoids quadratic time. */
function ends(text: string, character: string): (from: number) => number {
  let [from, end] = [0, -1]
  return (at) => {
    if (at < from || at > end) {
      const next = text.indexOf(character, at)
      ;[from, end] = [at, next === -1 ? text.length : next]
    }
    return end
  }
}

/** Returns the script that `s/…/…/e` runs: the replacement, and what it leaves of the line. */
function replacedBy(pattern: string, replacement: string): string {
  const made = replacement.replaceAll(/\\(.)|&/gs, (part, escaped?: string) =>
    part === '&' || /\d/.test(escaped ?? '') ? unknownPart : (escaped ?? ''),
  )
  return pattern === '^' ? made + unknownPart : pattern === '$' ? unknownPart + made : made
}
