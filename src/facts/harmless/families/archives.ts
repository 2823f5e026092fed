import { programNamed } from '../../programs/table.ts'
import { type Judge, type Looks, mayBeOption, namesIn, readLook } from '../look.ts'

/** Options of tar with which it writes, or starts something. */
const tarActs =
  /^(?:[xcruAdIFMTO]|to-command|use-compress-program|checkpoint-action|rsh-command|info-script|new-volume-script|rmt-command|index-file|remove-files|files-from|recursive-unlink|delete|extract|create|get|append|update|catenate|concatenate|add-file|set-mtime-command|listed-incremental|g|one-top-level)$/

/** Judges `tar`: it only looks if it lists an archive, or extracts to stdout. */
const tar: Judge = ({ program, args, command }) => {
  const row = programNamed(program)?.row
  const words = command === undefined ? args : (row?.words?.(command) ?? args)
  if (row?.options === undefined || command?.assignments.some(({ name }) => name === 'TAR_OPTIONS') === true)
    return false
  const { names, unknown, values } = readLook(words, row.options)
  const whole = names.map((name) => wholeOf(name, row.options ?? ''))
  const prints =
    whole.some((name) => /^(?:x|extract)$/.test(name)) && whole.some((name) => /^(?:O|to-stdout)$/.test(name))
  // For `host:archive`, tar starts a program that connects to the other machine.
  const isElsewhere = [...values('f', 'file'), ...args].some(({ value }) => /^(?:--file=)?[^-/][^/]*:/.test(value))
  return (
    !unknown &&
    (prints || whole.some((name) => /^(?:t|list)$/.test(name))) &&
    !isElsewhere &&
    !whole.some((name) => name === '' || (tarActs.test(name) && !(prints && /^(?:x|O|extract)$/.test(name))))
  )
}

/** Returns the option that a name abbreviates; `''` if it may abbreviate an option of `tarActs`. */
function wholeOf(name: string, options: string): string {
  if (name.length === 1) return name
  const all = namesIn(options)
  if (all.includes(name)) return name
  return all.some((one) => one.startsWith(name) && tarActs.test(one)) ? '' : name
}

const sevenZip: Judge = ({ args }) => {
  const [verb] = args
  return (
    verb?.unresolved !== true &&
    /^[lthbi]$/.test(verb?.value ?? '') &&
    !args.slice(1).some((word) => word.several === true || /^-(?:o|w|sdel|v\d)/i.test(word.value))
  )
}

/** Judges `gzip` and its like: they replace files unless they list, test or write to stdout. */
const gzip: Judge = ({ args }) => {
  const { names, unknown } = readLook(args, 'S suffix b T M threads D')
  const shows = names.some((name) => /^(?:c|l|t|stdout|to-stdout|list|test)$/.test(name))
  return !unknown && shows && !names.some((name) => /^(?:o|rm|output-dir.*|files.*|train.*)$/.test(name))
}

const unzip: Judge = ({ args }) => {
  const { names, unknown } = readLook(args, 'd x P')
  return !unknown && names.some((name) => /^[lvtzZ]$/.test(name)) && !names.some((name) => /^[dopfunX]$/.test(name))
}

const cpio: Judge = ({ args }) => {
  const { names, unknown } = readLook(args, 'F H I')
  return (
    !unknown &&
    (names.includes('t') || names.includes('list')) &&
    !names.some((name) => /^[opO]$|rsh-command/.test(name))
  )
}

/** Programs for archives, which look into one with some options. */
export const archives: Looks = {
  'tar gtar bsdtar': tar,
  '7z 7za 7zr 7zz': sevenZip,
  'gzip gunzip pigz unpigz bzip2 bunzip2 xz unxz lzma unlzma zstd unzstd lz4 brotli': gzip,
  unzip,
  'unrar rar': ({ args }) =>
    /^(?:l|lt|lta|lb|v|vt|vta|vb|t)$/.test(args[0]?.value ?? '') &&
    !args.some(({ value }) => /^-(?:o|w|ilog)/.test(value)),
  ar: ({ args: [verb = { value: '' }] }) => /^-?[tpv]+$/.test(verb.value) && verb.value.includes('t'),
  cpio,
  jar: ({ args }) => /^-?t[vf]*$/.test(args[0]?.value ?? ''),
  lsar: true,
  // `-J` passes an option to the machine that runs it, which may load code.
  javap: ({ args }) =>
    readLook(args, '').operands.length > 0 && !args.some((word) => mayBeOption(word) || word.value.startsWith('-J')),
}
