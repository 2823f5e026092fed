import { readOptions } from '../../../model/options.ts'
import type { ShellWord } from '../../../model/shell.ts'
import type { Unwrap } from '../unwrap.ts'
import { splitWords } from './split.ts'
import { behind, known, names } from './words.ts'

/** tar's letters with a value. */
const letters = names('b C f F g H I K L N T V X')

const options = {
  valued: [
    ...letters,
    ...names(`checkpoint-action to-command use-compress-program rsh-command info-script new-volume-script rmt-command file
      directory files-from exclude exclude-from exclude-tag exclude-ignore owner group mode mtime newer after-date
      newer-mtime transform xform strip-components format label blocking-factor record-size tape-length index-file
      volno-file listed-incremental level starting-file sort suffix add-file warning pax-option
      hole-detection sparse-version quoting-style quote-chars no-quote-chars xattrs-include xattrs-exclude
      owner-map group-map set-mtime-command set-mtime-format`),
  ],
  flags: names('checkpoint create extract list to-stdout one-file-system one-top-level'),
  abbreviations: true,
}

const tar: Unwrap = (command, starts) => {
  const more = starts.variable('TAR_OPTIONS')
  if (more !== undefined && more.value !== '') {
    const empty = { name: 'TAR_OPTIONS', value: known('') }
    const written = command.written ?? known('tar')
    starts.words([written, ...splitWords(more.value), ...dashed(command.args)], { assignments: [empty] })
  }
  const read = readOptions(dashed(command.args), options)
  for (const action of read.given.get('checkpoint-action') ?? []) {
    const script = /^exec=/.exec(action.value)
    if (script !== null) starts.script(behind(action, script[0].length))
  }
  const scripts = names('to-command F info-script new-volume-script set-mtime-command')
  for (const text of scripts.flatMap((name) => read.given.get(name) ?? [])) starts.script(text)
  const programs = names('I use-compress-program rsh-command rmt-command')
  for (const text of programs.flatMap((name) => read.given.get(name) ?? [])) starts.words(splitWords(text.value))
}

/** `tar cIf xz a.tar`: the letters' values follow in their order. */
function dashed(args: readonly ShellWord[]): readonly ShellWord[] {
  const [first, ...rest] = args
  if (first === undefined || !/^[A-Za-z]+$/.test(first.value)) return args
  const words: ShellWord[] = []
  for (const letter of first.value) {
    const value = letters.includes(letter) ? rest.shift() : undefined
    words.push(known(`-${letter}`), ...(value === undefined ? [] : [value]))
  }
  return [...words, ...rest]
}

export const archives: Readonly<Record<string, Unwrap>> = { tar, gtar: tar, bsdtar: tar }
