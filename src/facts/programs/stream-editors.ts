import type { ShellWord } from '../../model/shell.ts'
import type { EffectRecorder } from './effects.ts'
import type { Line, Rows } from './row.ts'
import { sedScript } from './sed-script.ts'
import type { Starts } from './starts.ts'
import { joined } from './words.ts'

/** Stream editors, whose scripts can themselves read and write files and start programs: sed and awk. */
export const streamEditors: Rows = {
  'sed gsed ssed': {
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
  },
  'awk gawk mawk nawk goawk': {
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
  },
}

/** Starts what GNU sed runs: the script of its command `e`, or the result of `s/…/…/e`. */
function startSed(line: Line, starts: Starts): void {
  if (line.has('help', 'version')) return starts.wrapper()
  if (line.has('sandbox')) return
  const expressions = line.values('e', 'expression')
  const first = line.has('f', 'file') ? undefined : line.operands[0]
  const script = expressions.length > 0 ? joined(expressions, '\n') : first
  if (script === undefined) return
  for (const found of sedScript(script.value).runs) {
    if (found === '') starts.uncertain('sed runs the lines that it reads')
    else starts.script(script.unresolved === true ? { value: found, unresolved: true } : { value: found })
  }
}

/** Starts an awk program, which is the first operand unless an option gives its text or file. */
function startAwk(line: Line, starts: Starts): void {
  if (line.has('help', 'version', 'V', 'h')) return starts.wrapper()
  const sources = line.values('e', 'source')
  const first = line.has('f', 'file', 'E', 'exec') ? undefined : line.operands[0]
  const program = sources.length > 0 ? joined(sources, '\n') : first
  if (program !== undefined) starts.code('awk', program)
}

/** Records the files of `r FILE`, `w FILE` and `s/…/…/w FILE` in a sed script. */
function recordScript(word: ShellWord, recorder: EffectRecorder): void {
  const { reads, writes } = sedScript(word.value)
  for (const file of reads) recorder.touch({ ...word, value: file }, 'read')
  for (const file of writes) recorder.touch({ ...word, value: file }, 'write')
}
