import type { Family } from '../program.ts'
import { type Judge, mayBeOption, readLook } from '../looks/look.ts'

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
export const archives: Family = {
  programs: {
    '7z 7za 7zr 7zz': { looks: sevenZip },
    'gzip gunzip pigz unpigz bzip2 bunzip2 xz unxz lzma unlzma zstd unzstd lz4 brotli': { looks: gzip },
    unzip: { looks: unzip },
    'unrar rar': {
      looks: ({ args }) =>
        /^(?:l|lt|lta|lb|v|vt|vta|vb|t)$/.test(args[0]?.value ?? '') &&
        !args.some(({ value }) => /^-(?:o|w|ilog)/.test(value)),
    },
    ar: { looks: ({ args: [verb = { value: '' }] }) => /^-?[tpv]+$/.test(verb.value) && verb.value.includes('t') },
    cpio: { looks: cpio },
    jar: { looks: ({ args }) => /^-?t[vf]*$/.test(args[0]?.value ?? '') },
    lsar: { looks: true },
    // `-J` passes an option to the machine that runs it, which may load code.
    javap: {
      looks: ({ args }) =>
        readLook(args, '').operands.length > 0 &&
        !args.some((word) => mayBeOption(word) || word.value.startsWith('-J')),
    },
  },
}
